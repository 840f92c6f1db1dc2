import { FileFault, MAX_COLUMNS, MAX_FIELD_BYTES } from './byte-source.ts'
import { tooManyColumns } from './csv-rows.ts'
import { type JsonText as Line, readJsonTexts as readLines } from './json-texts.ts'
import { KIND, MARK, POINT_NUMBER, TEMPORAL } from '../values/kinds.ts'
import { kindsOf } from '../values/value-kinds.ts'
import { type FileRow, type OpenTable, SHOWN_RAW, shorten } from './dialect.ts'

/** JSON lines, objects one behind the other, or a list of them; nested values stay JSON. */
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
  if (keys.size === 0) throw new FileFault('Nothing in the file is a JSON object.')
  return [...keys]
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
  const kinds: number[] = Array.from({ length: positions.size }, () => 0)
  for (const [key, part] of Object.entries(value)) {
    const at = positions.get(key)
    if (at === undefined) return fault(`The row has a field "${shorten(key, 60)}" that the table does not have.`)
    const cell = toCell(part)
    if (cell?.includes('\0')) return fault('The value holds a zero byte.', at)
    if (cell !== null && cell.length > MAX_FIELD_BYTES) return fault('The value is longer than 16 MB.', at)
    cells[at] = cell
    if (cell !== null) kinds[at] = toKinds(part, cell)
  }
  return { row, line: number, cells, kinds, fault: null }
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
    return isObject ? (value as Record<string, unknown>) : 'This is not a JSON object.'
  } catch {
    return 'This is not valid JSON.'
  }
}

const IN_STRINGS = TEMPORAL | KIND.time | KIND.uuid | MARK.rewritten | MARK.twoDigitYear | MARK.capitals | MARK.unzoned

/** JSON tells numbers from text: digits in quotes stay text. It has no dates, so those are known by how they look. */
function toKinds(value: unknown, cell: string): number {
  if (typeof value === 'string') return kindsOf(cell) & IN_STRINGS
  if (typeof value === 'boolean') return KIND.boolean
  const isNumber = typeof value === 'number' || JSON_NUMBER.test(cell)
  if (!isNumber) return KIND.json
  const kinds = kindsOf(cell) & (POINT_NUMBER | MARK.exact | MARK.scientific)
  return kinds || KIND.decimal | MARK.scientific | (isFloat(cell) ? KIND.float : MARK.exact)
}

/** 1e400 and 1e-400 are beyond what a floating number can be. */
const isFloat = (cell: string) =>
  Number.isFinite(Number(cell)) && (Number(cell) !== 0 || !/[1-9]/.test(cell.split(/e/i)[0] ?? ''))

const JSON_NUMBER = /^-?\d[\d.eE+-]*$/

function toCell(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
