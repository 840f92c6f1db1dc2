import { type AsyncBuffer, type FileMetaData, type RowGroup, type SchemaElement, parquetMetadataAsync } from 'hyparquet'
import { type ByteSource, FileFault, MAX_COLUMNS, readRange } from './byte-source.ts'
import { tooManyColumns } from './csv-rows.ts'
import type { FileRow, OpenTable } from './dialect.ts'
import { damaged, openGroupReader } from './parquet-group.ts'

/** A group of rows is decoded at once. */
const MOST_GROUP_BYTES = 96 * 1024 * 1024
/** A value that repeats takes next to nothing in the file, and its full size in memory. */
const MOST_GROUP_VALUES = 32 * 1024 * 1024

/** Parquet, one group of rows after the other. */
export async function openParquet(source: ByteSource): Promise<OpenTable> {
  const file: AsyncBuffer = {
    byteLength: source.size,
    slice: async (start, end = source.size) => {
      const bytes = await readRange(source, start < 0 ? source.size + start : start, end)
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    },
  }
  const metadata = await parquetMetadataAsync(file).catch((error: unknown) => {
    throw damaged(error)
  })
  const columns = plainColumns(metadata)
  if (columns.length > MAX_COLUMNS) throw tooManyColumns(columns.length)
  let done = 0
  return {
    headers: columns.map((column) => column.name),
    doneBytes: () => done,
    async *rows() {
      const reader = openGroupReader()
      let start = 0
      try {
        for (const group of metadata.row_groups) {
          assertSize(group, columns.length)
          const end = start + Number(group.num_rows)
          let row = start
          for await (const values of reader.read(source, { metadata, group, rowStart: start, rowEnd: end })) {
            yield values.map((cells) => toRow(cells, (row += 1), columns))
          }
          start = end
          done += Number(group.total_compressed_size ?? group.total_byte_size)
        }
      } finally {
        reader.close()
      }
    },
  }
}

function assertSize(group: RowGroup, columns: number): void {
  if (Number(group.total_byte_size) > MOST_GROUP_BYTES) {
    throw new FileFault('The Parquet file has groups of rows of more than 96 MB. Write it with smaller row groups.')
  }
  if (Number(group.num_rows) * columns > MOST_GROUP_VALUES) {
    throw new FileFault('The Parquet file has groups of more than 32 million values. Write it with smaller row groups.')
  }
}

interface PlainColumn {
  readonly name: string
  readonly toText: (value: unknown) => string
}

/**
 * The library would make floating numbers of amounts and dates of moments. Their marks are taken off the schema, so that
 * the stored whole numbers come as they are, and are written with all their digits here.
 */
function plainColumns(metadata: FileMetaData): PlainColumn[] {
  const [root, ...rest] = metadata.schema
  const columns: PlainColumn[] = []
  let at = 0
  for (let child = 0; child < (root?.num_children ?? 0); child += 1) {
    const element = rest[at] as SchemaElement
    columns.push({ name: element.name, toText: element.num_children ? asJson : writerOf(element) })
    at = skipElement(rest, at)
  }
  return columns
}

function skipElement(elements: readonly SchemaElement[], from: number): number {
  let at = from + 1
  for (let child = 0; child < (elements[from]?.num_children ?? 0); child += 1) at = skipElement(elements, at)
  return at
}

function writerOf(element: SchemaElement): (value: unknown) => string {
  const logical = element.logical_type
  const converted = element.converted_type
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL') {
    const scale = element.scale ?? (logical?.type === 'DECIMAL' ? logical.scale : 0) ?? 0
    unmark(element)
    return (value) => withScale(wholeOf(value), scale)
  }
  const unit = logical?.type === 'TIMESTAMP' ? logical.unit : undefined
  if (unit || converted === 'TIMESTAMP_MILLIS' || converted === 'TIMESTAMP_MICROS') {
    const perSecond = unit === 'NANOS' ? 9 : unit === 'MICROS' || converted === 'TIMESTAMP_MICROS' ? 6 : 3
    const zone = logical?.type === 'TIMESTAMP' ? logical.isAdjustedToUTC : true
    unmark(element)
    return (value) => momentText(value as bigint, perSecond) + (zone ? '+00' : '')
  }
  return textOf
}

function unmark(element: SchemaElement): void {
  delete element.logical_type
  delete element.converted_type
}

/** Amounts may be stored as whole numbers or as bytes, the highest first. */
function wholeOf(value: unknown): bigint {
  if (typeof value === 'bigint' || typeof value === 'number') return BigInt(value)
  const bytes = typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.from(value as Uint8Array)
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`))
}

function withScale(whole: bigint, scale: number): string {
  if (scale <= 0) return String(whole)
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0')
  return `${whole < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

function momentText(ticks: bigint, perSecond: number): string {
  const unit = 10n ** BigInt(perSecond)
  let seconds = ticks / unit
  let part = ticks % unit
  if (part < 0n) [seconds, part] = [seconds - 1n, part + unit]
  const date = new Date(Number(seconds) * 1000)
  if (Number.isNaN(date.getTime())) return String(ticks)
  const fraction = part === 0n ? '' : `.${String(part).padStart(perSecond, '0').slice(0, 6)}`
  return date.toISOString().slice(0, 19).replace('T', ' ') + fraction
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Date) return isWholeDay(value) ? value.toISOString().slice(0, 10) : value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return typeof value === 'object' ? asJson(value) : String(value as number | bigint | boolean)
}

const isWholeDay = (date: Date) => date.getTime() % 86_400_000 === 0

const asJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part))

function toRow(values: unknown[], row: number, columns: readonly PlainColumn[]): FileRow {
  const cells = columns.map((column, at) => {
    const value = values[at]
    return value === null || value === undefined ? null : column.toText(value)
  })
  const zero = cells.findIndex((cell) => cell?.includes('\0'))
  if (zero < 0) return { row, line: row, cells, fault: null }
  const fault = { row, line: row, column: zero, value: null, reason: 'The value holds a zero byte.', raw: '' }
  return { row, line: row, cells: [], fault }
}
