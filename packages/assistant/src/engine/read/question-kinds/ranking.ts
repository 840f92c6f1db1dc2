import { type Group, type Plan, findTableOfExpression } from '../../plan/plan.ts'
import { findJoinPath } from '../../schema/join-paths.ts'
import {
  NEARLY_UNIQUE,
  isMeasure,
  isPersonName,
  listDisplayColumns,
  type Column,
  type Table,
} from '../../schema/model.ts'
import { toEnglishName } from '../../schema/names.ts'
import { isPastForm } from '../../words/stem.ts'
import {
  findHintedColumn,
  findSizeColumn,
  findQuantityColumn,
  hasSimilarColumns,
  listShownColumns,
  findCategoryColumn,
} from '../column-hints.ts'
import { findDefaultDatePair } from './durations.ts'
import type { PartialPlan } from '../partial-plan.ts'
import type { Mention } from '../find-mentions.ts'
import type { Superlative } from '../find-phrases.ts'
import { getColumn, getTable, isAmountMention, isDateMention, isNearbyIgnoringValues } from '../scan-question.ts'
import { type PlanBuilder, findAggregateBefore, toGroup, toMeasure } from '../plan-builder.ts'
import { ASK_BACK_PENALTY, NOT_FOUND_PENALTY, UNREAD_WORD_PENALTY } from '../confidence/penalties.ts'

/** What is ranked and what the order goes by. */
export interface RankingMentions {
  readonly entity: Mention | undefined
  readonly orderMention: Mention | undefined
}

/** "most expensive product", "top 5 countries by revenue", "which city has the most patients" */
export function planRanking(builder: PlanBuilder, rankingMentions: RankingMentions): PartialPlan | undefined {
  const { phrases } = builder.question
  const [superlative] = phrases.superlatives
  const limit = readRankLimit(builder, superlative)
  const isAscending = phrases.top?.isAscending ?? superlative?.isAscending ?? false
  if (superlative?.columnHints.includes('count')) return rankByCount(builder, rankingMentions, { limit, isAscending })
  if (superlative && !superlative.isBare)
    return rankByAdjectiveColumn(builder, rankingMentions, { limit, isAscending, superlative })
  return rankByMentionedMeasure(builder, rankingMentions, { limit, isAscending, superlative })
}

/** "the 5 cheapest": number of rows and direction. */
interface RankOrder {
  readonly limit: number
  readonly isAscending: boolean
}

/** "most common diagnosis": groups by the entity and counts the rows. */
function rankByCount(
  builder: PlanBuilder,
  { entity }: RankingMentions,
  { limit, isAscending }: RankOrder,
): PartialPlan | undefined {
  const mention = entity ?? builder.listUnassignedMentions()[0]
  if (!mention) return undefined
  builder.mentionRoles.set(mention, 'entity')
  const { table } = mention.target
  const column = getColumn(mention) ?? findCategoryColumn(table)
  builder.groups.push(column ? { kind: 'column', column, unit: null } : { kind: 'table', table })
  if (column?.isNullable) builder.filters.push({ kind: 'null', column, isNull: false })
  const countedTable =
    builder.listUnassignedMentions().find((candidate) => getTable(candidate) && candidate.target.table !== table)
      ?.target.table ?? findTableToCount(builder, table, column)
  builder.measures.push({ aggregate: 'count', expression: { kind: 'rows', table: countedTable } })
  return { base: countedTable, order: { by: 'measure', isAscending }, limit }
}

/** If each row is unique by name, "most common" counts the rows that reference it. */
function findTableToCount({ question, lowerConfidence }: PlanBuilder, table: Table, column: Column | undefined): Table {
  const isUniqueName =
    column === undefined || column.distinct < NEARLY_UNIQUE || listDisplayColumns(table).includes(column)
  const referencingLinks = question.model.foreignKeys.filter(({ to }) => to === table)
  if (!isUniqueName || (referencingLinks.length === 0 && column !== undefined && column.distinct > 0)) return table
  const [referencingLink, secondLink] = referencingLinks
  if (!referencingLink || secondLink) lowerConfidence('what is counted', NOT_FOUND_PENALTY)
  return referencingLink?.from ?? table
}

const toGroupOrTable = (entity: Mention | undefined, table: Table): Group =>
  entity ? toGroup(entity) : { kind: 'table', table }

/** "most expensive product": orders by the column that fits the adjective, or by the aggregated column per group. */
function rankByAdjectiveColumn(
  builder: PlanBuilder,
  { entity }: RankingMentions,
  { limit, isAscending, superlative }: RankOrder & { superlative: Superlative },
): PartialPlan | undefined {
  const { measures, groups, requestedAmounts, question } = builder
  const table = entity?.target.table ?? builder.listUnassignedMentions()[0]?.target.table
  if (!table) return undefined
  if (entity) builder.mentionRoles.set(entity, 'entity')
  const byMeasure: Plan['order'] = { by: 'measure', isAscending }
  const soldQuantity = superlative.columnHints.includes('quantity')
    ? findQuantityColumn(question.model, table)
    : undefined
  if (soldQuantity) {
    measures.push({ aggregate: 'sum', expression: { kind: 'column', column: soldQuantity } })
    groups.push(toGroupOrTable(entity, table))
    return { base: soldQuantity.table, order: byMeasure, limit }
  }
  const requestedColumn = [...requestedAmounts].flatMap((mention) => getColumn(mention) ?? [])[0]
  const column = requestedColumn ?? findHintedColumn(table, superlative.columnHints)
  const durationRanking = column ? undefined : rankByDuration(builder, table, { limit, isAscending, superlative })
  if (durationRanking) return durationRanking
  if (!column) {
    builder.lowerConfidence('the column to order by', NOT_FOUND_PENALTY)
    return { base: table, columns: listShownColumns(table, []), limit }
  }
  if (!requestedColumn && hasSimilarColumns(table, column, superlative.columnHints))
    builder.lowerConfidence('the column to order by', ASK_BACK_PENALTY)
  if (entity && getColumn(entity)) groups.push(toGroup(entity))
  if (groups.some((group) => group.kind === 'column' || group.table !== column.table)) {
    measures.push({ aggregate: isAscending ? 'min' : 'max', expression: { kind: 'column', column } })
    return { base: column.table, order: byMeasure, limit }
  }
  return { base: table, columns: listShownColumns(table, [column]), order: { by: column, isAscending }, limit }
}

/** "longest project": doubtful if the row also has a number that may be its length. */
function rankByDuration(
  { measures, groups, filters }: PlanBuilder,
  table: Table,
  { limit, isAscending, superlative }: RankOrder & { superlative: Superlative },
): PartialPlan | undefined {
  const hasOtherMeaning =
    !superlative.columnHints.includes('duration') || table.columns.some((column) => isMeasure(column))
  const datePair = hasOtherMeaning || groups.length > 0 ? undefined : findDefaultDatePair(table)
  if (!datePair) return undefined
  const duration = { ...datePair, unit: 'days' } as const
  measures.push({ aggregate: isAscending ? 'min' : 'max', expression: { kind: 'duration', duration } })
  groups.push({ kind: 'table', table })
  filters.push({ kind: 'null', column: datePair.to, isNull: false })
  return { base: table, order: { by: 'measure', isAscending }, limit }
}

/** "top 5 customers by revenue", "customer with the most orders". */
function rankByMentionedMeasure(
  builder: PlanBuilder,
  rankingMentions: RankingMentions,
  { limit, isAscending, superlative }: RankOrder & { superlative: Superlative | undefined },
): PartialPlan | undefined {
  const { mentionRoles, requestedAmounts } = builder
  const measuredMention = rankingMentions.orderMention ?? findMeasureMention(builder, superlative)
  const sizeColumn = measuredMention && superlative ? findSizeColumnOfRanked(builder, measuredMention) : undefined
  if (measuredMention && sizeColumn) {
    mentionRoles.set(measuredMention, 'entity')
    const { table } = sizeColumn
    return {
      base: table,
      columns: listShownColumns(table, [sizeColumn]),
      order: { by: sizeColumn, isAscending },
      limit,
    }
  }
  if (measuredMention) mentionRoles.set(measuredMention, 'order')
  const isSame = rankingMentions.entity === measuredMention
  const canBeEntity = (mention: Mention) =>
    !requestedAmounts.has(mention) && mention.target.kind !== 'value' && !isPastVerbOfDate(mention)
  const entity = isSame
    ? builder.listUnassignedMentions().find((mention) => canBeEntity(mention))
    : rankingMentions.entity
  const countedTable = measuredMention ? undefined : findTableOfRankedValue(builder, superlative, entity)
  if (countedTable && entity) {
    mentionRoles.set(entity, 'entity')
    builder.groups.push(toGroup(entity))
    builder.measures.push({ aggregate: 'count', expression: { kind: 'rows', table: countedTable } })
    return { base: countedTable, order: { by: 'measure', isAscending }, limit }
  }
  if (!measuredMention)
    return entity && requestedAmounts.size === 0
      ? rankByGuessedColumn(builder, entity, { limit, isAscending })
      : undefined
  return orderByMeasure(builder, { measuredMention, entity }, { limit, isAscending })
}

const isPastVerbOfDate = (mention: Mention): boolean => isDateMention(mention) && isPastForm(mention.words)

/** "city with the most returns", where "returns" is a stored status: counts the rows with it. */
function findTableOfRankedValue(
  { question }: PlanBuilder,
  superlative: Superlative | undefined,
  entity: Mention | undefined,
): Table | undefined {
  const valueMention = question.mentions.find(
    ({ target, start }) => target.kind === 'value' && start === superlative?.end,
  )
  if (!valueMention || !entity || !['most', 'fewest'].includes(question.tokens[valueMention.start - 1]?.lower ?? ''))
    return undefined
  const { table } = valueMention.target
  const connection =
    entity.target.table === table ? getColumn(entity) : findJoinPath(question.model, table, entity.target.table)
  return connection && /[^s]s$/i.test(valueMention.words) && isNotTableItself(entity, table) ? table : undefined
}

const isNotTableItself = (entity: Mention, table: Table): boolean => getTable(entity) !== table

/** "largest gallery", if nothing that could be counted is mentioned. */
function findSizeColumnOfRanked(
  { question, listUnassignedMentions }: PlanBuilder,
  measuredMention: Mention,
): Column | undefined {
  const table = getTable(measuredMention)
  const isOnlyMention = listUnassignedMentions().every(
    (mention) => mention === measuredMention || mention.target.kind === 'value',
  )
  const hasSizeWord = question.tokens.some(({ lower }) => SIZE_WORDS.has(lower))
  return table && isOnlyMention && hasSizeWord ? findSizeColumn(table) : undefined
}

const SIZE_WORDS = new Set(['largest', 'biggest', 'smallest'])

/** Orders single rows by their own column, otherwise groups by the entity and orders by the aggregate. */
function orderByMeasure(
  builder: PlanBuilder,
  { measuredMention, entity }: { measuredMention: Mention; entity: Mention | undefined },
  { limit, isAscending }: RankOrder,
): PartialPlan {
  const { mentionRoles, groups, measures, lowerConfidence } = builder
  const column = getColumn(measuredMention)
  const unassignedEntity = entity && !mentionRoles.has(entity) ? entity : undefined
  if (unassignedEntity) mentionRoles.set(unassignedEntity, 'entity')
  else if (column && groups.length === 0) groupByPerson(builder, column.table)
  const isColumnOfEntity = unassignedEntity
    ? getTable(unassignedEntity) && column?.table === unassignedEntity.target.table
    : groups.length === 0
  if (column && isColumnOfEntity) {
    const { table } = column
    return { base: table, columns: listShownColumns(table, [column]), order: { by: column, isAscending }, limit }
  }
  if (unassignedEntity) groupByEntity(builder, unassignedEntity)
  else if (groups.length === 0) lowerConfidence('what is ranked', ASK_BACK_PENALTY)
  const aggregateBefore = findAggregateBefore(builder, measuredMention)
  const measure = toMeasure(builder, measuredMention, aggregateBefore)
  // "top sellers by price": by revenue, or by unit price?
  if (column && isPriceColumn(column) && aggregateBefore === null && measure.aggregate === 'avg')
    lowerConfidence('how it is added up', ASK_BACK_PENALTY)
  measures.push(measure)
  return { base: findTableOfExpression(measure.expression), order: { by: 'measure', isAscending }, limit }
}

const isPriceColumn = ({ name }: Column): boolean => /(?:^|_)(?:price|cost)(?:_|$)/.test(toEnglishName(name))

/** Groups by what is ranked, leaving out rows without it. */
function groupByEntity({ groups, filters }: PlanBuilder, namedMention: Mention): void {
  groups.push(toGroup(namedMention))
  const unknownColumn = getColumn(namedMention)
  if (unknownColumn?.isNullable) filters.push({ kind: 'null', column: unknownColumn, isNull: false })
}

/** "who worked the most overtime": grouped by the person the rows reference, if there is one. */
function groupByPerson({ question, groups, lowerConfidence }: PlanBuilder, table: Table): void {
  if (!question.tokens.some(({ lower }) => lower === 'who')) return
  if (listDisplayColumns(table).some(({ name }) => /name/.test(toEnglishName(name)))) return
  const personLinks = question.model.foreignKeys.filter(
    ({ from, to }) => from === table && to.columns.some((column) => isPersonName(column)),
  )
  const [personLink, secondLink] = personLinks
  if (!personLink || secondLink) lowerConfidence('who is meant', ASK_BACK_PENALTY)
  else groups.push({ kind: 'table', table: personLink.to })
}

/** "top 5 orders", without saying by what: by an amount if there is one. */
function rankByGuessedColumn(builder: PlanBuilder, entity: Mention, { limit, isAscending }: RankOrder): PartialPlan {
  const base: Table = entity.target.table
  builder.mentionRoles.set(entity, 'entity')
  builder.groups.length = 0
  const column = findHintedColumn(base, ['amount', 'total', 'value', 'price', 'quantity', 'score', 'rating'])
  builder.lowerConfidence('what the order goes by', column ? UNREAD_WORD_PENALTY : NOT_FOUND_PENALTY)
  const order = column ? { by: column, isAscending } : null
  return { base, columns: listShownColumns(base, column ? [column] : []), order, limit }
}

/** What follows the superlative, otherwise the first amount. */
function findMeasureMention(builder: PlanBuilder, superlative: Superlative | undefined): Mention | undefined {
  const { question, listUnassignedMentions } = builder
  const countableMentions = listUnassignedMentions().filter(
    (mention) => isAmountMention(mention) || getTable(mention) !== undefined,
  )
  const amountMention = countableMentions.find((mention) => isAmountMention(mention))
  if (!superlative) return amountMention
  const searchStart = superlative.end
  return (
    countableMentions.find(
      (mention) =>
        mention.start >= searchStart &&
        isNearbyIgnoringValues(question, { from: searchStart, to: mention.start, maxTokens: 3 }),
    ) ?? amountMention
  )
}

/** "the 5 cheapest" → 5; a superlative alone 1, otherwise 10. */
function readRankLimit({ question, usedTokens }: PlanBuilder, superlative: Superlative | undefined): number {
  const { phrases, times, mentions } = question
  if (phrases.top) return phrases.top.count
  if (!superlative) return 10
  const limitToken = question.tokens.find(({ number, index }) => {
    if (number === null || phrases.usedTokens.has(index) || number > 1000 || !Number.isInteger(number)) return false
    return ![...times, ...mentions].some(({ start, end }) => index >= start && index < end)
  })
  if (!limitToken?.number) return 1
  usedTokens.add(limitToken.index)
  return limitToken.number
}
