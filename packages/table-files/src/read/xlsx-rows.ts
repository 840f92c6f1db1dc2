import { type ByteSource, FileFault, MAX_COLUMNS, MAX_FIELD_BYTES } from './byte-source.ts'
import { tooManyColumns } from './csv-rows.ts'
import { type FileDialect, type FileRow, type OpenTable, SHOWN_RAW, shorten } from './dialect.ts'
import {
  type Tag,
  type Workbook,
  localName,
  momentOf,
  openWorkbook,
  parsePart,
  readDateStyles,
  readSharedTexts,
} from './xlsx-parts.ts'

export async function sheetsOf(source: ByteSource): Promise<string[]> {
  return (await openWorkbook(source)).sheets.map((sheet) => sheet.name)
}

interface SheetRow {
  readonly line: number
  readonly cells: (string | null)[]
}

/** One sheet of a workbook: values as last calculated, dates by their style, empty rows left out. */
export async function openSheet(source: ByteSource, dialect: FileDialect): Promise<OpenTable> {
  const book = await openWorkbook(source)
  const sheet = book.sheets.find(({ name }) => name === dialect.sheet) ?? book.sheets[0]
  if (!sheet) throw new FileFault('The workbook has no sheet with rows.')
  if (dialect.sheet !== null && sheet.name !== dialect.sheet)
    throw new FileFault(`The workbook has no sheet "${dialect.sheet}".`)
  const known = { book, texts: await readSharedTexts(book), dates: await readDateStyles(book) }
  let done = 0
  const read = () => readSheet(sheet.entry, known, (bytes) => (done += bytes))
  const first = await firstRow(read(), dialect.skip_lines)
  if (!first) throw new FileFault('The sheet has no rows and no header.')
  const width = first.cells.length
  if (width > MAX_COLUMNS) throw tooManyColumns(width)
  done = 0
  const share = source.size / Math.max(1, sheet.entry.uncompressedSize)
  return {
    headers: first.cells.map((cell, at) => (dialect.has_header ? (cell ?? '') : `column_${at + 1}`)),
    doneBytes: () => Math.min(source.size, Math.round(done * share)),
    async *rows() {
      let row = 0
      for await (const lines of read()) {
        const data = lines.filter(({ line }) => line > first.line - (dialect.has_header ? 0 : 1))
        yield data.map((entry) => toRow(entry, (row += 1), width))
      }
    },
  }
}

function toRow({ line, cells }: SheetRow, row: number, width: number): FileRow {
  if (cells.length > width) {
    const reason = `The row has values behind the last column of the header (column ${cells.length} where ${width} are expected).`
    const raw = shorten(cells.map((cell) => cell ?? '').join(','), SHOWN_RAW)
    return { row, line, cells: [], fault: { row, line, column: null, value: null, reason, raw } }
  }
  while (cells.length < width) cells.push(null)
  return { row, line, cells, fault: null }
}

async function firstRow(rows: AsyncIterable<SheetRow[]>, skip: number): Promise<SheetRow | undefined> {
  for await (const batch of rows) {
    const found = batch.find(({ line }) => line > skip)
    if (found) return found
  }
  return undefined
}

interface Known {
  readonly book: Workbook
  readonly texts: readonly string[]
  readonly dates: readonly boolean[]
}

async function* readSheet(
  entry: Workbook['sheets'][number]['entry'],
  known: Known,
  onBytes: (bytes: number) => void,
): AsyncGenerator<SheetRow[]> {
  let ready: SheetRow[] = []
  const reader = createCellReader(known, (row) => ready.push(row))
  for await (const bytes of parsePart(known.book.zip, entry, reader)) {
    onBytes(bytes)
    if (ready.length === 0) continue
    yield ready
    ready = []
  }
  if (ready.length > 0) yield ready
}

function createCellReader(known: Known, give: (row: SheetRow) => void) {
  let line = 0
  let cells: (string | null)[] = []
  let column = -1
  let type = ''
  let style = 0
  let text = ''
  let isValue = false
  let hasValue = false

  function openCell(tag: Tag): void {
    column = columnOf(tag.attributes['r']) ?? column + 1
    // A reference far to the right would make every row as wide as it.
    if (column > 16_384) throw new FileFault('The sheet has a cell outside every sheet.')
    type = tag.attributes['t'] ?? 'n'
    style = Number(tag.attributes['s'] ?? 0)
    text = ''
    hasValue = false
  }
  function closeCell(): void {
    if (!hasValue) return
    const value = valueOf(text, { type, isDate: known.dates[style] === true, known })
    if (value === null) return
    // One more than can be loaded tells that there are too many; a reference far to the right would fill memory instead.
    const at = Math.min(column, MAX_COLUMNS)
    while (cells.length < at) cells.push(null)
    cells[at] = value
  }
  return {
    open(tag: Tag): void {
      const name = localName(tag)
      if (name === 'row') {
        line = Number(tag.attributes['r'] ?? line + 1)
        cells = []
        column = -1
      } else if (name === 'c') openCell(tag)
      isValue = name === 'v' || name === 't'
      hasValue ||= isValue
    },
    text(piece: string): void {
      if (isValue) text += piece
      if (text.length > MAX_FIELD_BYTES) throw new FileFault(`A cell in row ${line} holds more than 16 MB of text.`)
    },
    close(tag: Tag): void {
      const name = localName(tag)
      isValue = false
      if (name === 'c') closeCell()
      if (name === 'row' && cells.some((cell) => cell !== null)) give({ line, cells })
    },
  }
}

function valueOf(text: string, about: { type: string; isDate: boolean; known: Known }): string | null {
  const { type, isDate, known } = about
  if (type === 's') return known.texts[Number(text)] ?? null
  if (type === 'b') return text === '1' ? 'true' : 'false'
  if (type !== 'n') return text
  if (text === '') return null
  const number = Number(text)
  if (isDate) return momentOf(number, known.book.is1904)
  // Workbooks write 0.1 as 0.10000000000000001.
  return Number.isSafeInteger(number) || /[.eE]/.test(text) ? String(number) : text
}

function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]+/.exec(reference ?? '')?.[0]
  if (!letters) return undefined
  let column = 0
  for (const letter of letters.slice(0, 4)) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
