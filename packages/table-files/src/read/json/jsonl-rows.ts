import type { StartRow } from '../../detect/table-start.ts'
import { FileFault, MAX_COLUMNS, MAX_FIELD_BYTES } from '../byte-source.ts'
import { tooManyColumns } from '../csv-rows.ts'
import { countFields, countWrittenFields, findDuplicateField } from './json-duplicates.ts'
import { type JsonText as Line, readJsonTexts as readLines } from './json-texts.ts'
import { KIND, MARK, POINT_NUMBER, TEMPORAL } from '../../values/kinds.ts'
import { detectKinds } from '../../values/value-kinds.ts'
import { type FileRow, type OpenTable, SHOWN_RAW, shorten } from '../dialect.ts'

interface JsonOptions {
  readonly headers?: readonly string[]
  readonly hasHeader: boolean
}

/** JSON lines, concatenated objects, or a list; nested values stay JSON. */
export async function openJsonl(
  utf8: () => AsyncIterable<Uint8Array>,
  { headers: known, hasHeader }: JsonOptions,
): Promise<OpenTable> {
  const first = await readFirstValue(utf8())
  const isLists = Array.isArray(first)
  const headers = known ?? (isLists ? await findListHeaders(utf8(), hasHeader) : await findKeys(utf8()))
  const positions = isLists ? null : new Map(headers.map((header, at) => [header, at]))
  const shape = { width: headers.length, positions }
  let done = 0
  let duplicates = noDuplicates()
  return {
    headers,
    doneBytes: () => done,
    warnings: () => duplicateWarning(duplicates),
    async *rows() {
      let row = 0
      let isHeader = isLists && hasHeader
      duplicates = noDuplicates()
      for await (const { lines, bytes } of readLines(utf8())) {
        done += bytes
        const batch: FileRow[] = []
        for (const line of lines) {
          if (isHeader) {
            isHeader = false
            continue
          }
          row += 1
          batch.push(toRow(line, row, { ...shape, duplicates }))
        }
        yield batch
      }
    },
  }
}

interface Duplicates {
  rows: number
  example: string
}

const noDuplicates = (): Duplicates => ({ rows: 0, example: '' })

function recordDuplicates(duplicates: Duplicates, { text, number }: Line, value: unknown): void {
  if (countWrittenFields(text) === countFields(value)) return
  duplicates.rows += 1
  if (duplicates.rows > 1) return
  const duplicateField = findDuplicateField(text)
  if (duplicateField) {
    const { name, lost, kept } = duplicateField
    duplicates.example = `“${shorten(name, 60)}” in line ${number}: ${shorten(kept, 60)} is loaded, ${shorten(lost, 60)} is not`
  }
}

const duplicateWarning = ({ rows, example }: Duplicates): string[] =>
  rows === 0
    ? []
    : [
        `${rows === 1 ? 'One row has' : `${rows.toLocaleString('en')} rows have`} a field twice, such as ${example}. The last value counts.`,
      ]

async function readFirstValue(utf8: AsyncIterable<Uint8Array>): Promise<unknown> {
  for await (const { lines } of readLines(utf8)) {
    const [line] = lines
    if (line) return parseValue(line.text)
  }
  return undefined
}

async function findKeys(utf8: AsyncIterable<Uint8Array>): Promise<string[]> {
  const keys = new Set<string>()
  for await (const { lines } of readLines(utf8)) {
    for (const { text } of lines) {
      const value = parseValue(text)
      if (!isObject(value)) continue
      for (const key of Object.keys(value)) keys.add(key)
      if (keys.size > MAX_COLUMNS) throw tooManyColumns(keys.size)
    }
  }
  if (keys.size === 0)
    throw new FileFault(
      'Nothing in the file is a JSON object. Each row must be an object such as {"id": 1}, or a list such as [1, "Ada"].',
    )
  return [...keys]
}

export async function readListStart(utf8: AsyncIterable<Uint8Array>): Promise<StartRow[] | undefined> {
  const rows: StartRow[] = []
  for await (const { lines } of readLines(utf8)) {
    for (const { text, number } of lines) {
      const value = parseValue(text)
      if (rows.length === 0 && !Array.isArray(value)) return undefined
      if (!Array.isArray(value)) continue
      const cells = value.map((part) => toCell(part) ?? null)
      rows.push({
        line: number,
        cells,
        kinds: value.map((part, at) => toKinds(part, cells[at] ?? null)),
      })
      if (rows.length >= START_ROWS) return rows
    }
  }
  return rows.length > 0 ? rows : undefined
}

const START_ROWS = 200

async function findListHeaders(utf8: AsyncIterable<Uint8Array>, hasHeader: boolean): Promise<string[]> {
  const start = (await readListStart(utf8)) ?? []
  const width = Math.max(0, ...start.map(({ cells }) => cells.length))
  if (width === 0) throw new FileFault('The lists in the file are empty.')
  if (width > MAX_COLUMNS) throw tooManyColumns(width)
  return Array.from({ length: width }, (_, at) => (hasHeader ? (start[0]?.cells[at] ?? '') : `column_${at + 1}`))
}

interface RowShape {
  readonly width: number
  readonly positions: ReadonlyMap<string, number> | null
  readonly duplicates: Duplicates
}

function toRow(line: Line, row: number, { width, positions, duplicates }: RowShape): FileRow {
  const { number, text } = line
  const fault = (reason: string, column: number | null = null): FileRow => ({
    row,
    line: number,
    cells: [],
    fault: { row, line: number, column, value: null, reason, raw: shorten(text, SHOWN_RAW).replaceAll('\0', '\u2400') },
  })
  const value = parseValue(text)
  if (value === undefined) return fault('This is not valid JSON.')
  if (positions ? !isObject(value) : !Array.isArray(value))
    return fault(positions ? 'This is not a JSON object.' : 'This is not a list, as the first row is.')
  const cells: (string | null)[] = Array.from({ length: width }, () => null)
  const kinds: number[] = Array.from({ length: width }, () => 0)
  for (const [key, part] of Object.entries(value as object)) {
    const at = positions ? positions.get(key) : Number(key)
    if (at === undefined) return fault(`The row has a field "${shorten(key, 60)}" that the table does not have.`)
    if (at >= width) return fault(`The row has more values than the table has columns (${width}).`)
    const cell = toCell(part)
    if (cell === undefined) return fault('The value is nested too deeply.', at)
    if (cell?.includes('\0')) return fault('The value holds a zero byte.', at)
    if (cell !== null && cell.length > MAX_FIELD_BYTES) return fault('The value is longer than 16 MB.', at)
    cells[at] = cell
    kinds[at] = toKinds(part, cell)
  }
  recordDuplicates(duplicates, line, value)
  return { row, line: number, cells, kinds, fault: null }
}

type ExactJson = typeof JSON & { rawJSON(text: string): object }
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

/** Keeps the digits of long numbers. */
const keepExactNumbers: Reviver = (_key, value, context) =>
  typeof value === 'number' && context.source !== undefined ? (JSON as ExactJson).rawJSON(context.source) : value
const LONG_NUMBER = /\d{16}|\d[.eE]/

function parseValue(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) ? JSON.parse(text, keepExactNumbers as never) : JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const IN_STRINGS =
  TEMPORAL | KIND.time | KIND.uuid | MARK.rewritten | MARK.twoDigitYear | MARK.twoDates | MARK.capitals | MARK.unzoned

/** Strings of digits stay text; dates are recognised by their form. */
function toKinds(value: unknown, cell: string | null): number {
  if (cell === null) return 0
  if (typeof value === 'string') return detectKinds(cell) & IN_STRINGS
  if (typeof value === 'boolean') return KIND.boolean
  const isNumber = typeof value === 'number' || JSON_NUMBER.test(cell)
  if (!isNumber) return KIND.json
  const kinds = detectKinds(cell) & (POINT_NUMBER | MARK.exact | MARK.scientific | MARK.currency | MARK.rewritten)
  return kinds || KIND.decimal | MARK.scientific | (isFloat(cell) ? KIND.float : MARK.exact)
}

/** 1e400 and 1e-400 exceed a double. */
const isFloat = (cell: string) =>
  Number.isFinite(Number(cell)) && (Number(cell) !== 0 || !/[1-9]/.test(cell.split(/e/i)[0] ?? ''))

const JSON_NUMBER = /^-?\d[\d.eE+-]*$/

/** Undefined if nested deeper than the stack. */
function toCell(value: unknown): string | null | undefined {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
