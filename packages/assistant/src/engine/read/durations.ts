import type { Duration, DurationUnit, Filter, Measure } from '../plan/plan.ts'
import { type Column, type Table, isDate, isLateDate, isMeasure, listDateColumns } from '../schema/model.ts'
import { toEnglishName } from '../schema/names.ts'
import type { PlanEnding } from './plan-ending.ts'
import type { Mention } from './link.ts'
import type { Aggregate, Comparator } from './phrase-words.ts'
import type { Comparison } from './phrases.ts'
import { getColumn, getTable, isAmount, isNear } from './question.ts'
import type { Reader } from './reader.ts'

/** A word for time → a unit of the duration and how many of it. */
const UNITS: Readonly<Record<string, readonly [unit: DurationUnit, size: number]>> = {
  day: ['days', 1],
  week: ['days', 7],
  hour: ['hours', 1],
  minut: ['minutes', 1],
}
const TIME_WORDS = new Set(['time', 'duration', 'days', 'hours', 'minutes', 'long'])
const FILLING = new Set(
  'until till last lasts take takes took taken taking need needs needed long elapse elapsed pass passes passed turnaround'.split(
    ' ',
  ),
)
const NO_END = /(?:^|_)(?:birth|dob|updated?|modified|deleted|due|created|planned|scheduled|expected|valid|expir\w*)/
const ASKS_BACK = 0.45

/** The difference of two dates of a row, unless a column holds it. */
export function readDuration(reader: Reader): PlanEnding | undefined {
  for (const comparison of reader.question.phrases.comparisons) compareDuration(reader, comparison)
  readWithin(reader)
  const asked = findRequestedDuration(reader)
  const pair = asked && !hasOwnMeasure(reader) ? findPair(reader) : undefined
  if (!asked || !pair) return undefined
  const measure: Measure = {
    aggregate: findAggregate(reader) ?? 'avg',
    expression: { kind: 'duration', duration: toDuration(pair, asked.unit) },
  }
  reader.measures.push(measure)
  for (const index of asked.words) reader.used.add(index)
  useWords(reader, pair)
  flagTimes(reader, pair)
  return { base: pair.from.table }
}

interface Pair {
  readonly from: Column
  readonly to: Column
  readonly named: readonly Mention[]
}

const toDuration = ({ from, to }: Pick<Pair, 'from' | 'to'>, unit: DurationUnit | null): Duration => ({
  from,
  to,
  unit: unit ?? (from.kind === 'date' || to.kind === 'date' ? 'days' : 'hours'),
})

/** "how long", "average time", "how many days … on average" */
function findRequestedDuration(
  reader: Reader,
): { readonly words: readonly number[]; readonly unit: DurationUnit | null } | undefined {
  const { question } = reader
  const ownMentions = question.mentions.filter((mention) => isTimeMeasure(mention) && !isElsewhere(reader, mention))
  const { tokens, phrases } = question
  const isAveraged = phrases.aggregates.some(({ aggregate }) => !aggregate.startsWith('count') && aggregate !== 'sum')
  const word = tokens.find(({ lower, index }) => {
    const before = tokens[index - 1]?.lower
    if (lower === 'long') return before === 'how'
    if (!TIME_WORDS.has(lower) || isInside(ownMentions, index)) return false
    return isAveraged || (before === 'many' && tokens.some((token) => FILLING.has(token.lower)))
  })
  if (!word) return undefined
  const [unit = null] = UNITS[word.stem] ?? []
  return { words: [word.index], unit }
}

const isInside = (spans: readonly { start: number; end: number }[], at: number): boolean =>
  spans.some(({ start, end }) => at >= start && at < end)

const TIME_NAME = /(?:^|_)(?:seconds|minutes|hours|days|weeks|duration|time|length|age)(?:_|$)/

function isTimeMeasure(mention: Mention): boolean {
  const column = getColumn(mention)
  return column !== undefined && isMeasure(column) && TIME_NAME.test(toEnglishName(column.name))
}

const hasOwnMeasure = (reader: Reader): boolean =>
  reader.question.mentions.some((mention) => isAmount(mention) && !isElsewhere(reader, mention))

/** "how long does it take to close a case" is not how long its hearings are. */
function isElsewhere(reader: Reader, { words, target }: Mention): boolean {
  if (!/^(?:long|duration|time|length)$/i.test(words)) return false
  const datedTables = listDated(reader).map((datedMention) => datedMention.target.table)
  const tables = reader.question.mentions.flatMap((mention) => getTable(mention) ?? [])
  const isBoth = new Set(listDated(reader).map((datedMention) => datedMention.target.column)).size > 1
  if (isBoth) return true
  const spoken = datedTables.length > 0 ? datedTables : tables.filter((table) => findDefaultPair(table) !== undefined)
  return spoken.length > 0 && ![...datedTables, ...tables].includes(target.table)
}

function findAggregate({ question, isRanked }: Reader): Aggregate | undefined {
  const said = question.phrases.aggregates.find(({ aggregate }) => !aggregate.startsWith('count'))
  return isRanked ? 'avg' : said?.aggregate
}

function findPair(reader: Reader): Pair | undefined {
  const datedMentions = listDated(reader)
  const table = findTable(reader, datedMentions)
  if (!table) return undefined
  const ownDatedMentions = datedMentions.filter(({ target }) => target.table === table)
  const namedMentions = ownDatedMentions.map(({ mention }) => mention)
  const [first, second] = [...new Set(ownDatedMentions.map(({ target: { column } }) => column))]
  if (!first) {
    const pair = findDefaultPair(table)
    return pair && { ...pair, named: namedMentions }
  }
  if (second) {
    const isOrdered = reader.question.tokens.some(({ lower }) => lower === 'between' || lower === 'from')
    const isTurned = !isOrdered && isLateDate(first) && !isLateDate(second)
    return isTurned
      ? { from: second, to: first, named: namedMentions }
      : { from: first, to: second, named: namedMentions }
  }
  const others = listDateColumns(table).filter((column) => column !== first && !isLateDate(column))
  const sure = others.filter(({ isNullable }) => !isNullable)
  const [from, more] = sure.length > 0 ? sure : others
  const pair = findDefaultPair(table)
  if (pair?.from === first) return { ...pair, named: namedMentions }
  if (!from || !isEnd(first)) return undefined
  if (more) reader.doubt('when it begins', ASKS_BACK)
  return { from, to: first, named: namedMentions }
}

function findTable({ question }: Reader, datedMentions: readonly DatedMention[]): Table | undefined {
  const { mentions } = question
  const tables = mentions.flatMap((mention) => getTable(mention) ?? [])
  const [first, second] = datedMentions
  if (first)
    return tables.length === 0 || tables.includes(first.target.table) || second ? first.target.table : undefined
  return (
    tables.find((table) => findDefaultPair(table) !== undefined) ??
    mentions.find(({ target }) => target.kind === 'value')?.target.table
  )
}

interface DatedMention {
  readonly mention: Mention
  readonly target: { readonly table: Table; readonly column: Column }
}

const BEFORE_VERBS = new Set([
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

function listDated({ question }: Reader): DatedMention[] {
  return question.mentions.flatMap((mention) => {
    const column = getColumn(mention)
    if (column && isDate(column)) return [{ mention, target: { table: column.table, column } }]
    const isVerb = BEFORE_VERBS.has(question.tokens[mention.start - 1]?.lower ?? '')
    if (mention.target.kind !== 'value' || !isVerb) return []
    const dates = mention.candidates.flatMap(({ target }) =>
      target.kind === 'column' && isDate(target.column) && target.table === mention.target.table ? [target] : [],
    )
    return dates.slice(0, 1).map((target) => ({ mention, target }))
  })
}

const isEnd = (column: Column): boolean =>
  (column.isNullable || isLateDate(column)) && !NO_END.test(toEnglishName(column.name))

export function findDefaultPair(table: Table): { readonly from: Column; readonly to: Column } | undefined {
  const dates = listDateColumns(table).filter(({ name }) => !NO_END.test(toEnglishName(name)))
  const [from, otherFrom] = dates.filter((column) => !column.isNullable && !isLateDate(column))
  const [to, otherTo] = dates.filter((column) => column !== from && isEnd(column))
  return from && to && !otherFrom && !otherTo ? { from, to } : undefined
}

function useWords(reader: Reader, { from, named }: Pair): void {
  const { question, roles, used } = reader
  for (const mention of named) roles.set(mention, 'measure')
  for (const mention of question.mentions) {
    if (isElsewhere(reader, mention)) roles.set(mention, 'measure')
    if (getTable(mention) === from.table && !roles.has(mention)) roles.set(mention, 'entity')
  }
  for (const { lower, index } of question.tokens) if (FILLING.has(lower)) used.add(index)
}

/** "in 2025": begun or ended then? */
function flagTimes({ question, doubt }: Reader, { named }: Pair): void {
  const isTimed = question.times.length > 0 || question.phrases.units.length > 0
  if (isTimed && named.length > 0) doubt('which date is meant', ASKS_BACK)
}

/** "took more than 250 days to close", "open for more than 5 days", "older than 30 days" */
function compareDuration(reader: Reader, comparison: Comparison): void {
  const { question, filters, used, handled } = reader
  const { comparator, value, end } = comparison
  const [unit, size] = UNITS[question.tokens[end]?.stem ?? ''] ?? []
  if (!unit || size === undefined || comparator === 'between' || isInside(question.mentions, end)) return
  if (hasNamedNumber(reader, comparison)) return
  const limit = { comparator, unit, count: value * size }
  const found = isAgeQuestion(reader, comparison) ? readAge(reader, limit) : comparePair(reader, limit)
  if (!found) return
  filters.push(...found)
  handled.add(comparison)
  used.add(end)
  for (const { lower, index } of question.tokens) if (FILLING.has(lower)) used.add(index)
}

interface Limit {
  readonly comparator: Comparator
  readonly unit: DurationUnit
  readonly count: number
}

const isAgeQuestion = ({ question }: Reader, { adjective, start }: Comparison): boolean =>
  adjective === 'older' || adjective === 'younger' || question.tokens[start - 1]?.lower === 'for'

function comparePair(reader: Reader, { comparator, unit, count }: Limit): Filter[] | undefined {
  const pair = findPair(reader)
  if (!pair || hasTimeColumn(pair.from.table)) return undefined
  for (const mention of pair.named) reader.roles.set(mention, 'compared')
  return [{ ...toDuration(pair, unit), kind: 'duration', column: pair.from, comparator, value: count }]
}

const hasTimeColumn = (table: Table): boolean =>
  table.columns.some((column) => isMeasure(column) && TIME_NAME.test(toEnglishName(column.name)))

const hasNamedNumber = ({ question }: Reader, { start, end }: Comparison): boolean =>
  question.mentions.some(
    (mention) =>
      isTimeMeasure(mention) &&
      (isNear(question, { from: mention.end, to: start, most: 3 }) ||
        isNear(question, { from: end, to: mention.start, most: 2 })),
  )

/** From the main date to now, for rows that have not ended. */
function readAge(reader: Reader, { comparator, unit, count }: Limit): Filter[] | undefined {
  const { question, used } = reader
  const table = question.mentions.find((mention) => getTable(mention))?.target.table
  const pair = table && findDefaultPair(table)
  const begins = table ? listDateColumns(table).filter((column) => !isLateDate(column) && !column.isNullable) : []
  const [only, second] = begins
  const column = pair?.from ?? (second ? undefined : only)
  if (!table || !column || !isDate(column) || unit !== 'days') return undefined
  const { now } = question
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - count))
  const limit = day.toISOString().slice(0, 10)
  const isOlder = comparator === '>' || comparator === '>='
  const label = `${isOlder ? 'more' : 'less'} than ${count} days ago`
  const range = isOlder ? { from: null, to: limit, label } : { from: limit, to: null, label }
  const open = question.tokens.find(({ lower }) => /^(?:open|pending|outstanding|running|ongoing)$/.test(lower))
  const isStored = open && isInside(question.mentions, open.index)
  const age: Filter = { kind: 'time', column, ranges: [range] }
  if (!open || isStored) return [age]
  if (!pair) return undefined
  used.add(open.index)
  return [age, { kind: 'null', column: pair.to, isNull: true }]
}

/** "resolved within 2 days" */
function readWithin(reader: Reader): void {
  const { question, filters, used } = reader
  const at = question.tokens.findIndex(({ lower }) => lower === 'within')
  const value = question.tokens[at + 1]?.number ?? null
  const [unit, size] = UNITS[question.tokens[at + 2]?.stem ?? ''] ?? []
  const isDated = listDated(reader).some(({ mention }) => mention.end <= at)
  if (at < 0 || value === null || !unit || size === undefined || !isDated) return
  const pair = findPair(reader)
  if (!pair) return
  filters.push({
    ...toDuration(pair, unit),
    kind: 'duration',
    column: pair.from,
    comparator: '<=',
    value: value * size,
  })
  for (const mention of pair.named) reader.roles.set(mention, 'compared')
  for (const index of [at, at + 1, at + 2]) used.add(index)
}
