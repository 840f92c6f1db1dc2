import { type Filter, type GroupCondition, findTableOfExpression, findTableOfFilter } from '../plan/plan.ts'
import { listDisplayColumns, listKeyColumns } from '../schema/model.ts'
import { readAbsences } from './absences.ts'
import { planAverageCount } from './question-kinds/average-of-groups.ts'
import { addColumnComparisonFilters } from './column-comparisons.ts'
import { applyComparison, findComparedMentions } from './comparisons.ts'
import { preferDoerColumns, preferDateOverStatus } from './prefer-doers.ts'
import { planDuration } from './question-kinds/durations.ts'
import {
  preferFlagOverDate,
  addFlagFilters,
  ignoreValuesInColumnNames,
  ignoreColumnsBesideTheirValue,
} from './flag-filters.ts'
import type { PartialPlan } from './partial-plan.ts'
import { type InterpretedPlan, finishPlan, takeValueFilters } from './finish-plan.ts'
import { type Grouping, assignGroups } from './grouping.ts'
import type { Mention } from './find-mentions.ts'
import { preferAmountColumns } from './prefer-amounts.ts'
import { type Question, getColumn, isAmountMention } from './scan-question.ts'
import { planRanking } from './question-kinds/ranking.ts'
import { readYearComparisons } from './year-comparisons.ts'
import { type PlanBuilder, createPlanBuilder, toGroup } from './plan-builder.ts'
import { ASK_BACK_PENALTY } from './confidence/penalties.ts'
import { type SubjectContext, findCountedMention, findEntityMention, toHeadNoun } from './subject-mentions.ts'
import { isCountOfRowsWithAmount, planCount, planRowCounts } from './question-kinds/plan-counts.ts'
import { planAmounts } from './question-kinds/plan-amounts.ts'
import { planRowList } from './question-kinds/plan-row-list.ts'

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
  for (const _ of absences.unreadNegations) builder.lowerConfidence('what is not meant', ASK_BACK_PENALTY)
  addColumnComparisonFilters(builder)
  const duration = planDuration(builder)
  const comparedMentions = findComparedMentions(builder)
  ignoreValuesInColumnNames(builder)
  addFlagFilters(builder)
  const grouping = assignGroups(builder)
  if (!builder.isRatio && !grouping.difference) {
    for (const mention of builder.listUnassignedMentions())
      if (isAmountMention(mention)) builder.requestedAmounts.add(mention)
  }
  ignoreColumnsBesideTheirValue(builder)
  const countedMention = toHeadNoun(builder, findCountedMention(builder))
  const entityMention = toHeadNoun(builder, findEntityMention(builder, { comparedMentions, countedMention }))
  const context = { comparedMentions, grouping, countedMention, entityMention }
  const partialPlan =
    duration ?? planRankingOrMeasures(builder, context) ?? planRowList(builder, entityMention, absences.firstTable)
  return finishPlan(builder, absences, partialPlan)
}

/** Tries the kinds of questions in turn: ranking, share, condition on groups, difference, average, measures. */
function planRankingOrMeasures(builder: PlanBuilder, context: SubjectContext): PartialPlan | undefined {
  const { grouping, comparedMentions, countedMention, entityMention } = context
  const ranking = builder.isRanking
    ? planRanking(builder, { entity: entityMention, orderMention: grouping.orderMention })
    : undefined
  if (ranking) return ranking
  const groupConditions: GroupCondition[] = []
  const subject = entityMention ?? countedMention
  for (const comparedMention of comparedMentions)
    applyComparison(builder, comparedMention, { subject, groupConditions })
  const hasShare = builder.question.phrases.share !== null && builder.groups.length === 0
  const sharePlan = hasShare ? planShare(builder, subject) : undefined
  return (
    sharePlan ??
    planGroupCondition(builder, groupConditions, subject) ??
    planDifference(builder, grouping) ??
    planAverageCount(builder, countedMention) ??
    planMeasures(builder, context)
  )
}

/** Adds the amounts, the count or the rows to be counted; undefined if rows are listed. */
function planMeasures(
  builder: PlanBuilder,
  { countedMention, entityMention }: SubjectContext,
): PartialPlan | undefined {
  if (isCountOfRowsWithAmount(builder, countedMention)) {
    const [column] = [...builder.requestedAmounts].flatMap((amount) => getColumn(amount) ?? [])
    for (const amount of builder.requestedAmounts) builder.mentionRoles.set(amount, 'filter')
    if (column?.isNullable) builder.filters.push({ kind: 'null', column, isNull: false })
    else builder.lowerConfidence('what the amount is for', ASK_BACK_PENALTY)
    return planCount(builder, countedMention)
  }
  if (builder.requestedAmounts.size > 0) return planAmounts(builder, entityMention)
  if (builder.countPhrase) return planCount(builder, countedMention ?? entityMention)
  const [firstMeasure] = builder.measures
  if (firstMeasure) return { base: findTableOfExpression(firstMeasure.expression) }
  return planRowCounts(builder, entityMention)
}

/** "customers with more than 5 orders": groups by the subject; "how many customers …" counts the groups. */
function planGroupCondition(
  builder: PlanBuilder,
  groupConditions: readonly GroupCondition[],
  subject: Mention | undefined,
): PartialPlan | undefined {
  const { mentionRoles, groups, measures } = builder
  const [firstCondition] = groupConditions
  if (!firstCondition) return undefined
  if (subject && groups.length === 0) {
    mentionRoles.set(subject, 'entity')
    groups.push(toGroup(subject))
  }
  if (builder.countPhrase?.aggregate === 'count' && measures.length === 0) builder.groupSummary = 'count'
  measures.push(firstCondition.measure)
  return { base: findTableOfExpression(firstCondition.measure.expression), groupConditions }
}

/** "price minus cost": lists both names and the difference for each row. */
function planDifference({ groups }: PlanBuilder, { difference }: Grouping): PartialPlan | undefined {
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
function planShare(builder: PlanBuilder, subject: Mention | undefined): PartialPlan | undefined {
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
