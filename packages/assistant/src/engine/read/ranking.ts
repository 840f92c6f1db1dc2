import { type Group, type Plan, getExpressionTable } from '../plan/plan.ts'
import { findPath } from '../schema/join-paths.ts'
import { type Column, type Table, isMeasure, isPersonName, listDisplayColumns } from '../schema/model.ts'
import { toEnglishName } from '../schema/names.ts'
import { isPastForm } from '../words/stem.ts'
import {
  findHintedColumn,
  findSize,
  findQuantityColumn,
  hasSeveralHinted,
  listColumns,
  pickCategory,
} from './column-hints.ts'
import { findDefaultPair } from './durations.ts'
import type { PlanEnding } from './plan-ending.ts'
import type { Mention } from './link.ts'
import type { Superlative } from './phrases.ts'
import { getColumn, getTable, isAmount, isDateMention, isNearBesideValues } from './question.ts'
import { type Reader, getAggregateBefore, toGroup, toMeasure } from './reader.ts'

export interface RankedThing {
  readonly entity: Mention | undefined
  readonly orderMention: Mention | undefined
}

/** "most expensive product", "top 5 countries by revenue", "which city has the most patients" */
export function readRanking(reader: Reader, rankedThing: RankedThing): PlanEnding | undefined {
  const { phrases } = reader.question
  const [superlative] = phrases.superlatives
  const limit = readLimit(reader, superlative)
  const isAscending = phrases.top?.isAscending ?? superlative?.isAscending ?? false
  if (superlative?.hints.includes('count')) return rankByCount(reader, rankedThing, { limit, isAscending })
  if (superlative && !superlative.isPlain)
    return rankByAdjective(reader, rankedThing, { limit, isAscending, superlative })
  return rankByMeasure(reader, rankedThing, { limit, isAscending, superlative })
}

interface RankLimit {
  readonly limit: number
  readonly isAscending: boolean
}

function rankByCount(
  reader: Reader,
  { entity }: RankedThing,
  { limit, isAscending }: RankLimit,
): PlanEnding | undefined {
  const mention = entity ?? reader.free()[0]
  if (!mention) return undefined
  reader.roles.set(mention, 'entity')
  const { table } = mention.target
  const column = getColumn(mention) ?? pickCategory(table)
  reader.groups.push(column ? { kind: 'column', column, unit: null } : { kind: 'table', table })
  if (column?.isNullable) reader.filters.push({ kind: 'null', column, isNull: false })
  const child =
    reader.free().find((candidate) => getTable(candidate) && candidate.target.table !== table)?.target.table ??
    findUse(reader, table, column)
  reader.measures.push({ aggregate: 'count', expression: { kind: 'rows', table: child } })
  return { base: child, order: { by: 'measure', isAscending }, limit }
}

/** If each row is unique by name, "most common" counts the rows that reference it. */
function findUse({ question, doubt }: Reader, table: Table, column: Column | undefined): Table {
  const isOnce = column === undefined || column.distinct < -0.9 || listDisplayColumns(table).includes(column)
  const users = question.model.links.filter(({ to }) => to === table)
  if (!isOnce || (users.length === 0 && column !== undefined && column.distinct > 0)) return table
  const [only, second] = users
  if (!only || second) doubt('what is counted', 0.5)
  return only?.from ?? table
}

const toGroupOr = (entity: Mention | undefined, table: Table): Group =>
  entity ? toGroup(entity) : { kind: 'table', table }

function rankByAdjective(
  reader: Reader,
  { entity }: RankedThing,
  { limit, isAscending, superlative }: RankLimit & { superlative: Superlative },
): PlanEnding | undefined {
  const { measures, groups, asked, question } = reader
  const table = entity?.target.table ?? reader.free()[0]?.target.table
  if (!table) return undefined
  if (entity) reader.roles.set(entity, 'entity')
  const byMeasure: Plan['order'] = { by: 'measure', isAscending }
  const sold = superlative.hints.includes('quantity') ? findQuantityColumn(question.model, table) : undefined
  if (sold) {
    measures.push({ aggregate: 'sum', expression: { kind: 'column', column: sold } })
    groups.push(toGroupOr(entity, table))
    return { base: sold.table, order: byMeasure, limit }
  }
  const namedColumn = [...asked].flatMap((mention) => getColumn(mention) ?? [])[0]
  const column = namedColumn ?? findHintedColumn(table, superlative.hints)
  const lasting = column ? undefined : rankByDuration(reader, table, { limit, isAscending, superlative })
  if (lasting) return lasting
  if (!column) {
    reader.doubt('the column to order by', 0.5)
    return { base: table, columns: listColumns(table, []), limit }
  }
  if (!namedColumn && hasSeveralHinted(table, column, superlative.hints)) reader.doubt('the column to order by', 0.45)
  if (entity && getColumn(entity)) groups.push(toGroup(entity))
  if (groups.some((group) => group.kind === 'column' || group.table !== column.table)) {
    measures.push({ aggregate: isAscending ? 'min' : 'max', expression: { kind: 'column', column } })
    return { base: column.table, order: byMeasure, limit }
  }
  return { base: table, columns: listColumns(table, [column]), order: { by: column, isAscending }, limit }
}

/** "longest project": doubtful if the row also has a number that may be its length. */
function rankByDuration(
  { measures, groups, filters }: Reader,
  table: Table,
  { limit, isAscending, superlative }: RankLimit & { superlative: Superlative },
): PlanEnding | undefined {
  const isOther = !superlative.hints.includes('duration') || table.columns.some((column) => isMeasure(column))
  const pair = isOther || groups.length > 0 ? undefined : findDefaultPair(table)
  if (!pair) return undefined
  const duration = { ...pair, unit: 'days' } as const
  measures.push({ aggregate: isAscending ? 'min' : 'max', expression: { kind: 'duration', duration } })
  groups.push({ kind: 'table', table })
  filters.push({ kind: 'null', column: pair.to, isNull: false })
  return { base: table, order: { by: 'measure', isAscending }, limit }
}

function rankByMeasure(
  reader: Reader,
  rankedThing: RankedThing,
  { limit, isAscending, superlative }: RankLimit & { superlative: Superlative | undefined },
): PlanEnding | undefined {
  const { roles, asked } = reader
  const measuredMention = rankedThing.orderMention ?? findRankedMeasure(reader, superlative)
  const size = measuredMention && superlative ? findOwnSize(reader, measuredMention) : undefined
  if (measuredMention && size) {
    roles.set(measuredMention, 'entity')
    const { table } = size
    return { base: table, columns: listColumns(table, [size]), order: { by: size, isAscending }, limit }
  }
  if (measuredMention) roles.set(measuredMention, 'order')
  const isSame = rankedThing.entity === measuredMention
  const isThing = (mention: Mention) => !asked.has(mention) && mention.target.kind !== 'value' && !isVerbOfDate(mention)
  const entity = isSame ? reader.free().find((mention) => isThing(mention)) : rankedThing.entity
  const rows = measuredMention ? undefined : findRankedRows(reader, superlative, entity)
  if (rows && entity) {
    roles.set(entity, 'entity')
    reader.groups.push(toGroup(entity))
    reader.measures.push({ aggregate: 'count', expression: { kind: 'rows', table: rows } })
    return { base: rows, order: { by: 'measure', isAscending }, limit }
  }
  if (!measuredMention)
    return entity && asked.size === 0 ? rankByGuess(reader, entity, { limit, isAscending }) : undefined
  return orderByMeasure(reader, { measured: measuredMention, entity }, { limit, isAscending })
}

const isVerbOfDate = (mention: Mention): boolean => isDateMention(mention) && isPastForm(mention.words)

function findRankedRows(
  { question }: Reader,
  superlative: Superlative | undefined,
  entity: Mention | undefined,
): Table | undefined {
  const value = question.mentions.find(({ target, start }) => target.kind === 'value' && start === superlative?.end)
  if (!value || !entity || !['most', 'fewest'].includes(question.tokens[value.start - 1]?.lower ?? '')) return undefined
  const { table } = value.target
  const link = entity.target.table === table ? getColumn(entity) : findPath(question.model, table, entity.target.table)
  return link && /[^s]s$/i.test(value.words) && isPlainRow(entity, table) ? table : undefined
}

const isPlainRow = (entity: Mention, table: Table): boolean => getTable(entity) !== table

/** "largest gallery", if nothing that could be counted is mentioned. */
function findOwnSize({ question, free }: Reader, measuredMention: Mention): Column | undefined {
  const table = getTable(measuredMention)
  const isAlone = free().every((mention) => mention === measuredMention || mention.target.kind === 'value')
  const isSize = question.tokens.some(({ lower }) => SIZES.has(lower))
  return table && isAlone && isSize ? findSize(table) : undefined
}

const SIZES = new Set(['largest', 'biggest', 'smallest'])

function orderByMeasure(
  reader: Reader,
  { measured, entity }: { measured: Mention; entity: Mention | undefined },
  { limit, isAscending }: RankLimit,
): PlanEnding {
  const { roles, groups, measures, doubt } = reader
  const column = getColumn(measured)
  const namedMention = entity && !roles.has(entity) ? entity : undefined
  if (namedMention) roles.set(namedMention, 'entity')
  else if (column && groups.length === 0) groupByPerson(reader, column.table)
  const isOwn = namedMention
    ? getTable(namedMention) && column?.table === namedMention.target.table
    : groups.length === 0
  if (column && isOwn) {
    const { table } = column
    return { base: table, columns: listColumns(table, [column]), order: { by: column, isAscending }, limit }
  }
  if (namedMention) groupByNamed(reader, namedMention)
  else if (groups.length === 0) doubt('what is ranked', 0.45)
  const said = getAggregateBefore(reader, measured)
  const measure = toMeasure(reader, measured, said)
  // "top sellers by price": by revenue, or by unit price?
  if (column && isPrice(column) && said === null && measure.aggregate === 'avg') doubt('how it is added up', 0.45)
  measures.push(measure)
  return { base: getExpressionTable(measure.expression), order: { by: 'measure', isAscending }, limit }
}

const isPrice = ({ name }: Column): boolean => /(?:^|_)(?:price|cost)(?:_|$)/.test(toEnglishName(name))

function groupByNamed({ groups, filters }: Reader, namedMention: Mention): void {
  groups.push(toGroup(namedMention))
  const unknownColumn = getColumn(namedMention)
  if (unknownColumn?.isNullable) filters.push({ kind: 'null', column: unknownColumn, isNull: false })
}

/** "who worked the most overtime": grouped by the person the rows reference, if there is one. */
function groupByPerson({ question, groups, doubt }: Reader, table: Table): void {
  if (!question.tokens.some(({ lower }) => lower === 'who')) return
  if (listDisplayColumns(table).some(({ name }) => /name/.test(toEnglishName(name)))) return
  const people = question.model.links.filter(
    ({ from, to }) => from === table && to.columns.some((column) => isPersonName(column)),
  )
  const [only, second] = people
  if (!only || second) doubt('who is meant', 0.45)
  else groups.push({ kind: 'table', table: only.to })
}

function rankByGuess(reader: Reader, entity: Mention, { limit, isAscending }: RankLimit): PlanEnding {
  const base: Table = entity.target.table
  reader.roles.set(entity, 'entity')
  reader.groups.length = 0
  const column = findHintedColumn(base, ['amount', 'total', 'value', 'price', 'quantity', 'score', 'rating'])
  reader.doubt('what the order goes by', column ? 0.42 : 0.5)
  const order = column ? { by: column, isAscending } : null
  return { base, columns: listColumns(base, column ? [column] : []), order, limit }
}

function findRankedMeasure(reader: Reader, superlative: Superlative | undefined): Mention | undefined {
  const { question, free } = reader
  const able = free().filter((mention) => isAmount(mention) || getTable(mention) !== undefined)
  const amount = able.find((mention) => isAmount(mention))
  if (!superlative) return amount
  const from = superlative.end
  return (
    able.find(
      (mention) => mention.start >= from && isNearBesideValues(question, { from, to: mention.start, most: 3 }),
    ) ?? amount
  )
}

function readLimit({ question, used }: Reader, superlative: Superlative | undefined): number {
  const { phrases, times, mentions } = question
  if (phrases.top) return phrases.top.count
  if (!superlative) return 10
  const token = question.tokens.find(({ number, index }) => {
    if (number === null || phrases.used.has(index) || number > 1000 || !Number.isInteger(number)) return false
    return ![...times, ...mentions].some(({ start, end }) => index >= start && index < end)
  })
  if (!token?.number) return 1
  used.add(token.index)
  return token.number
}
