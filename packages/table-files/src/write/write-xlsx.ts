import { Readable } from 'node:stream'
import yazl from 'yazl'
import { type ColumnKind, type FileColumn, type FileRow, FormatLimit, type TableStream } from './table-stream.ts'
import {
  CONTENT_TYPES,
  MOMENT_STYLES,
  ROOT_RELATIONS,
  STYLES,
  escapeXml,
  toSerialDate,
  renderWorkbook,
  workbookRelations,
} from './xlsx-parts.ts'

const SHEET_ROWS = 1_048_576
const CELL_CHARACTERS = 32_767
const CHUNK_CHARACTERS = 64 * 1024

/** Everything but numbers and dates is text, so that no cell is a formula. */
export async function* writeXlsx(table: TableStream): AsyncGenerator<Uint8Array, number, undefined> {
  const zip = new yazl.ZipFile()
  const rows = toFileRows(table.batches)
  const state = { written: 0, sheets: 0, isDone: false, next: undefined as FileRow | undefined }
  let sheet: Readable | undefined
  const output = zip.outputStream as Readable
  const fail = (error: unknown) => output.destroy(error as Error)
  zip.on('error', fail)
  const addSheet = () => {
    state.sheets += 1
    sheet = Readable.from(renderSheet(table.columns, rows, state), { highWaterMark: 4 })
    // The zip library does not forward errors; unhandled they would crash the process.
    sheet.on('error', fail)
    sheet.once('end', () => (state.isDone ? finish(zip, state.sheets) : addSheet()))
    zip.addReadStream(sheet, `xl/worksheets/sheet${state.sheets}.xml`)
  }
  try {
    addSheet()
    for await (const chunk of output) yield chunk as Uint8Array
    return state.written
  } finally {
    sheet?.destroy()
    await rows.return(undefined)
  }
}

function finish(zip: yazl.ZipFile, sheets: number): void {
  zip.addBuffer(Buffer.from(renderWorkbook(sheets)), 'xl/workbook.xml')
  zip.addBuffer(Buffer.from(workbookRelations(sheets)), 'xl/_rels/workbook.xml.rels')
  zip.addBuffer(Buffer.from(STYLES), 'xl/styles.xml')
  zip.addBuffer(Buffer.from(ROOT_RELATIONS), '_rels/.rels')
  zip.addBuffer(Buffer.from(CONTENT_TYPES(sheets)), '[Content_Types].xml')
  zip.end()
}

async function* toFileRows(batches: TableStream['batches']): AsyncGenerator<FileRow, void, undefined> {
  for await (const batch of batches) yield* batch
}

interface Progress {
  written: number
  isDone: boolean
  /** Read ahead, to know whether another sheet is needed. */
  next: FileRow | undefined
}

async function* renderSheet(
  columns: readonly FileColumn[],
  rows: AsyncGenerator<FileRow, void, undefined>,
  progress: Progress,
): AsyncGenerator<Buffer> {
  let text = HEAD + rowXml(columns.map((column) => textCell(column.name, column, 0)))
  for (let line = 1; ; line += 1) {
    const row = progress.next ?? (await rows.next()).value
    progress.next = undefined
    if (!row) progress.isDone = true
    else if (line === SHEET_ROWS) progress.next = row
    if (!row || line === SHEET_ROWS) break
    progress.written += 1
    text += rowXml(columns.map((column, at) => renderCell(row[at] ?? null, column, progress.written)))
    if (text.length > CHUNK_CHARACTERS) {
      yield Buffer.from(text)
      text = ''
    }
  }
  yield Buffer.from(`${text}</sheetData></worksheet>`)
}

const HEAD =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'

const rowXml = (cells: string[]) => `<row>${cells.join('')}</row>`

const NUMBERS = new Set<ColumnKind['kind']>(['int32', 'int64', 'float32', 'float64', 'decimal'])

function renderCell(value: string | null, column: FileColumn, row: number): string {
  if (value === null) return '<c/>'
  if (column.type.kind === 'boolean') return `<c t="b"><v>${value === 't' || value === 'true' ? 1 : 0}</v></c>`
  if (NUMBERS.has(column.type.kind) && isExactNumber(value)) return `<c><v>${value}</v></c>`
  return momentCell(value, column.type.kind) ?? textCell(value, column, row)
}

/** Dates outside the spreadsheet calendar stay text. */
function momentCell(value: string, kind: ColumnKind['kind']): string | undefined {
  if (!(kind in MOMENT_STYLES)) return undefined
  const serial = toSerialDate(value)
  return serial === undefined
    ? undefined
    : `<c s="${MOMENT_STYLES[kind as keyof typeof MOMENT_STYLES]}"><v>${serial}</v></c>`
}

/** Spreadsheets keep 15 digits; longer numbers stay text. */
function isExactNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && text.replaceAll(/e.*$|[^\d]|^-?0+(?=\d)/gi, '').length <= 15
}

function textCell(value: string, column: FileColumn, row: number): string {
  if (value.length > CELL_CHARACTERS) {
    const where = `Row ${row.toLocaleString('en')}, column "${column.name}"`
    throw new FormatLimit(
      `${where} has ${value.length.toLocaleString('en')} characters; a spreadsheet cell takes 32,767. Export as CSV instead.`,
    )
  }
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`
}
