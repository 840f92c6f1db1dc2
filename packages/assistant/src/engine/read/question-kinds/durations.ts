import type { Duration, DurationUnit, Filter, Measure } from '../../plan/plan.ts'
import { type Column, type Table, isDate, isLateDate, isMeasure, listDateColumns } from '../../schema/model.ts'
import { toEnglishName } from '../../schema/names.ts'
import type { PartialPlan } from '../partial-plan.ts'
import type { Mention } from '../find-mentions.ts'
import type { Aggregate, Comparator } from '../phrase-words.ts'
import type { Comparison } from '../find-phrases.ts'
import { getColumn, getTable, isAmountMention, isNearby } from '../scan-question.ts'
import type { PlanBuilder } from '../plan-builder.ts'
import { ASK_BACK_PENALTY } from '../confidence/penalties.ts'

/** A word for time → a unit of the duration and how many of it. */
const DURATION_UNITS: Readonly<Record<string, readonly [unit: DurationUnit, size: number]>> = {
  day: ['days', 1],
  week: ['days', 7],
  hour: ['hours', 1],
  minut: ['minutes', 1],
}
const DURATION_WORDS = new Set(['time', 'duration', 'days', 'hours', 'minutes', 'long'])
const DURATION_FILLER_WORDS = new Set(
  'until till last lasts take takes took taken taking need needs needed long elapse elapsed pass passes passed turnaround'.split(
    ' ',
  ),
)
const NOT_AN_END_DATE =
  /(?:^|_)(?:birth|dob|updated?|modified|deleted|due|created|planned|scheduled|expected|valid|expir\w*)/

/** The difference of two dates of a row, unless a column holds it. */
export function planDuration(builder: PlanBuilder): PartialPlan | undefined {
  for (const comparison of builder.question.phrases.comparisons) addDurationComparison(builder, comparison)
  addWithinFilter(builder)
  const requestedDuration = findRequestedDuration(builder)
  const datePair = requestedDuration && !hasAmountMention(builder) ? findDatePair(builder) : undefined
  if (!requestedDuration || !datePair) return undefined
  const measure: Measure = {
    aggregate: findAggregateOfDuration(builder) ?? 'avg',
    expression: { kind: 'duration', duration: toDuration(datePair, requestedDuration.unit) },
  }
  builder.measures.push(measure)
  for (const index of requestedDuration.words) builder.usedTokens.add(index)
  assignDurationRoles(builder, datePair)
  flagTimeBesideDuration(builder, datePair)
  return { base: datePair.from.table }
}

/** Begin and end of a duration, and the mentions that name them. */
interface DatePair {
  readonly from: Column
  readonly to: Column
  readonly mentions: readonly Mention[]
}

/** Without a unit in the question, days for dates and hours for timestamps. */
const toDuration = ({ from, to }: Pick<DatePair, 'from' | 'to'>, unit: DurationUnit | null): Duration => ({
  from,
  to,
  unit: unit ?? (from.kind === 'date' || to.kind === 'date' ? 'days' : 'hours'),
})

/** "how long", "average time", "how many days … on average" */
function findRequestedDuration(
  builder: PlanBuilder,
): { readonly words: readonly number[]; readonly unit: DurationUnit | null } | undefined {
  const { question } = builder
  const durationColumnMentions = question.mentions.filter(
    (mention) => isDurationColumnMention(mention) && !isDurationOfOtherTable(builder, mention),
  )
  const { tokens, phrases } = question
  const isAveraged = phrases.aggregates.some(({ aggregate }) => !aggregate.startsWith('count') && aggregate !== 'sum')
  const durationWord = tokens.find(({ lower, index }) => {
    const previousWord = tokens[index - 1]?.lower
    if (lower === 'long') return previousWord === 'how'
    if (!DURATION_WORDS.has(lower) || isInsideSpan(durationColumnMentions, index)) return false
    return isAveraged || (previousWord === 'many' && tokens.some((token) => DURATION_FILLER_WORDS.has(token.lower)))
  })
  if (!durationWord) return undefined
  const [unit = null] = DURATION_UNITS[durationWord.stem] ?? []
  return { words: [durationWord.index], unit }
}

const isInsideSpan = (spans: readonly { start: number; end: number }[], tokenIndex: number): boolean =>
  spans.some(({ start, end }) => tokenIndex >= start && tokenIndex < end)

const DURATION_COLUMN_NAME = /(?:^|_)(?:seconds|minutes|hours|days|weeks|duration|time|length|age)(?:_|$)/

/** A number column such as `minutes` or `length`. */
function isDurationColumnMention(mention: Mention): boolean {
  const column = getColumn(mention)
  return column !== undefined && isMeasure(column) && DURATION_COLUMN_NAME.test(toEnglishName(column.name))
}

const hasAmountMention = (builder: PlanBuilder): boolean =>
  builder.question.mentions.some((mention) => isAmountMention(mention) && !isDurationOfOtherTable(builder, mention))

/** "how long does it take to close a case" is not how long its hearings are. */
function isDurationOfOtherTable(builder: PlanBuilder, { words, target }: Mention): boolean {
  if (!/^(?:long|duration|time|length)$/i.test(words)) return false
  const datedTables = listDatedMentions(builder).map((datedMention) => datedMention.target.table)
  const tables = builder.question.mentions.flatMap((mention) => getTable(mention) ?? [])
  const hasTwoDates = new Set(listDatedMentions(builder).map((datedMention) => datedMention.target.column)).size > 1
  if (hasTwoDates) return true
  const relevantTables =
    datedTables.length > 0 ? datedTables : tables.filter((table) => findDefaultDatePair(table) !== undefined)
  return relevantTables.length > 0 && ![...datedTables, ...tables].includes(target.table)
}

/** "median time to close"; rankings use the average. */
function findAggregateOfDuration({ question, isRanking }: PlanBuilder): Aggregate | undefined {
  const aggregatePhrase = question.phrases.aggregates.find(({ aggregate }) => !aggregate.startsWith('count'))
  return isRanking ? 'avg' : aggregatePhrase?.aggregate
}

/** Begin and end of what is asked: two named dates, one named and the other found, or the table's only pair. */
function findDatePair(builder: PlanBuilder): DatePair | undefined {
  const datedMentions = listDatedMentions(builder)
  const table = findTableOfDates(builder, datedMentions)
  if (!table) return undefined
  const datedMentionsOfTable = datedMentions.filter(({ target }) => target.table === table)
  const mentions = datedMentionsOfTable.map(({ mention }) => mention)
  const [firstDate, secondDate] = [...new Set(datedMentionsOfTable.map(({ target: { column } }) => column))]
  if (!firstDate) {
    const defaultPair = findDefaultDatePair(table)
    return defaultPair && { ...defaultPair, mentions }
  }
  if (secondDate) {
    const isOrderGiven = builder.question.tokens.some(({ lower }) => lower === 'between' || lower === 'from')
    const isEndNamedFirst = !isOrderGiven && isLateDate(firstDate) && !isLateDate(secondDate)
    return isEndNamedFirst
      ? { from: secondDate, to: firstDate, mentions }
      : { from: firstDate, to: secondDate, mentions }
  }
  const startDates = listDateColumns(table).filter((column) => column !== firstDate && !isLateDate(column))
  const requiredStartDates = startDates.filter(({ isNullable }) => !isNullable)
  const [startDate, otherStartDate] = requiredStartDates.length > 0 ? requiredStartDates : startDates
  const defaultPair = findDefaultDatePair(table)
  if (defaultPair?.from === firstDate) return { ...defaultPair, mentions }
  if (!startDate || !isEndDate(firstDate)) return undefined
  if (otherStartDate) builder.lowerConfidence('when it begins', ASK_BACK_PENALTY)
  return { from: startDate, to: firstDate, mentions }
}

/** The table of the first named date, or the first mentioned table that has a begin and an end. */
function findTableOfDates({ question }: PlanBuilder, datedMentions: readonly DatedMention[]): Table | undefined {
  const { mentions } = question
  const tables = mentions.flatMap((mention) => getTable(mention) ?? [])
  const [firstDate, secondDate] = datedMentions
  if (firstDate)
    return tables.length === 0 || tables.includes(firstDate.target.table) || secondDate
      ? firstDate.target.table
      : undefined
  return (
    tables.find((table) => findDefaultDatePair(table) !== undefined) ??
    mentions.find(({ target }) => target.kind === 'value')?.target.table
  )
}

/** A mention that is read as a date column. */
interface DatedMention {
  readonly mention: Mention
  readonly target: { readonly table: Table; readonly column: Column }
}

const WORDS_BEFORE_EVENTS = new Set([
  'to',
  'from',
  'until',
  'till',
  'between',
  'and',
  'before',
  'being',
  'getting',
  'were',
  'was',
])

/** Mentions of date columns, and of values that may be one: "until delivered". */
function listDatedMentions({ question }: PlanBuilder): DatedMention[] {
  return question.mentions.flatMap((mention) => {
    const column = getColumn(mention)
    if (column && isDate(column)) return [{ mention, target: { table: column.table, column } }]
    const followsPreposition = WORDS_BEFORE_EVENTS.has(question.tokens[mention.start - 1]?.lower ?? '')
    if (mention.target.kind !== 'value' || !followsPreposition) return []
    const dates = mention.candidates.flatMap(({ target }) =>
      target.kind === 'column' && isDate(target.column) && target.table === mention.target.table ? [target] : [],
    )
    return dates.slice(0, 1).map((target) => ({ mention, target }))
  })
}

/** A date that is empty at first or has a name such as `closed_at`. */
const isEndDate = (column: Column): boolean =>
  (column.isNullable || isLateDate(column)) && !NOT_AN_END_DATE.test(toEnglishName(column.name))

/** The begin and end of a row, if each is the only one in the table. */
export function findDefaultDatePair(table: Table): { readonly from: Column; readonly to: Column } | undefined {
  const dates = listDateColumns(table).filter(({ name }) => !NOT_AN_END_DATE.test(toEnglishName(name)))
  const [from, secondFrom] = dates.filter((column) => !column.isNullable && !isLateDate(column))
  const [to, secondTo] = dates.filter((column) => column !== from && isEndDate(column))
  return from && to && !secondFrom && !secondTo ? { from, to } : undefined
}

/** Marks the dates, their table and words such as "takes" as used. */
function assignDurationRoles(builder: PlanBuilder, { from, mentions }: DatePair): void {
  const { question, mentionRoles, usedTokens } = builder
  for (const mention of mentions) mentionRoles.set(mention, 'measure')
  for (const mention of question.mentions) {
    if (isDurationOfOtherTable(builder, mention)) mentionRoles.set(mention, 'measure')
    if (getTable(mention) === from.table && !mentionRoles.has(mention)) mentionRoles.set(mention, 'entity')
  }
  for (const { lower, index } of question.tokens) if (DURATION_FILLER_WORDS.has(lower)) usedTokens.add(index)
}

/** "in 2025": begun or ended then? */
function flagTimeBesideDuration({ question, lowerConfidence }: PlanBuilder, { mentions }: DatePair): void {
  const hasTime = question.times.length > 0 || question.phrases.timeUnits.length > 0
  if (hasTime && mentions.length > 0) lowerConfidence('which date is meant', ASK_BACK_PENALTY)
}

/** "took more than 250 days to close", "open for more than 5 days", "older than 30 days" */
function addDurationComparison(builder: PlanBuilder, comparison: Comparison): void {
  const { question, filters, usedTokens, handledComparisons } = builder
  const { comparator, value, end } = comparison
  const [unit, unitSize] = DURATION_UNITS[question.tokens[end]?.stem ?? ''] ?? []
  if (!unit || unitSize === undefined || comparator === 'between' || isInsideSpan(question.mentions, end)) return
  if (hasDurationColumnBeside(builder, comparison)) return
  const limit = { comparator, unit, count: value * unitSize }
  const durationFilters = isAgeQuestion(builder, comparison)
    ? buildAgeFilters(builder, limit)
    : buildDurationFilters(builder, limit)
  if (!durationFilters) return
  filters.push(...durationFilters)
  handledComparisons.add(comparison)
  usedTokens.add(end)
  for (const { lower, index } of question.tokens) if (DURATION_FILLER_WORDS.has(lower)) usedTokens.add(index)
}

/** "more than 5 days" */
interface DurationLimit {
  readonly comparator: Comparator
  readonly unit: DurationUnit
  readonly count: number
}

/** "older than 30 days", "open for 5 days": until now, not until an end date. */
const isAgeQuestion = ({ question }: PlanBuilder, { adjective, start }: Comparison): boolean =>
  adjective === 'older' || adjective === 'younger' || question.tokens[start - 1]?.lower === 'for'

/** "took more than 5 days": a filter on the difference of two dates, unless a column holds the duration. */
function buildDurationFilters(builder: PlanBuilder, { comparator, unit, count }: DurationLimit): Filter[] | undefined {
  const datePair = findDatePair(builder)
  if (!datePair || hasDurationColumn(datePair.from.table)) return undefined
  for (const mention of datePair.mentions) builder.mentionRoles.set(mention, 'compared')
  return [{ ...toDuration(datePair, unit), kind: 'duration', column: datePair.from, comparator, value: count }]
}

const hasDurationColumn = (table: Table): boolean =>
  table.columns.some((column) => isMeasure(column) && DURATION_COLUMN_NAME.test(toEnglishName(column.name)))

/** "length over 3 days": a mentioned column is compared instead. */
const hasDurationColumnBeside = ({ question }: PlanBuilder, { start, end }: Comparison): boolean =>
  question.mentions.some(
    (mention) =>
      isDurationColumnMention(mention) &&
      (isNearby(question, { from: mention.end, to: start, maxTokens: 3 }) ||
        isNearby(question, { from: end, to: mention.start, maxTokens: 2 })),
  )

/** From the main date to now, for rows that have not ended. */
function buildAgeFilters(builder: PlanBuilder, { comparator, unit, count }: DurationLimit): Filter[] | undefined {
  const { question, usedTokens } = builder
  const table = question.mentions.find((mention) => getTable(mention))?.target.table
  const datePair = table && findDefaultDatePair(table)
  const startDates = table ? listDateColumns(table).filter((column) => !isLateDate(column) && !column.isNullable) : []
  const [startDate, secondStartDate] = startDates
  const column = datePair?.from ?? (secondStartDate ? undefined : startDate)
  if (!table || !column || !isDate(column) || unit !== 'days') return undefined
  const { now } = question
  const ageLimitDay = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - count))
  const ageLimit = ageLimitDay.toISOString().slice(0, 10)
  const isOlder = comparator === '>' || comparator === '>='
  const label = `${isOlder ? 'more' : 'less'} than ${count} days ago`
  const range = isOlder ? { from: null, to: ageLimit, label } : { from: ageLimit, to: null, label }
  const openWord = question.tokens.find(({ lower }) => /^(?:open|pending|outstanding|running|ongoing)$/.test(lower))
  const isStoredStatus = openWord && isInsideSpan(question.mentions, openWord.index)
  const ageFilter: Filter = { kind: 'time', column, ranges: [range] }
  if (!openWord || isStoredStatus) return [ageFilter]
  if (!datePair) return undefined
  usedTokens.add(openWord.index)
  return [ageFilter, { kind: 'null', column: datePair.to, isNull: true }]
}

/** "resolved within 2 days" */
function addWithinFilter(builder: PlanBuilder): void {
  const { question, filters, usedTokens } = builder
  const withinIndex = question.tokens.findIndex(({ lower }) => lower === 'within')
  const unitCount = question.tokens[withinIndex + 1]?.number ?? null
  const [unit, unitSize] = DURATION_UNITS[question.tokens[withinIndex + 2]?.stem ?? ''] ?? []
  const hasDateBefore = listDatedMentions(builder).some(({ mention }) => mention.end <= withinIndex)
  if (withinIndex < 0 || unitCount === null || !unit || unitSize === undefined || !hasDateBefore) return
  const datePair = findDatePair(builder)
  if (!datePair) return
  filters.push({
    ...toDuration(datePair, unit),
    kind: 'duration',
    column: datePair.from,
    comparator: '<=',
    value: unitCount * unitSize,
  })
  for (const mention of datePair.mentions) builder.mentionRoles.set(mention, 'compared')
  for (const index of [withinIndex, withinIndex + 1, withinIndex + 2]) usedTokens.add(index)
}
