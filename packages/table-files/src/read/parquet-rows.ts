import { type AsyncBuffer, type RowGroup, parquetMetadataAsync } from 'hyparquet'
import { type ByteSource, FileFault, MAX_COLUMNS, readRange } from './byte-source.ts'
import { tooManyColumns } from './csv-rows.ts'
import type { FileRow, OpenTable } from './dialect.ts'
import { damagedParquetFault, openGroupReader } from './parquet-group.ts'
import { type ParquetColumn, readSchema } from './parquet-schema.ts'

const MAX_GROUP_BYTES = 96 * 1024 * 1024
/** Repeated values are tiny in the file but full-size in memory. */
const MAX_GROUP_VALUES = 32 * 1024 * 1024

export async function openParquet(source: ByteSource): Promise<OpenTable> {
  const file: AsyncBuffer = {
    byteLength: source.size,
    slice: async (start, end = source.size) => {
      const bytes = await readRange(source, start < 0 ? source.size + start : start, end)
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    },
  }
  const metadata = await parquetMetadataAsync(file).catch((error: unknown) => {
    throw damagedParquetFault(error)
  })
  const columns = readSchema(metadata)
  if (columns.length > MAX_COLUMNS) throw tooManyColumns(columns.length)
  let done = 0
  const rounded = new Map<number, RoundedColumn>()
  return {
    headers: columns.map((column) => column.name.replaceAll('\0', '\u2400')),
    types: columns.map((column) => column.type),
    doneBytes: () => done,
    warnings: () => [
      ...columns.flatMap(({ name, note }) => (note === undefined ? [] : [`“${name}”: ${note}`])),
      ...[...rounded].map(([at, roundedColumn]) => warnRounded(columns[at]?.name ?? '', roundedColumn)),
    ],
    async *rows() {
      const reader = openGroupReader()
      let start = 0
      try {
        for (const group of metadata.row_groups) {
          assertSize(group, columns.length)
          const end = start + Number(group.num_rows)
          let row = start
          for await (const values of reader.read(source, { metadata, group, rowStart: start, rowEnd: end })) {
            for (const cells of values) recordRounded(cells, columns, rounded)
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

interface RoundedColumn {
  values: number
  readonly exact: string
  readonly kept: string
}

function recordRounded(cells: unknown[], columns: readonly ParquetColumn[], rounded: Map<number, RoundedColumn>): void {
  for (const [at, { toExact, toText }] of columns.entries()) {
    const value = cells[at]
    if (!toExact || value === null || value === undefined) continue
    const exact = toExact(value)
    if (exact === undefined) continue
    const roundedColumn = rounded.get(at)
    if (roundedColumn) roundedColumn.values += 1
    else rounded.set(at, { values: 1, exact, kept: toText(value) })
  }
}

const warnRounded = (name: string, { values, exact, kept }: RoundedColumn) =>
  `“${name}”: ${exact} is read as ${kept}${values > 1 ? `, and ${(values - 1).toLocaleString('en')} more in the same way` : ''}: PostgreSQL keeps six digits of a second.`

function assertSize(group: RowGroup, columns: number): void {
  if (Number(group.total_byte_size) > MAX_GROUP_BYTES) {
    throw new FileFault('The Parquet file has groups of rows of more than 96 MB. Write it with smaller row groups.')
  }
  if (Number(group.num_rows) * columns > MAX_GROUP_VALUES) {
    throw new FileFault('The Parquet file has groups of more than 32 million values. Write it with smaller row groups.')
  }
}

function toRow(values: unknown[], row: number, columns: readonly ParquetColumn[]): FileRow {
  const cells = columns.map((column, at) => {
    const value = values[at]
    return value === null || value === undefined ? null : column.toText(value)
  })
  const zero = cells.findIndex((cell) => cell?.includes('\0'))
  if (zero < 0) return { row, line: row, cells, fault: null }
  const fault = { row, line: row, column: zero, value: null, reason: 'The value holds a zero byte.', raw: '' }
  return { row, line: row, cells: [], fault }
}
