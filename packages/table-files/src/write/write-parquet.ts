import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { type ColumnKind, type FileColumn, FormatLimit, type TableStream } from './table-stream.ts'

/** A row group is held in memory; larger ones fill the heap. */
const GROUP_ROWS = 10_000
const GROUP_CHARACTERS = 8 * 1024 * 1024

export async function* writeParquet({ columns, batches }: TableStream): AsyncGenerator<Uint8Array, number, undefined> {
  const writer = new ByteWriter()
  const schema: SchemaElement[] = [{ name: 'root', num_children: columns.length }, ...columns.map(toSchemaElement)]
  const file = new ParquetWriter({ writer, schema })
  const cells = columns.map(startColumn)
  let rows = 0
  let characters = 0
  let written = 0
  const writeGroup = () => {
    const columnData = cells.map(({ name, take }) => ({ name, data: take(), offsetIndex: false }))
    void file.write({ columnData, rowGroupSize: rows })
    written += rows
    rows = 0
    characters = 0
    return takeBytes(writer)
  }
  for await (const batch of batches) {
    for (const row of batch) {
      for (let at = 0; at < cells.length; at += 1) {
        const text = row[at] ?? null
        if (!cells[at]?.add(text)) throw noPlace(columns[at] as FileColumn, text ?? '', written + rows + 1)
        characters += text?.length ?? 0
      }
      rows += 1
      if (rows >= GROUP_ROWS || characters >= GROUP_CHARACTERS) yield writeGroup()
    }
  }
  if (rows > 0) yield writeGroup()
  void file.finish()
  yield takeBytes(writer)
  return written
}

function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice()
  writer.index = 0
  return bytes
}

function toSchemaElement({ name, type }: FileColumn): SchemaElement {
  return { name, repetition_type: 'OPTIONAL', ...toPhysicalType(type) }
}

const INT64_DIGITS = 18

function toPhysicalType(type: ColumnKind): Omit<SchemaElement, 'name'> {
  switch (type.kind) {
    case 'boolean':
      return { type: 'BOOLEAN' }
    case 'int32':
      return { type: 'INT32' }
    case 'int64':
      return { type: 'INT64' }
    case 'float32':
      return { type: 'FLOAT' }
    case 'float64':
      return { type: 'DOUBLE' }
    case 'date':
      return { type: 'INT32', converted_type: 'DATE' }
    case 'timestamp':
      return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } }
    case 'timestamptz':
      return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } }
    case 'decimal':
      return {
        ...(type.precision <= INT64_DIGITS ? { type: 'INT64' } : { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 }),
        converted_type: 'DECIMAL',
        precision: type.precision,
        scale: type.scale,
      }
    case 'time':
    case 'text':
      return { type: 'BYTE_ARRAY', converted_type: 'UTF8' }
  }
}

/** Converted at once, so that strings become garbage early. */
function startColumn({ name, type }: FileColumn) {
  const convert = CONVERT[type.kind]
  const scale = type.kind === 'decimal' ? type.scale : 0
  let data: (ParquetValue | null)[] = []
  return {
    name,
    add(text: string | null): boolean {
      const value = text === null ? null : convert(text, scale)
      data.push(value)
      return value !== undefined
    },
    take() {
      const taken = data
      data = []
      return taken
    },
  }
}

function noPlace(column: FileColumn, text: string, row: number): FormatLimit {
  const what = `Row ${row.toLocaleString('en')}: "${text.slice(0, 40)}" in the column "${column.name}"`
  return new FormatLimit(`${what} can not be written to Parquet as ${column.type.kind}. Export as CSV instead.`)
}

type ParquetValue = string | number | bigint | boolean | undefined

const FLOATS: Record<string, number> = { Infinity: Infinity, '-Infinity': -Infinity, NaN: Number.NaN }
const parseFloatText = (text: string) => FLOATS[text] ?? Number(text)

const CONVERT: Record<ColumnKind['kind'], (text: string, scale: number) => ParquetValue> = {
  text: (text) => text,
  time: (text) => text,
  boolean: (text) => text === 't' || text === 'true',
  int32: Number,
  int64: BigInt,
  float32: parseFloatText,
  float64: parseFloatText,
  date: (text) => {
    const micros = parseMicros(text)
    return micros === undefined ? undefined : Number(micros / DAY)
  },
  timestamp: parseMicros,
  timestamptz: parseMicros,
  decimal: (text, scale) => {
    const parts = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text)
    if (!parts) return undefined
    const digits = BigInt(`${parts[2]}${(parts[3] ?? '').padEnd(scale, '0').slice(0, scale)}`)
    return parts[1] === '-' ? -digits : digits
  },
}

const DAY = 86_400_000_000n
const YEARS_400 = 146_097 * 86_400_000
const MOMENT = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?(?:\+00)?$/

/** Undefined for infinity and for years without four digits. */
function parseMicros(text: string): bigint | undefined {
  const parts = MOMENT.exec(text)
  if (!parts) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = parts
  // Date.UTC maps years below 100 to 19xx; the calendar repeats every 400 years.
  const millis = Date.UTC(
    Number(year) + 400,
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  const micros = fraction === '' ? 0 : Number(fraction.padEnd(6, '0'))
  const whole = (millis - YEARS_400) * 1000
  return Number.isSafeInteger(whole) ? BigInt(whole + micros) : BigInt(millis - YEARS_400) * 1000n + BigInt(micros)
}
