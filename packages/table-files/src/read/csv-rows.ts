import { FileFault, MAX_COLUMNS, MAX_FIELD_BYTES, asBuffer } from './byte-source.ts'
import { type FileDialect, type FileRow, type RowFault, SHOWN_RAW, SHOWN_VALUE, shorten } from './dialect.ts'
import { type RawField, splitRecord } from './record-fields.ts'
import { type RecordView, type Separators, createRecordScanner } from './record-scanner.ts'
import { delimiterByte, toSeparators, swapSigns } from './separators.ts'

const LF = 10
const CR = 13

export async function* skipLines(bytes: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Buffer> {
  let left = count
  let hasReturn = false
  for await (const chunk of bytes) {
    let rest = asBuffer(chunk)
    // The LF of a CRLF split across chunks.
    if (hasReturn && rest[0] === LF) rest = rest.subarray(1)
    hasReturn = false
    while (left > 0 && rest.length > 0) {
      const at = rest.findIndex((byte) => byte === LF || byte === CR)
      if (at < 0) rest = rest.subarray(rest.length)
      else {
        const isPair = rest[at] === CR && rest[at + 1] === LF
        hasReturn = rest[at] === CR && at === rest.length - 1
        rest = rest.subarray(at + (isPair ? 2 : 1))
        left -= 1
      }
    }
    if (rest.length > 0) yield rest
  }
}

/** An empty line is a row only in a file of one column. */
const isBlank = (record: RecordView, columns: number): boolean =>
  (record.start === record.end && columns > 1) || (record.delimiters === 0 && isBlankText(record, columns))

const BLANKS = new Set([9, 32])
/** DOS end-of-file mark. */
const END_OF_FILE = 26

function isBlankText({ buffer, start, end }: RecordView, columns: number): boolean {
  if (end === start + 1 && buffer[start] === END_OF_FILE) return true
  if (columns < 2) return false
  for (let at = start; at < end; at += 1) if (!BLANKS.has(buffer[at] as number)) return false
  return true
}

const HASH = 35

/** `+----+-----+`, `|----|----:|` or `-----------`. */
export const isRule = (text: string): boolean => /^[-+=|: ]+$/.test(text) && text.includes('---')

const MAX_RULE_BYTES = 4096

function isRuleRecord({ buffer, start, end }: RecordView): boolean {
  return end - start <= MAX_RULE_BYTES && isRule(buffer.toString('latin1', start, end))
}

export function isNoRow(record: RecordView, { columns, dialect }: RowShape): boolean {
  if (isBlank(record, columns)) return true
  if (dialect.comment === '-' && isRuleRecord(record)) return true
  return dialect.comment === '#' && record.buffer[record.start] === HASH && record.delimiters + 1 !== columns
}

export const NOT_UTF8 = 'The row holds bytes that are not text in UTF-8.'

export interface RowShape {
  readonly columns: number
  readonly dialect: FileDialect
}

export function findFault(record: RecordView, { columns, dialect }: RowShape): string | undefined {
  if (record.isBroken) {
    const bytes = record.buffer.subarray(record.start, record.end)
    return bytes.includes(0) ? 'The row holds a zero byte.' : NOT_UTF8
  }
  const values = record.delimiters + 1
  if (values === columns) return undefined
  if (values < columns && dialect.fill_short_rows === true) return undefined
  if (values > columns && hasEmptyEnd(record, values - columns, dialect.delimiter)) return undefined
  return `The row has ${formatCount(values)} where ${columns} are expected.`
}

/** Trailing delimiters. */
function hasEmptyEnd({ buffer, start, end }: RecordView, extra: number, delimiter: string): boolean {
  const sign = delimiterByte(delimiter)
  for (let at = end - extra; at < end; at += 1) if (at < start || buffer[at] !== sign) return false
  return true
}

const formatCount = (values: number) => (values === 1 ? '1 value' : `${values} values`)

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
  readonly columns: number
}

export async function* readCsvRows(
  utf8: AsyncIterable<Uint8Array>,
  { dialect, columns }: CsvReading,
): AsyncGenerator<FileRow[]> {
  const separators = toSeparators(dialect)
  const tokens = new Set(listTokensInText(dialect))
  const shape = { columns, dialect }
  let batch: FileRow[] = []
  let row = 0
  let isHeader = dialect.has_header
  const scanner = createRecordScanner(separators, (record) => {
    if (isHeader) {
      isHeader = false
      return
    }
    if (isNoRow(record, shape)) return
    row += 1
    const line = record.line + dialect.skip_lines
    batch.push(toRow(record, { row, line, shape, separators, tokens }))
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

export function fitFields(fields: readonly RawField[], columns: number): readonly (RawField | undefined)[] {
  return fields.length === columns ? fields : Array.from({ length: columns }, (_, at) => fields[at])
}

/** MySQL's NULL, unambiguous in every column. */
export const NOTHING = String.raw`\N`

/** Null tokens of all columns; others apply to typed columns only. */
export const listTokensInText = ({ null_tokens, null_words_in_text }: FileDialect): readonly string[] =>
  null_words_in_text === false ? null_tokens.filter((token) => token === '' || token === NOTHING) : null_tokens

interface RowPosition {
  row: number
  line: number
  shape: RowShape
  separators: Separators
  tokens: ReadonlySet<string>
}

function toRow(record: RecordView, position: RowPosition): FileRow {
  const { row, line, shape, separators, tokens } = position
  const reason = findFault(record, shape)
  if (reason) {
    const fault = rowFault(record, row, { line, reason })
    const { swapped } = separators
    return {
      row,
      line,
      cells: [],
      fault: swapped === undefined ? fault : { ...fault, raw: swapSigns(fault.raw, swapped) },
    }
  }
  const fields = splitRecord(record, separators)
  const long = longField(record, fields)
  const cells = fitFields(fields, shape.columns).map((field) =>
    field === undefined || (!field.isQuoted && tokens.has(field.text)) ? null : field.text,
  )
  if (long < 0) return { row, line, cells, fault: null }
  const fault = {
    ...rowFault(record, row, { line, reason: 'The value is longer than 16 MB.' }),
    column: long,
    value: shorten(fields[long]?.text ?? '', SHOWN_VALUE),
  }
  return { row, line, cells, fault }
}

export async function readFirstRecord(
  utf8: AsyncIterable<Uint8Array>,
  dialect: FileDialect,
  { isCut = false }: { isCut?: boolean } = {},
): Promise<string[] | undefined> {
  const separators = toSeparators(dialect)
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
