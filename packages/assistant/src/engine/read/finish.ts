import {
  EMPTY_PLAN,
  type Filter,
  type Plan,
  getExpressionTable,
  getFilterTable,
  getGroupTable,
  toGroupKey,
  toMeasureKey,
} from '../plan/plan.ts'
import { findPath, isUpwards } from '../schema/join-paths.ts'
import { type Column, type Table, findDeletedColumn, isDate, isMeasure } from '../schema/model.ts'
import { splitName, toStems } from '../schema/names.ts'
import { isPastForm, stemWord } from '../words/stem.ts'
import type { Absences } from './absences.ts'
import { flagFilledColumns, flagUndoneStatus, pickDate, readTimes, skipDoneValues } from './dates.ts'
import type { PlanEnding } from './plan-ending.ts'
import { flagGuesses } from './doubts/guesses.ts'
import type { Mention } from './link.ts'
import { flagLooseWords } from './doubts/loose-words.ts'
import { getColumn, getTable } from './question.ts'
import type { Reader } from './reader.ts'
import { isLightWord } from './stop-words.ts'

export interface Draft {
  readonly plan: Plan
  readonly used: ReadonlySet<number>
  readonly doubts: readonly { readonly reason: string; readonly cost: number }[]
}

const COMPARING = new Set(['versus', 'vs', 'compare', 'compared', 'against'])

export const isComparing = ({ question }: Reader): boolean => question.tokens.some(({ lower }) => COMPARING.has(lower))

/** Adds what any question may have: values, times, units of time, and mentions without a role. */
export function finishPlan(reader: Reader, absences: Absences, ending: PlanEnding): Draft | undefined {
  const { base } = ending
  if (!base) return undefined
  const { groups, measures, doubts, used, filters, isRatio, over } = reader
  const absent = absences.toFilters(base)
  flagFarAbsences(reader, base, absent)
  flagUndoneStatus(reader, absent)
  flagFilledColumns(reader, absent)
  skipLightValues(reader, base)
  const part = listAbsentShare(reader, ending, absent)
  const all: Filter[] = [...filters, ...readValues(reader), ...(part.length > 0 ? [] : absent)]
  const timedFilters = absences.hasTime ? [] : readTimes(reader, base)
  skipDoneValues(reader, all, timedFilters)
  all.push(...timedFilters)
  addUnits(reader, base, ending)
  all.push(...skipUndated(reader, all))
  if (isComparing(reader) && groups.length === 0) {
    const several = all.find((filter) => filter.kind === 'in' && filter.values.length > 1)
    if (several?.kind === 'in') groups.push({ kind: 'column', column: several.column, unit: null })
  }
  all.push(...readLeftOver(reader, ending, all))
  all.push(...skipDeleted(reader, base, [...all, ...(ending.share?.part ?? [])]))
  skipOwnRows(reader, base)
  flagWeakWords(reader)
  flagGuesses(reader, { ...ending, filters: all })
  flagLooseWords(reader, { ...ending, filters: all })
  const plan: Plan = {
    ...EMPTY_PLAN,
    base,
    columns: ending.columns ?? [],
    difference: ending.difference ?? null,
    measures: filterFirstMentions(measures, toMeasureKey),
    isRatio,
    groups: filterFirstMentions(groups, toGroupKey),
    filters: all,
    having: ending.having ?? [],
    order: ending.order ?? null,
    limit: ending.limit ?? null,
    share: ending.share && part.length > 0 ? { ...ending.share, part } : (ending.share ?? null),
    over,
  }
  return { plan, used, doubts }
}

/** "what share of invoices is unpaid": of all invoices, so the condition must not filter the total. */
const listAbsentShare = ({ groups }: Reader, { share }: PlanEnding, absent: readonly Filter[]): readonly Filter[] =>
  share && share.part.length === 0 && groups.length === 0 ? absent : []

function flagWeakWords({ question, doubt, roles }: Reader): void {
  for (const mention of question.mentions) {
    const { weight, words, isAmbiguous } = mention
    const isWeak = weight < 0.68
    if (isWeak) doubt(words, 0.21)
    // A weak match among equals is a guess, and so is a group column that two tables have.
    const isGuess = isWeak || (roles.get(mention) === 'group' && hasNamesake(mention))
    if (isAmbiguous) doubt(words, isGuess ? 0.42 : 0.14)
  }
}

const hasNamesake = ({ target, candidates: [, second] }: Mention): boolean =>
  target.kind === 'column' &&
  second?.target.kind === 'column' &&
  second.target.table !== target.table &&
  second.target.column.name === target.column.name

/** Excludes soft-deleted rows, unless the question mentions them. */
function skipDeleted({ question }: Reader, base: Table, filters: readonly Filter[]): Filter[] {
  const column = findDeletedColumn(base)
  const isNamed = question.mentions.some(
    (mention) =>
      getColumn(mention) === column ||
      (mention.target.kind === 'metric' && mention.target.metric.pieces.includes(column ?? '')),
  )
  if (!column || isNamed || filters.some((filter) => 'column' in filter && filter.column === column)) return []
  return [
    column.kind === 'boolean' ? { kind: 'boolean', column, isTrue: false } : { kind: 'null', column, isNull: true },
  ]
}

/** "average seats per subscription": each row would be its own group. */
function skipOwnRows(reader: Reader, base: Table): void {
  const { groups, measures } = reader
  const at = groups.findIndex((group) => group.kind === 'table' && group.table === base)
  const [only] = measures
  if (at < 0 || groups.length > 1 || !only) return
  if (only.aggregate === 'avg' && only.expression.kind === 'column') groups.splice(at, 1)
  else if (only.expression.kind === 'rows' && only.expression.table === base) reader.doubt('what is counted', 0.5)
}

/** A column that is NULL in a child table says nothing about its parent row. */
function flagFarAbsences(reader: Reader, base: Table, absent: readonly Filter[]): void {
  for (const filter of absent) {
    if ((filter.kind !== 'null' && filter.kind !== 'boolean') || filter.column.table === base) continue
    const path = findPath(reader.question.model, base, filter.column.table)
    if (!isUpwards(path)) reader.doubt('what is absent', 0.45)
  }
}

function addUnits(reader: Reader, base: Table, { skipsUnits = false }: PlanEnding): void {
  const { question, groups } = reader
  const { units } = question.phrases
  for (const { unit } of skipsUnits ? [] : units) {
    const column = pickDate(reader, base)
    if (column) groups.unshift({ kind: 'column', column, unit })
    else reader.doubt('the date to group by', 0.5)
  }
  const [first] = question.times
  if (!isComparing(reader) || question.times.length < 2 || units.length > 0 || !first?.unit) return
  const column = pickDate(reader, base)
  if (column) groups.unshift({ kind: 'column', column, unit: first.unit })
}

function skipUndated({ groups }: Reader, filters: readonly Filter[]): Filter[] {
  return groups.flatMap((group): Filter[] => {
    if (group.kind !== 'column' || group.unit === null || !group.column.isNullable) return []
    const { column } = group
    const isKnown = filters.some((filter) => 'column' in filter && filter.column === column)
    return isKnown ? [] : [{ kind: 'null', column, isNull: false }]
  })
}

function readLeftOver(reader: Reader, ending: PlanEnding, filters: readonly Filter[]): Filter[] {
  return reader.free().flatMap((mention) => {
    const table = getTable(mention)
    const context = { ...ending, filters }
    return table ? readTable(reader, mention, context) : readColumn(reader, mention, context)
  })
}

function readTable(
  { question, groups, measures, doubt }: Reader,
  mention: Mention,
  { base, columns, having = [], filters }: PlanEnding & { filters: readonly Filter[] },
): Filter[] {
  const { table } = mention.target
  const { model } = question
  const isGrouped = groups.some((group) => getGroupTable(group) === table)
  const isMeasured = [...measures, ...having.map((other) => other.measure)].some(
    ({ expression }) => getExpressionTable(expression) === table,
  )
  const isFiltered = filters.some((filter) => getFilterTable(filter) === table)
  if (!base || table === base || isGrouped || isMeasured || isFiltered) return []
  // "never attended a course": no attendance of any course.
  const isAbsent = filters.some(
    (filter) => filter.kind === 'exists' && filter.isNegated && isUpwards(findPath(model, filter.table, table)),
  )
  if (isAbsent) return []
  const path = findPath(model, base, table)
  const isPart = isUpwards(path)
  if (!isPart && !(path && columns)) doubt(mention.words, 0.42)
  return path && !isPart && columns ? [{ kind: 'exists', table, filters: [], isNegated: false }] : []
}

function readColumn(
  { groups, measures, doubt }: Reader,
  mention: Mention,
  ending: PlanEnding & { filters: readonly Filter[] },
): Filter[] {
  const { columns, having = [], filters, share } = ending
  const column = getColumn(mention)
  const isUsed =
    !column ||
    columns?.includes(column) ||
    usesColumn(column, { measures, groups, filters: [...filters, ...(share?.part ?? [])], having })
  if (isUsed || isPartOfFilter(mention, column, filters)) return []
  const isOfRows = columns !== undefined || measures[0]?.expression.kind === 'rows'
  const isFilled = column.isNullable && isOfRows && !isDate(column) && !isMeasure(column)
  const isDone = isDoneInRanking(mention, column, ending)
  if (isFilled || (isDone && column.isNullable)) return [{ kind: 'null', column, isNull: false }]
  if (!isDone) doubt(mention.words, 0.42)
  return []
}

const isPartOfFilter = ({ words }: Mention, column: Column, filters: readonly Filter[]): boolean =>
  filters.some(
    (filter) =>
      filter.kind === 'boolean' &&
      filter.column.table === column.table &&
      toStems(splitName(filter.column.name)).includes(stemWord(words)),
  )

/** "which trial enrolled the most": true of every row, or of those with the date. */
const isDoneInRanking = ({ words }: Mention, column: Column, { base, order }: PlanEnding): boolean =>
  isDate(column) && isPastForm(words) && order?.by === 'measure' && column.table === base

/** "the Furniture category", "longer than 45 minutes": the column is named next to its value. */
function usesColumn(
  column: Column,
  { measures, groups, filters, having }: Pick<Plan, 'measures' | 'groups' | 'filters' | 'having'>,
): boolean {
  const expressions = [...measures, ...having.map(({ measure }) => measure)].map(({ expression }) => expression)
  return (
    expressions.some((expression) => expression.kind === 'column' && expression.column === column) ||
    groups.some((group) => group.kind === 'column' && group.column === column) ||
    filters.some((filter) => 'column' in filter && filter.column === column)
  )
}

/** "new members": "new" is dropped as a value if its column is unrelated to the question. */
function skipLightValues(reader: Reader, base: Table): void {
  for (const mention of reader.free()) {
    const { target, words } = mention
    if (target.kind !== 'value' || !isLightWord(words.toLowerCase()) || target.table === base) continue
    if (isUpwards(findPath(reader.question.model, base, target.table))) continue
    reader.roles.set(mention, 'filter')
    reader.doubt(words, 0.17)
  }
}

export function readValues({ roles, free }: Reader): Filter[] {
  const byColumn = new Map<Column, Set<string>>()
  for (const mention of free()) {
    if (mention.target.kind !== 'value') continue
    roles.set(mention, 'filter')
    const { column, value } = mention.target
    byColumn.set(column, (byColumn.get(column) ?? new Set()).add(value))
  }
  return [...byColumn].map(([column, values]) => ({ kind: 'in', column, values: [...values], isNegated: false }))
}

function filterFirstMentions<T>(list: readonly T[], toKey: (item: T) => string): T[] {
  return [...new Map(list.toReversed().map((item) => [toKey(item), item])).values()].toReversed()
}
