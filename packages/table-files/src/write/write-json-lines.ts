import type { ColumnKind, FileRow, TableStream } from './table-stream.ts'

const encoder = new TextEncoder()

export async function* writeJsonLines({
  columns,
  batches,
}: TableStream): AsyncGenerator<Uint8Array, number, undefined> {
  const names = columns.map(({ name }) => JSON.stringify(name))
  const toLine = (row: FileRow) =>
    `{${row.map((value, at) => `${names[at]}:${toJson(value, columns[at]?.type)}`).join(',')}}`
  let rows = 0
  for await (const batch of batches) {
    rows += batch.length
    if (batch.length > 0) yield encoder.encode(`${batch.map(toLine).join('\n')}\n`)
  }
  return rows
}

const NUMBERS = new Set<ColumnKind['kind']>(['int32', 'int64', 'float32', 'float64', 'decimal'])
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** NaN and infinity are strings in JSON. */
function toJson(value: string | null, type: ColumnKind | undefined): string {
  if (value === null) return 'null'
  if (type?.kind === 'boolean') return value === 't' ? 'true' : 'false'
  if (type && NUMBERS.has(type.kind) && JSON_NUMBER.test(value)) return value
  return JSON.stringify(value)
}
