import type { Encoding } from '../read/encoding.ts'
import { createTextDecoder } from '../read/text-decoder.ts'

/** Letters by frequency in the languages of an encoding. */
interface Alphabet {
  readonly encodings: readonly Encoding[]
  readonly common: string
  readonly usual: string
  readonly rare: string
}

const ALPHABETS: readonly Alphabet[] = [
  {
    encodings: ['windows-1251', 'koi8-r', 'ibm866'],
    common: 'оеаинтсрвл',
    usual: 'кмдпуяыьгзбчіїєґў',
    rare: 'йхжшюцщэфъё',
  },
  {
    encodings: ['windows-1253'],
    common: 'αοιετσνηυρ',
    usual: 'πκμλςωγδάίόέήύώ',
    rare: 'χθφβξζψϊϋΐΰ',
  },
  { encodings: ['windows-1255'], common: 'יוהלאמרתבש', usual: 'נכםדקפעחן', rare: 'גטסזצךףץ' },
  { encodings: ['windows-1256'], common: 'اليمنوربتد', usual: 'عسةهفكقحجشأىصطخ', rare: 'ضذثزءؤظغئآإپچژگ' },
  { encodings: ['windows-874'], common: 'านรกงเมยลวดทสตะ่้ิีัุ', usual: 'ปบคหแจพชขใไโูำ์็ถผซ', rare: 'ธฟภญอณฐษศฉฝฮฬ' },
]

const LETTER = /\p{L}/u
/** Words in other scripts are entirely non-ASCII, words in Latin script only partly. */
const MIN_RUN = 2.5

const MAX_SAMPLE = 64 * 1024

/** Picks the single-byte encoding whose text looks like a language. */
export function guessSingleByte(whole: Buffer): Encoding {
  const text = whole.subarray(0, MAX_SAMPLE)
  const runs = text.toString('latin1').match(/[\u0080-\u00ff]+/g) ?? []
  const high = runs.reduce((sum, run) => sum + run.length, 0)
  return high / Math.max(1, runs.length) > MIN_RUN ? guessAlphabet(text) : guessLatin(text)
}

interface ScoredEncoding {
  readonly encoding: Encoding
  readonly score: number
}

const pickBest = (scoredEncodings: readonly ScoredEncoding[], preferred: Encoding): Encoding =>
  scoredEncodings.reduce(
    (winner, scoredEncoding) => (scoredEncoding.score > winner.score + 0.02 ? scoredEncoding : winner),
    {
      encoding: preferred,
      score: scoredEncodings.find(({ encoding }) => encoding === preferred)?.score ?? 0,
    },
  ).encoding

function guessAlphabet(text: Buffer): Encoding {
  const scored = ALPHABETS.flatMap((alphabet) =>
    alphabet.encodings.map((encoding) => ({ encoding, score: scoreAlphabet(decode(text, encoding), alphabet) })),
  )
  return pickBest(scored, 'windows-1251')
}

function scoreAlphabet(decoded: string, { common, usual, rare }: Alphabet): number {
  let score = 0
  let high = 0
  let before = ''
  for (const letter of decoded) {
    if (letter > '\u007f') {
      high += 1
      const small = letter.toLowerCase()
      const weight = common.includes(small) ? 1 : usual.includes(small) ? 0.5 : rare.includes(small) ? 0.2 : -0.5
      // Wrong case within a word indicates a neighbouring encoding.
      const isTurned = small !== letter && LETTER.test(before) && before === before.toLowerCase()
      score += isTurned ? Math.min(weight, 0) - 0.5 : weight
    }
    before = letter
  }
  return score / Math.max(1, high)
}

const WESTERN = ['äöüß', 'éèêëàâçîïôùûüœæÿ', 'áéíóúñü', 'ãáéíóúâêôçà', 'àèéìòùí', 'åäöéæøó', 'éëïóöüèê', 'äöõüšž']
/** Its letters equal Turkish ones in another encoding; accented vowels tell. */
const ICELANDIC = 'áéíóúýðþæö'
const LATIN: readonly (readonly [Encoding, readonly string[]])[] = [
  ['windows-1252', WESTERN],
  ['macintosh', WESTERN],
  ['ibm850', WESTERN],
  ['windows-1250', ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áéíóöőúüű', 'ăâîşţșț', 'čćđšž', 'áäčďéíĺľňóôŕšťúýž']],
  ['iso-8859-2', ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'čćđšž', 'áäčďéíĺľňóôŕšťúýž']],
  ['windows-1254', ['çğıİöşüâî']],
  ['windows-1257', ['ąčęėįšųūž', 'āčēģīķļņšūž']],
]
/** Western languages share most letters, so a mix of them beats a single other one. */
const MIXED_SHARE = 0.9

const MIN_OLD_SCORE = 0.8

/** Letters of old Mac and DOS encodings are also valid Shift JIS. */
export function findOldWestern(text: Buffer): Encoding | undefined {
  const head = text.subarray(0, MAX_SAMPLE)
  const encoding = guessSingleByte(head)
  if (encoding !== 'macintosh' && encoding !== 'ibm850') return undefined
  return scoreLatin(decode(head, encoding), WESTERN) >= MIN_OLD_SCORE ? encoding : undefined
}

function guessLatin(text: Buffer): Encoding {
  const scored = LATIN.map(([encoding, languages]) => ({
    encoding,
    score: scoreLatin(decode(text, encoding), languages),
  }))
  return pickBest(scored, 'windows-1252')
}

function scoreLatin(decoded: string, languages: readonly string[]): number {
  const scores = languages.map((letters) => scoreLetters(decoded, letters))
  if (languages !== WESTERN) return Math.max(...scores)
  const mixed = scoreLetters(decoded, WESTERN.join('') + ICELANDIC) * MIXED_SHARE
  const icelandic = /[áíóúæ]/i.test(decoded) ? scoreLetters(decoded, ICELANDIC) : 0
  return Math.max(mixed, icelandic, ...scores)
}

const isSmall = (letter: string) => letter !== '' && letter === letter.toLowerCase() && letter !== letter.toUpperCase()

function scoreLetters(decoded: string, letters: string): number {
  const signs = [...decoded]
  let score = 0
  let high = 0
  for (const [at, sign] of signs.entries()) {
    if (sign <= '\u007f') continue
    high += 1
    const [before = '', next = ''] = [signs[at - 1], signs[at + 1]]
    if (!LETTER.test(sign)) score += scorePunctuation(sign, LETTER.test(before), LETTER.test(next))
    // A capital within a word indicates another encoding.
    else if (!isSmall(sign) && isSmall(before)) score -= 1
    else score += letters.includes(sign.toLowerCase()) || letters.includes(sign) ? 1 : -1
  }
  return score / Math.max(1, high)
}

/** Quotes, dashes and currency signs stand between words; only an apostrophe within. */
/** 1 is plausible there, -1 is not: an opening quote follows no letter, a dash stands within no word. */
function scorePunctuation(sign: string, isAfterLetter: boolean, isBeforeLetter: boolean): number {
  if (sign === '’') return isAfterLetter ? 1 : 0
  if (/[“„«‘‚]/.test(sign)) return isAfterLetter ? -1 : 1
  if (/[”»]/.test(sign)) return isBeforeLetter ? -1 : 1
  if (/[–—…•€£¥§©®°·\u00a0¿¡º²³½¼µ±×™]/.test(sign)) return isAfterLetter && isBeforeLetter ? -1 : 1
  return -1
}

const decode = (text: Buffer, encoding: Encoding): string => createTextDecoder(encoding).decode(text)
