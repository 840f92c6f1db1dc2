import {
  EMPTY_PLAN,
  type Filter,
  type Plan,
  findTableOfExpression,
  findTableOfFilter,
  findTableOfGroup,
  toGroupKey,
  toMeasureKey,
} from '../plan/plan.ts'
import { findJoinPath, isManyToOnePath } from '../schema/join-paths.ts'
import { type Column, type Table, findSoftDeleteColumn, isDate, isMeasure } from '../schema/model.ts'
import { splitName, toStems } from '../schema/names.ts'
import { isPastForm, stemWord } from '../words/stem.ts'
import type { Absences } from './absences.ts'
import {
  flagRequiredColumns,
  flagNegatedStatus,
  chooseDateColumn,
  buildTimeFilters,
  removeFilterImpliedByDate,
} from './date-columns.ts'
import type { PartialPlan } from './partial-plan.ts'
import { flagGuesses } from './confidence/flag-guesses.ts'
import type { Mention } from './find-mentions.ts'
import { flagLooseWords } from './confidence/flag-loose-words.ts'
import { getColumn, getTable } from './scan-question.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { isMinorWord } from './stop-words.ts'
import {
  ASK_BACK_PENALTY,
  NOT_FOUND_PENALTY,
  SLIGHT_AMBIGUITY_PENALTY,
  STOP_WORD_PENALTY,
  UNREAD_WORD_PENALTY,
  WEAK_MATCH_PENALTY,
} from './confidence/penalties.ts'
import { WEAK_MATCH } from '../schema/match-scores.ts'

/** A plan, the tokens it used up and what lowers its confidence. */
export interface InterpretedPlan {
  readonly plan: Plan
  readonly usedTokens: ReadonlySet<number>
  readonly confidencePenalties: readonly { readonly reason: string; readonly cost: number }[]
}

const COMPARING_WORDS = new Set(['versus', 'vs', 'compare', 'compared', 'against'])

/** "versus", "compared" */
export const hasComparingWord = ({ question }: PlanBuilder): boolean =>
  question.tokens.some(({ lower }) => COMPARING_WORDS.has(lower))

/** Adds what any question may have: values, times, units of time, and mentions without a role. */
export function finishPlan(
  builder: PlanBuilder,
  absences: Absences,
  partialPlan: PartialPlan,
): InterpretedPlan | undefined {
  const { base } = partialPlan
  if (!base) return undefined
  const { groups, measures, confidencePenalties, usedTokens, filters, isRatio, groupSummary } = builder
  const absenceFilters = absences.toFilters(base)
  flagAbsencesInChildTables(builder, base, absenceFilters)
  flagNegatedStatus(builder, absenceFilters)
  flagRequiredColumns(builder, absenceFilters)
  ignoreStopWordValues(builder, base)
  const shareFilters = listAbsenceFiltersOfShare(builder, partialPlan, absenceFilters)
  const allFilters: Filter[] = [
    ...filters,
    ...takeValueFilters(builder),
    ...(shareFilters.length > 0 ? [] : absenceFilters),
  ]
  const timedFilters = absences.hasTime ? [] : buildTimeFilters(builder, base)
  removeFilterImpliedByDate(builder, allFilters, timedFilters)
  allFilters.push(...timedFilters)
  addTimeUnitGroups(builder, base, partialPlan)
  allFilters.push(...listKnownDateFilters(builder, allFilters))
  if (hasComparingWord(builder) && groups.length === 0) {
    const multiValueFilter = allFilters.find((filter) => filter.kind === 'in' && filter.values.length > 1)
    if (multiValueFilter?.kind === 'in') groups.push({ kind: 'column', column: multiValueFilter.column, unit: null })
  }
  allFilters.push(...listFiltersOfUnassigned(builder, partialPlan, allFilters))
  allFilters.push(...listDeletedRowFilters(builder, base, [...allFilters, ...(partialPlan.share?.part ?? [])]))
  removeGroupPerRow(builder, base)
  flagWeakMatches(builder)
  flagGuesses(builder, { ...partialPlan, filters: allFilters })
  flagLooseWords(builder, { ...partialPlan, filters: allFilters })
  const plan: Plan = {
    ...EMPTY_PLAN,
    base,
    columns: partialPlan.columns ?? [],
    difference: partialPlan.difference ?? null,
    measures: listDistinctByKey(measures, toMeasureKey),
    isRatio,
    groups: listDistinctByKey(groups, toGroupKey),
    filters: allFilters,
    groupConditions: partialPlan.groupConditions ?? [],
    order: partialPlan.order ?? null,
    limit: partialPlan.limit ?? null,
    share:
      partialPlan.share && shareFilters.length > 0
        ? { ...partialPlan.share, part: shareFilters }
        : (partialPlan.share ?? null),
    groupSummary,
  }
  return { plan, usedTokens, confidencePenalties }
}

/** "what share of invoices is unpaid": of all invoices, so the condition must not filter the total. */
const listAbsenceFiltersOfShare = (
  { groups }: PlanBuilder,
  { share }: PartialPlan,
  absenceFilters: readonly Filter[],
): readonly Filter[] => (share && share.part.length === 0 && groups.length === 0 ? absenceFilters : [])

/** Words that match loosely, or almost equally well something else. */
function flagWeakMatches({ question, lowerConfidence, mentionRoles }: PlanBuilder): void {
  for (const mention of question.mentions) {
    const { matchScore, words, isAmbiguous } = mention
    const isWeakMatch = matchScore < WEAK_MATCH
    if (isWeakMatch) lowerConfidence(words, WEAK_MATCH_PENALTY)
    // A weak match among equals is a guess, and so is a group column that two tables have.
    const isGuess = isWeakMatch || (mentionRoles.get(mention) === 'group' && hasSameColumnInOtherTable(mention))
    if (isAmbiguous) lowerConfidence(words, isGuess ? UNREAD_WORD_PENALTY : SLIGHT_AMBIGUITY_PENALTY)
  }
}

/** The second meaning is a column of the same name in another table. */
const hasSameColumnInOtherTable = ({ target, candidates: [, runnerUp] }: Mention): boolean =>
  target.kind === 'column' &&
  runnerUp?.target.kind === 'column' &&
  runnerUp.target.table !== target.table &&
  runnerUp.target.column.name === target.column.name

/** Excludes soft-deleted rows, unless the question mentions them. */
function listDeletedRowFilters({ question }: PlanBuilder, base: Table, filters: readonly Filter[]): Filter[] {
  const column = findSoftDeleteColumn(base)
  const isMentioned = question.mentions.some(
    (mention) =>
      getColumn(mention) === column ||
      (mention.target.kind === 'metric' && mention.target.metric.pieces.includes(column ?? '')),
  )
  if (!column || isMentioned || filters.some((filter) => 'column' in filter && filter.column === column)) return []
  return [
    column.kind === 'boolean' ? { kind: 'boolean', column, isTrue: false } : { kind: 'null', column, isNull: true },
  ]
}

/** "average seats per subscription": each row would be its own group. */
function removeGroupPerRow(builder: PlanBuilder, base: Table): void {
  const { groups, measures } = builder
  const groupIndex = groups.findIndex((group) => group.kind === 'table' && group.table === base)
  const [measure] = measures
  if (groupIndex < 0 || groups.length > 1 || !measure) return
  if (measure.aggregate === 'avg' && measure.expression.kind === 'column') groups.splice(groupIndex, 1)
  else if (measure.expression.kind === 'rows' && measure.expression.table === base)
    builder.lowerConfidence('what is counted', NOT_FOUND_PENALTY)
}

/** A column that is NULL in a child table says nothing about its parent row. */
function flagAbsencesInChildTables(builder: PlanBuilder, base: Table, absenceFilters: readonly Filter[]): void {
  for (const filter of absenceFilters) {
    if ((filter.kind !== 'null' && filter.kind !== 'boolean') || filter.column.table === base) continue
    const joinPath = findJoinPath(builder.question.model, base, filter.column.table)
    if (!isManyToOnePath(joinPath)) builder.lowerConfidence('what is absent', ASK_BACK_PENALTY)
  }
}

/** "per month" groups by the month of the chosen date; "2024 versus 2025" by the unit of the times. */
function addTimeUnitGroups(builder: PlanBuilder, base: Table, { ignoresTimeUnits = false }: PartialPlan): void {
  const { question, groups } = builder
  const { timeUnits } = question.phrases
  for (const { unit } of ignoresTimeUnits ? [] : timeUnits) {
    const column = chooseDateColumn(builder, base)
    if (column) groups.unshift({ kind: 'column', column, unit })
    else builder.lowerConfidence('the date to group by', NOT_FOUND_PENALTY)
  }
  const [firstTime] = question.times
  if (!hasComparingWord(builder) || question.times.length < 2 || timeUnits.length > 0 || !firstTime?.unit) return
  const column = chooseDateColumn(builder, base)
  if (column) groups.unshift({ kind: 'column', column, unit: firstTime.unit })
}

/** Rows without a date are left out of a group by that date. */
function listKnownDateFilters({ groups }: PlanBuilder, filters: readonly Filter[]): Filter[] {
  return groups.flatMap((group): Filter[] => {
    if (group.kind !== 'column' || group.unit === null || !group.column.isNullable) return []
    const { column } = group
    const isFiltered = filters.some((filter) => 'column' in filter && filter.column === column)
    return isFiltered ? [] : [{ kind: 'null', column, isNull: false }]
  })
}

/** What is left without a role becomes a filter, is already in the plan, or lowers the confidence. */
function listFiltersOfUnassigned(builder: PlanBuilder, partialPlan: PartialPlan, filters: readonly Filter[]): Filter[] {
  return builder.listUnassignedMentions().flatMap((mention) => {
    const table = getTable(mention)
    const filteredPlan = { ...partialPlan, filters }
    return table
      ? listFiltersOfUnassignedTable(builder, mention, filteredPlan)
      : listFiltersOfUnassignedColumn(builder, mention, filteredPlan)
  })
}

/** "customers with orders": a mentioned table below the base is an EXISTS filter on a list. */
function listFiltersOfUnassignedTable(
  { question, groups, measures, lowerConfidence }: PlanBuilder,
  mention: Mention,
  { base, columns, groupConditions = [], filters }: PartialPlan & { filters: readonly Filter[] },
): Filter[] {
  const { table } = mention.target
  const { model } = question
  const isGrouped = groups.some((group) => findTableOfGroup(group) === table)
  const isMeasured = [...measures, ...groupConditions.map((other) => other.measure)].some(
    ({ expression }) => findTableOfExpression(expression) === table,
  )
  const isFiltered = filters.some((filter) => findTableOfFilter(filter) === table)
  if (!base || table === base || isGrouped || isMeasured || isFiltered) return []
  // "never attended a course": no attendance of any course.
  const isInAbsenceFilter = filters.some(
    (filter) =>
      filter.kind === 'exists' && filter.isNegated && isManyToOnePath(findJoinPath(model, filter.table, table)),
  )
  if (isInAbsenceFilter) return []
  const joinPath = findJoinPath(model, base, table)
  const isParentTable = isManyToOnePath(joinPath)
  if (!isParentTable && !(joinPath && columns)) lowerConfidence(mention.words, UNREAD_WORD_PENALTY)
  return joinPath && !isParentTable && columns ? [{ kind: 'exists', table, filters: [], isNegated: false }] : []
}

/** "members with a phone": a nullable column that is mentioned must be filled. */
function listFiltersOfUnassignedColumn(
  { groups, measures, lowerConfidence }: PlanBuilder,
  mention: Mention,
  filteredPlan: PartialPlan & { filters: readonly Filter[] },
): Filter[] {
  const { columns, groupConditions = [], filters, share } = filteredPlan
  const column = getColumn(mention)
  const isInPlan =
    !column ||
    columns?.includes(column) ||
    isColumnInPlan(column, { measures, groups, filters: [...filters, ...(share?.part ?? [])], groupConditions })
  if (isInPlan || isPartOfFlagName(mention, column, filters)) return []
  const showsRows = columns !== undefined || measures[0]?.expression.kind === 'rows'
  const meansColumnIsFilled = column.isNullable && showsRows && !isDate(column) && !isMeasure(column)
  const meansEventHappened = isEventInRanking(mention, column, filteredPlan)
  if (meansColumnIsFilled || (meansEventHappened && column.isNullable)) return [{ kind: 'null', column, isNull: false }]
  if (!meansEventHappened) lowerConfidence(mention.words, UNREAD_WORD_PENALTY)
  return []
}

/** "insurance" of the flag `insurance_reported`, which is filtered already. */
const isPartOfFlagName = ({ words }: Mention, column: Column, filters: readonly Filter[]): boolean =>
  filters.some(
    (filter) =>
      filter.kind === 'boolean' &&
      filter.column.table === column.table &&
      toStems(splitName(filter.column.name)).includes(stemWord(words)),
  )

/** "which trial enrolled the most": true of every row, or of those with the date. */
const isEventInRanking = ({ words }: Mention, column: Column, { base, order }: PartialPlan): boolean =>
  isDate(column) && isPastForm(words) && order?.by === 'measure' && column.table === base

/** "the Furniture category", "longer than 45 minutes": the column is named next to its value. */
function isColumnInPlan(
  column: Column,
  { measures, groups, filters, groupConditions }: Pick<Plan, 'measures' | 'groups' | 'filters' | 'groupConditions'>,
): boolean {
  const expressions = [...measures, ...groupConditions.map(({ measure }) => measure)].map(
    ({ expression }) => expression,
  )
  return (
    expressions.some((expression) => expression.kind === 'column' && expression.column === column) ||
    groups.some((group) => group.kind === 'column' && group.column === column) ||
    filters.some((filter) => 'column' in filter && filter.column === column)
  )
}

/** "new members": "new" is dropped as a value if its column is unrelated to the question. */
function ignoreStopWordValues(builder: PlanBuilder, base: Table): void {
  for (const mention of builder.listUnassignedMentions()) {
    const { target, words } = mention
    if (target.kind !== 'value' || !isMinorWord(words.toLowerCase()) || target.table === base) continue
    if (isManyToOnePath(findJoinPath(builder.question.model, base, target.table))) continue
    builder.mentionRoles.set(mention, 'filter')
    builder.lowerConfidence(words, STOP_WORD_PENALTY)
  }
}

/** Filters for all mentioned values without a role; several values of one column are alternatives. */
export function takeValueFilters({ mentionRoles, listUnassignedMentions }: PlanBuilder): Filter[] {
  const valuesByColumn = new Map<Column, Set<string>>()
  for (const mention of listUnassignedMentions()) {
    if (mention.target.kind !== 'value') continue
    mentionRoles.set(mention, 'filter')
    const { column, value } = mention.target
    valuesByColumn.set(column, (valuesByColumn.get(column) ?? new Set()).add(value))
  }
  return [...valuesByColumn].map(([column, columnValues]) => ({
    kind: 'in',
    column,
    values: [...columnValues],
    isNegated: false,
  }))
}

function listDistinctByKey<T>(items: readonly T[], toKey: (item: T) => string): T[] {
  return [...new Map(items.toReversed().map((item) => [toKey(item), item])).values()].toReversed()
}
