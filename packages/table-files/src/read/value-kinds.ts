/** What a value could be, as bits: a column can be what all its values can be. */
export const KIND = {
  boolean: 1,
  integer: 2,
  decimal: 4,
  float: 8,
  dateYmd: 16,
  dateDmy: 32,
  dateMdy: 64,
  timestampYmd: 128,
  timestampDmy: 256,
  timestampMdy: 512,
  zonedYmd: 1024,
  zonedDmy: 2048,
  zonedMdy: 4096,
  time: 8192,
  uuid: 16384,
  json: 32768,
} as const

export const ALL_KINDS = 65535
export const DATES = KIND.dateYmd | KIND.dateDmy | KIND.dateMdy
export const TIMESTAMPS = KIND.timestampYmd | KIND.timestampDmy | KIND.timestampMdy
export const ZONED = KIND.zonedYmd | KIND.zonedDmy | KIND.zonedMdy
export const TEMPORAL = DATES | TIMESTAMPS | ZONED
export const NUMERIC = KIND.integer | KIND.decimal | KIND.float

const WORDS = new Set(['true', 'false', 't', 'f', 'yes', 'no', 'y', 'n', 'on', 'off'])
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:[.,]\d+)?$/
const GROUPED_DOT = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/
const GROUPED_COMMA = /^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/
// A bare 12e4 is as likely a code as a number.
const SCIENTIFIC = /^-?\d+(?:[.,]\d+[eE][+-]?\d{1,3}|[eE][+-]\d{1,3})$/
const MOMENT =
  /^(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?( ?(?:Z|[+-]\d{2}(?::?\d{2})?))?)?$/
const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,6})?)?$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const LARGEST = 9_223_372_036_854_775_807n

export interface Reading {
  readonly isCommaDecimal: boolean
}

/** Digits in groups, which Postgres reads only once the marks between them are gone. */
export function isGrouped(text: string, { isCommaDecimal }: Reading): boolean {
  return (isCommaDecimal ? GROUPED_COMMA : GROUPED_DOT).test(text)
}

/** The kinds a value fits. Leading zeros and a plus sign mean something: such a value stays text. */
export function kindsOf(value: string, reading: Reading): number {
  const first = value.charCodeAt(0)
  const isDigitFirst = first >= 48 && first <= 57
  if (isDigitFirst || first === 45 || first === 32) {
    const kinds = numberKinds(first === 32 || value.endsWith(' ') ? value.trim() : value, reading)
    if (kinds !== 0 || !isDigitFirst) return kinds
    return momentKinds(value) | timeKinds(value) | (UUID.test(value) ? KIND.uuid : 0)
  }
  if (first === 123 || first === 91) return isJson(value) ? KIND.json : 0
  if (value.length <= 5 && WORDS.has(value.toLowerCase())) return KIND.boolean
  if (value.length === 36 && UUID.test(value)) return KIND.uuid
  return value === 'NaN' ? KIND.float : 0
}

function numberKinds(value: string, reading: Reading): number {
  const mark = reading.isCommaDecimal ? ',' : '.'
  if (PLAIN_NUMBER.test(value)) {
    const at = value.length > 19 || value.includes('.') || value.includes(',')
    if (!at) return NUMERIC
    if (!value.includes('.') && !value.includes(',')) return isBigint(value) ? NUMERIC : KIND.decimal | KIND.float
    if (value.includes(mark)) return KIND.decimal | KIND.float
  }
  if (isGrouped(value, reading)) return KIND.decimal | KIND.float
  return SCIENTIFIC.test(value) && !value.includes(mark === '.' ? ',' : '.') ? KIND.float : 0
}

const isBigint = (digits: string): boolean => {
  const number = BigInt(digits)
  return number <= LARGEST && number >= -LARGEST - 1n
}

function momentKinds(value: string): number {
  const parts = MOMENT.exec(value)
  if (!parts) return 0
  const [, a = '', , b = '', c = '', hour, minute, second = '0', zone] = parts
  const dates = dateKinds(a, b, c)
  if (dates === 0) return 0
  if (hour === undefined) return dates | (dates << 3) | (dates << 6)
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return 0
  return zone === undefined ? (dates << 3) | (dates << 6) : dates << 6
}

function dateKinds(a: string, b: string, c: string): number {
  if (a.length === 4) return c.length <= 2 && isDay(a, b, c) ? DATES : 0
  if (c.length !== 4 || a.length > 2) return 0
  return (isDay(c, b, a) ? KIND.dateDmy : 0) | (isDay(c, a, b) ? KIND.dateMdy : 0)
}

function timeKinds(value: string): number {
  const parts = TIME.exec(value)
  if (!parts) return 0
  return Number(parts[1]) <= 23 && Number(parts[2]) <= 59 && Number(parts[3] ?? 0) <= 59 ? KIND.time : 0
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDay(year: string, month: string, day: string): boolean {
  return isDayOf(Number(year), Number(month), Number(day))
}

export function isDayOf(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0))
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}
