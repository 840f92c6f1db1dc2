import type { Token } from './tokens.ts'

export type TimeUnit = 'day' | 'week' | 'month' | 'quarter' | 'year' | 'hour'

/** UTC days; `to` is exclusive. */
export interface TimeRange {
  readonly from: string | null
  readonly to: string | null
  readonly label: string
}

export interface TimeMention {
  readonly range: TimeRange
  readonly start: number
  readonly end: number
  /** "compare X and Y", "X vs Y": ranges side by side. */
  readonly unit: TimeUnit | null
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const UNITS: Readonly<Record<string, TimeUnit>> = {
  day: 'day',
  days: 'day',
  week: 'week',
  weeks: 'week',
  month: 'month',
  months: 'month',
  quarter: 'quarter',
  quarters: 'quarter',
  year: 'year',
  years: 'year',
}

export const toUnit = (word: string): TimeUnit | undefined => UNITS[word]

const monthNumber = (word: string): number =>
  word === 'sept'
    ? 8
    : MONTHS.findIndex((name) => name === word || (word.length === 3 && word !== 'may' && name.startsWith(word)))

const toIsoDay = (date: Date): string => date.toISOString().slice(0, 10)
const createUtcDate = (year: number, month: number, day = 1): Date => new Date(Date.UTC(year, month, day))

function startOfUnit(date: Date, unit: TimeUnit): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  switch (unit) {
    case 'year':
      return createUtcDate(year, 0)
    case 'quarter':
      return createUtcDate(year, month - (month % 3))
    case 'month':
      return createUtcDate(year, month)
    case 'week':
      return createUtcDate(year, month, day - ((date.getUTCDay() + 6) % 7))
    case 'day':
    case 'hour':
      return createUtcDate(year, month, day)
  }
}

function addUnits(date: Date, unit: TimeUnit, count: number): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  switch (unit) {
    case 'year':
      return createUtcDate(year + count, month, day)
    case 'quarter':
      return createUtcDate(year, month + 3 * count, day)
    case 'month':
      return createUtcDate(year, month + count, day)
    case 'week':
      return createUtcDate(year, month, day + 7 * count)
    case 'day':
    case 'hour':
      return createUtcDate(year, month, day + count)
  }
}

const toTimeRange = (unit: TimeUnit, start: Date, label: string): TimeRange => ({
  from: toIsoDay(start),
  to: toIsoDay(addUnits(start, unit, 1)),
  label,
})

interface Period {
  readonly start: Date
  readonly end: Date
  readonly label: string
  readonly next: number
  readonly unit: TimeUnit
}

interface PeriodReader {
  readonly now: Date
  word(offset: number): string
  make(unit: TimeUnit, start: Date, count: number): Period
}

function readPeriod(tokens: readonly Token[], at: number, now: Date): Period | undefined {
  const reader: PeriodReader = {
    now,
    word: (offset) => tokens[at + offset]?.lower ?? '',
    make: (unit, start, count) => ({
      start,
      end: addUnits(start, unit, 1),
      label: tokens
        .slice(at, at + count)
        .map(({ text }) => text)
        .join(' '),
      next: at + count,
      unit,
    }),
  }
  return (
    readWritten(reader) ??
    readMonth(reader, tokens[at - 1]?.lower ?? '') ??
    readDayOfMonth(reader) ??
    readQuarter(reader)
  )
}

const toYear = (text: string): number | undefined => (/^(?:19|20)\d\d$/.test(text) ? Number(text) : undefined)

function toDay(text: string): number | undefined {
  const day = Number(/^(\d{1,2})(?:st|nd|rd|th)?$/.exec(text)?.[1])
  return day >= 1 && day <= 31 ? day : undefined
}

function readWritten({ word, make, now }: PeriodReader): Period | undefined {
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(word(0))
  if (day) return make('day', createUtcDate(Number(day[1]), Number(day[2]) - 1, Number(day[3])), 1)
  const month = /^(\d{4})-(\d\d)$/.exec(word(0))
  if (month && Number(month[2]) <= 12) return make('month', createUtcDate(Number(month[1]), Number(month[2]) - 1), 1)
  const year = toYear(word(0))
  if (year === undefined || isCompared(word, year, now)) return undefined
  return make('year', createUtcDate(year, 0), 1)
}

const LONG_AGO_YEARS = 15
const MORE = new Set(['more', 'less', 'fewer', 'greater', 'higher', 'lower', 'larger', 'smaller'])
const BOUNDS = new Set(['above', 'below', 'exceeding', 'least', 'most'])

/** "more than 2000", "over 2000" is a number that could be a year; "over 2025" is that year. */
function isCompared(word: PeriodReader['word'], year: number, now: Date): boolean {
  if (word(-1) === 'than') return MORE.has(word(-2))
  if (word(-1) === 'over' || word(-1) === 'under') return year < now.getUTCFullYear() - LONG_AGO_YEARS
  return BOUNDS.has(word(-1))
}

const BEFORE_MONTH = new Set('in since during last of and until before after for from to by between'.split(' '))

/** March 2025, March 3 2025; a month alone is the latest one that is not in the future. */
function readMonth({ word, make, now }: PeriodReader, before: string): Period | undefined {
  const month = monthNumber(word(0))
  if (month < 0) return undefined
  const [day, yearOfDay] = [toDay(word(1)), toYear(word(2))]
  if (day !== undefined && yearOfDay !== undefined) return make('day', createUtcDate(yearOfDay, month, day), 3)
  const skip = word(1) === 'of' ? 2 : 1
  const year = toYear(word(skip))
  if (year !== undefined) return make('month', createUtcDate(year, month), skip + 1)
  if ((word(0) === 'may' || word(0) === 'march') && !BEFORE_MONTH.has(before)) return undefined
  const guess = createUtcDate(now.getUTCFullYear(), month)
  return make('month', guess > now ? createUtcDate(now.getUTCFullYear() - 1, month) : guess, 1)
}

function readDayOfMonth({ word, make, now }: PeriodReader): Period | undefined {
  const day = toDay(word(0))
  const of = word(1) === 'of' ? 1 : 0
  const month = day === undefined ? -1 : monthNumber(word(1 + of))
  if (day === undefined || month < 0) return undefined
  const year = toYear(word(2 + of))
  return make('day', createUtcDate(year ?? now.getUTCFullYear(), month, day), (year === undefined ? 2 : 3) + of)
}

function readQuarter({ word, make, now }: PeriodReader): Period | undefined {
  const written = Number(/^q([1-4])$/.exec(word(0))?.[1])
  const spoken = word(1) === 'quarter' ? ['first', 'second', 'third', 'fourth'].indexOf(word(0)) : -1
  if (!written && spoken < 0) return undefined
  const skip = written ? 1 : 2
  const of = word(skip) === 'of' ? 1 : 0
  const year = toYear(word(skip + of))
  const quarter = written ? written - 1 : spoken
  return make(
    'quarter',
    createUtcDate(year ?? now.getUTCFullYear(), quarter * 3),
    skip + (year === undefined ? 0 : 1 + of),
  )
}

interface TimeSpan {
  readonly start: number
  readonly end: number
  readonly unit?: TimeUnit
}

const createTimeMention = (range: TimeRange, { start, end, unit }: TimeSpan): TimeMention => ({
  range,
  start,
  end,
  unit: unit ?? null,
})

export function findTimes(tokens: readonly Token[], now: Date): TimeMention[] {
  const timeMentions: TimeMention[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const relative = readRelative(tokens, at, now) ?? readAbsolute(tokens, at, now)
    if (!relative) continue
    timeMentions.push(relative)
    at = relative.end - 1
  }
  return timeMentions
}

const LEADING = new Set(['in', 'during', 'over', 'within', 'for', 'from'])

function readRelative(tokens: readonly Token[], at: number, now: Date): TimeMention | undefined {
  const word = (offset: number) => tokens[at + offset]?.lower ?? ''
  const lead = LEADING.has(word(0)) ? 1 : 0
  const first = lead + (word(lead) === 'the' ? 1 : 0)
  const today = startOfUnit(now, 'day')
  const place = (count: number, unit?: TimeUnit) => ({ start: at, end: at + first + count, ...(unit && { unit }) })
  const next = word(first + 1)
  const unit = toUnit(next)
  switch (word(first)) {
    case 'today':
      return createTimeMention(toTimeRange('day', today, 'today'), place(1, 'day'))
    case 'yesterday':
      return createTimeMention(toTimeRange('day', addUnits(today, 'day', -1), 'yesterday'), place(1, 'day'))
    case 'ytd':
      return createTimeMention(toYearToDate(now), place(1))
    case 'this':
    case 'current':
      return unit && createTimeMention(toTimeRange(unit, startOfUnit(now, unit), `this ${unit}`), place(2, unit))
    case 'past':
      if (!unit || next.endsWith('s')) return readLast(tokens, { at, first, now })
      return createTimeMention({ from: toIsoDay(addUnits(today, unit, -1)), to: null, label: `past ${unit}` }, place(2))
    case 'last':
    case 'previous':
    case 'prior':
      if (!unit || next.endsWith('s')) return readLast(tokens, { at, first, now })
      return createTimeMention(
        toTimeRange(unit, addUnits(startOfUnit(now, unit), unit, -1), `last ${unit}`),
        place(2, unit),
      )
    default:
      return readAhead(tokens, { at, first, now })
  }
}

const AHEAD = new Set(['next', 'upcoming', 'coming'])

function readAhead(
  tokens: readonly Token[],
  { at, first, now }: { at: number; first: number; now: Date },
): TimeMention | undefined {
  const word = tokens[at + first]?.lower ?? ''
  const following = tokens[at + first + 1]?.lower ?? ''
  const unit = toUnit(following)
  if (word === 'tomorrow') {
    const day = addUnits(startOfUnit(now, 'day'), 'day', 1)
    return createTimeMention(toTimeRange('day', day, 'tomorrow'), { start: at, end: at + first + 1, unit: 'day' })
  }
  if (!AHEAD.has(word)) return undefined
  if (!unit || following.endsWith('s')) return readNext(tokens, { at, first, now })
  const range = toTimeRange(unit, addUnits(startOfUnit(now, unit), unit, 1), `next ${unit}`)
  return createTimeMention(range, { start: at, end: at + first + 2, unit })
}

function readNext(
  tokens: readonly Token[],
  { at, first, now }: { at: number; first: number; now: Date },
): TimeMention | undefined {
  const count = tokens[at + first + 1]?.number ?? null
  const unit = toUnit(tokens[at + first + 2]?.lower ?? '')
  if (count === null || !unit) return undefined
  const today = startOfUnit(now, 'day')
  const range = { from: toIsoDay(today), to: toIsoDay(addUnits(today, unit, count)), label: `next ${count} ${unit}s` }
  return createTimeMention(range, { start: at, end: at + first + 3 })
}

const toYearToDate = (now: Date): TimeRange => ({
  from: toIsoDay(startOfUnit(now, 'year')),
  to: null,
  label: 'year to date',
})

function readLast(
  tokens: readonly Token[],
  { at, first, now }: { at: number; first: number; now: Date },
): TimeMention | undefined {
  const count = tokens[at + first + 1]?.number ?? null
  const unit = toUnit(tokens[at + first + 2]?.lower ?? '')
  if (count === null || !unit) return undefined
  const from = toIsoDay(addUnits(startOfUnit(now, 'day'), unit, -count))
  return createTimeMention({ from, to: null, label: `last ${count} ${unit}s` }, { start: at, end: at + first + 3 })
}

const JOINERS = new Set(['and', 'to', 'until', 'till', 'through'])

/** Prepositions before a period → the range they mean. */
const SIDES: Readonly<Record<string, (period: Period) => TimeRange>> = {
  before: ({ start, label }) => ({ from: null, to: toIsoDay(start), label: `before ${label}` }),
  until: ({ start, label }) => ({ from: null, to: toIsoDay(start), label: `until ${label}` }),
  till: ({ start, label }) => ({ from: null, to: toIsoDay(start), label: `until ${label}` }),
  after: ({ end, label }) => ({ from: toIsoDay(end), to: null, label: `after ${label}` }),
  since: ({ start, label }) => ({ from: toIsoDay(start), to: null, label: `since ${label}` }),
  from: ({ start, label }) => ({ from: toIsoDay(start), to: null, label: `since ${label}` }),
  starting: ({ start, label }) => ({ from: toIsoDay(start), to: null, label: `since ${label}` }),
}

function readAbsolute(tokens: readonly Token[], at: number, now: Date): TimeMention | undefined {
  const word = (offset: number) => tokens[at + offset]?.lower ?? ''
  const between = readBetween(tokens, at, now)
  if (between) return between
  const side = SIDES[word(0)]
  const sided = side && readPeriod(tokens, at + 1, now)
  if (side && sided) return createTimeMention(side(sided), { start: at, end: sided.next })
  const skip = ['in', 'during', 'on', 'of', 'for'].includes(word(0)) ? 1 : 0
  const period = readPeriod(tokens, at + skip + (word(skip) === 'the' ? 1 : 0), now)
  if (!period) return undefined
  const range = { from: toIsoDay(period.start), to: toIsoDay(period.end), label: period.label }
  return createTimeMention(range, { start: at, end: period.next, unit: period.unit })
}

function readBetween(tokens: readonly Token[], at: number, now: Date): TimeMention | undefined {
  if (!['between', 'from'].includes(tokens[at]?.lower ?? '')) return undefined
  const first = readPeriod(tokens, at + 1, now)
  if (!first || !JOINERS.has(tokens[first.next]?.lower ?? '')) return undefined
  const second = readPeriod(tokens, first.next + 1, now)
  if (second?.unit !== first.unit) return undefined
  // "between March and June 2024": the year belongs to both.
  const isSaidOnce = /\d{4}$/.test(second.label) && !/\d{4}/.test(first.label)
  const year = second.start.getUTCFullYear()
  const start = isSaidOnce ? createUtcDate(year, first.start.getUTCMonth(), first.start.getUTCDate()) : first.start
  if (start > second.start) return undefined
  const range = { from: toIsoDay(start), to: toIsoDay(second.end), label: `${first.label} to ${second.label}` }
  return createTimeMention(range, { start: at, end: second.next })
}
