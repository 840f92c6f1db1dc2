import type { ColumnKind, FileRow, TableStream } from './table-stream.ts'

const encoder = new TextEncoder()

/** A spreadsheet runs cells that begin so; a plain number is none of them. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
/** Neither of the two: most cells are written as they are. */
const NEEDS_CARE = /[",\r\n]|^[\s=+\-@]|\s$/
/** Kinds whose values hold neither quotes, commas nor formulas. */
const PLAIN = new Set<ColumnKind['kind']>(['boolean', 'int32', 'int64'])
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

export interface CsvOptions {
  /** Cells that a spreadsheet would run as a formula get an apostrophe in front. */
  readonly isFormulaSafe: boolean
}

/** The rows as CSV with a header. Returns their number. */
export async function* writeCsv(
  { columns, batches }: TableStream,
  { isFormulaSafe }: CsvOptions,
): AsyncGenerator<Uint8Array, number, undefined> {
  const toCell = (value: string) => {
    if (value !== '' && !NEEDS_CARE.test(value)) return value
    const safe = isFormulaSafe && FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value
    return NEEDS_QUOTES.test(safe) || safe === '' ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  const writers = columns.map(({ type }) => (PLAIN.has(type.kind) ? (value: string) => value : toCell))
  const toLine = (row: FileRow) => {
    let line = ''
    for (let at = 0; at < row.length; at += 1) {
      const value = row[at]
      if (at > 0) line += ','
      if (value !== null && value !== undefined) line += (writers[at] ?? toCell)(toWord(value, columns[at]?.type))
    }
    return line
  }
  yield encoder.encode(`${columns.map(({ name }) => toCell(name)).join(',')}\n`)
  return yield* encodeLines(batches, toLine)
}

/** One JSON object a line; numbers keep all their digits. Returns the number of rows. */
export async function* writeJsonLines({
  columns,
  batches,
}: TableStream): AsyncGenerator<Uint8Array, number, undefined> {
  const names = columns.map(({ name }) => JSON.stringify(name))
  const toLine = (row: FileRow) =>
    `{${row.map((value, at) => `${names[at]}:${toJson(value, columns[at]?.type)}`).join(',')}}`
  return yield* encodeLines(batches, toLine)
}

async function* encodeLines(
  batches: TableStream['batches'],
  toLine: (row: FileRow) => string,
): AsyncGenerator<Uint8Array, number, undefined> {
  let rows = 0
  for await (const batch of batches) {
    rows += batch.length
    if (batch.length > 0) yield encoder.encode(`${batch.map(toLine).join('\n')}\n`)
  }
  return rows
}

const toWord = (value: string, type: ColumnKind | undefined): string =>
  type?.kind === 'boolean' ? (value === 't' ? 'true' : 'false') : value

const NUMBERS = new Set<ColumnKind['kind']>(['int32', 'int64', 'float32', 'float64', 'decimal'])
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** NaN and infinity are no numbers in JSON and stay text. */
function toJson(value: string | null, type: ColumnKind | undefined): string {
  if (value === null) return 'null'
  if (type?.kind === 'boolean') return value === 't' ? 'true' : 'false'
  if (type && NUMBERS.has(type.kind) && JSON_NUMBER.test(value)) return value
  return JSON.stringify(value)
}
