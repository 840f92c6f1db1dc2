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
const UNIT_BY_WORD: Readonly<Record<string, TimeUnit>> = {
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

export const parseTimeUnit = (word: string): TimeUnit | undefined => UNIT_BY_WORD[word]

const findMonthIndex = (word: string): number =>
  word === 'sept'
    ? 8
    : MONTHS.findIndex((name) => name === word || (word.length === 3 && word !== 'may' && name.startsWith(word)))

const toIsoDay = (date: Date): string => date.toISOString().slice(0, 10)
const createUtcDate = (year: number, month: number, day = 1): Date => new Date(Date.UTC(year, month, day))

function getStartOfUnit(date: Date, unit: TimeUnit): Date {
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

/** A day, month, quarter or year as written in the question. */
interface CalendarPeriod {
  readonly start: Date
  readonly end: Date
  readonly label: string
  readonly nextIndex: number
  readonly unit: TimeUnit
}

/** Reads words relative to the token at which a period may begin. */
interface PeriodParser {
  readonly now: Date
  getWord(offset: number): string
  createPeriod(unit: TimeUnit, start: Date, count: number): CalendarPeriod
}

/** "2025", "March 2025", "3 March", "Q1 2025" at the token. */
function parsePeriod(tokens: readonly Token[], tokenIndex: number, now: Date): CalendarPeriod | undefined {
  const parser: PeriodParser = {
    now,
    getWord: (offset) => tokens[tokenIndex + offset]?.lower ?? '',
    createPeriod: (unit, start, count) => ({
      start,
      end: addUnits(start, unit, 1),
      label: tokens
        .slice(tokenIndex, tokenIndex + count)
        .map(({ text }) => text)
        .join(' '),
      nextIndex: tokenIndex + count,
      unit,
    }),
  }
  return (
    parseIsoDateOrYear(parser) ??
    parseMonth(parser, tokens[tokenIndex - 1]?.lower ?? '') ??
    parseDayOfMonth(parser) ??
    parseQuarter(parser)
  )
}

const toYear = (text: string): number | undefined => (/^(?:19|20)\d\d$/.test(text) ? Number(text) : undefined)

function toDay(text: string): number | undefined {
  const day = Number(/^(\d{1,2})(?:st|nd|rd|th)?$/.exec(text)?.[1])
  return day >= 1 && day <= 31 ? day : undefined
}

/** "2025-03-01", "2025-03", "2025" */
function parseIsoDateOrYear({ getWord, createPeriod, now }: PeriodParser): CalendarPeriod | undefined {
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(getWord(0))
  if (day) return createPeriod('day', createUtcDate(Number(day[1]), Number(day[2]) - 1, Number(day[3])), 1)
  const month = /^(\d{4})-(\d\d)$/.exec(getWord(0))
  if (month && Number(month[2]) <= 12)
    return createPeriod('month', createUtcDate(Number(month[1]), Number(month[2]) - 1), 1)
  const year = toYear(getWord(0))
  if (year === undefined || isComparedNumber(getWord, year, now)) return undefined
  return createPeriod('year', createUtcDate(year, 0), 1)
}

const MIN_YEARS_AGO_OF_NUMBER = 15
const COMPARATIVES = new Set(['more', 'less', 'fewer', 'greater', 'higher', 'lower', 'larger', 'smaller'])
const BOUND_WORDS = new Set(['above', 'below', 'exceeding', 'least', 'most'])

/** "more than 2000", "over 2000" is a number that could be a year; "over 2025" is that year. */
function isComparedNumber(getWord: PeriodParser['getWord'], year: number, now: Date): boolean {
  if (getWord(-1) === 'than') return COMPARATIVES.has(getWord(-2))
  if (getWord(-1) === 'over' || getWord(-1) === 'under') return year < now.getUTCFullYear() - MIN_YEARS_AGO_OF_NUMBER
  return BOUND_WORDS.has(getWord(-1))
}

const WORDS_BEFORE_MONTH = new Set('in since during last of and until before after for from to by between'.split(' '))

/** March 2025, March 3 2025; a month alone is the latest one that is not in the future. */
function parseMonth({ getWord, createPeriod, now }: PeriodParser, previousWord: string): CalendarPeriod | undefined {
  const month = findMonthIndex(getWord(0))
  if (month < 0) return undefined
  const [day, yearOfDay] = [toDay(getWord(1)), toYear(getWord(2))]
  if (day !== undefined && yearOfDay !== undefined) return createPeriod('day', createUtcDate(yearOfDay, month, day), 3)
  const yearOffset = getWord(1) === 'of' ? 2 : 1
  const year = toYear(getWord(yearOffset))
  if (year !== undefined) return createPeriod('month', createUtcDate(year, month), yearOffset + 1)
  if ((getWord(0) === 'may' || getWord(0) === 'march') && !WORDS_BEFORE_MONTH.has(previousWord)) return undefined
  const monthOfThisYear = createUtcDate(now.getUTCFullYear(), month)
  return createPeriod(
    'month',
    monthOfThisYear > now ? createUtcDate(now.getUTCFullYear() - 1, month) : monthOfThisYear,
    1,
  )
}

/** "3 March", "3rd of March 2025" */
function parseDayOfMonth({ getWord, createPeriod, now }: PeriodParser): CalendarPeriod | undefined {
  const day = toDay(getWord(0))
  const ofCount = getWord(1) === 'of' ? 1 : 0
  const month = day === undefined ? -1 : findMonthIndex(getWord(1 + ofCount))
  if (day === undefined || month < 0) return undefined
  const year = toYear(getWord(2 + ofCount))
  return createPeriod(
    'day',
    createUtcDate(year ?? now.getUTCFullYear(), month, day),
    (year === undefined ? 2 : 3) + ofCount,
  )
}

/** "Q1 2025", "first quarter of 2025" */
function parseQuarter({ getWord, createPeriod, now }: PeriodParser): CalendarPeriod | undefined {
  const quarterNumber = Number(/^q([1-4])$/.exec(getWord(0))?.[1])
  const ordinalIndex = getWord(1) === 'quarter' ? ['first', 'second', 'third', 'fourth'].indexOf(getWord(0)) : -1
  if (!quarterNumber && ordinalIndex < 0) return undefined
  const yearOffset = quarterNumber ? 1 : 2
  const ofCount = getWord(yearOffset) === 'of' ? 1 : 0
  const year = toYear(getWord(yearOffset + ofCount))
  const quarter = quarterNumber ? quarterNumber - 1 : ordinalIndex
  return createPeriod(
    'quarter',
    createUtcDate(year ?? now.getUTCFullYear(), quarter * 3),
    yearOffset + (year === undefined ? 0 : 1 + ofCount),
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

/** All times of the question as ranges of days, from left to right. */
export function findTimes(tokens: readonly Token[], now: Date): TimeMention[] {
  const timeMentions: TimeMention[] = []
  for (let tokenIndex = 0; tokenIndex < tokens.length; tokenIndex += 1) {
    const timeMention = parseRelativeTime(tokens, tokenIndex, now) ?? parseAbsoluteTime(tokens, tokenIndex, now)
    if (!timeMention) continue
    timeMentions.push(timeMention)
    tokenIndex = timeMention.end - 1
  }
  return timeMentions
}

const LEADING_PREPOSITIONS = new Set(['in', 'during', 'over', 'within', 'for', 'from'])

/** "today", "this month", "last year", "past week" */
function parseRelativeTime(tokens: readonly Token[], tokenIndex: number, now: Date): TimeMention | undefined {
  const getWord = (offset: number) => tokens[tokenIndex + offset]?.lower ?? ''
  const leadingWordCount = LEADING_PREPOSITIONS.has(getWord(0)) ? 1 : 0
  const keywordOffset = leadingWordCount + (getWord(leadingWordCount) === 'the' ? 1 : 0)
  const today = getStartOfUnit(now, 'day')
  const createSpan = (count: number, unit?: TimeUnit) => ({
    start: tokenIndex,
    end: tokenIndex + keywordOffset + count,
    ...(unit && { unit }),
  })
  const nextWord = getWord(keywordOffset + 1)
  const unit = parseTimeUnit(nextWord)
  switch (getWord(keywordOffset)) {
    case 'today':
      return createTimeMention(toTimeRange('day', today, 'today'), createSpan(1, 'day'))
    case 'yesterday':
      return createTimeMention(toTimeRange('day', addUnits(today, 'day', -1), 'yesterday'), createSpan(1, 'day'))
    case 'ytd':
      return createTimeMention(toYearToDate(now), createSpan(1))
    case 'this':
    case 'current':
      return (
        unit && createTimeMention(toTimeRange(unit, getStartOfUnit(now, unit), `this ${unit}`), createSpan(2, unit))
      )
    case 'past':
      if (!unit || nextWord.endsWith('s')) return parseLastUnits(tokens, { tokenIndex, keywordOffset, now })
      return createTimeMention(
        { from: toIsoDay(addUnits(today, unit, -1)), to: null, label: `past ${unit}` },
        createSpan(2),
      )
    case 'last':
    case 'previous':
    case 'prior':
      if (!unit || nextWord.endsWith('s')) return parseLastUnits(tokens, { tokenIndex, keywordOffset, now })
      return createTimeMention(
        toTimeRange(unit, addUnits(getStartOfUnit(now, unit), unit, -1), `last ${unit}`),
        createSpan(2, unit),
      )
    default:
      return parseFutureTime(tokens, { tokenIndex, keywordOffset, now })
  }
}

const FUTURE_WORDS = new Set(['next', 'upcoming', 'coming'])

/** "tomorrow", "next month", "next 7 days" */
function parseFutureTime(
  tokens: readonly Token[],
  { tokenIndex, keywordOffset, now }: { tokenIndex: number; keywordOffset: number; now: Date },
): TimeMention | undefined {
  const keyword = tokens[tokenIndex + keywordOffset]?.lower ?? ''
  const nextWord = tokens[tokenIndex + keywordOffset + 1]?.lower ?? ''
  const unit = parseTimeUnit(nextWord)
  if (keyword === 'tomorrow') {
    const day = addUnits(getStartOfUnit(now, 'day'), 'day', 1)
    return createTimeMention(toTimeRange('day', day, 'tomorrow'), {
      start: tokenIndex,
      end: tokenIndex + keywordOffset + 1,
      unit: 'day',
    })
  }
  if (!FUTURE_WORDS.has(keyword)) return undefined
  if (!unit || nextWord.endsWith('s')) return parseNextUnits(tokens, { tokenIndex, keywordOffset, now })
  const range = toTimeRange(unit, addUnits(getStartOfUnit(now, unit), unit, 1), `next ${unit}`)
  return createTimeMention(range, { start: tokenIndex, end: tokenIndex + keywordOffset + 2, unit })
}

/** "next 7 days" */
function parseNextUnits(
  tokens: readonly Token[],
  { tokenIndex, keywordOffset, now }: { tokenIndex: number; keywordOffset: number; now: Date },
): TimeMention | undefined {
  const count = tokens[tokenIndex + keywordOffset + 1]?.number ?? null
  const unit = parseTimeUnit(tokens[tokenIndex + keywordOffset + 2]?.lower ?? '')
  if (count === null || !unit) return undefined
  const today = getStartOfUnit(now, 'day')
  const range = { from: toIsoDay(today), to: toIsoDay(addUnits(today, unit, count)), label: `next ${count} ${unit}s` }
  return createTimeMention(range, { start: tokenIndex, end: tokenIndex + keywordOffset + 3 })
}

const toYearToDate = (now: Date): TimeRange => ({
  from: toIsoDay(getStartOfUnit(now, 'year')),
  to: null,
  label: 'year to date',
})

/** "last 30 days" */
function parseLastUnits(
  tokens: readonly Token[],
  { tokenIndex, keywordOffset, now }: { tokenIndex: number; keywordOffset: number; now: Date },
): TimeMention | undefined {
  const count = tokens[tokenIndex + keywordOffset + 1]?.number ?? null
  const unit = parseTimeUnit(tokens[tokenIndex + keywordOffset + 2]?.lower ?? '')
  if (count === null || !unit) return undefined
  const firstDay = toIsoDay(addUnits(getStartOfUnit(now, 'day'), unit, -count))
  return createTimeMention(
    { from: firstDay, to: null, label: `last ${count} ${unit}s` },
    { start: tokenIndex, end: tokenIndex + keywordOffset + 3 },
  )
}

const RANGE_CONNECTORS = new Set(['and', 'to', 'until', 'till', 'through'])

/** Prepositions before a period → the range they mean. */
const RANGE_BY_PREPOSITION: Readonly<Record<string, (period: CalendarPeriod) => TimeRange>> = {
  before: ({ start, label }) => ({ from: null, to: toIsoDay(start), label: `before ${label}` }),
  until: ({ start, label }) => ({ from: null, to: toIsoDay(start), label: `until ${label}` }),
  till: ({ start, label }) => ({ from: null, to: toIsoDay(start), label: `until ${label}` }),
  after: ({ end, label }) => ({ from: toIsoDay(end), to: null, label: `after ${label}` }),
  since: ({ start, label }) => ({ from: toIsoDay(start), to: null, label: `since ${label}` }),
  from: ({ start, label }) => ({ from: toIsoDay(start), to: null, label: `since ${label}` }),
  starting: ({ start, label }) => ({ from: toIsoDay(start), to: null, label: `since ${label}` }),
}

/** "in March 2025", "before 2020", "between March and June" */
function parseAbsoluteTime(tokens: readonly Token[], tokenIndex: number, now: Date): TimeMention | undefined {
  const getWord = (offset: number) => tokens[tokenIndex + offset]?.lower ?? ''
  const between = parsePeriodRange(tokens, tokenIndex, now)
  if (between) return between
  const toRangeOnSide = RANGE_BY_PREPOSITION[getWord(0)]
  const periodAfterPreposition = toRangeOnSide && parsePeriod(tokens, tokenIndex + 1, now)
  if (toRangeOnSide && periodAfterPreposition)
    return createTimeMention(toRangeOnSide(periodAfterPreposition), {
      start: tokenIndex,
      end: periodAfterPreposition.nextIndex,
    })
  const skippedWords = ['in', 'during', 'on', 'of', 'for'].includes(getWord(0)) ? 1 : 0
  const period = parsePeriod(tokens, tokenIndex + skippedWords + (getWord(skippedWords) === 'the' ? 1 : 0), now)
  if (!period) return undefined
  const range = { from: toIsoDay(period.start), to: toIsoDay(period.end), label: period.label }
  return createTimeMention(range, { start: tokenIndex, end: period.nextIndex, unit: period.unit })
}

/** "between March and June 2024" */
function parsePeriodRange(tokens: readonly Token[], tokenIndex: number, now: Date): TimeMention | undefined {
  if (!['between', 'from'].includes(tokens[tokenIndex]?.lower ?? '')) return undefined
  const firstPeriod = parsePeriod(tokens, tokenIndex + 1, now)
  if (!firstPeriod || !RANGE_CONNECTORS.has(tokens[firstPeriod.nextIndex]?.lower ?? '')) return undefined
  const lastPeriod = parsePeriod(tokens, firstPeriod.nextIndex + 1, now)
  if (lastPeriod?.unit !== firstPeriod.unit) return undefined
  // "between March and June 2024": the year belongs to both.
  const isYearOnlyInSecond = /\d{4}$/.test(lastPeriod.label) && !/\d{4}/.test(firstPeriod.label)
  const year = lastPeriod.start.getUTCFullYear()
  const start = isYearOnlyInSecond
    ? createUtcDate(year, firstPeriod.start.getUTCMonth(), firstPeriod.start.getUTCDate())
    : firstPeriod.start
  if (start > lastPeriod.start) return undefined
  const range = {
    from: toIsoDay(start),
    to: toIsoDay(lastPeriod.end),
    label: `${firstPeriod.label} to ${lastPeriod.label}`,
  }
  return createTimeMention(range, { start: tokenIndex, end: lastPeriod.nextIndex })
}
