import {
  type Filter,
  type GroupCondition,
  findTableOfExpression,
  findTableOfFilter,
  findTableOfGroup,
} from '../plan/plan.ts'
import { type Column, type Table, isDate, isMeasure, listDisplayColumns, listKeyColumns } from '../schema/model.ts'
import { findJoinPath, isManyToOnePath } from '../schema/join-paths.ts'
import { isAgentNoun } from '../schema/near-words.ts'
import { splitName, toStems } from '../schema/names.ts'
import { isPastForm, stemWord } from '../words/stem.ts'
import { listNounsOfVerb } from '../words/synonyms.ts'
import { readAbsences } from './absences.ts'
import { averageOverParentRows, hasOneRowPerDay, hasPerTimeUnitPhrase, readAverageCount } from './average-of-groups.ts'
import { listShownColumns } from './column-hints.ts'
import { readColumnComparisons } from './column-comparisons.ts'
import { type ComparedMention, applyComparison, findComparedMentions } from './comparisons.ts'
import { preferDoerColumns, preferDateOverStatus } from './prefer-doers.ts'
import { readDuration } from './durations.ts'
import {
  preferFlagOverDate,
  readFlagFilters,
  skipValuesInColumnNames,
  skipColumnsBesideTheirValue,
} from './flag-filters.ts'
import type { PartialPlan } from './partial-plan.ts'
import { type InterpretedPlan, finishPlan, hasComparingWord, takeValueFilters } from './finish-plan.ts'
import { type Grouping, readGrouping } from './grouping.ts'
import type { Mention } from './find-mentions.ts'
import type { AggregatePhrase } from './find-phrases.ts'
import { preferAmountColumns } from './prefer-amounts.ts'
import { type Question, getColumn, getTable, isAmount, isDateMention, isDimension, isNearby } from './scan-question.ts'
import { readRanking } from './ranking.ts'
import { readYearComparisons } from './year-comparisons.ts'
import { type PlanBuilder, createPlanBuilder, findAggregateBefore, toGroup, toMeasure } from './plan-builder.ts'

/** Gives every mention a role and builds the plan; undefined if nothing is asked for. */
export function interpretQuestion(scannedQuestion: Question): InterpretedPlan | undefined {
  const years = readYearComparisons(
    preferFlagOverDate(preferAmountColumns(preferDoerColumns(preferDateOverStatus(scannedQuestion)))),
  )
  const { question } = years
  const builder = createPlanBuilder(question)
  for (const mention of years.usedMentions) builder.mentionRoles.set(mention, 'filter')
  builder.filters.push(...years.filters)
  const absences = readAbsences(question)
  for (const mention of absences.usedMentions) builder.mentionRoles.set(mention, 'absent')
  for (const index of absences.usedTokens) builder.usedTokens.add(index)
  for (const _ of absences.unreadNegations) builder.lowerConfidence('what is not meant', 0.45)
  readColumnComparisons(builder)
  const duration = readDuration(builder)
  const comparedMentions = findComparedMentions(builder)
  skipValuesInColumnNames(builder)
  readFlagFilters(builder)
  const grouping = readGrouping(builder)
  if (!builder.isRatio && !grouping.difference) {
    for (const mention of builder.listUnassignedMentions()) if (isAmount(mention)) builder.requestedAmounts.add(mention)
  }
  skipColumnsBesideTheirValue(builder)
  const countedMention = toHeadNoun(builder, findCountedMention(builder))
  const entity = toHeadNoun(builder, findEntityMention(builder, { comparedMentions, countedMention }))
  const context = { comparedMentions, grouping, countedMention, entityMention: entity }
  const partialPlan =
    duration ?? buildRankingOrComputed(builder, context) ?? readRowList(builder, entity, absences.firstTable)
  return finishPlan(builder, absences, partialPlan)
}

/** "training attendances": the second noun is counted, the first says which kind. */
function toHeadNoun(
  { question, listUnassignedMentions, mentionRoles }: PlanBuilder,
  mention: Mention | undefined,
): Mention | undefined {
  const headNoun =
    mention &&
    getTable(mention) &&
    listUnassignedMentions().find((candidate) => candidate.start === mention.end && getTable(candidate))
  if (!headNoun || headNoun.target.table === mention.target.table) return mention
  if (!isManyToOnePath(findJoinPath(question.model, headNoun.target.table, mention.target.table))) return mention
  mentionRoles.set(mention, 'filter')
  return headNoun
}

function findCountedMention({ countPhrase, listUnassignedMentions, question }: PlanBuilder): Mention | undefined {
  if (!countPhrase) return undefined
  const mentionsAfter = listUnassignedMentions().filter(
    (mention) => mention.start >= countPhrase.end && mention.target.kind !== 'value',
  )
  return (
    mentionsAfter.find((mention) => isNearby(question, { from: countPhrase.end, to: mention.start, maxTokens: 5 })) ??
    mentionsAfter.find((mention) => !isAmount(mention))
  )
}

interface SubjectContext {
  readonly comparedMentions: readonly ComparedMention[]
  readonly grouping: Grouping
  readonly countedMention: Mention | undefined
  readonly entityMention: Mention | undefined
}

function findEntityMention(
  builder: PlanBuilder,
  { comparedMentions, countedMention }: Pick<SubjectContext, 'comparedMentions' | 'countedMention'>,
): Mention | undefined {
  const { isRanking, requestedAmounts, listUnassignedMentions } = builder
  const nounMentions = listUnassignedMentions().filter(
    (mention) =>
      !requestedAmounts.has(mention) &&
      (getTable(mention) !== undefined || (isDimension(mention) && !isDateMention(mention))),
  )
  const datedMentions = listUnassignedMentions().filter((mention) => isDateMention(mention))
  const rankedOrRequested =
    findMentionAfterQuestionWord(builder, [...nounMentions, ...datedMentions]) ??
    findMentionAfterSuperlative(builder, nounMentions)
  if (rankedOrRequested) return rankedOrRequested
  const isBareSuperlative = builder.question.phrases.superlatives[0]?.isBare ?? false
  if (countedMention && nounMentions.includes(countedMention) && !isBareSuperlative) return countedMention
  const [firstNoun] = nounMentions
  const tables = nounMentions.filter((mention) => getTable(mention))
  const tableOfColumn =
    firstNoun && !getTable(firstNoun)
      ? tables.find((table) => table.target.table === firstNoun.target.table)
      : undefined
  if (tableOfColumn && comparedMentions.length === 0 && !isRanking) return tableOfColumn
  return firstNoun ?? (comparedMentions.length > 0 ? datedMentions[0] : undefined)
}

function findMentionAfterQuestionWord(
  { question, isRanking }: PlanBuilder,
  nounMentions: readonly Mention[],
): Mention | undefined {
  const questionWordIndex = question.tokens.findIndex(
    ({ lower }) => lower === 'which' || lower === 'what' || lower === 'who',
  )
  const nounAfterQuestionWord =
    questionWordIndex < 0 ? undefined : nounMentions.find((mention) => mention.start === questionWordIndex + 1)
  if (
    nounAfterQuestionWord &&
    isDateMention(nounAfterQuestionWord) &&
    question.tokens[questionWordIndex]?.lower === 'who'
  )
    return undefined
  return nounAfterQuestionWord && (isRanking || !getTable(nounAfterQuestionWord)) ? nounAfterQuestionWord : undefined
}

function findMentionAfterSuperlative({ question }: PlanBuilder, nounMentions: readonly Mention[]): Mention | undefined {
  const [superlative] = question.phrases.superlatives
  const rankingPhrase = superlative ?? question.phrases.top
  return rankingPhrase && !superlative?.isBare
    ? nounMentions.find((mention) => mention.start >= rankingPhrase.end)
    : undefined
}

function buildRankingOrComputed(builder: PlanBuilder, context: SubjectContext): PartialPlan | undefined {
  const { grouping, comparedMentions, countedMention, entityMention } = context
  const ranking = builder.isRanking
    ? readRanking(builder, { entity: entityMention, orderMention: grouping.orderMention })
    : undefined
  if (ranking) return ranking
  const having: GroupCondition[] = []
  const subject = entityMention ?? countedMention
  for (const comparedMention of comparedMentions) applyComparison(builder, comparedMention, { subject, having })
  const hasShare = builder.question.phrases.share !== null && builder.groups.length === 0
  const part = hasShare ? readShare(builder, subject) : undefined
  return (
    part ??
    readGroupCondition(builder, having, subject) ??
    buildDifferencePlan(builder, grouping) ??
    readAverageCount(builder, countedMention) ??
    readMeasures(builder, context)
  )
}

/** "how many students get a scholarship": the amount filters, it is not summed. */
function countsRowsWithAmount(
  { requestedAmounts, countPhrase: phrase, question, groups }: PlanBuilder,
  countedMention: Mention | undefined,
): boolean {
  const [amount] = requestedAmounts
  const table = countedMention && getTable(countedMention)
  if (!phrase || !amount || !table || requestedAmounts.size > 1 || groups.length > 0) return false
  const isRightAfterCountPhrase = isNearby(question, { from: phrase.end, to: countedMention.start, maxTokens: 1 })
  return isRightAfterCountPhrase && amount.start > countedMention.end && getColumn(amount)?.table === table
}

function readMeasures(
  builder: PlanBuilder,
  { countedMention, entityMention }: SubjectContext,
): PartialPlan | undefined {
  if (countsRowsWithAmount(builder, countedMention)) {
    const [column] = [...builder.requestedAmounts].flatMap((amount) => getColumn(amount) ?? [])
    for (const amount of builder.requestedAmounts) builder.mentionRoles.set(amount, 'filter')
    if (column?.isNullable) builder.filters.push({ kind: 'null', column, isNull: false })
    else builder.lowerConfidence('what the amount is for', 0.45)
    return readCount(builder, countedMention)
  }
  if (builder.requestedAmounts.size > 0) return readAmounts(builder, entityMention)
  if (builder.countPhrase) return readCount(builder, countedMention ?? entityMention)
  const [numerator] = builder.measures
  if (numerator) return { base: findTableOfExpression(numerator.expression) }
  return readRowCounts(builder, entityMention)
}

function readGroupCondition(
  builder: PlanBuilder,
  having: readonly GroupCondition[],
  subject: Mention | undefined,
): PartialPlan | undefined {
  const { mentionRoles, groups, measures } = builder
  const [firstHaving] = having
  if (!firstHaving) return undefined
  if (subject && groups.length === 0) {
    mentionRoles.set(subject, 'entity')
    groups.push(toGroup(subject))
  }
  if (builder.countPhrase?.aggregate === 'count' && measures.length === 0) builder.groupSummary = 'count'
  measures.push(firstHaving.measure)
  return { base: findTableOfExpression(firstHaving.measure.expression), having }
}

function buildDifferencePlan({ groups }: PlanBuilder, { difference }: Grouping): PartialPlan | undefined {
  if (!difference) return undefined
  const [{ table }] = difference
  groups.length = 0
  return { base: table, columns: [...new Set([...listKeyColumns(table), ...listDisplayColumns(table)])], difference }
}

/** "share of closed deals that were won": of the closed deals. */
function listFiltersBeforeSubject(
  { question }: PlanBuilder,
  filters: readonly Filter[],
  subject: Mention | undefined,
): Filter[] {
  const filtersBefore = filters.filter((filter) =>
    question.mentions.some(({ target, end }) => {
      const column = target.kind === 'column' || target.kind === 'value' ? target.column : undefined
      return subject !== undefined && end <= subject.start && 'column' in filter && filter.column === column
    }),
  )
  return filtersBefore.length < filters.length ? filtersBefore : []
}

/** "what percentage of orders were returned": matching rows of all rows. */
function readShare(builder: PlanBuilder, subject: Mention | undefined): PartialPlan | undefined {
  const { question, filters, measures, mentionRoles } = builder
  const allFilters: Filter[] = [...takeValueFilters(builder), ...filters.splice(0)]
  const wholeFilters = listFiltersBeforeSubject(builder, allFilters, subject)
  const partFilters = allFilters.filter((filter) => !wholeFilters.includes(filter))
  filters.push(...wholeFilters)
  const [firstPartFilter] = partFilters
  const base = subject?.target.table ?? (firstPartFilter && findTableOfFilter(firstPartFilter))
  const { share } = question.phrases
  if (!base || !firstPartFilter || !share) {
    filters.push(...partFilters)
    return undefined
  }
  if (subject) mentionRoles.set(subject, 'entity')
  measures.push({ aggregate: 'count', expression: { kind: 'rows', table: base } })
  return { base, share: { isPercent: share.isPercent, part: partFilters } }
}

const toShare = ({ question }: PlanBuilder): PartialPlan['share'] =>
  question.phrases.share ? { isPercent: question.phrases.share.isPercent, part: [] } : null

function readAmounts(builder: PlanBuilder, entity: Mention | undefined): PartialPlan | undefined {
  const { question, measures, mentionRoles } = builder
  const requestedMentions = [...builder.requestedAmounts]
  for (const mention of requestedMentions) mentionRoles.set(mention, 'measure')
  const listedPlan = readListedAmounts(builder, entity)
  if (listedPlan) return listedPlan
  const aggregate = question.phrases.aggregates[0]?.aggregate ?? null
  for (const mention of requestedMentions) {
    measures.push(toMeasure(builder, mention, findAggregateBefore(builder, mention) ?? aggregate))
  }
  const [firstMeasure] = measures
  if (!firstMeasure) return undefined
  flagAmountAfterValue(builder, requestedMentions)
  flagAveragedMetric(builder)
  const base = findTableOfExpression(firstMeasure.expression)
  if (firstMeasure.aggregate === 'avg' && firstMeasure.expression.kind === 'line_value')
    return averageOverParentRows(builder, base)
  if (builder.hasAveragePhrase && builder.groups.length === 0 && hasPerTimeUnitPhrase(builder)) {
    // A table with one row per day is averaged directly.
    if (hasOneRowPerDay(base)) return { base, ignoresTimeUnits: true }
    measures[0] = { ...firstMeasure, aggregate: 'sum' }
    builder.groupSummary = 'average'
  }
  return { base, share: toShare(builder) }
}

/** "how many nurses rent from us": an amount far from "how many" is not what is counted. */
function flagAmountAfterValue(
  { countPhrase, question, lowerConfidence }: PlanBuilder,
  requestedMentions: readonly Mention[],
): void {
  const isBehindValue = (mention: Mention) =>
    countPhrase !== undefined &&
    mention.start >= countPhrase.end &&
    question.mentions.some(
      ({ target, start, end }) => target.kind === 'value' && start >= countPhrase.end && end <= mention.start,
    )
  if (requestedMentions.some((mention) => isBehindValue(mention))) lowerConfidence('what is counted', 0.45)
}

/** "average net revenue by country": the metric defines its own aggregate. */
function flagAveragedMetric(builder: PlanBuilder): void {
  for (const mention of builder.requestedAmounts) {
    const aggregateBefore = mention.target.kind === 'metric' ? findAggregateBefore(builder, mention) : null
    const isOverTime = aggregateBefore === 'avg' && builder.groups.length === 0 && hasPerTimeUnitPhrase(builder)
    if (aggregateBefore !== null && aggregateBefore !== 'sum' && !isOverTime)
      builder.lowerConfidence(mention.words, 0.45)
  }
}

/** "price of the oak lamp": shown without aggregating. */
function readListedAmounts(builder: PlanBuilder, entity: Mention | undefined): PartialPlan | undefined {
  const { requestedAmounts, groups, question, mentionRoles } = builder
  const { phrases, times } = question
  const table = entity && getTable(entity)
  const columns = [...requestedAmounts].flatMap((mention) => getColumn(mention) ?? [])
  const isColumnOfTable =
    columns.length === requestedAmounts.size && columns.every((column) => !table || column.table === table)
  // "total amount" may be the column's name and still asks for the sum.
  const hasTotalWord = [...requestedAmounts].some(({ words }) => /^(?:total|sum|overall)\b/i.test(words))
  const hasAggregation =
    hasTotalWord || [...phrases.aggregates, ...phrases.timeUnits, ...groups].length > 0 || phrases.share !== null
  const isOneRow = isOneRowNamed(builder, table)
  const base = table ?? columns[0]?.table
  if (hasAggregation || !isColumnOfTable || !base || (!isOneRow && (!table || times.length > 0))) return undefined
  if (entity) mentionRoles.set(entity, 'entity')
  return {
    base,
    columns: isOneRow ? [...new Set([...listDisplayColumns(base), ...columns])] : listShownColumns(base, columns),
  }
}

function isOneRowNamed({ question }: PlanBuilder, table: Table | undefined): boolean {
  return question.mentions.some(({ target }) => {
    if (target.kind !== 'value' || (table && target.table !== table)) return false
    return target.column.distinct < -0.5 || listDisplayColumns(target.table).includes(target.column)
  })
}

/** "how many companies donate", "how many subscribers": the verb is not what is counted. */
function flagCountedVerb({ lowerConfidence }: PlanBuilder, countedMention: Mention | undefined): void {
  if (!countedMention || countedMention.matchScore > 0.7) return
  const word = stemWord(countedMention.words)
  const isAgent = toStems(splitName(countedMention.target.table.name)).some((part) => isAgentNoun(word, part))
  if (isAgent || listNounsOfVerb(word).length > 0) lowerConfidence('what is counted', 0.45)
}

function readCount(builder: PlanBuilder, mention: Mention | undefined): PartialPlan | undefined {
  const { question, measures, mentionRoles, countPhrase, filters } = builder
  const [firstFilter] = filters
  const base =
    mention?.target.table ?? (firstFilter && findTableOfFilter(firstFilter)) ?? question.mentions[0]?.target.table
  if (!base) return undefined
  const column = mention && getColumn(mention)
  if (mention && column && !isDate(column)) {
    mentionRoles.set(mention, 'measure')
    const isDistinct =
      countPhrase?.aggregate === 'count_distinct' || question.phrases.distinctWord !== null || !isMeasure(column)
    measures.push({ aggregate: isDistinct ? 'count_distinct' : 'sum', expression: { kind: 'column', column } })
  } else {
    if (mention && !column) mentionRoles.set(mention, 'measure')
    flagCountedVerb(builder, mention)
    measures.push({ aggregate: 'count', expression: { kind: 'rows', table: base } })
  }
  return { base, share: toShare(builder) }
}

/** "orders by status", "paid versus shipped orders": counts rows. */
function readRowCounts(builder: PlanBuilder, entity: Mention | undefined): PartialPlan | undefined {
  const { question, groups, measures, mentionRoles } = builder
  const { phrases } = question
  const [aggregate] = phrases.aggregates
  const isGrouped = groups.length > 0 || phrases.timeUnits.length > 0
  if (!isGrouped && !phrases.share && !comparesSeveralValues(builder) && !aggregate) return undefined
  const [firstGroup] = groups
  const base =
    entity?.target.table ??
    builder.listUnassignedMentions()[0]?.target.table ??
    (firstGroup && findTableOfGroup(firstGroup))
  if (!base) return undefined
  const column = entity && getColumn(entity)
  if (entity) mentionRoles.set(entity, 'entity')
  if (column) countByColumn(builder, column, isGrouped)
  measures.push({ aggregate: 'count', expression: { kind: 'rows', table: base } })
  if (aggregate && !countsRows(builder, aggregate)) builder.lowerConfidence('what is added up', 0.45)
  return { base, share: toShare(builder) }
}

/** "sponsors" are counted by sponsor, "withdrawals per month" are rows that have one. */
function countByColumn({ groups, filters }: PlanBuilder, column: Column, isGrouped: boolean): void {
  if (!isGrouped) groups.push({ kind: 'column', column, unit: null })
  else if (column.isNullable) filters.push({ kind: 'null', column, isNull: false })
}

/** "total orders" asks for a count, "how much was issued" does not. */
const countsRows = ({ question }: PlanBuilder, { aggregate, start, end }: AggregatePhrase): boolean =>
  aggregate === 'sum' && question.tokens[end - 1]?.lower !== 'much' && question.tokens[start]?.lower !== 'sum'

function comparesSeveralValues(builder: PlanBuilder): boolean {
  const { times, mentions } = builder.question
  const values = mentions.filter(({ target }) => target.kind === 'value')
  return hasComparingWord(builder) && (times.length > 1 || values.length > 1)
}

/** n_distinct of pg_stats is above zero for columns with few distinct values. */
const hasRepeatedValues = (column: Column): boolean =>
  column.kind === 'text' && column.distinct > 0 && !listDisplayColumns(column.table).includes(column)

function addEventHappenedFilters(
  { filters }: PlanBuilder,
  shownMentions: readonly Mention[],
  entity: Mention | undefined,
): void {
  for (const mention of shownMentions) {
    const column = getColumn(mention)
    const isParticipleAfterEntity =
      entity !== undefined && mention.start > entity.start && isPastForm(mention.words.split(' ')[0] ?? '')
    if (column?.isNullable && isParticipleAfterEntity && !isMeasure(column))
      filters.push({ kind: 'null', column, isNull: false })
  }
}

function readRowList(builder: PlanBuilder, entity: Mention | undefined, absentTable: Table | undefined): PartialPlan {
  const { question, filters, mentionRoles, listUnassignedMentions } = builder
  const [firstFilter] = filters
  const base =
    entity?.target.table ??
    listUnassignedMentions()[0]?.target.table ??
    (firstFilter && findTableOfFilter(firstFilter)) ??
    absentTable ??
    question.mentions[0]?.target.table
  if (!base) return { base }
  if (entity) mentionRoles.set(entity, 'entity')
  const shownMentions = listUnassignedMentions().filter((mention) => {
    const column = getColumn(mention)
    return column !== undefined && column.table === base && !isDate(column)
  })
  for (const mention of shownMentions) mentionRoles.set(mention, 'entity')
  const columns = shownMentions.flatMap((mention) => getColumn(mention) ?? [])
  addEventHappenedFilters(builder, shownMentions, entity)
  const ownColumn = entity && getColumn(entity)
  if (ownColumn && hasRepeatedValues(ownColumn)) {
    // A value that many rows share is listed once, with its row count.
    builder.groups.push({ kind: 'column', column: ownColumn, unit: null })
    builder.measures.push({ aggregate: 'count', expression: { kind: 'rows', table: base } })
    return { base }
  }
  if (ownColumn) return { base, columns: [ownColumn, ...columns] }
  const isColumnBeforeEntity = entity !== undefined && shownMentions.some((mention) => mention.start < entity.start)
  return { base, columns: isColumnBeforeEntity ? columns : listShownColumns(base, columns) }
}
