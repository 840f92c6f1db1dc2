import type { ColumnKind, FileColumn } from './table-stream.ts'

/** Rows as Postgres sends them: DataRow messages one after the other. */
export interface RowByteStream {
  readonly columns: readonly FileColumn[]
  readonly batches: AsyncIterable<{ readonly bytes: Buffer; readonly rows: number }>
}

const ROW_HEADER_BYTES = 7
const COMMA = 0x2c
const NEWLINE = 0x0a
const TRUE = 't'.charCodeAt(0)
const WORD_TRUE = Buffer.from('true')
const WORD_FALSE = Buffer.from('false')

/** A spreadsheet runs cells that begin so; a plain number is none of them. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
/** Neither of the two: most cells are written as they are. */
const NEEDS_CARE = /[",\r\n]|^[\s=+\-@]|\s$/
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

/** Kinds whose values hold neither quotes, commas nor formulas. */
const PLAIN = new Set<ColumnKind['kind']>(['boolean', 'int32', 'int64'])

const isPlain = ({ kind }: ColumnKind): boolean => PLAIN.has(kind)

export interface CsvOptions {
  /** Cells that a spreadsheet would run as a formula get an apostrophe in front. */
  readonly isFormulaSafe: boolean
}

/** The one rule for cells of CSV files; `copyRows` of workspace-db has the same in SQL. */
export function toCsvCell(value: string, { isFormulaSafe }: CsvOptions): string {
  if (value !== '' && !NEEDS_CARE.test(value)) return value
  const safe = isFormulaSafe && FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(safe) || safe === '' ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** What a byte means for its cell. Bytes of letters beyond ASCII may be white space. */
const [ANYWHERE, AT_START, AT_END] = [1, 2, 4]
const CARE = new Uint8Array(256).map((_, byte) => {
  const sign = String.fromCharCode(byte)
  const isSpace = byte >= 0x80 || /\s/.test(sign)
  return (
    (/[",\r\n]/.test(sign) ? ANYWHERE : 0) | (isSpace || /[=+\-@]/.test(sign) ? AT_START : 0) | (isSpace ? AT_END : 0)
  )
})

/**
 * The rows as CSV with a header, without a string for every cell. Cells are written as COPY does, formulas as text where
 * that is asked for. Returns the number of rows.
 */
export async function* writeCsv(
  { columns, batches }: RowByteStream,
  options: CsvOptions,
): AsyncGenerator<Uint8Array, number, undefined> {
  yield Buffer.from(`${columns.map(({ name }) => toCsvCell(name, options)).join(',')}\n`)
  const types = columns.map(({ type }) => type)
  let rows = 0
  for await (const batch of batches) {
    rows += batch.rows
    if (batch.rows > 0) yield toLines(batch.bytes, types, options)
  }
  return rows
}

function toLines(bytes: Buffer, types: readonly ColumnKind[], options: CsvOptions): Uint8Array {
  const kinds = types.map((type) => (type.kind === 'boolean' ? 'words' : isPlain(type) ? 'plain' : 'text'))
  // Every cell has a length of four bytes in front, so most batches become shorter.
  let out: Buffer = Buffer.allocUnsafe(bytes.length)
  let end = 0
  let at = 0
  while (at < bytes.length) {
    const count = bytes.readUInt16BE(at + ROW_HEADER_BYTES - 2)
    at += ROW_HEADER_BYTES
    for (let column = 0; column < count; column += 1) {
      const length = bytes.readInt32BE(at)
      at += 4
      out = makeRoom(out, end, Math.max(0, length) + 2)
      if (column > 0) out[end++] = COMMA
      if (length < 0) continue
      const kind = kinds[column] ?? 'text'
      if (kind === 'words') {
        const word = bytes[at] === TRUE ? WORD_TRUE : WORD_FALSE
        out = makeRoom(out, end, word.length + 1)
        for (let sign = 0; sign < word.length; sign += 1) out[end++] = word[sign] as number
        at += length
        continue
      }
      const start = end
      let care = length === 0 ? ANYWHERE : 0
      if (kind === 'text' && length > 0) care |= findCareAtEnds(bytes[at], bytes[at + length - 1])
      if (care === 0) {
        for (const next = at + length; at < next; at += 1) {
          const byte = bytes[at] as number
          care |= (CARE[byte] as number) & ANYWHERE
          out[end++] = byte
        }
        if (care === 0 || kind === 'plain') continue
        at -= length
        end = start
      }
      const value = bytes.toString('utf8', at, at + length)
      const cell = toCsvCell(value, options)
      out = makeRoom(out, end, Buffer.byteLength(cell) + 1)
      end += out.write(cell, end)
      at += length
    }
    out = makeRoom(out, end, 1)
    out[end++] = NEWLINE
  }
  return out.subarray(0, end)
}

function makeRoom(out: Buffer, end: number, size: number): Buffer {
  if (end + size <= out.length) return out
  const larger = Buffer.allocUnsafe(Math.max(out.length * 2, end + size))
  out.copy(larger, 0, 0, end)
  return larger
}

const findCareAtEnds = (first = 0, last = 0): number =>
  ((CARE[first] as number) & AT_START) | ((CARE[last] as number) & AT_END)
