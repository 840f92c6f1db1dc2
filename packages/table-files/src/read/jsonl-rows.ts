import { FileFault, MAX_COLUMNS, MAX_FIELD_BYTES, MAX_RECORD_BYTES } from './byte-source.ts'
import { tooManyColumns } from './csv-rows.ts'
import { type FileRow, type OpenTable, SHOWN_RAW, shorten } from './dialect.ts'

interface Line {
  readonly number: number
  readonly text: string
}

/** JSON lines: one object in each line; nested values stay JSON. */
export async function openJsonl(utf8: () => AsyncIterable<Uint8Array>, known?: readonly string[]): Promise<OpenTable> {
  const headers = known ?? (await findKeys(utf8()))
  const positions = new Map(headers.map((header, at) => [header, at]))
  let done = 0
  return {
    headers,
    doneBytes: () => done,
    async *rows() {
      let row = 0
      for await (const { lines, bytes } of readLines(utf8())) {
        done += bytes
        const batch: FileRow[] = []
        for (const line of lines) {
          row += 1
          batch.push(toRow(line, row, positions))
        }
        yield batch
      }
    },
  }
}

async function findKeys(utf8: AsyncIterable<Uint8Array>): Promise<string[]> {
  const keys = new Set<string>()
  for await (const { lines } of readLines(utf8)) {
    for (const { text } of lines) {
      const value = parseObject(text)
      if (typeof value === 'string') continue
      for (const key of Object.keys(value)) keys.add(key)
      if (keys.size > MAX_COLUMNS) throw tooManyColumns(keys.size)
    }
  }
  if (keys.size === 0) throw new FileFault('No line of the file is a JSON object.')
  return [...keys]
}

async function* readLines(utf8: AsyncIterable<Uint8Array>): AsyncGenerator<{ lines: Line[]; bytes: number }> {
  let rest: Buffer[] = []
  let restBytes = 0
  let number = 0
  const take = (bytes: Buffer, lines: Line[]) => {
    number += 1
    const text = bytes.toString('utf8').trim()
    if (text !== '') lines.push({ number, text })
  }
  for await (const chunk of utf8) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const lines: Line[] = []
    let from = 0
    for (let end = buffer.indexOf(10); end >= 0; end = buffer.indexOf(10, from)) {
      const piece = buffer.subarray(from, end)
      take(restBytes > 0 ? Buffer.concat([...rest, piece]) : piece, lines)
      rest = []
      restBytes = 0
      from = end + 1
    }
    if (from < buffer.length) {
      rest.push(buffer.subarray(from))
      restBytes += buffer.length - from
      if (restBytes > MAX_RECORD_BYTES) throw new FileFault(`Line ${number + 1} is longer than 32 MB.`)
    }
    yield { lines, bytes: buffer.length }
  }
  const lines: Line[] = []
  if (restBytes > 0) take(Buffer.concat(rest), lines)
  if (lines.length > 0) yield { lines, bytes: 0 }
}

function toRow({ number, text }: Line, row: number, positions: ReadonlyMap<string, number>): FileRow {
  const fault = (reason: string, column: number | null = null): FileRow => ({
    row,
    line: number,
    cells: [],
    fault: { row, line: number, column, value: null, reason, raw: shorten(text, SHOWN_RAW).replaceAll('\0', '\u2400') },
  })
  const value = parseObject(text)
  if (typeof value === 'string') return fault(value)
  const cells: (string | null)[] = Array.from({ length: positions.size }, () => null)
  for (const [key, part] of Object.entries(value)) {
    const at = positions.get(key)
    if (at === undefined) return fault(`The row has a field "${shorten(key, 60)}" that the table does not have.`)
    const cell = toCell(part)
    if (cell?.includes('\0')) return fault('The value holds a zero byte.', at)
    if (cell !== null && cell.length > MAX_FIELD_BYTES) return fault('The value is longer than 16 MB.', at)
    cells[at] = cell
  }
  return { row, line: number, cells, fault: null }
}

type ExactJson = typeof JSON & { rawJSON(text: string): object }
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

/** Numbers keep their digits: as a JavaScript number a long id or an amount would become another one. */
const exactly: Reviver = (_key, value, context) =>
  typeof value === 'number' && context.source !== undefined ? (JSON as ExactJson).rawJSON(context.source) : value
const LONG_NUMBER = /\d{16}|\d[.eE]/

/** The object of a line, or why there is none. */
function parseObject(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = LONG_NUMBER.test(text) ? JSON.parse(text, exactly as never) : JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : 'The line is not a JSON object.'
  } catch {
    return 'The line is not valid JSON.'
  }
}

function toCell(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
