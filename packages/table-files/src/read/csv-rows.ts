import { FileFault, MAX_COLUMNS, MAX_FIELD_BYTES, asBuffer } from './byte-source.ts'
import { type FileDialect, type FileRow, type RowFault, SHOWN_RAW, SHOWN_VALUE, shorten } from './dialect.ts'
import { type RawField, splitRecord } from './record-fields.ts'
import { type RecordView, type Separators, createRecordScanner } from './record-scanner.ts'

export function separatorsOf(dialect: Pick<FileDialect, 'delimiter' | 'quote' | 'escape'>): Separators {
  const { delimiter, quote, escape } = dialect
  if (!isSign(delimiter)) throw new FileFault('The delimiter must be a single plain character.')
  if (quote !== '' && !isSign(quote)) throw new FileFault('The quote must be a single plain character.')
  if (delimiter === quote) throw new FileFault('Delimiter and quote must not be the same.')
  return {
    delimiter: delimiter.charCodeAt(0),
    quote: quote === '' ? -1 : quote.charCodeAt(0),
    escape: escape ? escape.charCodeAt(0) : -1,
  }
}

const isSign = (sign: string) => sign.length === 1 && sign.charCodeAt(0) < 128 && !/[\0\r\n\\]/.test(sign)

/** Leaves out lines before the table. Quotes mean nothing there. */
export async function* skipLines(bytes: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Buffer> {
  let left = count
  for await (const chunk of bytes) {
    let rest = asBuffer(chunk)
    while (left > 0 && rest.length > 0) {
      const end = rest.indexOf(10)
      rest = end < 0 ? rest.subarray(rest.length) : rest.subarray(end + 1)
      if (end >= 0) left -= 1
    }
    if (rest.length > 0) yield rest
  }
}

/** A line without anything is no row, unless rows have one value only: then it is an empty one. */
export const isBlank = (record: RecordView, columns: number): boolean => record.start === record.end && columns > 1

export const NOT_UTF8 = 'The row holds bytes that are not text in UTF-8.'

/** Why a record can not be a row, if it can not. */
export function faultOf(record: RecordView, columns: number): string | undefined {
  if (record.isBroken) {
    const bytes = record.buffer.subarray(record.start, record.end)
    return bytes.includes(0) ? 'The row holds a zero byte.' : NOT_UTF8
  }
  const values = record.delimiters + 1
  if (values !== columns) return `The row has ${countOf(values)} where ${columns} are expected.`
  return undefined
}

const countOf = (values: number) => (values === 1 ? '1 value' : `${values} values`)

export function longField(record: RecordView, fields: readonly RawField[]): number {
  if (record.end - record.start <= MAX_FIELD_BYTES) return -1
  return fields.findIndex((field) => Buffer.byteLength(field.text) > MAX_FIELD_BYTES)
}

export function rowFault(record: RecordView, row: number, about: { line: number; reason: string }): RowFault {
  const raw = record.buffer.toString('utf8', record.start, Math.min(record.end, record.start + SHOWN_RAW))
  return { row, line: about.line, column: null, value: null, reason: about.reason, raw: raw.replaceAll('\0', '\u2400') }
}

export interface CsvReading {
  readonly dialect: FileDialect
  /** Values in a row; the header's when there is one, else the first row's. */
  readonly columns: number
}

/** The rows of a CSV file, some at a time. `utf8` begins at the first line of the file. */
export async function* readCsvRows(
  utf8: AsyncIterable<Uint8Array>,
  { dialect, columns }: CsvReading,
): AsyncGenerator<FileRow[]> {
  const separators = separatorsOf(dialect)
  const tokens = new Set(dialect.null_tokens)
  let batch: FileRow[] = []
  let row = 0
  let isHeader = dialect.has_header
  const scanner = createRecordScanner(separators, (record) => {
    if (isHeader) {
      isHeader = false
      return
    }
    if (isBlank(record, columns)) return
    row += 1
    const line = record.line + dialect.skip_lines
    batch.push(toRow(record, { row, line, columns, separators, tokens }))
  })
  for await (const chunk of skipLines(utf8, dialect.skip_lines)) {
    scanner.push(chunk)
    if (batch.length === 0) continue
    yield batch
    batch = []
  }
  scanner.end()
  if (batch.length > 0) yield batch
}

interface RowPlace {
  row: number
  line: number
  columns: number
  separators: Separators
  tokens: ReadonlySet<string>
}

function toRow(record: RecordView, place: RowPlace): FileRow {
  const { row, line, columns, separators, tokens } = place
  const reason = faultOf(record, columns)
  if (reason) return { row, line, cells: [], fault: rowFault(record, row, { line, reason }) }
  const fields = splitRecord(record, separators)
  const long = longField(record, fields)
  const cells = fields.map((field) => (!field.isQuoted && tokens.has(field.text) ? null : field.text))
  if (long < 0) return { row, line, cells, fault: null }
  const fault = {
    ...rowFault(record, row, { line, reason: 'The value is longer than 16 MB.' }),
    column: long,
    value: shorten(fields[long]?.text ?? '', SHOWN_VALUE),
  }
  return { row, line, cells, fault }
}

/** The first record behind the lines that are left out. */
export async function readFirstRecord(
  utf8: AsyncIterable<Uint8Array>,
  dialect: FileDialect,
  { isCut = false }: { isCut?: boolean } = {},
): Promise<string[] | undefined> {
  const separators = separatorsOf(dialect)
  let first: string[] | undefined
  const scanner = createRecordScanner(separators, (record) => {
    if (first) return
    if (record.delimiters >= MAX_COLUMNS) throw tooManyColumns(record.delimiters + 1)
    first = splitRecord(record, separators).map((field) => field.text)
  })
  for await (const chunk of skipLines(utf8, dialect.skip_lines)) {
    scanner.push(chunk)
    if (first) return first
  }
  if (!isCut) scanner.end()
  return first
}

export const tooManyColumns = (count: number) =>
  new FileFault(
    `The file has ${count} columns; a table can have at most ${MAX_COLUMNS}. Split it, or keep some columns as JSON.`,
  )
