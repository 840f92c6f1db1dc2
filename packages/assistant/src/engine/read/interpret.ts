import { type Filter, type Having, getExpressionTable, getFilterTable, getGroupTable } from '../plan/plan.ts'
import { type Column, type Table, isDate, isMeasure, listDisplayColumns, listKeyColumns } from '../schema/model.ts'
import { findPath, isUpwards } from '../schema/join-paths.ts'
import { isAgentNoun } from '../schema/near-words.ts'
import { splitName, toStems } from '../schema/names.ts'
import { isPastForm, stemWord } from '../words/stem.ts'
import { listNounsOfVerb } from '../words/synonyms.ts'
import { readAbsences } from './absences.ts'
import { averagePerOrder, isPerDay, isPerUnit, readAverageCount } from './averages.ts'
import { listColumns } from './column-hints.ts'
import { readColumnComparisons } from './column-comparisons.ts'
import { type ComparedMention, applyComparison, findComparedMentions } from './comparisons.ts'
import { preferDoers, preferVerbs } from './doers.ts'
import { readDuration } from './durations.ts'
import { preferFlags, readFlags, skipNameParts, skipNamedColumns } from './flags.ts'
import type { PlanEnding } from './plan-ending.ts'
import { type Draft, finishPlan, isComparing, readValues } from './finish.ts'
import { type Grouping, readGrouping } from './grouping.ts'
import type { Mention } from './link.ts'
import type { AggregatePhrase } from './phrases.ts'
import { preferAmounts } from './prefer-amounts.ts'
import { type Question, getColumn, getTable, isAmount, isDateMention, isDimension, isNear } from './question.ts'
import { readRanking } from './ranking.ts'
import { readYears } from './years.ts'
import { type Reader, createReader, getAggregateBefore, toGroup, toMeasure } from './reader.ts'

/** Gives every mention a role and builds the plan; undefined if nothing is asked for. */
export function interpret(scanned: Question): Draft | undefined {
  const years = readYears(preferFlags(preferAmounts(preferDoers(preferVerbs(scanned)))))
  const { question } = years
  const reader = createReader(question)
  for (const mention of years.used) reader.roles.set(mention, 'filter')
  reader.filters.push(...years.filters)
  const absences = readAbsences(question)
  for (const mention of absences.used) reader.roles.set(mention, 'absent')
  for (const index of absences.words) reader.used.add(index)
  for (const _ of absences.unread) reader.doubt('what is not meant', 0.45)
  readColumnComparisons(reader)
  const duration = readDuration(reader)
  const comparedMentions = findComparedMentions(reader)
  skipNameParts(reader)
  readFlags(reader)
  const grouping = readGrouping(reader)
  if (!reader.isRatio && !grouping.difference) {
    for (const mention of reader.free()) if (isAmount(mention)) reader.asked.add(mention)
  }
  skipNamedColumns(reader)
  const countedMention = toHead(reader, findCounted(reader))
  const entity = toHead(reader, findEntity(reader, { compared: comparedMentions, counted: countedMention }))
  const context = { compared: comparedMentions, grouping, counted: countedMention, entity }
  const ending = duration ?? build(reader, context) ?? listRows(reader, entity, absences.base)
  return finishPlan(reader, absences, ending)
}

/** "training attendances": the second noun is counted, the first says which kind. */
function toHead({ question, free, roles }: Reader, mention: Mention | undefined): Mention | undefined {
  const head =
    mention && getTable(mention) && free().find((candidate) => candidate.start === mention.end && getTable(candidate))
  if (!head || head.target.table === mention.target.table) return mention
  if (!isUpwards(findPath(question.model, head.target.table, mention.target.table))) return mention
  roles.set(mention, 'filter')
  return head
}

function findCounted({ counted, free, question }: Reader): Mention | undefined {
  if (!counted) return undefined
  const after = free().filter((mention) => mention.start >= counted.end && mention.target.kind !== 'value')
  return (
    after.find((mention) => isNear(question, { from: counted.end, to: mention.start, most: 5 })) ??
    after.find((mention) => !isAmount(mention))
  )
}

interface Context {
  readonly compared: readonly ComparedMention[]
  readonly grouping: Grouping
  readonly counted: Mention | undefined
  readonly entity: Mention | undefined
}

function findEntity(reader: Reader, { compared, counted }: Pick<Context, 'compared' | 'counted'>): Mention | undefined {
  const { isRanked, asked, free } = reader
  const open = free().filter(
    (mention) =>
      !asked.has(mention) && (getTable(mention) !== undefined || (isDimension(mention) && !isDateMention(mention))),
  )
  const datedMentions = free().filter((mention) => isDateMention(mention))
  const namedMention = findRequestedThing(reader, [...open, ...datedMentions]) ?? findRankedThing(reader, open)
  if (namedMention) return namedMention
  const isPlain = reader.question.phrases.superlatives[0]?.isPlain ?? false
  if (counted && open.includes(counted) && !isPlain) return counted
  const [first] = open
  const tables = open.filter((mention) => getTable(mention))
  const owner =
    first && !getTable(first) ? tables.find((table) => table.target.table === first.target.table) : undefined
  if (owner && compared.length === 0 && !isRanked) return owner
  return first ?? (compared.length > 0 ? datedMentions[0] : undefined)
}

function findRequestedThing({ question, isRanked }: Reader, open: readonly Mention[]): Mention | undefined {
  const which = question.tokens.findIndex(({ lower }) => lower === 'which' || lower === 'what' || lower === 'who')
  const asks = which < 0 ? undefined : open.find((mention) => mention.start === which + 1)
  if (asks && isDateMention(asks) && question.tokens[which]?.lower === 'who') return undefined
  return asks && (isRanked || !getTable(asks)) ? asks : undefined
}

function findRankedThing({ question }: Reader, open: readonly Mention[]): Mention | undefined {
  const [superlative] = question.phrases.superlatives
  const ranked = superlative ?? question.phrases.top
  return ranked && !superlative?.isPlain ? open.find((mention) => mention.start >= ranked.end) : undefined
}

function build(reader: Reader, context: Context): PlanEnding | undefined {
  const { grouping, compared, counted, entity } = context
  const ranking = reader.isRanked ? readRanking(reader, { entity, orderMention: grouping.orderMention }) : undefined
  if (ranking) return ranking
  const having: Having[] = []
  const subject = entity ?? counted
  for (const comparedMention of compared) applyComparison(reader, comparedMention, { subject, having })
  const hasShare = reader.question.phrases.share !== null && reader.groups.length === 0
  const part = hasShare ? readShare(reader, subject) : undefined
  return (
    part ??
    readHaving(reader, having, subject) ??
    readDifference(reader, grouping) ??
    readAverageCount(reader, counted) ??
    readComputed(reader, context)
  )
}

/** "how many students get a scholarship": the amount filters, it is not summed. */
function countsOwners(
  { asked, counted: phrase, question, groups }: Reader,
  countedMention: Mention | undefined,
): boolean {
  const [amount] = asked
  const table = countedMention && getTable(countedMention)
  if (!phrase || !amount || !table || asked.size > 1 || groups.length > 0) return false
  const isDirect = isNear(question, { from: phrase.end, to: countedMention.start, most: 1 })
  return isDirect && amount.start > countedMention.end && getColumn(amount)?.table === table
}

function readComputed(reader: Reader, { counted, entity }: Context): PlanEnding | undefined {
  if (countsOwners(reader, counted)) {
    const [column] = [...reader.asked].flatMap((amount) => getColumn(amount) ?? [])
    for (const amount of reader.asked) reader.roles.set(amount, 'filter')
    if (column?.isNullable) reader.filters.push({ kind: 'null', column, isNull: false })
    else reader.doubt('what the amount is for', 0.45)
    return readCount(reader, counted)
  }
  if (reader.asked.size > 0) return readAmounts(reader, entity)
  if (reader.counted) return readCount(reader, counted ?? entity)
  const [numerator] = reader.measures
  if (numerator) return { base: getExpressionTable(numerator.expression) }
  return readGroups(reader, entity)
}

function readHaving(reader: Reader, having: readonly Having[], subject: Mention | undefined): PlanEnding | undefined {
  const { roles, groups, measures } = reader
  const [first] = having
  if (!first) return undefined
  if (subject && groups.length === 0) {
    roles.set(subject, 'entity')
    groups.push(toGroup(subject))
  }
  if (reader.counted?.aggregate === 'count' && measures.length === 0) reader.over = 'count'
  measures.push(first.measure)
  return { base: getExpressionTable(first.measure.expression), having }
}

function readDifference({ groups }: Reader, { difference }: Grouping): PlanEnding | undefined {
  if (!difference) return undefined
  const [{ table }] = difference
  groups.length = 0
  return { base: table, columns: [...new Set([...listKeyColumns(table), ...listDisplayColumns(table)])], difference }
}

/** "share of closed deals that were won": of the closed deals. */
function listOfWhole({ question }: Reader, all: readonly Filter[], subject: Mention | undefined): Filter[] {
  const before = all.filter((filter) =>
    question.mentions.some(({ target, end }) => {
      const column = target.kind === 'column' || target.kind === 'value' ? target.column : undefined
      return subject !== undefined && end <= subject.start && 'column' in filter && filter.column === column
    }),
  )
  return before.length < all.length ? before : []
}

/** "what percentage of orders were returned": matching rows of all rows. */
function readShare(reader: Reader, subject: Mention | undefined): PlanEnding | undefined {
  const { question, filters, measures, roles } = reader
  const all: Filter[] = [...readValues(reader), ...filters.splice(0)]
  const wholeFilters = listOfWhole(reader, all, subject)
  const part = all.filter((filter) => !wholeFilters.includes(filter))
  filters.push(...wholeFilters)
  const [first] = part
  const base = subject?.target.table ?? (first && getFilterTable(first))
  const { share } = question.phrases
  if (!base || !first || !share) {
    filters.push(...part)
    return undefined
  }
  if (subject) roles.set(subject, 'entity')
  measures.push({ aggregate: 'count', expression: { kind: 'rows', table: base } })
  return { base, share: { isPercent: share.isPercent, part } }
}

const toShare = ({ question }: Reader): PlanEnding['share'] =>
  question.phrases.share ? { isPercent: question.phrases.share.isPercent, part: [] } : null

function readAmounts(reader: Reader, entity: Mention | undefined): PlanEnding | undefined {
  const { question, measures, roles } = reader
  const requestedMentions = [...reader.asked]
  for (const mention of requestedMentions) roles.set(mention, 'measure')
  const listedPlanEnding = listAmounts(reader, entity)
  if (listedPlanEnding) return listedPlanEnding
  const aggregate = question.phrases.aggregates[0]?.aggregate ?? null
  for (const mention of requestedMentions) {
    measures.push(toMeasure(reader, mention, getAggregateBefore(reader, mention) ?? aggregate))
  }
  const [only] = measures
  if (!only) return undefined
  flagFarAmount(reader, requestedMentions)
  flagAveragedMetric(reader)
  const base = getExpressionTable(only.expression)
  if (only.aggregate === 'avg' && only.expression.kind === 'line_value') return averagePerOrder(reader, base)
  if (reader.hasAverage && reader.groups.length === 0 && isPerUnit(reader)) {
    // A table with one row per day is averaged directly.
    if (isPerDay(base)) return { base, skipsUnits: true }
    measures[0] = { ...only, aggregate: 'sum' }
    reader.over = 'average'
  }
  return { base, share: toShare(reader) }
}

/** "how many nurses rent from us": an amount far from "how many" is not what is counted. */
function flagFarAmount({ counted, question, doubt }: Reader, requestedMentions: readonly Mention[]): void {
  const isFar = (mention: Mention) =>
    counted !== undefined &&
    mention.start >= counted.end &&
    question.mentions.some(
      ({ target, start, end }) => target.kind === 'value' && start >= counted.end && end <= mention.start,
    )
  if (requestedMentions.some((mention) => isFar(mention))) doubt('what is counted', 0.45)
}

/** "average net revenue by country": the metric defines its own aggregate. */
function flagAveragedMetric(reader: Reader): void {
  for (const mention of reader.asked) {
    const said = mention.target.kind === 'metric' ? getAggregateBefore(reader, mention) : null
    const isOverTime = said === 'avg' && reader.groups.length === 0 && isPerUnit(reader)
    if (said !== null && said !== 'sum' && !isOverTime) reader.doubt(mention.words, 0.45)
  }
}

/** "price of the oak lamp": shown without aggregating. */
function listAmounts(reader: Reader, entity: Mention | undefined): PlanEnding | undefined {
  const { asked, groups, question, roles } = reader
  const { phrases, times } = question
  const table = entity && getTable(entity)
  const columns = [...asked].flatMap((mention) => getColumn(mention) ?? [])
  const isOwn = columns.length === asked.size && columns.every((column) => !table || column.table === table)
  // "total amount" may be the column's name and still asks for the sum.
  const isTotal = [...asked].some(({ words }) => /^(?:total|sum|overall)\b/i.test(words))
  const isComputed =
    isTotal || [...phrases.aggregates, ...phrases.units, ...groups].length > 0 || phrases.share !== null
  const isOneRow = namesOneRow(reader, table)
  const base = table ?? columns[0]?.table
  if (isComputed || !isOwn || !base || (!isOneRow && (!table || times.length > 0))) return undefined
  if (entity) roles.set(entity, 'entity')
  return {
    base,
    columns: isOneRow ? [...new Set([...listDisplayColumns(base), ...columns])] : listColumns(base, columns),
  }
}

function namesOneRow({ question }: Reader, table: Table | undefined): boolean {
  return question.mentions.some(({ target }) => {
    if (target.kind !== 'value' || (table && target.table !== table)) return false
    return target.column.distinct < -0.5 || listDisplayColumns(target.table).includes(target.column)
  })
}

/** "how many companies donate", "how many subscribers": the verb is not what is counted. */
function flagCountedVerb({ doubt }: Reader, countedMention: Mention | undefined): void {
  if (!countedMention || countedMention.weight > 0.7) return
  const word = stemWord(countedMention.words)
  const isAgent = toStems(splitName(countedMention.target.table.name)).some((part) => isAgentNoun(word, part))
  if (isAgent || listNounsOfVerb(word).length > 0) doubt('what is counted', 0.45)
}

function readCount(reader: Reader, mention: Mention | undefined): PlanEnding | undefined {
  const { question, measures, roles, counted, filters } = reader
  const [first] = filters
  const base = mention?.target.table ?? (first && getFilterTable(first)) ?? question.mentions[0]?.target.table
  if (!base) return undefined
  const column = mention && getColumn(mention)
  if (mention && column && !isDate(column)) {
    roles.set(mention, 'measure')
    const isDistinct =
      counted?.aggregate === 'count_distinct' || question.phrases.distinct !== null || !isMeasure(column)
    measures.push({ aggregate: isDistinct ? 'count_distinct' : 'sum', expression: { kind: 'column', column } })
  } else {
    if (mention && !column) roles.set(mention, 'measure')
    flagCountedVerb(reader, mention)
    measures.push({ aggregate: 'count', expression: { kind: 'rows', table: base } })
  }
  return { base, share: toShare(reader) }
}

/** "orders by status", "paid versus shipped orders": counts rows. */
function readGroups(reader: Reader, entity: Mention | undefined): PlanEnding | undefined {
  const { question, groups, measures, roles } = reader
  const { phrases } = question
  const [aggregate] = phrases.aggregates
  const isGrouped = groups.length > 0 || phrases.units.length > 0
  if (!isGrouped && !phrases.share && !comparesSeveral(reader) && !aggregate) return undefined
  const [group] = groups
  const base = entity?.target.table ?? reader.free()[0]?.target.table ?? (group && getGroupTable(group))
  if (!base) return undefined
  const column = entity && getColumn(entity)
  if (entity) roles.set(entity, 'entity')
  if (column) countColumn(reader, column, isGrouped)
  measures.push({ aggregate: 'count', expression: { kind: 'rows', table: base } })
  if (aggregate && !countsRows(reader, aggregate)) reader.doubt('what is added up', 0.45)
  return { base, share: toShare(reader) }
}

/** "sponsors" are counted by sponsor, "withdrawals per month" are rows that have one. */
function countColumn({ groups, filters }: Reader, column: Column, isGrouped: boolean): void {
  if (!isGrouped) groups.push({ kind: 'column', column, unit: null })
  else if (column.isNullable) filters.push({ kind: 'null', column, isNull: false })
}

/** "total orders" asks for a count, "how much was issued" does not. */
const countsRows = ({ question }: Reader, { aggregate, start, end }: AggregatePhrase): boolean =>
  aggregate === 'sum' && question.tokens[end - 1]?.lower !== 'much' && question.tokens[start]?.lower !== 'sum'

function comparesSeveral(reader: Reader): boolean {
  const { times, mentions } = reader.question
  const values = mentions.filter(({ target }) => target.kind === 'value')
  return isComparing(reader) && (times.length > 1 || values.length > 1)
}

/** n_distinct of pg_stats is above zero for columns with few distinct values. */
const isRepeated = (column: Column): boolean =>
  column.kind === 'text' && column.distinct > 0 && !listDisplayColumns(column.table).includes(column)

function filterDone({ filters }: Reader, shownMentions: readonly Mention[], entity: Mention | undefined): void {
  for (const mention of shownMentions) {
    const column = getColumn(mention)
    const isDone = entity !== undefined && mention.start > entity.start && isPastForm(mention.words.split(' ')[0] ?? '')
    if (column?.isNullable && isDone && !isMeasure(column)) filters.push({ kind: 'null', column, isNull: false })
  }
}

function listRows(reader: Reader, entity: Mention | undefined, absent: Table | undefined): PlanEnding {
  const { question, filters, roles, free } = reader
  const [first] = filters
  const base =
    entity?.target.table ??
    free()[0]?.target.table ??
    (first && getFilterTable(first)) ??
    absent ??
    question.mentions[0]?.target.table
  if (!base) return { base }
  if (entity) roles.set(entity, 'entity')
  const shownMentions = free().filter((mention) => {
    const column = getColumn(mention)
    return column !== undefined && column.table === base && !isDate(column)
  })
  for (const mention of shownMentions) roles.set(mention, 'entity')
  const columns = shownMentions.flatMap((mention) => getColumn(mention) ?? [])
  filterDone(reader, shownMentions, entity)
  const ownColumn = entity && getColumn(entity)
  if (ownColumn && isRepeated(ownColumn)) {
    // A value that many rows share is listed once, with its row count.
    reader.groups.push({ kind: 'column', column: ownColumn, unit: null })
    reader.measures.push({ aggregate: 'count', expression: { kind: 'rows', table: base } })
    return { base }
  }
  if (ownColumn) return { base, columns: [ownColumn, ...columns] }
  const isRequested = entity !== undefined && shownMentions.some((mention) => mention.start < entity.start)
  return { base, columns: isRequested ? columns : listColumns(base, columns) }
}
