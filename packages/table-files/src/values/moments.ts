import { DATES, KIND, MARK } from './kinds.ts'
import { MONTH_WORD, findMonth } from './month-names.ts'

const CLOCK = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?([AaPp])\.?[Mm]\.?)?`
const ZONE = String.raw`( ?(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))`
const NUMBERED = new RegExp(String.raw`^(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?:(?:T|,? +)${CLOCK}${ZONE}?)?$`)
const DAY_NAMED = new RegExp(
  String.raw`^(\d{1,2})([-/ .]) ?(?:de )?(${MONTH_WORD})\.?,?[-/ ](?:de )?(\d{4}|\d{2})(?:(?:T|,? +)${CLOCK}${ZONE}?)?$`,
  'iu',
)
const NAME_FIRST = new RegExp(
  String.raw`^(${MONTH_WORD})\.?()[- ](\d{1,2}),?[- ](\d{4})(?:(?:T|,? +)${CLOCK}${ZONE}?)?$`,
  'iu',
)
/** A weekday is redundant. */
const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? +(?=\S)/i
/** Postgres reads these itself, given the date order. */
const PLAIN =
  /^\d{1,4}([-./])\d{1,2}\1\d{1,4}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?( ?(?:Z|[+-]\d{2}(?::?\d{2})?))?)?$/
const TIME = /^(\d{2}|\d(?=:\d\d(?::\d\d)? ?[AaPp]))(?::(\d{2}))(?::(\d{2})(?:\.\d{1,6})?)?( ?[AaPp][Mm])?$/
/** Two-digit years up to this are in this century, as in Postgres. */
const LAST_SHORT_YEAR = 69

export type DateOrder = 'ymd' | 'dmy' | 'mdy'

interface Moment {
  /** In order of appearance; a month name as its number. */
  readonly day: readonly [string, string, string]
  readonly order: DateOrder | undefined
  readonly clock: string | undefined
  readonly zone: string | undefined
  readonly hasTwoDigitYear: boolean
}

function parseMoment(text: string): Moment | undefined {
  const value = text.replace(WEEKDAY, '')
  const numbered = NUMBERED.exec(value)
  if (numbered) return numberedMoment(numbered)
  const named = DAY_NAMED.exec(value)
  if (named) {
    const [, day = '', , month = '', year = ''] = named
    return withMonth(named, month, { day, year, order: 'dmy' })
  }
  const first = NAME_FIRST.exec(value)
  if (!first) return undefined
  const [, month = '', , day = '', year = ''] = first
  return withMonth(first, month, { day, year, order: 'mdy' })
}

function withMonth(
  found: RegExpExecArray,
  name: string,
  { day, year, order }: { day: string; year: string; order: 'dmy' | 'mdy' },
): Moment | undefined {
  const number = findMonth(name)
  if (number === 0) return undefined
  const month = String(number)
  const parts = order === 'dmy' ? ([day, month, year] as const) : ([month, day, year] as const)
  return withClock(found, { day: parts, order, hasTwoDigitYear: year.length === 2 })
}

function numberedMoment(numbered: RegExpExecArray): Moment | undefined {
  const [, a = '', sign = '', b = '', c = ''] = numbered
  const isShort = a.length <= 2 && c.length === 2
  // 1.2.03 and 10-11-12 may be versions or codes.
  if (isShort && (sign === '-' || (sign === '.' && (a.length !== 2 || b.length !== 2)))) return undefined
  if (a.length === 3 || c.length === 3 || (a.length <= 2 && c.length === 1)) return undefined
  return withClock(numbered, { day: [a, b, c], order: a.length === 4 ? 'ymd' : undefined, hasTwoDigitYear: isShort })
}

function withClock(found: RegExpExecArray, moment: Omit<Moment, 'clock' | 'zone'>): Moment | undefined {
  const [hour, minute = '0', second = '0', fraction = '', half] = found.slice(5, 10)
  if (hour === undefined) return { ...moment, clock: undefined, zone: undefined }
  const clock = formatClock({ hour, minute, second, fraction, half })
  if (clock === undefined) return undefined
  const zone = found[10]?.trim()
  return { ...moment, clock, zone: zone === undefined ? undefined : /^[A-Z]/.test(zone) ? 'Z' : zone }
}

interface Clock {
  hour: string
  minute: string
  second: string
  fraction: string
  half: string | undefined
}

function formatClock({ hour, minute, second, fraction, half }: Clock): string | undefined {
  // Postgres would round below microseconds.
  if (/[1-9]/.test(fraction.slice(6))) return undefined
  let hours = Number(hour)
  if (half !== undefined) {
    if (hours < 1 || hours > 12) return undefined
    hours = (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const part = fraction.slice(0, 6)
  return `${String(hours).padStart(2, '0')}:${minute}:${second.padStart(2, '0')}${part === '' ? '' : `.${part}`}`
}

const ORDERS = { ymd: [0, 1, 2], dmy: [2, 1, 0], mdy: [2, 0, 1] } as const

function formatDayIn({ day, hasTwoDigitYear }: Moment, order: DateOrder): string | undefined {
  const [year = '', month = '', date = ''] = ORDERS[order].map((at) => day[at])
  const short = Number(year) + (Number(year) > LAST_SHORT_YEAR ? 1900 : 2000)
  const full = hasTwoDigitYear ? short : Number(year)
  if (!isCalendarDay(full, Number(month), Number(date))) return undefined
  return `${String(full).padStart(4, '0')}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
}

export function momentKinds(value: string): number {
  const moment = parseMoment(value)
  if (!moment) return 0
  const dates = dateKinds(moment)
  if (dates === 0) return 0
  const marks =
    (PLAIN.test(value) && !moment.hasTwoDigitYear ? 0 : MARK.rewritten) |
    (moment.hasTwoDigitYear ? MARK.twoDigitYear : 0) |
    (isTwoDates(moment, dates) ? MARK.twoDates : 0) |
    (moment.zone === undefined ? MARK.unzoned : 0)
  if (moment.clock === undefined) return dates | (dates << 3) | (dates << 6) | marks
  return (moment.zone === undefined ? (dates << 3) | (dates << 6) : dates << 6) | marks
}

const isTwoDates = ({ day: [first, second], order }: Moment, dates: number) =>
  order === undefined && dates === (KIND.dateDmy | KIND.dateMdy) && Number(first) !== Number(second)

function dateKinds(moment: Moment): number {
  if (moment.order !== undefined) return formatDayIn(moment, moment.order) === undefined ? 0 : DATES
  const dmy = formatDayIn(moment, 'dmy') === undefined ? 0 : KIND.dateDmy
  return dmy | (formatDayIn(moment, 'mdy') === undefined ? 0 : KIND.dateMdy)
}

export function isoMoment(cell: string, order: DateOrder): string | undefined {
  const moment = parseMoment(cell.trim())
  const day = moment && formatDayIn(moment, moment.order ?? order)
  if (!moment || day === undefined) return undefined
  return day + (moment.clock === undefined ? '' : `T${moment.clock}${moment.zone ?? ''}`)
}

export function timeKinds(value: string): number {
  const parts = TIME.exec(value)
  if (!parts) return 0
  const isHalfDay = parts[4] !== undefined
  if (isHalfDay && (Number(parts[1]) < 1 || Number(parts[1]) > 12)) return 0
  return Number(parts[1]) <= 23 && Number(parts[2]) <= 59 && Number(parts[3] ?? 0) <= 59 ? KIND.time : 0
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function isCalendarDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0))
}
