import { findTableOfExpression } from '../../plan/plan.ts'
import { MOSTLY_UNIQUE, listDisplayColumns, type Table } from '../../schema/model.ts'
import { planAverageOverParentRows, hasOneRowPerDay, hasPerTimeUnitPhrase } from './average-of-groups.ts'
import { listShownColumns } from '../column-hints.ts'
import type { PartialPlan } from '../partial-plan.ts'
import type { Mention } from '../find-mentions.ts'
import { getColumn, getTable } from '../scan-question.ts'
import { type PlanBuilder, findAggregateBefore, toMeasure } from '../plan-builder.ts'
import { ASK_BACK_PENALTY } from '../confidence/penalties.ts'
import { toShareOfGroups } from './plan-counts.ts'

/** "total revenue by country": adds the requested amounts as measures, or lists them for single rows. */
export function planAmounts(builder: PlanBuilder, entity: Mention | undefined): PartialPlan | undefined {
  const { question, measures, mentionRoles } = builder
  const requestedMentions = [...builder.requestedAmounts]
  for (const mention of requestedMentions) mentionRoles.set(mention, 'measure')
  const listedPlan = planListedAmounts(builder, entity)
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
    return planAverageOverParentRows(builder, base)
  if (builder.hasAveragePhrase && builder.groups.length === 0 && hasPerTimeUnitPhrase(builder)) {
    // A table with one row per day is averaged directly.
    if (hasOneRowPerDay(base)) return { base, ignoresTimeUnits: true }
    measures[0] = { ...firstMeasure, aggregate: 'sum' }
    builder.groupSummary = 'average'
  }
  return { base, share: toShareOfGroups(builder) }
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
  if (requestedMentions.some((mention) => isBehindValue(mention))) lowerConfidence('what is counted', ASK_BACK_PENALTY)
}

/** "average net revenue by country": the metric defines its own aggregate. */
function flagAveragedMetric(builder: PlanBuilder): void {
  for (const mention of builder.requestedAmounts) {
    const aggregateBefore = mention.target.kind === 'metric' ? findAggregateBefore(builder, mention) : null
    const isOverTime = aggregateBefore === 'avg' && builder.groups.length === 0 && hasPerTimeUnitPhrase(builder)
    if (aggregateBefore !== null && aggregateBefore !== 'sum' && !isOverTime)
      builder.lowerConfidence(mention.words, ASK_BACK_PENALTY)
  }
}

/** "price of the oak lamp": shown without aggregating. */
function planListedAmounts(builder: PlanBuilder, entity: Mention | undefined): PartialPlan | undefined {
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

/** "price of the oak lamp": a mentioned value is the name of a row. */
function isOneRowNamed({ question }: PlanBuilder, table: Table | undefined): boolean {
  return question.mentions.some(({ target }) => {
    if (target.kind !== 'value' || (table && target.table !== table)) return false
    return target.column.distinct < MOSTLY_UNIQUE || listDisplayColumns(target.table).includes(target.column)
  })
}
