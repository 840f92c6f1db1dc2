import { toFormulaSafe } from '@trellis/contract/core/formula-safe'
import type { ColumnKind, FileColumn } from './table-stream.ts'

export interface RowByteStream {
  readonly columns: readonly FileColumn[]
  readonly batches: AsyncIterable<{ readonly bytes: Buffer; readonly rows: number }>
}

const ROW_HEADER_BYTES = 7
const ROW_SLACK_BYTES = 8
const MAX_KEPT_BYTES = 8 * 1024 * 1024
const WORD_BYTES = 4
const ONES = 0x01010101
const HIGHS = 0x80808080 | 0
const COMMA = 0x2c
const NEWLINE = 0x0a
const MINUS = 0x2d
const PLUS = 0x2b
const TRUE = 't'.charCodeAt(0)
const WORD_TRUE = Buffer.from('true')
const WORD_FALSE = Buffer.from('false')

/** Fast path: most cells need neither quotes nor an apostrophe. */
const NEEDS_CARE = /[",\r\n]|^[\s=+\-@]|\s$/
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

/** Numeric constants, since they are compared per cell. */
const [AS_TEXT, AS_WORD, AS_NUMBER, AS_SIGNED] = [0, 1, 2, 3]

/** Numbers need no quotes; signed ones may look like a formula: `-infinity`. */
const WRITING: Record<ColumnKind['kind'], number> = {
  text: AS_TEXT,
  boolean: AS_WORD,
  int32: AS_NUMBER,
  int64: AS_NUMBER,
  float32: AS_SIGNED,
  float64: AS_SIGNED,
  decimal: AS_SIGNED,
  date: AS_SIGNED,
  time: AS_SIGNED,
  timestamp: AS_SIGNED,
  timestamptz: AS_SIGNED,
}

export interface CsvOptions {
  /** Prefixes formulas with an apostrophe (CSV injection). */
  readonly isFormulaSafe: boolean
}

export function toCsvCell(value: string, { isFormulaSafe }: CsvOptions): string {
  if (value !== '' && !NEEDS_CARE.test(value)) return value
  const safe = isFormulaSafe ? toFormulaSafe(value) : value
  return NEEDS_QUOTES.test(safe) || safe === '' ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Byte classes. Non-ASCII bytes may be white space. */
const [ANYWHERE, AT_START, AT_END] = [1, 2, 4]
const CARE = new Uint8Array(256).map((_, byte) => {
  const sign = String.fromCharCode(byte)
  const isSpace = byte >= 0x80 || /\s/.test(sign)
  return (
    (/[",\r\n]/.test(sign) ? ANYWHERE : 0) | (isSpace || /[=+\-@]/.test(sign) ? AT_START : 0) | (isSpace ? AT_END : 0)
  )
})

/**
 * Works on bytes. A batch is valid until the next is requested: new buffers for each would trigger a full GC every
 * thirty megabytes. Returns the number of rows.
 */
export async function* writeCsv(
  { columns, batches }: RowByteStream,
  options: CsvOptions,
): AsyncGenerator<Uint8Array, number, undefined> {
  yield Buffer.from(`${columns.map(({ name }) => toCsvCell(name, options)).join(',')}\n`)
  const writings = Uint8Array.from(columns, ({ type }) => WRITING[type.kind])
  let memory: Memory = Buffer.alloc(0)
  let rows = 0
  for await (const batch of batches) {
    rows += batch.rows
    if (batch.rows === 0) continue
    const lines = toLines(batch.bytes, memory, { ...options, writings })
    yield lines
    memory = lines.length > MAX_KEPT_BYTES ? Buffer.alloc(0) : Buffer.from(lines.buffer)
  }
  return rows
}

type Memory = Buffer<ArrayBuffer>

interface LineOptions extends CsvOptions {
  readonly writings: Uint8Array
}

// A single function without closures or objects per cell, which would cost half as much again.
function toLines(bytes: Buffer, memory: Memory, { writings, ...options }: LineOptions): Memory {
  const source = toView(bytes)
  const lastWord = bytes.length - WORD_BYTES
  let out = makeRoom(memory, 0, bytes.length + ROW_SLACK_BYTES)
  let target = toView(out)
  let end = 0
  let at = 0
  while (at < bytes.length) {
    const rowEnd = at + 1 + source.getInt32(at + 1)
    const count = source.getInt16(at + 5)
    at += ROW_HEADER_BYTES
    // Each cell has a four-byte length prefix, so a row never grows beyond it.
    out = makeRoom(out, end, rowEnd - at + count + ROW_SLACK_BYTES)
    if (out.length !== target.byteLength) target = toView(out)
    for (let column = 0; column < count; column += 1) {
      const length = source.getInt32(at)
      at += 4
      if (column > 0) out[end++] = COMMA
      if (length < 0) continue
      const next = at + length
      const writing = writings[column] as number
      const first = bytes[at] as number
      let to = end
      if (writing === AS_WORD) {
        end = writeWord(out, end, first === TRUE)
        at = next
        continue
      }
      if (isNumber(writing, first)) {
        // Up to three extra bytes are overwritten by what follows.
        for (; at < next && at <= lastWord; at += WORD_BYTES, to += WORD_BYTES) {
          target.setInt32(to, source.getInt32(at, true), true)
        }
        while (at < next) out[to++] = bytes[at++] as number
        at = next
        end += length
        continue
      }
      let care = length === 0 ? ANYWHERE : findCareAtEnds(first, bytes[next - 1])
      for (; care === 0 && at <= next - WORD_BYTES; at += WORD_BYTES, to += WORD_BYTES) {
        const word = source.getInt32(at, true)
        care = findSpecial(word)
        target.setInt32(to, word, true)
      }
      while (care === 0 && at < next) {
        const byte = bytes[at++] as number
        care = (CARE[byte] as number) & ANYWHERE
        out[to++] = byte
      }
      at = next
      if (care === 0) {
        end += length
        continue
      }
      const cell = toCsvCell(bytes.toString('utf8', next - length, next), options)
      out = makeRoom(out, end, Buffer.byteLength(cell) + rowEnd - next + count + ROW_SLACK_BYTES)
      if (out.length !== target.byteLength) target = toView(out)
      end += out.write(cell, end)
    }
    out[end++] = NEWLINE
  }
  return out.subarray(0, end)
}

const toView = ({ buffer, byteOffset, length }: Buffer) => new DataView(buffer, byteOffset, length)

function writeWord(out: Buffer, end: number, isTrue: boolean): number {
  const word = isTrue ? WORD_TRUE : WORD_FALSE
  for (let sign = 0; sign < word.length; sign += 1) out[end + sign] = word[sign] as number
  return end + word.length
}

const isNumber = (writing: number, first: number): boolean =>
  writing === AS_NUMBER || (writing === AS_SIGNED && first !== MINUS && first !== PLUS)

/** Non-zero if one of four bytes is a quote, comma or line break; may be a false positive. */
function findSpecial(word: number): number {
  const quote = word ^ 0x22222222
  const comma = word ^ 0x2c2c2c2c
  const cr = word ^ 0x0d0d0d0d
  const lf = word ^ 0x0a0a0a0a
  return (((quote - ONES) & ~quote) | ((comma - ONES) & ~comma) | ((cr - ONES) & ~cr) | ((lf - ONES) & ~lf)) & HIGHS
}

function makeRoom(out: Memory, end: number, size: number): Memory {
  if (end + size <= out.length) return out
  // Not from the buffer pool, since all of it is overwritten.
  const larger = Buffer.allocUnsafeSlow(Math.max(out.length * 2, end + size))
  out.copy(larger, 0, 0, end)
  return larger
}

const findCareAtEnds = (first = 0, last = 0): number =>
  ((CARE[first] as number) & AT_START) | ((CARE[last] as number) & AT_END)
