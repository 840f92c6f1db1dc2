import type { SchemaElement } from 'hyparquet'
import type { TypeName } from '../values/type-names.ts'

export interface LeafWriter {
  readonly type: TypeName
  readonly toText: (value: unknown) => string
  readonly isBare: boolean
  readonly toExact?: (value: unknown) => string | undefined
  readonly note?: string
}

/**
 * The library converts amounts to doubles and timestamps to Dates. Their annotations are removed, so that the stored
 * integers arrive and keep all digits.
 */
export function toLeafWriter(element: SchemaElement): LeafWriter {
  const kind = element.logical_type?.type ?? element.converted_type ?? ''
  const write = BY_KIND[kind] ?? BY_TYPE[element.type ?? ''] ?? toBytes
  return write(element)
}

type ToWriter = (element: SchemaElement) => LeafWriter

const toBareWriter = (type: TypeName, toText: (value: unknown) => string): LeafWriter => ({
  type,
  toText,
  isBare: true,
})
const createQuotedWriter = (type: TypeName, toText: (value: unknown) => string): LeafWriter => ({
  type,
  toText,
  isBare: false,
})

function clearTypes(element: SchemaElement): void {
  delete element.logical_type
  delete element.converted_type
}

const toDecimal: ToWriter = (element) => {
  const logical = element.logical_type
  const scale = element.scale ?? (logical?.type === 'DECIMAL' ? logical.scale : 0) ?? 0
  clearTypes(element)
  return toBareWriter('decimal', (value) => withScale(toWhole(value), scale))
}

const toTimestamp: ToWriter = (element) => {
  const logical = element.logical_type
  const unit = logical?.type === 'TIMESTAMP' ? logical.unit : element.converted_type?.replace('TIMESTAMP_', '')
  const isZoned = logical?.type === 'TIMESTAMP' ? logical.isAdjustedToUTC : true
  clearTypes(element)
  const digits = toDigits(unit)
  const zone = isZoned ? '+00' : ''
  return inTicks(isZoned ? 'timestamptz' : 'timestamp', digits, (text) => text.replace(/(?: BC)?$/, `${zone}$&`))
}

/** Postgres keeps microseconds. */
function inTicks(type: TypeName, digits: number, toText: (moment: string) => string): LeafWriter {
  const writer = createQuotedWriter(type, (value) => toText(toMoment(toWhole(value), digits)))
  if (digits < 9) return writer
  return {
    ...writer,
    toExact(value) {
      const ticks = toWhole(value)
      return ticks % 1000n === 0n ? undefined : toText(toMoment(ticks, digits, 9))
    },
  }
}

const toTime: ToWriter = (element) => {
  const logical = element.logical_type
  const unit = logical?.type === 'TIME' ? logical.unit : element.converted_type?.replace('TIME_', '')
  const isUtc = logical?.type === 'TIME' && logical.isAdjustedToUTC
  clearTypes(element)
  const writer = inTicks('time', toDigits(unit), (text) => text.slice(11))
  return isUtc
    ? { ...writer, note: 'The file says that these times are in UTC. They are loaded without a time zone.' }
    : writer
}

const toDate: ToWriter = (element) => {
  clearTypes(element)
  return createQuotedWriter('date', (value) => toMoment(toWhole(value) * 86_400n, 0).replace(' 00:00:00', ''))
}

const toStringWriter: ToWriter = () => createQuotedWriter('text', String)

/** The library would parse it and round numbers. */
const toJsonText: ToWriter = (element) => {
  clearTypes(element)
  element.converted_type = 'UTF8'
  return toBareWriter('json', String)
}

const toUnsigned: ToWriter = (element) => {
  const isLong = element.type === 'INT64'
  clearTypes(element)
  const bits = isLong ? 64 : 32
  // Half of the unsigned range exceeds bigint.
  return toBareWriter(isLong ? 'decimal' : 'integer', (value) => String(BigInt.asUintN(bits, toWhole(value))))
}

const toInteger: ToWriter = (element) => {
  const logical = element.logical_type
  if (logical?.type === 'INTEGER' && !logical.isSigned) return toUnsigned(element)
  clearTypes(element)
  return toBareWriter('integer', String)
}

const toUuid: ToWriter = () => createQuotedWriter('uuid', String)

const toInterval: ToWriter = (element) => {
  clearTypes(element)
  return createQuotedWriter('interval', (value) => {
    const bytes = Buffer.from(value as Uint8Array)
    const [months, days, millis] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)]
    return `${months} months ${days} days ${millis / 1000} seconds`
  })
}

const toBytes: ToWriter = (element) => {
  clearTypes(element)
  return createQuotedWriter('bytea', (value) => `\\x${Buffer.from(value as Uint8Array).toString('hex')}`)
}

const toShape: ToWriter = () => toBareWriter('json', (value) => JSON.stringify(value))

const BY_KIND: Readonly<Record<string, ToWriter>> = {
  DECIMAL: toDecimal,
  TIMESTAMP: toTimestamp,
  TIMESTAMP_MILLIS: toTimestamp,
  TIMESTAMP_MICROS: toTimestamp,
  TIME: toTime,
  TIME_MILLIS: toTime,
  TIME_MICROS: toTime,
  DATE: toDate,
  STRING: toStringWriter,
  UTF8: toStringWriter,
  ENUM: (element) => {
    clearTypes(element)
    element.converted_type = 'UTF8'
    return createQuotedWriter('text', String)
  },
  JSON: toJsonText,
  INTEGER: toInteger,
  UINT_8: toUnsigned,
  UINT_16: toUnsigned,
  UINT_32: toUnsigned,
  UINT_64: toUnsigned,
  UUID: toUuid,
  INTERVAL: toInterval,
  BSON: toBytes,
  FLOAT16: () => toBareWriter('real', String),
  GEOMETRY: toShape,
  GEOGRAPHY: toShape,
}

const BY_TYPE: Readonly<Record<string, ToWriter>> = {
  BOOLEAN: () => toBareWriter('boolean', String),
  INT32: toInteger,
  INT64: toInteger,
  // Nanoseconds since 1970, as the child process returns them.
  INT96: () => inTicks('timestamp', 9, (text) => text),
  FLOAT: () => toBareWriter('real', (value) => shortFloat(value as number)),
  DOUBLE: () => toBareWriter('float', withSign),
}

/** String(-0) is "0". */
const withSign = (value: unknown): string => (Object.is(value, -0) ? '-0' : String(value))

const toDigits = (unit: string | undefined) => (unit === 'NANOS' ? 9 : unit === 'MICROS' ? 6 : 3)

function toWhole(value: unknown): bigint {
  if (typeof value === 'bigint' || typeof value === 'number') return BigInt(value)
  const bytes = Buffer.from(value as Uint8Array)
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`))
}

function withScale(whole: bigint, scale: number): string {
  if (scale <= 0) return String(whole)
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0')
  return `${whole < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

function toMoment(ticks: bigint, digits: number, kept = 6): string {
  const unit = 10n ** BigInt(digits)
  let seconds = ticks / unit
  let part = ticks % unit
  if (part < 0n) [seconds, part] = [seconds - 1n, part + unit]
  const date = new Date(Number(seconds) * 1000)
  if (Number.isNaN(date.getTime())) return String(ticks)
  const fraction = part === 0n ? '' : `.${String(part).padStart(digits, '0').slice(0, kept)}`
  const year = date.getUTCFullYear()
  // Postgres has no year 0.
  const [shown, era] = year > 0 ? [year, ''] : [1 - year, ' BC']
  const rest = date.toISOString().slice(-20, -5).replace('T', ' ')
  return `${String(shown).padStart(4, '0')}${rest}${fraction}${era}`
}

/** The shortest decimal, e.g. 0.1 instead of 0.10000000149. */
function shortFloat(value: number): string {
  if (value === 0) return withSign(value)
  for (let digits = 6; digits < 9; digits += 1) {
    const text = value.toPrecision(digits)
    if (Math.fround(Number(text)) === value) return String(Number(text))
  }
  return String(value)
}
