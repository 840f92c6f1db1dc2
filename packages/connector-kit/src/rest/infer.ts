import type { ColumnType } from '@trellis/contract/explorer/column-types'
import { splitRecords } from '../malformed-records.ts'
import type { Field, Value } from '../batch.ts'

/** `nothing`: only nulls so far; fits every type. */
type InferredType = ColumnType | 'nothing'

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const ZONED = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?$/
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export function inferType(value: unknown): InferredType {
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'decimal'
  if (typeof value === 'string') return inferTextType(value)
  return 'json'
}

function inferTextType(value: string): ColumnType {
  if (DATE.test(value)) return isDay(value) ? 'date' : 'text'
  if (ZONED.test(value)) return isDay(value.slice(0, 10)) ? 'timestamptz' : 'text'
  if (TIMESTAMP.test(value)) return isDay(value.slice(0, 10)) ? 'timestamp' : 'text'
  return UUID.test(value) ? 'uuid' : 'text'
}

/** 30 February has the form of a date but is none. */
const isDay = (day: string) => {
  const made = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(made.getTime()) && made.toISOString().startsWith(day)
}

const TIMES: readonly InferredType[] = ['date', 'timestamp', 'timestamptz']

/** The narrowest type that holds both. Associative and commutative, so that the order of records does not matter. */
export function widenType(a: InferredType, b: InferredType): InferredType {
  if (a === b || b === 'nothing') return a
  if (a === 'nothing') return b
  const pair = new Set([a, b])
  if (pair.has('integer') && pair.has('decimal')) return 'decimal'
  const [first, second] = [TIMES.indexOf(a), TIMES.indexOf(b)]
  if (first !== -1 && second !== -1) return TIMES[Math.max(first, second)] ?? 'text'
  return 'text'
}

/** Known fields first, then new ones in order of appearance. Fields that are always null become text. */
export function inferFields(
  records: readonly unknown[],
  key: readonly string[],
  known: readonly (readonly [string, ColumnType])[] = [],
): Field[] {
  const types = new Map<string, InferredType>(known)
  const { records: objects } = splitRecords(records)
  for (const record of objects.length > 0 ? objects : records) {
    for (const [name, value] of Object.entries(toRecord(record))) {
      types.set(name, widenType(types.get(name) ?? 'nothing', inferType(value)))
    }
  }
  for (const name of key) if (!types.has(name)) types.set(name, 'nothing')
  return [...types].map(([name, type]) => ({
    name,
    type: type === 'nothing' ? 'text' : type,
    // A field of every record so far may be missing in the next; only key fields cannot.
    isNullable: !key.includes(name),
  }))
}

export const PLAIN_FIELD = 'value'

export const toRecord = (record: unknown): Record<string, unknown> =>
  typeof record === 'object' && record !== null && !Array.isArray(record)
    ? (record as Record<string, unknown>)
    : { [PLAIN_FIELD]: record }

export function convert(type: ColumnType, value: unknown): Value | undefined {
  if (value === null || value === undefined) return null
  switch (type) {
    case 'json':
      return JSON.stringify(value)
    case 'text':
    case 'uuid':
    case 'time':
    case 'interval':
    case 'bytea':
      return toText(value)
    case 'boolean':
      return toBoolean(value)
    case 'integer':
      return toNumber(value, /^-?\d+$/)
    case 'decimal':
    case 'real':
    case 'float':
      return toNumber(value, /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i)
    case 'date':
    case 'timestamp':
    case 'timestamptz':
      return toTime(type, value)
  }
}

const toText = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)

function toBoolean(value: unknown): Value | undefined {
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === 1) return true
  return value === 'false' || value === 0 ? false : undefined
}

function toNumber(value: unknown, pattern: RegExp): Value | undefined {
  const text = typeof value === 'number' ? plainNumber(value) : value
  if (typeof text !== 'string') return undefined
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (!pattern.test(trimmed)) return undefined
  const number = Number(trimmed)
  // Beyond 2^53 a number would lose digits, so it stays a string.
  return Number.isSafeInteger(number) || String(number) === trimmed ? number : trimmed
}

/** String() writes whole numbers from 10^21 on with an exponent. */
const plainNumber = (value: number) => (Number.isInteger(value) ? BigInt(value).toString() : String(value))

function toTime(type: 'date' | 'timestamp' | 'timestamptz', value: unknown): Value | undefined {
  if (value === '') return null
  if (typeof value === 'number')
    return formatMilliseconds(type, Math.abs(value) < 100_000_000_000 ? value * 1000 : value)
  if (typeof value !== 'string') return undefined
  const looks = inferTextType(value)
  if (type === 'date') return looks === 'text' || looks === 'uuid' ? undefined : value.slice(0, 10)
  if (looks === 'date') return type === 'timestamp' ? `${value}T00:00:00` : `${value}T00:00:00Z`
  if (looks === 'timestamptz') return type === 'timestamptz' ? value : formatMilliseconds(type, Date.parse(value))
  if (looks === 'timestamp') return type === 'timestamp' ? value : `${value}Z`
  return undefined
}

/** Seconds or milliseconds: a value below 10^11 is taken as seconds, which holds until the year 5138. */
function formatMilliseconds(type: 'date' | 'timestamp' | 'timestamptz', ms: number): Value | undefined {
  const made = new Date(ms)
  if (Number.isNaN(made.getTime())) return undefined
  const iso = made.toISOString()
  return type === 'date' ? iso.slice(0, 10) : type === 'timestamp' ? iso.slice(0, -1) : iso
}
