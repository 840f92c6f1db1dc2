import type { ColumnType } from '@trellis/contract/explorer/column-types'
import { splitRecords } from '../malformed-records.ts'
import type { Field, Value } from '../batch.ts'

/** What a value looks like by itself. `nothing` fits every type. */
type Looks = ColumnType | 'nothing'

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const ZONED = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?$/
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export function looksLike(value: unknown): Looks {
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'decimal'
  if (typeof value === 'string') return textLooksLike(value)
  return 'json'
}

function textLooksLike(value: string): ColumnType {
  if (DATE.test(value)) return isDay(value) ? 'date' : 'text'
  if (ZONED.test(value)) return isDay(value.slice(0, 10)) ? 'timestamptz' : 'text'
  if (TIMESTAMP.test(value)) return isDay(value.slice(0, 10)) ? 'timestamp' : 'text'
  return UUID.test(value) ? 'uuid' : 'text'
}

/** 30 February looks like a date and is none. */
const isDay = (day: string) => {
  const made = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(made.getTime()) && made.toISOString().startsWith(day)
}

const TIMES: readonly Looks[] = ['date', 'timestamp', 'timestamptz']

/** The narrowest type that holds both. Associative and commutative, so that the order of records does not matter. */
export function widened(a: Looks, b: Looks): Looks {
  if (a === b || b === 'nothing') return a
  if (a === 'nothing') return b
  const pair = new Set([a, b])
  if (pair.has('integer') && pair.has('decimal')) return 'decimal'
  const [first, second] = [TIMES.indexOf(a), TIMES.indexOf(b)]
  if (first !== -1 && second !== -1) return TIMES[Math.max(first, second)] ?? 'text'
  // A list in one record and a text in another is text in both; only then nothing is lost.
  return 'text'
}

/** Fields in the order in which they first come, after those that are known. Those that hold nothing yet are texts. */
export function inferFields(
  records: readonly unknown[],
  key: readonly string[],
  known: readonly (readonly [string, ColumnType])[] = [],
): Field[] {
  const types = new Map<string, Looks>(known)
  const { records: objects } = splitRecords(records)
  // Among objects anything else is malformed; alone it is a column.
  for (const record of objects.length > 0 ? objects : records) {
    for (const [name, value] of Object.entries(asRecord(record))) {
      types.set(name, widened(types.get(name) ?? 'nothing', looksLike(value)))
    }
  }
  for (const name of key) if (!types.has(name)) types.set(name, 'nothing')
  return [...types].map(([name, type]) => ({
    name,
    type: type === 'nothing' ? 'text' : type,
    // What came in every record so far may be missing in the next; only a key can't be.
    isNullable: !key.includes(name),
  }))
}

/** A record that is no object, as in a list of names, has one field. */
/** The column of records that are no objects. */
export const PLAIN_FIELD = 'value'

export const asRecord = (record: unknown): Record<string, unknown> =>
  typeof record === 'object' && record !== null && !Array.isArray(record)
    ? (record as Record<string, unknown>)
    : { [PLAIN_FIELD]: record }

/** Undefined where the value can't be written as this type. */
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
  // Beyond this a number loses digits; as text it keeps them.
  return Number.isSafeInteger(number) || String(number) === trimmed ? number : trimmed
}

/** Without an exponent: whole numbers from 10^21 on would be written with one. */
const plainNumber = (value: number) => (Number.isInteger(value) ? BigInt(value).toString() : String(value))

function toTime(type: 'date' | 'timestamp' | 'timestamptz', value: unknown): Value | undefined {
  if (value === '') return null
  if (typeof value === 'number') return fromMilliseconds(type, Math.abs(value) < 100_000_000_000 ? value * 1000 : value)
  if (typeof value !== 'string') return undefined
  const looks = textLooksLike(value)
  if (type === 'date') return looks === 'text' || looks === 'uuid' ? undefined : value.slice(0, 10)
  if (looks === 'date') return type === 'timestamp' ? `${value}T00:00:00` : `${value}T00:00:00Z`
  if (looks === 'timestamptz') return type === 'timestamptz' ? value : fromMilliseconds(type, Date.parse(value))
  if (looks === 'timestamp') return type === 'timestamp' ? value : `${value}Z`
  return undefined
}

/** Platforms count seconds or milliseconds; up to the year 5138 seconds are the smaller number. */
function fromMilliseconds(type: 'date' | 'timestamp' | 'timestamptz', ms: number): Value | undefined {
  const made = new Date(ms)
  if (Number.isNaN(made.getTime())) return undefined
  const iso = made.toISOString()
  return type === 'date' ? iso.slice(0, 10) : type === 'timestamp' ? iso.slice(0, -1) : iso
}
