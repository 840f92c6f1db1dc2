import type { Token } from '../words/tokens.ts'
import { type TimeUnit, parseTimeUnit } from '../words/times.ts'
import {
  ADJECTIVES,
  TIME_ADVERBS,
  AGGREGATE_PHRASES,
  COMPARATOR_PHRASES,
  GROUPING_PHRASES,
  NEGATION_PHRASES,
  BARE_SUPERLATIVES,
  SHARE_PHRASES,
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
/** "more than 5", "between 10 and 20" */
export interface Comparison extends Span {
  readonly comparator: Comparator | 'between'
  readonly value: number
  readonly upper: number | null
  /** "older" of "older than": hints at the column. */
  readonly adjective: string | null
  readonly isNumberOfTimes: boolean
}
/** "most expensive" with hints for the column, or a bare "most". */
export interface Superlative extends Span {
  readonly isAscending: boolean
  readonly columnHints: readonly string[]
  readonly isBare: boolean
}
/** "without", "not" */
export interface Negation extends Span {
  readonly isAbsence: boolean
}
interface UnitPhrase extends Span {
  readonly unit: TimeUnit
}

/** What the grammar of a question says; spans are token indexes. */
export interface Phrases {
  readonly aggregates: readonly AggregatePhrase[]
  readonly comparisons: readonly Comparison[]
  readonly superlatives: readonly Superlative[]
  readonly negations: readonly Negation[]
  readonly groupingWords: readonly Span[]
  readonly timeUnits: readonly UnitPhrase[]
  readonly top: (Span & { readonly count: number; readonly isAscending: boolean | null }) | null
  readonly share: (Span & { readonly isPercent: boolean }) | null
  readonly distinctWord: Span | null
  readonly usedTokens: ReadonlySet<number>
}

/** The grammar of a question, independent of the schema: aggregates, comparisons, grouping, order. */
export function findPhrases(tokens: readonly Token[], excludedTokens: ReadonlySet<number>): Phrases {
  const usedTokens = new Set<number>()
  const isUnused = (tokenIndex: number) =>
    tokenIndex < tokens.length && !usedTokens.has(tokenIndex) && !excludedTokens.has(tokenIndex)
  const scanner: PhraseScanner = {
    tokens,
    isUnused,
    matchesAt: (tokenIndex, words) =>
      words
        .split(' ')
        .every((word, offset) => isUnused(tokenIndex + offset) && tokens[tokenIndex + offset]?.lower === word),
    claimTokens(start, end) {
      for (let tokenIndex = start; tokenIndex < end; tokenIndex += 1) usedTokens.add(tokenIndex)
      return { start, end }
    },
  }
  const comparisons = findComparisons(scanner)
  const [share] = findAllPhrases(scanner, SHARE_PHRASES)
  const top = findTopPhrase(scanner)
  const superlatives = findSuperlatives(scanner)
  const timeUnits = findTimeUnits(scanner)
  // "orders with a total over 1000": a column of orders, not an aggregate.
  const isBeforeComparison = (tokenIndex: number) => comparisons.some(({ start }) => start === tokenIndex + 1)
  const isTotalBeforeComparison = (tokenIndex: number) =>
    tokens[tokenIndex]?.lower === 'total' && tokens[tokenIndex - 1]?.lower === 'a' && isBeforeComparison(tokenIndex)
  const aggregateScanner: PhraseScanner = {
    ...scanner,
    matchesAt: (tokenIndex: number, words: string) =>
      !isTotalBeforeComparison(tokenIndex) && scanner.matchesAt(tokenIndex, words),
  }
  const aggregates = findAllPhrases(aggregateScanner, AGGREGATE_PHRASES).map(({ start, end, meaning }) => ({
    start,
    end,
    aggregate: meaning,
  }))
  const [distinct] = findAllPhrases(scanner, DISTINCT)
  const negations = findAllPhrases(scanner, NEGATION_PHRASES).map(({ start, end, meaning }) => ({
    start,
    end,
    isAbsence: meaning,
  }))
  const groupingWords = findAllPhrases(
    scanner,
    GROUPING_PHRASES.map((words) => [words, true] as const),
  )
  return {
    aggregates,
    comparisons,
    superlatives,
    negations,
    groupingWords,
    timeUnits,
    top,
    share: share ? { start: share.start, end: share.end, isPercent: share.meaning } : null,
    distinctWord: distinct ?? null,
    usedTokens,
  }
}

const DISTINCT = [
  ['distinct', true],
  ['unique', true],
  ['different', true],
] as const

/** Searches the tokens; each token can be claimed by one phrase. */
interface PhraseScanner {
  readonly tokens: readonly Token[]
  isUnused(tokenIndex: number): boolean
  matchesAt(tokenIndex: number, words: string): boolean
  claimTokens(start: number, end: number): Span
}

/** Longer phrases come first in a list, so that shorter ones match what is left. */
function findAllPhrases<T>(
  { tokens, matchesAt, claimTokens }: PhraseScanner,
  phrases: readonly (readonly [words: string, meaning: T])[],
): (Span & { readonly meaning: T })[] {
  const matches: (Span & { meaning: T })[] = []
  for (const [words, meaning] of phrases) {
    for (let tokenIndex = 0; tokenIndex < tokens.length; tokenIndex += 1) {
      if (matchesAt(tokenIndex, words))
        matches.push({ ...claimTokens(tokenIndex, tokenIndex + words.split(' ').length), meaning })
    }
  }
  return matches.toSorted((a, b) => a.start - b.start)
}

/** "top 5", "bottom 3" */
function findTopPhrase({ tokens, isUnused, claimTokens }: PhraseScanner): Phrases['top'] {
  for (let tokenIndex = 0; tokenIndex < tokens.length; tokenIndex += 1) {
    const top = parseTopPhrase(tokens, tokenIndex, isUnused)
    if (top) return { ...top, ...claimTokens(top.start, top.end) }
  }
  return null
}

function findSuperlatives({ tokens, isUnused, claimTokens }: PhraseScanner): Superlative[] {
  return tokens.flatMap((_, tokenIndex) => {
    const superlative = parseSuperlative(tokens, tokenIndex, isUnused)
    return superlative ? [{ ...superlative, ...claimTokens(superlative.start, superlative.end) }] : []
  })
}

/** "monthly", "per week", "month by month", "over time" */
function findTimeUnits(scanner: PhraseScanner): UnitPhrase[] {
  const { tokens, isUnused, matchesAt, claimTokens } = scanner
  const getWord = (tokenIndex: number) => tokens[tokenIndex]?.lower ?? ''
  const isUnitByUnit = (tokenIndex: number) =>
    getWord(tokenIndex + 1) === 'by' && getWord(tokenIndex + 2) === getWord(tokenIndex)
  const units: UnitPhrase[] = []
  for (const { index } of tokens) {
    const adverb = TIME_ADVERBS[getWord(index)]
    if (adverb && isUnused(index) && (index === 0 || adverb !== 'day'))
      units.push({ ...claimTokens(index, index + 1), unit: adverb })
  }
  for (const groupingWord of [...GROUPING_PHRASES, 'a']) {
    for (const { index } of tokens) {
      const unitIndex = index + groupingWord.split(' ').length
      const unit = parseTimeUnit(getWord(unitIndex))
      if (unit && matchesAt(index, groupingWord) && isUnused(unitIndex))
        units.push({ ...claimTokens(index, unitIndex + (isUnitByUnit(unitIndex) ? 3 : 1)), unit })
    }
  }
  for (const { index } of tokens) {
    const unit = parseTimeUnit(getWord(index))
    if (unit && isUnused(index) && isUnitByUnit(index)) units.push({ ...claimTokens(index, index + 3), unit })
  }
  return [
    ...units,
    ...findAllPhrases(scanner, [['over time', 'month'] as const]).map((span) => ({ ...span, unit: span.meaning })),
  ]
}

/** All comparisons with numbers, in the order of the question. */
function findComparisons(scanner: PhraseScanner): Comparison[] {
  const comparisons = [
    ...findBetweenComparisons(scanner),
    ...findComparatorPhrases(scanner),
    ...findOrMoreComparisons(scanner),
  ]
  return comparisons.toSorted((a, b) => a.start - b.start)
}

/** The number at the token, unless another phrase has claimed it. */
const getNumber = ({ tokens, isUnused }: PhraseScanner, tokenIndex: number): number | null =>
  isUnused(tokenIndex) ? (tokens[tokenIndex]?.number ?? null) : null
const SIMPLE_COMPARISON = { upper: null, adjective: null, isNumberOfTimes: false } as const

/** "between 10 and 20" */
function findBetweenComparisons(scanner: PhraseScanner): Comparison[] {
  const { tokens, matchesAt, claimTokens } = scanner
  return tokens.flatMap(({ index }): Comparison[] => {
    const [low, high] = [getNumber(scanner, index + 1), getNumber(scanner, index + 3)]
    const joiner = tokens[index + 2]?.lower
    if (!matchesAt(index, 'between') || low === null || high === null || (joiner !== 'and' && joiner !== 'to'))
      return []
    return [{ ...SIMPLE_COMPARISON, ...claimTokens(index, index + 4), comparator: 'between', value: low, upper: high }]
  })
}

/** "more than 5", "older than 30", "at least 3 times" */
function findComparatorPhrases(scanner: PhraseScanner): Comparison[] {
  const { tokens, matchesAt, claimTokens } = scanner
  return COMPARATOR_PHRASES.flatMap(([words, comparator]) =>
    tokens.flatMap(({ index }): Comparison[] => {
      const numberIndex = index + words.split(' ').length
      const value = matchesAt(index, words) ? getNumber(scanner, numberIndex) : null
      if (value === null) return []
      const [firstWord = ''] = words.split(' ')
      const isNumberOfTimes = tokens[numberIndex + 1]?.lower === 'times'
      const adjective = words.endsWith(' than') && !['more', 'less', 'fewer'].includes(firstWord) ? firstWord : null
      return [
        {
          ...claimTokens(index, numberIndex + (isNumberOfTimes ? 2 : 1)),
          comparator,
          value,
          upper: null,
          adjective,
          isNumberOfTimes,
        },
      ]
    }),
  )
}

const OR_MORE = /^(?:or|and) (?:more|above|higher|over|older|longer)$/
const OR_LESS = /^(?:or|and) (?:less|fewer|below|lower|under|younger|shorter)$/

/** "5 or more"; in "4 stars or more" the noun stays unused. */
function findOrMoreComparisons(scanner: PhraseScanner): Comparison[] {
  const { tokens, claimTokens } = scanner
  return tokens.flatMap(({ index }): Comparison[] => {
    const value = getNumber(scanner, index)
    if (value === null) return []
    for (const suffixIndex of [index + 1, index + 2]) {
      const words = `${tokens[suffixIndex]?.lower ?? ''} ${tokens[suffixIndex + 1]?.lower ?? ''}`
      if (!OR_MORE.test(words) && !OR_LESS.test(words)) continue
      claimTokens(suffixIndex, suffixIndex + 2)
      const numberSpan = claimTokens(index, index + 1)
      const end = suffixIndex === index + 1 ? suffixIndex + 2 : numberSpan.end
      return [{ ...SIMPLE_COMPARISON, start: index, end, comparator: OR_MORE.test(words) ? '>=' : '<=', value }]
    }
    return []
  })
}

/** "top 5 customers" → 5; "top" alone means 10. */
function parseTopPhrase(
  tokens: readonly Token[],
  tokenIndex: number,
  isFree: (tokenIndex: number) => boolean,
): Phrases['top'] {
  const word = tokens[tokenIndex]?.lower ?? ''
  if (!isFree(tokenIndex)) return null
  const count = tokens[tokenIndex + 1]?.number ?? null
  if (['top', 'first', 'best', 'bottom', 'worst', 'last'].includes(word) && count !== null) {
    const isAscending = word === 'bottom' || word === 'worst'
    return { start: tokenIndex, end: tokenIndex + 2, count, isAscending: word === 'first' ? null : isAscending }
  }
  if (word === 'top' || word === 'bottom')
    return { start: tokenIndex, end: tokenIndex + 1, count: 10, isAscending: word === 'bottom' }
  return null
}

/** "most expensive" → highest price; "least expensive" reverses it; "oldest" → earliest date. */
function parseSuperlative(
  tokens: readonly Token[],
  tokenIndex: number,
  isFree: (tokenIndex: number) => boolean,
): Superlative | null {
  if (!isFree(tokenIndex)) return null
  const word = tokens[tokenIndex]?.lower ?? ''
  const nextWord = isFree(tokenIndex + 1) ? (tokens[tokenIndex + 1]?.lower ?? '') : ''
  const isAscendingWord = BARE_SUPERLATIVES[word]
  const adjective = ADJECTIVES[nextWord]
  if (isAscendingWord !== undefined && adjective && (word !== 'most' || nextWord !== 'sold')) {
    const [hints, isAscending] = adjective
    return {
      start: tokenIndex,
      end: tokenIndex + 2,
      isAscending: isAscendingWord ? !isAscending : isAscending,
      columnHints: hints.split(' '),
      isBare: false,
    }
  }
  if (isAscendingWord !== undefined) {
    const previousWord = tokens[tokenIndex - 1]?.lower
    if (word === 'least' && previousWord === 'at') return null
    return { start: tokenIndex, end: tokenIndex + 1, isAscending: isAscendingWord, columnHints: [], isBare: true }
  }
  const superlativeAdjective = /est$|^bestselling$|^best-selling$/.test(word) ? ADJECTIVES[word] : undefined
  if (!superlativeAdjective) return null
  const [hints, isAscending] = superlativeAdjective
  return { start: tokenIndex, end: tokenIndex + 1, isAscending, columnHints: hints.split(' '), isBare: false }
}
