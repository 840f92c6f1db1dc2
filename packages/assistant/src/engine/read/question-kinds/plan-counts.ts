import { findTableOfFilter, findTableOfGroup } from '../../plan/plan.ts'
import { type Column, isDate, isMeasure } from '../../schema/model.ts'
import { isAgentNoun } from '../../schema/near-words.ts'
import { splitName, toStems } from '../../schema/names.ts'
import { stemWord } from '../../words/stem.ts'
import { listNounsOfVerb } from '../../words/synonyms.ts'
import type { PartialPlan } from '../partial-plan.ts'
import { hasComparingWord } from '../finish-plan.ts'
import type { Mention } from '../find-mentions.ts'
import type { AggregatePhrase } from '../find-phrases.ts'
import { getColumn, getTable, isNearby } from '../scan-question.ts'
import type { PlanBuilder } from '../plan-builder.ts'
import { ASK_BACK_PENALTY } from '../confidence/penalties.ts'
import { LIKELY_MATCH } from '../../schema/match-scores.ts'

/** "how many students get a scholarship": the amount filters, it is not summed. */
export function isCountOfRowsWithAmount(
  { requestedAmounts, countPhrase: phrase, question, groups }: PlanBuilder,
  countedMention: Mention | undefined,
): boolean {
  const [amount] = requestedAmounts
  const table = countedMention && getTable(countedMention)
  if (!phrase || !amount || !table || requestedAmounts.size > 1 || groups.length > 0) return false
  const isRightAfterCountPhrase = isNearby(question, { from: phrase.end, to: countedMention.start, maxTokens: 1 })
  return isRightAfterCountPhrase && amount.start > countedMention.end && getColumn(amount)?.table === table
}

/** "share of orders by status": the share of each group in the total. */
export const toShareOfGroups = ({ question }: PlanBuilder): PartialPlan['share'] =>
  question.phrases.share ? { isPercent: question.phrases.share.isPercent, part: [] } : null

/** "how many companies donate", "how many subscribers": the verb is not what is counted. */
function flagCountedVerb({ lowerConfidence }: PlanBuilder, countedMention: Mention | undefined): void {
  if (!countedMention || countedMention.matchScore > LIKELY_MATCH) return
  const verbStem = stemWord(countedMention.words)
  const isAgent = toStems(splitName(countedMention.target.table.name)).some((part) => isAgentNoun(verbStem, part))
  if (isAgent || listNounsOfVerb(verbStem).length > 0) lowerConfidence('what is counted', ASK_BACK_PENALTY)
}

/** "how many customers": counts rows or the distinct values of a column; "how many units" sums an amount. */
export function planCount(builder: PlanBuilder, mention: Mention | undefined): PartialPlan | undefined {
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
  return { base, share: toShareOfGroups(builder) }
}

/** "orders by status", "paid versus shipped orders": counts rows. */
export function planRowCounts(builder: PlanBuilder, entity: Mention | undefined): PartialPlan | undefined {
  const { question, groups, measures, mentionRoles } = builder
  const { phrases } = question
  const [aggregate] = phrases.aggregates
  const isGrouped = groups.length > 0 || phrases.timeUnits.length > 0
  if (!isGrouped && !phrases.share && !hasSeveralComparedValues(builder) && !aggregate) return undefined
  const [firstGroup] = groups
  const base =
    entity?.target.table ??
    builder.listUnassignedMentions()[0]?.target.table ??
    (firstGroup && findTableOfGroup(firstGroup))
  if (!base) return undefined
  const column = entity && getColumn(entity)
  if (entity) mentionRoles.set(entity, 'entity')
  if (column) groupOrFilterByColumn(builder, column, isGrouped)
  measures.push({ aggregate: 'count', expression: { kind: 'rows', table: base } })
  if (aggregate && !isTotalOfRows(builder, aggregate)) builder.lowerConfidence('what is added up', ASK_BACK_PENALTY)
  return { base, share: toShareOfGroups(builder) }
}

/** "sponsors" are counted by sponsor, "withdrawals per month" are rows that have one. */
function groupOrFilterByColumn({ groups, filters }: PlanBuilder, column: Column, isGrouped: boolean): void {
  if (!isGrouped) groups.push({ kind: 'column', column, unit: null })
  else if (column.isNullable) filters.push({ kind: 'null', column, isNull: false })
}

/** "total orders" asks for a count, "how much was issued" does not. */
const isTotalOfRows = ({ question }: PlanBuilder, { aggregate, start, end }: AggregatePhrase): boolean =>
  aggregate === 'sum' && question.tokens[end - 1]?.lower !== 'much' && question.tokens[start]?.lower !== 'sum'

/** "paid versus shipped orders", "2024 versus 2025" */
function hasSeveralComparedValues(builder: PlanBuilder): boolean {
  const { times, mentions } = builder.question
  const values = mentions.filter(({ target }) => target.kind === 'value')
  return hasComparingWord(builder) && (times.length > 1 || values.length > 1)
}
