import { transliterateUmlauts, translateGerman } from './german.ts'

const IRREGULAR_STEMS: Readonly<Record<string, string>> = {
  people: 'person',
  persons: 'person',
  men: 'man',
  women: 'woman',
  children: 'child',
  sold: 'sell',
  bought: 'buy',
  spent: 'spend',
  paid: 'pay',
  left: 'leave',
  taught: 'teach',
  wrote: 'write',
  written: 'write',
  made: 'make',
  sent: 'send',
  gave: 'giv',
  given: 'giv',
  flew: 'fli',
  flown: 'fli',
  born: 'birth',
  withdrew: 'withdraw',
  withdrawn: 'withdraw',
  began: 'begin',
  begun: 'begin',
  broke: 'break',
  broken: 'break',
  built: 'build',
  chose: 'choos',
  chosen: 'choos',
  drew: 'draw',
  drawn: 'draw',
  drove: 'driv',
  driven: 'driv',
  fell: 'fall',
  fallen: 'fall',
  grew: 'grow',
  grown: 'grow',
  held: 'hold',
  kept: 'keep',
  led: 'lead',
  lent: 'lend',
  met: 'meet',
  ran: 'run',
  rode: 'rid',
  ridden: 'rid',
  seen: 'see',
  saw: 'see',
  stole: 'steal',
  stolen: 'steal',
  threw: 'throw',
  thrown: 'throw',
  won: 'win',
  data: 'data',
  series: 'series',
  species: 'species',
  news: 'news',
  bus: 'bus',
  gas: 'gas',
  media: 'media',
  criteria: 'criterion',
  indices: 'index',
}

const IRREGULAR_NOUNS = new Set(
  'people persons men women children data series species news bus gas media criteria indices'.split(' '),
)

/** "paid", "cancelled"; also German participles. */
export const isPastForm = (word: string): boolean =>
  isEnglishPastForm(word) ||
  (/^[a-zäöüß]+(?:t|n)(?:e[nrsm]?)?$/i.test(word) && isEnglishPastForm(translateGerman(word) ?? ''))

const isEnglishPastForm = (word: string): boolean =>
  /.{2}ed$/i.test(word) ||
  (Object.hasOwn(IRREGULAR_STEMS, word.toLowerCase()) && !IRREGULAR_NOUNS.has(word.toLowerCase()))

/** A light stemmer on purpose: a stronger one would merge words of different meaning. */
export function stemWord(word: string): string {
  const lower = transliterateUmlauts(word.toLowerCase().replace(/['’]s?$/, ''))
  const irregularStem = IRREGULAR_STEMS[lower]
  if (irregularStem !== undefined) return irregularStem
  if (lower.length <= 3 || !/^[a-z]+$/.test(lower)) return lower.replace(/^([a-z]{2,})s$/, '$1')
  return normaliseFinalVowel(stripVerbEnding(stripPlural(lower)))
}

function stripPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2)
  if (word.endsWith('sis') && word.length > 5) return word.slice(0, -2)
  if (/(?:ss|us|is)$/.test(word)) return word
  return word.endsWith('s') ? word.slice(0, -1) : word
}

function stripVerbEnding(word: string): string {
  for (const ending of ['ing', 'ed']) {
    const rest = word.slice(0, -ending.length)
    if (!word.endsWith(ending) || rest.length < 3 || !/[aeiouy]/.test(rest)) continue
    if (/([bdgmnprt])\1$/.test(rest)) return rest.slice(0, -1)
    return rest
  }
  return word
}

function normaliseFinalVowel(word: string): string {
  const withoutFinalE = word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word
  return withoutFinalE.length > 3 && withoutFinalE.endsWith('y') ? `${withoutFinalE.slice(0, -1)}i` : withoutFinalE
}
