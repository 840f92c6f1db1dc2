import { type Column, isDate, isNumeric } from '../schema/model.ts'
import { expandNameParts, splitName, toStems } from '../schema/names.ts'
import type { Mention } from './find-mentions.ts'
import { COMPARATOR_PHRASES, type Comparator } from './phrase-words.ts'
import { type Question, getColumn, isNearby } from './scan-question.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { SIMILAR_SCORE_MARGIN } from '../schema/match-scores.ts'

const COLUMN_COMPARATORS: readonly (readonly [words: string, comparator: Comparator])[] = [
  ...COMPARATOR_PHRASES,
  ['later than', '>'],
  ['earlier than', '<'],
  ['after', '>'],
  ['before', '<'],
]

/** "shipped after the requested date", "stock below the minimum stock" */
export function addColumnComparisonFilters(builder: PlanBuilder): void {
  const { question, mentionRoles, filters, usedTokens } = builder
  for (const { index } of question.tokens) {
    const comparator = findComparator(question, index)
    const otherMention = comparator && findComparableMentionAfter(builder, comparator.end)
    const otherColumn = otherMention && getColumn(otherMention)
    if (!comparator || !otherColumn) continue
    const mentionBefore = findComparableMentionBefore(builder, index, otherColumn)
    const column = mentionBefore ? findColumnComparableTo(mentionBefore, otherColumn) : findColumnOfBound(otherColumn)
    if (!column) continue
    filters.push({ kind: 'columns', column, comparator: comparator.comparator, other: otherColumn })
    for (const mention of [mentionBefore, otherMention]) if (mention) mentionRoles.set(mention, 'filter')
    for (let tokenIndex = index; tokenIndex < comparator.end; tokenIndex += 1) usedTokens.add(tokenIndex)
  }
}

/** The comparison that begins at the token, unless a number follows it. */
function findComparator(
  { tokens }: Question,
  start: number,
): { readonly comparator: Comparator; readonly end: number } | undefined {
  for (const [comparatorPhrase, comparator] of COLUMN_COMPARATORS) {
    const phraseWords = comparatorPhrase.split(' ')
    const end = start + phraseWords.length
    const matchesTokens = phraseWords.every((part, offset) => tokens[start + offset]?.lower === part)
    if (matchesTokens && (tokens[end]?.number ?? null) === null) return { comparator, end }
  }
  return undefined
}

/** Numbers and dates, but no identifiers. */
const isComparable = (column: Column): boolean => (isNumeric(column) && !column.isIdentifier) || isDate(column)

/** The number or date column that follows the comparison. */
function findComparableMentionAfter(
  { question, listUnassignedMentions }: PlanBuilder,
  tokenIndex: number,
): Mention | undefined {
  const mentionAfter = listUnassignedMentions().find(
    (mention) =>
      mention.start >= tokenIndex && isNearby(question, { from: tokenIndex, to: mention.start, maxTokens: 2 }),
  )
  const column = mentionAfter && getColumn(mentionAfter)
  return column && isComparable(column) ? mentionAfter : undefined
}

/** The column before the comparison, of the same table and kind as the other one. */
function findComparableMentionBefore(
  { question, listUnassignedMentions }: PlanBuilder,
  tokenIndex: number,
  otherColumn: Column,
): Mention | undefined {
  const mentionBefore = listUnassignedMentions().findLast(
    (mention) => mention.end <= tokenIndex && isNearby(question, { from: mention.end, to: tokenIndex, maxTokens: 3 }),
  )
  return mentionBefore && findColumnComparableTo(mentionBefore, otherColumn) ? mentionBefore : undefined
}

/** Among the meanings of a mention, the column with the same table and kind as the other one. */
function findColumnComparableTo({ target, candidates, matchScore }: Mention, otherColumn: Column): Column | undefined {
  const targets = [
    target,
    ...candidates
      .filter((candidate) => candidate.matchScore >= matchScore - SIMILAR_SCORE_MARGIN)
      .map((candidate) => candidate.target),
  ]
  const columns = targets.flatMap((item) => (item.kind === 'column' ? [item.column] : []))
  return columns.find(
    (column) =>
      column !== otherColumn &&
      column.table === otherColumn.table &&
      isComparable(column) &&
      isDate(column) === isDate(otherColumn),
  )
}

const BOUND_WORDS = new Set(toStems('minimum maximum min max target limit required'.split(' ')))

/** "below the minimum stock" of `min_stock`: the number column that has the same words without "min". */
function findColumnOfBound(boundColumn: Column): Column | undefined {
  const listStems = ({ name }: Column) => toStems(expandNameParts(splitName(name)))
  const boundStems = listStems(boundColumn)
  const stemsWithoutBound = boundStems.filter((part) => !BOUND_WORDS.has(part))
  if (stemsWithoutBound.length === boundStems.length || stemsWithoutBound.length === 0) return undefined
  const [column, secondColumn] = boundColumn.table.columns.filter(
    (candidate) =>
      candidate !== boundColumn &&
      isNumeric(candidate) &&
      stemsWithoutBound.every((part) => listStems(candidate).includes(part)),
  )
  return secondColumn ? undefined : column
}
