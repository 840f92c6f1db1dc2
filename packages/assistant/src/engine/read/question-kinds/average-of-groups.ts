import type { PartialPlan } from '../partial-plan.ts'
import { findJoinPath, isManyToOnePath } from '../../schema/join-paths.ts'
import { type Table, isDate, listDateColumns, listKeyColumns } from '../../schema/model.ts'
import { splitName, toStems } from '../../schema/names.ts'
import type { Mention } from '../find-mentions.ts'
import { getTable } from '../scan-question.ts'
import { type PlanBuilder, toMeasure } from '../plan-builder.ts'
import { ASK_BACK_PENALTY } from '../confidence/penalties.ts'
import { SURE_MATCH } from '../../schema/match-scores.ts'

/** "average number of orders per customer" */
export function planAverageCount(builder: PlanBuilder, countedMention: Mention | undefined): PartialPlan | undefined {
  const averagedMention = countedMention ?? findAveragedTableMention(builder)
  if (!builder.hasAveragePhrase || !averagedMention || builder.requestedAmounts.size > 0 || builder.groups.length === 0)
    return undefined
  if (!countedMention) builder.lowerConfidence('what it is divided by', ASK_BACK_PENALTY)
  builder.mentionRoles.set(averagedMention, 'measure')
  builder.measures.push(toMeasure(builder, averagedMention, 'count'))
  builder.groupSummary = 'average'
  return { base: averagedMention.target.table }
}

/** "average orders by customer": the plural of a child table of the only group. */
function findAveragedTableMention({ listUnassignedMentions, groups, question }: PlanBuilder): Mention | undefined {
  const [group, secondGroup] = groups
  if (group?.kind !== 'table' || secondGroup) return undefined
  return listUnassignedMentions().find((mention) => {
    const table = getTable(mention)
    const isChildTable =
      table && table !== group.table && isManyToOnePath(findJoinPath(question.model, table, group.table))
    return isChildTable === true && mention.matchScore >= SURE_MATCH && /[^s]s$/i.test(mention.words)
  })
}

/** "per month", "daily" */
export const hasPerTimeUnitPhrase = ({ question }: PlanBuilder): boolean =>
  question.phrases.timeUnits.some(({ start }) =>
    ['per', 'a', 'daily', 'weekly', 'monthly'].includes(question.tokens[start]?.lower ?? ''),
  )

/** A date is part of the key, or the table has no key, as a view with daily totals. */
export const hasOneRowPerDay = (table: Table): boolean =>
  listKeyColumns(table).some((column) => isDate(column)) || table.primaryKey.length === 0

/** "average order value": sum the lines of each order first. */
export function planAverageOverParentRows(builder: PlanBuilder, base: Table): PartialPlan {
  const { question, measures, groups } = builder
  const questionStems = new Set(question.tokens.map(({ stem }) => stem))
  const parentLinks = question.model.foreignKeys.filter((link) => link.from === base)
  const parentLink =
    parentLinks.find(({ to }) => toStems(splitName(to.name)).some((part) => questionStems.has(part))) ??
    parentLinks.find(({ to }) => listDateColumns(to).length > 0)
  if (!parentLink || groups.length > 0) return { base }
  const [measure] = measures
  if (measure) measures[0] = { ...measure, aggregate: 'sum' }
  for (const column of parentLink.fromColumns) groups.push({ kind: 'column', column, unit: null })
  builder.groupSummary = 'average'
  return { base }
}
