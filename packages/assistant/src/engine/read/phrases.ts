import type { Token } from '../words/tokens.ts'
import { type TimeUnit, toUnit } from '../words/times.ts'
import {
  ADJECTIVES,
  ADVERBS,
  AGGREGATES,
  COMPARATORS,
  GROUP_MARKS,
  NEGATIONS,
  PLAIN_SUPERLATIVES,
  SHARES,
  type Aggregate,
  type Comparator,
} from './phrase-words.ts'

interface Span {
  readonly start: number
  readonly end: number
}
export interface AggregatePhrase extends Span {
  readonly aggregate: Aggregate
}
export interface Comparison extends Span {
  readonly comparator: Comparator | 'between'
  readonly value: number
  readonly upper: number | null
  /** "older" of "older than": hints at the column. */
  readonly adjective: string | null
  readonly isTimes: boolean
}
export interface Superlative extends Span {
  readonly isAscending: boolean
  readonly hints: readonly string[]
  readonly isPlain: boolean
}
export interface Negation extends Span {
  readonly isAbsence: boolean
}
interface UnitPhrase extends Span {
  readonly unit: TimeUnit
}

export interface Phrases {
  readonly aggregates: readonly AggregatePhrase[]
  readonly comparisons: readonly Comparison[]
  readonly superlatives: readonly Superlative[]
  readonly negations: readonly Negation[]
  readonly groupMarks: readonly Span[]
  readonly units: readonly UnitPhrase[]
  readonly top: (Span & { readonly count: number; readonly isAscending: boolean | null }) | null
  readonly share: (Span & { readonly isPercent: boolean }) | null
  readonly distinct: Span | null
  readonly used: ReadonlySet<number>
}

/** The grammar of a question, independent of the schema: aggregates, comparisons, grouping, order. */
export function findPhrases(tokens: readonly Token[], taken: ReadonlySet<number>): Phrases {
  const used = new Set<number>()
  const isFree = (at: number) => at < tokens.length && !used.has(at) && !taken.has(at)
  const reader: Reader = {
    tokens,
    isFree,
    matches: (at, words) =>
      words.split(' ').every((word, offset) => isFree(at + offset) && tokens[at + offset]?.lower === word),
    take(start, end) {
      for (let at = start; at < end; at += 1) used.add(at)
      return { start, end }
    },
  }
  const comparisons = findComparisons(reader)
  const [share] = matchAll(reader, SHARES)
  const top = findTop(reader)
  const superlatives = findSuperlatives(reader)
  const units = findUnits(reader)
  // "orders with a total over 1000": a column of orders, not an aggregate.
  const isCompared = (at: number) => comparisons.some(({ start }) => start === at + 1)
  const isNoun = (at: number) => tokens[at]?.lower === 'total' && tokens[at - 1]?.lower === 'a' && isCompared(at)
  const counting = { ...reader, matches: (at: number, words: string) => !isNoun(at) && reader.matches(at, words) }
  const aggregates = matchAll(counting, AGGREGATES).map(({ start, end, meaning }) => ({
    start,
    end,
    aggregate: meaning,
  }))
  const [distinct] = matchAll(reader, DISTINCT)
  const negations = matchAll(reader, NEGATIONS).map(({ start, end, meaning }) => ({ start, end, isAbsence: meaning }))
  const groupMarks = matchAll(
    reader,
    GROUP_MARKS.map((words) => [words, true] as const),
  )
  return {
    aggregates,
    comparisons,
    superlatives,
    negations,
    groupMarks,
    units,
    top,
    share: share ? { start: share.start, end: share.end, isPercent: share.meaning } : null,
    distinct: distinct ?? null,
    used,
  }
}

const DISTINCT = [
  ['distinct', true],
  ['unique', true],
  ['different', true],
] as const

interface Reader {
  readonly tokens: readonly Token[]
  isFree(at: number): boolean
  matches(at: number, words: string): boolean
  take(start: number, end: number): Span
}

/** Longer phrases come first in a list, so that shorter ones match what is left. */
function matchAll<T>(
  { tokens, matches, take }: Reader,
  list: readonly (readonly [words: string, meaning: T])[],
): (Span & { readonly meaning: T })[] {
  const found: (Span & { meaning: T })[] = []
  for (const [words, meaning] of list) {
    for (let at = 0; at < tokens.length; at += 1) {
      if (matches(at, words)) found.push({ ...take(at, at + words.split(' ').length), meaning })
    }
  }
  return found.toSorted((a, b) => a.start - b.start)
}

function findTop({ tokens, isFree, take }: Reader): Phrases['top'] {
  for (let at = 0; at < tokens.length; at += 1) {
    const top = readTop(tokens, at, isFree)
    if (top) return { ...top, ...take(top.start, top.end) }
  }
  return null
}

function findSuperlatives({ tokens, isFree, take }: Reader): Superlative[] {
  return tokens.flatMap((_, at) => {
    const superlative = readSuperlative(tokens, at, isFree)
    return superlative ? [{ ...superlative, ...take(superlative.start, superlative.end) }] : []
  })
}

/** "monthly", "per week", "month by month", "over time" */
function findUnits(reader: Reader): UnitPhrase[] {
  const { tokens, isFree, matches, take } = reader
  const lower = (at: number) => tokens[at]?.lower ?? ''
  const isRepeated = (at: number) => lower(at + 1) === 'by' && lower(at + 2) === lower(at)
  const units: UnitPhrase[] = []
  for (const { index } of tokens) {
    const adverb = ADVERBS[lower(index)]
    if (adverb && isFree(index) && (index === 0 || adverb !== 'day'))
      units.push({ ...take(index, index + 1), unit: adverb })
  }
  for (const mark of [...GROUP_MARKS, 'a']) {
    for (const { index } of tokens) {
      const next = index + mark.split(' ').length
      const unit = toUnit(lower(next))
      if (unit && matches(index, mark) && isFree(next))
        units.push({ ...take(index, next + (isRepeated(next) ? 3 : 1)), unit })
    }
  }
  for (const { index } of tokens) {
    const unit = toUnit(lower(index))
    if (unit && isFree(index) && isRepeated(index)) units.push({ ...take(index, index + 3), unit })
  }
  return [
    ...units,
    ...matchAll(reader, [['over time', 'month'] as const]).map((span) => ({ ...span, unit: span.meaning })),
  ]
}

function findComparisons(reader: Reader): Comparison[] {
  const comparisons = [...findBetween(reader), ...findCompared(reader), ...findOpenEnded(reader)]
  return comparisons.toSorted((a, b) => a.start - b.start)
}

const getNumber = ({ tokens, isFree }: Reader, at: number): number | null =>
  isFree(at) ? (tokens[at]?.number ?? null) : null
const PLAIN = { upper: null, adjective: null, isTimes: false } as const

function findBetween(reader: Reader): Comparison[] {
  const { tokens, matches, take } = reader
  return tokens.flatMap(({ index }): Comparison[] => {
    const [low, high] = [getNumber(reader, index + 1), getNumber(reader, index + 3)]
    const joiner = tokens[index + 2]?.lower
    if (!matches(index, 'between') || low === null || high === null || (joiner !== 'and' && joiner !== 'to')) return []
    return [{ ...PLAIN, ...take(index, index + 4), comparator: 'between', value: low, upper: high }]
  })
}

function findCompared(reader: Reader): Comparison[] {
  const { tokens, matches, take } = reader
  return COMPARATORS.flatMap(([words, comparator]) =>
    tokens.flatMap(({ index }): Comparison[] => {
      const next = index + words.split(' ').length
      const value = matches(index, words) ? getNumber(reader, next) : null
      if (value === null) return []
      const [first = ''] = words.split(' ')
      const isTimes = tokens[next + 1]?.lower === 'times'
      const adjective = words.endsWith(' than') && !['more', 'less', 'fewer'].includes(first) ? first : null
      return [{ ...take(index, next + (isTimes ? 2 : 1)), comparator, value, upper: null, adjective, isTimes }]
    }),
  )
}

const MORE = /^(?:or|and) (?:more|above|higher|over|older|longer)$/
const LESS = /^(?:or|and) (?:less|fewer|below|lower|under|younger|shorter)$/

/** "5 or more"; in "4 stars or more" the noun stays unused. */
function findOpenEnded(reader: Reader): Comparison[] {
  const { tokens, take } = reader
  return tokens.flatMap(({ index }): Comparison[] => {
    const value = getNumber(reader, index)
    if (value === null) return []
    for (const next of [index + 1, index + 2]) {
      const words = `${tokens[next]?.lower ?? ''} ${tokens[next + 1]?.lower ?? ''}`
      if (!MORE.test(words) && !LESS.test(words)) continue
      take(next, next + 2)
      const ownSpan = take(index, index + 1)
      const end = next === index + 1 ? next + 2 : ownSpan.end
      return [{ ...PLAIN, start: index, end, comparator: MORE.test(words) ? '>=' : '<=', value }]
    }
    return []
  })
}

function readTop(tokens: readonly Token[], at: number, isFree: (at: number) => boolean): Phrases['top'] {
  const word = tokens[at]?.lower ?? ''
  if (!isFree(at)) return null
  const count = tokens[at + 1]?.number ?? null
  if (['top', 'first', 'best', 'bottom', 'worst', 'last'].includes(word) && count !== null) {
    const isAscending = word === 'bottom' || word === 'worst'
    return { start: at, end: at + 2, count, isAscending: word === 'first' ? null : isAscending }
  }
  if (word === 'top' || word === 'bottom') return { start: at, end: at + 1, count: 10, isAscending: word === 'bottom' }
  return null
}

function readSuperlative(tokens: readonly Token[], at: number, isFree: (at: number) => boolean): Superlative | null {
  if (!isFree(at)) return null
  const word = tokens[at]?.lower ?? ''
  const next = isFree(at + 1) ? (tokens[at + 1]?.lower ?? '') : ''
  const plain = PLAIN_SUPERLATIVES[word]
  const described = ADJECTIVES[next]
  if (plain !== undefined && described && (word !== 'most' || next !== 'sold')) {
    const [hints, isAscending] = described
    return {
      start: at,
      end: at + 2,
      isAscending: plain ? !isAscending : isAscending,
      hints: hints.split(' '),
      isPlain: false,
    }
  }
  if (plain !== undefined) {
    const before = tokens[at - 1]?.lower
    if (word === 'least' && before === 'at') return null
    return { start: at, end: at + 1, isAscending: plain, hints: [], isPlain: true }
  }
  const own = /est$|^bestselling$|^best-selling$/.test(word) ? ADJECTIVES[word] : undefined
  if (!own) return null
  const [hints, isAscending] = own
  return { start: at, end: at + 1, isAscending, hints: hints.split(' '), isPlain: false }
}
