import { type ByteSource, FileFault, MAX_COLUMNS, MAX_FIELD_BYTES } from './byte-source.ts'
import { tooManyColumns } from './csv-rows.ts'
import { type FileDialect, type FileRow, type OpenTable, SHOWN_RAW, shorten } from './dialect.ts'
import { type CellStyle, type CellValue, numberCell, readStyles } from './xlsx-cells.ts'
import {
  type Tag,
  type Workbook,
  decodeText,
  localName,
  openWorkbook,
  parsePart,
  readSharedTexts,
} from './xlsx-parts.ts'
import { type MergedCells, columnAt, createMergeFiller, readMergedCells } from './xlsx-merges.ts'
import { KIND } from '../values/kinds.ts'
import { detectKinds } from '../values/value-kinds.ts'

interface SheetRow {
  readonly line: number
  readonly isHidden: boolean
  readonly cells: (string | null)[]
  readonly kinds: number[]
}

/** Errors, and formulas without a calculated value. */
interface Errors {
  count: number
  example: string
  formulas: number
  formulaRow: number
}

const noErrors = (): Errors => ({ count: 0, example: '', formulas: 0, formulaRow: 0 })

export async function openSheet(
  source: ByteSource,
  dialect: FileDialect,
  headers?: readonly string[],
): Promise<OpenTable> {
  const book = await openWorkbook(source)
  const sheet = book.sheets.find(({ name }) => name === dialect.sheet) ?? book.sheets[0]
  if (!sheet) throw new FileFault('The workbook has no sheet with rows.')
  if (dialect.sheet !== null && sheet.name !== dialect.sheet)
    throw new FileFault(`The workbook has no sheet "${dialect.sheet}".`)
  const errors = noErrors()
  let hidden = 0
  const known = { book, texts: await readSharedTexts(book), styles: await readStyles(book), errors }
  let done = 0
  const read = () => readSheet(sheet.entry, known, (bytes) => (done += bytes))
  const start = await readStart(read(), dialect.skip_lines)
  const [first] = start
  if (!first) throw new FileFault('The sheet has no rows and no header.')
  const width = headers?.length ?? Math.max(...start.map(({ cells }) => cells.length))
  if (width > MAX_COLUMNS) throw tooManyColumns(width)
  done = 0
  const merges = dialect.fill_merged ? await readMergedCells(book, sheet.entry) : []
  let filler = createMergeFiller(merges)
  const share = source.size / Math.max(1, sheet.entry.uncompressedSize)
  const names = Array.from({ length: width }, (_, at) =>
    dialect.has_header ? (first.cells[at] ?? '') : `column_${at + 1}`,
  )
  return {
    headers: headers ?? names,
    doneBytes: () => Math.min(source.size, Math.round(done * share)),
    warnings: () => [
      ...errorWarning(errors),
      ...formulaWarning(errors),
      ...hiddenWarning(hidden),
      ...filler.warnings(),
    ],
    async *rows() {
      let row = 0
      hidden = 0
      Object.assign(errors, noErrors())
      filler = createMergeFiller(merges)
      for await (const lines of read()) {
        const data = lines.filter(({ line }) => line > first.line - (dialect.has_header ? 0 : 1))
        for (const entry of data) {
          filler.fill(entry)
          if (entry.isHidden) hidden += 1
        }
        yield data.map((entry) => toRow(entry, (row += 1), width))
      }
    },
  }
}

const errorWarning = ({ count, example }: Errors): string[] =>
  count === 0
    ? []
    : [
        `${count === 1 ? 'One cell holds an error' : `${count.toLocaleString('en')} cells hold errors`} such as ${example}; NULL is loaded instead.`,
      ]

const formulaWarning = ({ formulas, formulaRow }: Errors): string[] =>
  formulas === 0
    ? []
    : [
        `${formulas === 1 ? 'One cell holds a formula' : `${formulas.toLocaleString('en')} cells hold formulas`} without a result, the first in row ${formulaRow}; NULL is loaded instead. Open the file in a spreadsheet program and save it to calculate them.`,
      ]

/** Filters hide rows without removing them. */
const hiddenWarning = (rows: number): string[] =>
  rows === 0
    ? []
    : [
        `${rows === 1 ? 'One row is' : `${rows.toLocaleString('en')} rows are`} hidden in the sheet and loaded like the others.`,
      ]

function toRow({ line, cells, kinds }: SheetRow, row: number, width: number): FileRow {
  if (cells.length > width) {
    const reason = `The row has values behind the last column of the header (column ${cells.length} where ${width} are expected).`
    const raw = shorten(cells.map((cell) => cell ?? '').join(','), SHOWN_RAW)
    return { row, line, cells: [], fault: { row, line, column: null, value: null, reason, raw } }
  }
  while (cells.length < width) cells.push(null)
  return { row, line, cells, kinds, fault: null }
}

const START_ROWS = 200

async function readStart(rows: AsyncIterable<SheetRow[]>, skip: number): Promise<SheetRow[]> {
  const start: SheetRow[] = []
  for await (const batch of rows) {
    start.push(...batch.filter(({ line }) => line > skip))
    if (start.length >= START_ROWS) break
  }
  return start.slice(0, START_ROWS)
}

export interface SheetStart {
  readonly name: string
  readonly rows: readonly SheetRow[]
  readonly merges: readonly MergedCells[]
}

export const readSheetNames = async (source: ByteSource): Promise<string[]> =>
  (await openWorkbook(source)).sheets.map(({ name }) => name)

export async function readSheets(
  source: ByteSource,
  wanted: string | null | undefined,
): Promise<{ names: string[]; start: SheetStart | undefined }> {
  const book = await openWorkbook(source)
  const known = {
    book,
    texts: await readSharedTexts(book),
    styles: await readStyles(book),
    errors: noErrors(),
  }
  const names = book.sheets.map(({ name }) => name)
  const shownSheets = book.sheets.toSorted((a, b) => Number(a.isHidden) - Number(b.isHidden))
  for (const { name, entry } of shownSheets) {
    if (wanted !== null && wanted !== undefined && name !== wanted) continue
    const rows = await readStart(
      readSheet(entry, known, () => undefined),
      0,
    )
    if (rows.length > 0) return { names, start: { name, rows, merges: await readMergedCells(book, entry) } }
  }
  return { names, start: undefined }
}

interface WorkbookParts {
  readonly book: Workbook
  readonly texts: readonly string[]
  readonly styles: readonly CellStyle[]
  readonly errors: Errors
}

async function* readSheet(
  entry: Workbook['sheets'][number]['entry'],
  knownWorkbookParts: WorkbookParts,
  onBytes: (bytes: number) => void,
): AsyncGenerator<SheetRow[]> {
  let ready: SheetRow[] = []
  const reader = createCellReader(knownWorkbookParts, (row) => ready.push(row))
  for await (const bytes of parsePart(knownWorkbookParts.book.zip, entry, reader)) {
    onBytes(bytes)
    if (ready.length === 0) continue
    yield ready
    ready = []
  }
  if (ready.length > 0) yield ready
}

function createCellReader(knownWorkbookParts: WorkbookParts, give: (row: SheetRow) => void) {
  let line = 0
  let isHidden = false
  let cells: (string | null)[] = []
  let kinds: number[] = []
  let column = -1
  let type = ''
  let style = 0
  let text = ''
  let isValue = false
  let hasValue = false
  let hasFormula = false
  let hasLost = false
  let hasRows = false
  let isPhonetic = false

  function openCell(tag: Tag): void {
    column = parseColumn(tag.attributes['r']) ?? column + 1
    // A far reference would widen every row.
    if (column > 16_384) throw new FileFault('The sheet has a cell outside every sheet.')
    type = tag.attributes['t'] ?? 'n'
    style = Number(tag.attributes['s'] ?? 0)
    text = ''
    hasValue = false
    hasFormula = false
  }
  function closeCell(): void {
    if (hasFormula && text === '' && (type === 'n' || !hasValue)) countFormula()
    hasLost ||= hasValue && type === 'e'
    if (!hasValue) return
    const value = toCell(text, { type, style: knownWorkbookParts.styles[style] ?? 'number', known: knownWorkbookParts })
    if (value === null) return
    // One above the limit reveals excess columns without filling memory.
    const at = Math.min(column, MAX_COLUMNS)
    while (cells.length < at) {
      cells.push(null)
      kinds.push(0)
    }
    cells[at] = value.text
    kinds[at] = value.kinds
  }
  function countFormula(): void {
    hasLost = true
    knownWorkbookParts.errors.formulas += 1
    knownWorkbookParts.errors.formulaRow ||= line
  }
  return {
    open(tag: Tag): void {
      const name = localName(tag)
      hasFormula ||= name === 'f'
      if (name === 'row') {
        line = Number(tag.attributes['r'] ?? line + 1)
        isHidden = /^(?:1|true)$/.test(tag.attributes['hidden'] ?? '')
        cells = []
        kinds = []
        column = -1
        hasLost = false
      } else if (name === 'c') openCell(tag)
      // Skips phonetic hints.
      isPhonetic ||= name === 'rPh'
      isValue = (name === 'v' || name === 't') && !isPhonetic
      hasValue ||= isValue
    },
    text(piece: string): void {
      if (isValue) text += piece
      if (text.length > MAX_FIELD_BYTES) throw new FileFault(`A cell in row ${line} holds more than 16 MB of text.`)
    },
    close(tag: Tag): void {
      const name = localName(tag)
      isValue = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'c') closeCell()
      if (name !== 'row') return
      // A row with only an error counts, except above the table.
      if (!cells.some((cell) => cell !== null) && !(hasLost && hasRows)) return
      hasRows = true
      give({ line, isHidden, cells, kinds })
    },
  }
}

interface CellFacts {
  readonly type: string
  readonly style: CellStyle
  readonly known: WorkbookParts
}

const textCell = (text: string | undefined): CellValue | null => (text === undefined ? null : { text, kinds: 0 })

function toCell(text: string, { type, style, known }: CellFacts): CellValue | null {
  if (type === 's') return textCell(known.texts[Number(text)])
  if (type === 'b') return { text: text === '1' || text === 'true' ? 'true' : 'false', kinds: KIND.boolean }
  if (type === 'e') {
    known.errors.count += 1
    known.errors.example ||= text
    return null
  }
  if (type === 'd') return { text, kinds: detectKinds(text) }
  if (type !== 'n') return textCell(decodeText(text))
  return text === '' ? null : numberCell(text, style, known.book.is1904)
}

function parseColumn(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]+/.exec(reference ?? '')?.[0]
  return letters ? columnAt(letters.slice(0, 4)) : undefined
}
