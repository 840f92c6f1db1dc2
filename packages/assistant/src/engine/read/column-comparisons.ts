import { type Column, isDate, isNumeric } from '../schema/model.ts'
import { expandParts, splitName, toStems } from '../schema/names.ts'
import type { Mention } from './link.ts'
import { COMPARATORS, type Comparator } from './phrase-words.ts'
import { type Question, getColumn, isNear } from './question.ts'
import type { Reader } from './reader.ts'

const WORDS: readonly (readonly [words: string, comparator: Comparator])[] = [
  ...COMPARATORS,
  ['later than', '>'],
  ['earlier than', '<'],
  ['after', '>'],
  ['before', '<'],
]

/** "shipped after the requested date", "stock below the minimum stock" */
export function readColumnComparisons(reader: Reader): void {
  const { question, roles, filters, used } = reader
  for (const { index } of question.tokens) {
    const comparator = findComparator(question, index)
    const other = comparator && findAfter(reader, comparator.end)
    const to = other && getColumn(other)
    if (!comparator || !to) continue
    const first = findBefore(reader, index, to)
    const column = first ? pickLike(first, to) : findStock(to)
    if (!column) continue
    filters.push({ kind: 'columns', column, comparator: comparator.comparator, other: to })
    for (const mention of [first, other]) if (mention) roles.set(mention, 'filter')
    for (let at = index; at < comparator.end; at += 1) used.add(at)
  }
}

function findComparator(
  { tokens }: Question,
  start: number,
): { readonly comparator: Comparator; readonly end: number } | undefined {
  for (const [words, comparator] of WORDS) {
    const parts = words.split(' ')
    const end = start + parts.length
    const isHere = parts.every((part, at) => tokens[start + at]?.lower === part)
    if (isHere && (tokens[end]?.number ?? null) === null) return { comparator, end }
  }
  return undefined
}

const isComparable = (column: Column): boolean => (isNumeric(column) && !column.isIdentifier) || isDate(column)

function findAfter({ question, free }: Reader, from: number): Mention | undefined {
  const next = free().find((mention) => mention.start >= from && isNear(question, { from, to: mention.start, most: 2 }))
  const column = next && getColumn(next)
  return column && isComparable(column) ? next : undefined
}

function findBefore({ question, free }: Reader, to: number, other: Column): Mention | undefined {
  const before = free().findLast((mention) => mention.end <= to && isNear(question, { from: mention.end, to, most: 3 }))
  return before && pickLike(before, other) ? before : undefined
}

function pickLike({ target, candidates, weight }: Mention, other: Column): Column | undefined {
  const targets = [
    target,
    ...candidates.filter((candidate) => candidate.weight >= weight - 0.2).map((candidate) => candidate.target),
  ]
  const columns = targets.flatMap((item) => (item.kind === 'column' ? [item.column] : []))
  return columns.find(
    (column) =>
      column !== other && column.table === other.table && isComparable(column) && isDate(column) === isDate(other),
  )
}

const BOUNDS = new Set(toStems('minimum maximum min max target limit required'.split(' ')))

function findStock(boundColumn: Column): Column | undefined {
  const listParts = ({ name }: Column) => toStems(expandParts(splitName(name)))
  const parts = listParts(boundColumn)
  const intendedParts = parts.filter((part) => !BOUNDS.has(part))
  if (intendedParts.length === parts.length || intendedParts.length === 0) return undefined
  const [only, second] = boundColumn.table.columns.filter(
    (column) =>
      column !== boundColumn && isNumeric(column) && intendedParts.every((part) => listParts(column).includes(part)),
  )
  return second ? undefined : only
}
