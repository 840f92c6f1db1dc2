import { countSteps } from '../schema/join-paths.ts'
import { type Candidate, type Lexicon, type Target, toSquashed } from '../schema/lexicon.ts'
import { type Model, type Table, isDate, listDisplayColumns } from '../schema/model.ts'
import { toEnglishName, toStems } from '../schema/names.ts'
import { listCountryForms } from '../words/countries.ts'
import { translateGerman } from '../words/german.ts'
import { stemWord } from '../words/stem.ts'
import { VALUE_WORDS, listStatusCodes } from '../words/stored-values.ts'
import type { Token } from '../words/tokens.ts'
import { isArticle, isLightWord, isStopWord } from './stop-words.ts'

export interface Mention {
  readonly start: number
  readonly end: number
  readonly words: string
  readonly candidates: readonly Candidate[]
  readonly target: Target
  readonly weight: number
  readonly isAmbiguous: boolean
}

export interface LinkInput {
  readonly tokens: readonly Token[]
  readonly model: Model
  readonly lexicon: Lexicon
  /** Tokens of times and numbers: never part of a name. */
  readonly taken: ReadonlySet<number>
  /** Grammar words: part of a name only together with other words. */
  readonly reserved: ReadonlySet<number>
}

interface LinkedSpan {
  readonly start: number
  readonly end: number
  readonly candidates: readonly Candidate[]
}

const MAX_WORDS = 5

export function linkWords(input: LinkInput): Mention[] {
  const spans = findSpans(input)
  return chooseTargets(spans, input)
    .filter((mention, _, all) => !isLightValue(mention, all))
    .map((mention) => toRows(mention))
    .toSorted((a, b) => a.start - b.start)
}

/** "new registrations": a stop word that happens to be a value in an unrelated table. */
const isLightValue = ({ target, words }: Mention, all: readonly Mention[]): boolean =>
  target.kind === 'value' &&
  isLightWord(words.toLowerCase()) &&
  words.toLowerCase() !== target.value.toLowerCase() &&
  !all.some((mention) => mention.words !== words && mention.target.table === target.table)

/** "animals" of `animal_name`, the display column: the rows are meant, not their names. */
function toRows(mention: Mention): Mention {
  const { target, words } = mention
  if (target.kind !== 'column' || target.column.distinct > -0.9 || mention.weight >= 0.9) return mention
  const { table, column } = target
  const isName = listDisplayColumns(table)[0] === column && /(?:^|_)name$/.test(toEnglishName(column.name))
  if (!isName || !/[^s]s$/i.test(words) || /name|title/i.test(words)) return mention
  return { ...mention, target: { kind: 'table', table } }
}

export function findLongNames(input: LinkInput): LinkedSpan[] {
  return findSpans(input).filter(
    ({ start, end, candidates }) =>
      end - start > 1 && (candidates[0]?.weight ?? 0) >= 0.9 && hasTwoWords(input.tokens, start, end),
  )
}

const hasTwoWords = (tokens: readonly Token[], start: number, end: number) =>
  tokens.slice(start, end).filter(({ lower }) => !isArticle(lower)).length > 1

function findSpans(input: LinkInput): LinkedSpan[] {
  const { tokens, lexicon, taken, reserved } = input
  const claimed = new Set<number>()
  const linkedSpans: LinkedSpan[] = []
  const isOpen = (at: number) => at < tokens.length && !taken.has(at) && !claimed.has(at)
  for (let size = MAX_WORDS; size >= 1; size -= 1) {
    const level = listSpans(input, size, isOpen)
    for (const linkedSpan of level.toSorted(
      (a, b) => (b.candidates[0]?.weight ?? 0) - (a.candidates[0]?.weight ?? 0),
    )) {
      if (![...listPositions(linkedSpan)].every((at) => isOpen(at))) continue
      for (const at of listPositions(linkedSpan)) claimed.add(at)
      linkedSpans.push(linkedSpan)
    }
  }
  for (const { index, lower, stem, number } of tokens) {
    if (!isOpen(index) || reserved.has(index) || isStopWord(lower) || number !== null) continue
    const candidates = lexicon.findNear(stem)
    if (candidates.length > 0) linkedSpans.push({ start: index, end: index + 1, candidates })
  }
  return linkedSpans
}

function listSpans(input: LinkInput, size: number, isOpen: (at: number) => boolean): LinkedSpan[] {
  const { tokens } = input
  return tokens.flatMap((_, start) => {
    const end = extend(tokens, { start, size, isOpen })
    if (end === undefined) return []
    const words = tokens.slice(start, end).filter(({ lower }) => size === 1 || !isArticle(lower))
    const candidates = findAllowed(input, words)
    return candidates.length > 0 ? [{ start, end, candidates }] : []
  })
}

/** A grammar word is part of a name only if the whole name matches surely. */
function findAllowed(input: LinkInput, words: readonly Token[]): readonly Candidate[] {
  const { lexicon, reserved, tokens } = input
  const [only] = words
  const isReserved = words.some(({ index }) => reserved.has(index))
  const exact = findCandidates(words, lexicon)
  if (words.length > 1 || !only) return isReserved && (exact[0]?.weight ?? 0) < 0.9 ? [] : exact
  if (isReserved) return []
  if (isStopWord(only.lower) && !isExactName(only))
    return isGroupName(tokens, only, exact) || isTableName(only, exact) || isTotal(input, only) ? exact : []
  if ((exact[0]?.weight ?? 0) >= 0.6) return exact
  if (exact.length === 0) return findGermanForm(lexicon, only)
  return [...exact, ...lexicon.findNear(only.stem)].toSorted((a, b) => b.weight - a.weight)
}

/** "ausgefallenen": an inflected German word. */
function findGermanForm(lexicon: Lexicon, { lower }: Token): readonly Candidate[] {
  for (const ending of ['en', 'er', 'es', 'em', 'e', 'n']) {
    const bare = lower.slice(0, -ending.length)
    if (!lower.endsWith(ending) || bare.length < 5 || translateGerman(bare) === undefined) continue
    const candidates = lexicon.find(stemWord(bare))
    if (candidates.length > 0) return candidates
  }
  // "Verkaufspreis" of `vk_preis`: both translate to the same English words.
  const english = translateGerman(lower)
  return english === undefined ? [] : lexicon.find(toStems(english.split(' ')).join(' '))
}

/** "a total over 1000": the number belongs to the total. */
const isTotal = ({ taken, tokens }: LinkInput, { lower, index }: Token): boolean =>
  lower === 'total' && tokens[index - 1]?.lower === 'a' && taken.has(index + 1)

const GROUPING = new Set(['by', 'per', 'each', 'every'])

/** "by make": a stop word after a grouping word is a name. */
const isGroupName = (tokens: readonly Token[], { index }: Token, exact: readonly Candidate[]): boolean =>
  GROUPING.has(tokens[index - 1]?.lower ?? '') && (exact[0]?.weight ?? 0) >= 0.9

const SPOKEN_OF = new Set(
  'people person persons show shows work works report reports record records entry entries place places share shares return returns'.split(
    ' ',
  ),
)

/** "oldest show", "people from Weimar": a stop word that is a table's name, unless it begins the question. */
const isTableName = ({ lower, index, text }: Token, [best]: readonly Candidate[]): boolean =>
  (index > 0 || /s$|^people$/i.test(text)) &&
  SPOKEN_OF.has(lower) &&
  best?.target.kind === 'table' &&
  best.weight >= 0.97

const isExactName = ({ text }: Token): boolean => text.length >= 2 && text === text.toUpperCase()

function* listPositions({ start, end }: { start: number; end: number }): Generator<number> {
  for (let at = start; at < end; at += 1) yield at
}

function extend(
  tokens: readonly Token[],
  { start, size, isOpen }: { start: number; size: number; isOpen: (at: number) => boolean },
): number | undefined {
  if (!isOpen(start) || (size > 1 && isArticle(tokens[start]?.lower ?? ''))) return undefined
  let words = 0
  for (let at = start; at < tokens.length; at += 1) {
    if (!isOpen(at)) return undefined
    if (size > 1 && isArticle(tokens[at]?.lower ?? '') && words > 0) continue
    words += 1
    if (words === size) return at + 1
  }
  return undefined
}

function findCandidates(words: readonly Token[], lexicon: Lexicon): Candidate[] {
  const stems = words.map(({ stem }) => stem).join(' ')
  const exact = words
    .map(({ lower }) => lower)
    .join(' ')
    .replaceAll('-', (dash) => dash)
  const [only] = words
  const isSingle = words.length === 1
  const values = [
    ...lexicon.findValue(exact),
    ...lexicon
      .findValue(stems)
      .map((candidate) => ({ ...candidate, weight: isDone(only, candidate.target) ? 0.78 : candidate.weight })),
  ].filter(({ target }) => target.kind === 'value' && isValueWritten(target.value, words))
  const squashed = isSingle && only?.lower.includes('-') ? lexicon.findValue(toSquashed(only.lower)) : []
  const spoken = isSingle && only ? (VALUE_WORDS[only.stem] ?? VALUE_WORDS[only.lower] ?? []) : []
  const stored = [...spoken, ...listCountryForms(stems).map((form) => form.toLowerCase())]
  const translated = stored.flatMap((form) => lexicon.findValue(form).map(({ target }) => ({ target, weight: 0.9 })))
  const codes = isSingle && only ? listStatusCodes(only.text) : []
  const shortened = codes
    .flatMap((code) => lexicon.findValue(code))
    .flatMap(({ target }) => (isStatus(target) ? [{ target, weight: 0.9 }] : []))
  const reversed =
    words.length === 2
      ? lexicon.find(
          words
            .map(({ stem }) => stem)
            .toReversed()
            .join(' '),
        )
      : []
  const all = [
    ...lexicon.find(stems),
    ...values,
    ...translated,
    ...shortened,
    ...squashed.map(({ target }) => ({ target, weight: 0.9 })),
    ...reversed.map((candidate) => ({ ...candidate, weight: candidate.weight * 0.9 })),
  ]
  return filterBestTargets(all, words)
    .filter(({ weight }) => weight >= 0.4)
    .toSorted((a, b) => b.weight - a.weight || Number(b.target.kind === 'table') - Number(a.target.kind === 'table'))
}

function filterBestTargets(all: readonly Candidate[], words: readonly Token[]): Candidate[] {
  const best = new Map<string, Candidate>()
  const isPlural = /[^s]s$/.test(words.at(-1)?.lower ?? '')
  for (const item of all) {
    // A plural such as "bookings" means rows rather than the booking date.
    const isDay = isPlural && item.weight < 0.97 && isDateTarget(item.target)
    const candidate = isDay ? { ...item, weight: item.weight * 0.82 } : item
    const key = toTargetKey(candidate.target)
    const knownCandidate = best.get(key)
    if (!knownCandidate || knownCandidate.weight < candidate.weight) best.set(key, candidate)
  }
  return [...best.values()]
}

const isDateTarget = (target: Target): boolean => target.kind === 'column' && isDate(target.column)

/** A short code counts as a status only in a status column. */
const isStatus = (target: Target): boolean =>
  target.kind === 'value' && /status|state|stage|phase/.test(toEnglishName(target.column.name))

/** "opened" means the date rather than the status `open`. */
const isDone = (word: Token | undefined, target: Target): boolean =>
  target.kind === 'value' && (word?.lower ?? '').endsWith('ed') && !/ed$/i.test(target.value)

/** A code of two or three letters must be written in its own case. */
function isValueWritten(value: string, words: readonly Token[]): boolean {
  const [word, more] = words
  const isSpelled = !more && [word?.lower, word?.stem].includes(value.toLowerCase())
  return value.length > 3 || !isSpelled || word?.text === value
}

export function toTargetKey(target: Target): string {
  const { kind, table } = target
  if (kind === 'value') return `value ${target.column.key} ${target.value}`
  if (kind === 'column') return `column ${target.column.key}`
  if (kind === 'metric') return `metric ${target.metric.code}`
  return `${kind} ${table.key}`
}

/** Unambiguous words decide for the others: the nearest target in the schema wins. */
function chooseTargets(linkedSpans: readonly LinkedSpan[], { model, tokens }: LinkInput): Mention[] {
  const strong = new Set<Table>()
  const listBestTables = ({ candidates }: LinkedSpan) => {
    const best = candidates[0]?.weight ?? 0
    return new Set(candidates.filter(({ weight }) => weight >= best - 0.25).map(({ target }) => target.table))
  }
  const isTable = ({ candidates }: LinkedSpan) => candidates[0]?.target.kind === 'table' && candidates[0].weight >= 0.78
  for (const linkedSpan of linkedSpans) {
    const [best] = linkedSpan.candidates
    if (!best) continue
    if (isTable(linkedSpan) || (listBestTables(linkedSpan).size === 1 && best.weight >= 0.7))
      strong.add(best.target.table)
  }
  const orderedLinkedSpans = linkedSpans.toSorted((a, b) => listBestTables(a).size - listBestTables(b).size)
  const chosen: Mention[] = []
  for (const linkedSpan of orderedLinkedSpans) {
    const scored = linkedSpan.candidates
      .map((candidate) => ({ candidate, score: candidate.weight - lowerScore(candidate.target, { model, strong }) }))
      .toSorted((a, b) => b.score - a.score)
    const [best] = scored
    if (!best) continue
    const second = scored.find(({ candidate }) => toTargetKey(candidate.target) !== toTargetKey(best.candidate.target))
    strong.add(best.candidate.target.table)
    chosen.push({
      start: linkedSpan.start,
      end: linkedSpan.end,
      words: tokens
        .slice(linkedSpan.start, linkedSpan.end)
        .map(({ text }) => text)
        .join(' '),
      candidates: scored.map(({ candidate }) => candidate),
      target: best.candidate.target,
      weight: best.candidate.weight,
      isAmbiguous:
        second !== undefined &&
        best.score - second.score < 0.06 &&
        !isSameThing(best.candidate.target, second.candidate.target),
    })
  }
  return chosen
}

const isSameThing = (a: Target, b: Target): boolean =>
  a.table === b.table && a.kind !== b.kind && (a.kind === 'table' || b.kind === 'table')

function lowerScore(target: Target, { model, strong }: { model: Model; strong: ReadonlySet<Table> }): number {
  if (strong.size === 0 || strong.has(target.table)) return target.kind === 'table' ? -0.04 : 0
  const distances = [...strong].map((table) => countSteps(model, table, target.table))
  const nearest = Math.min(...distances)
  const farthest = Math.max(...distances)
  const base = Number.isFinite(nearest) ? 0.06 * nearest + 0.06 : 0.4
  return base + (Number.isFinite(farthest) ? 0 : 0.2)
}
