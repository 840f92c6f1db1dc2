import { isUtf8Head, markedEncoding } from '../detect/encoding.ts'
import { assertTable } from '../detect/not-a-table.ts'
import { type StartRow, type TableStart, findTableStart } from '../detect/table-start.ts'
import { decideColumns } from './build-profile.ts'
import { type FileProfile, HEAD_BYTES, type InspectedFile, type ProfileOptions } from './file-profile.ts'
import { type Forecast, forecastCsv } from './forecast-csv.ts'
import { profileCsv } from './profile-csv.ts'
import { type RowCount, createRowTally } from './tally-file.ts'
import { warnTitle } from './warn-title.ts'
import { warnTotal } from './warn-total.ts'
import { type ByteSource, FileFault, readHead } from '../read/byte-source.ts'
import type { FileDialect } from '../read/dialect.ts'
import { toUtf8 } from '../read/encoding.ts'
import { findRecords, readRecords } from '../read/json/json-records.ts'
import { readListStart } from '../read/json/jsonl-rows.ts'
import { openRows } from '../read/open-rows.ts'
import { type FilePacking, detectPacking, unpack } from '../read/unpack.ts'
import { type SheetStart, readSheets } from '../read/xlsx-rows.ts'

export async function profileFile(source: ByteSource, options: ProfileOptions = {}): Promise<FileProfile> {
  const known = await inspectHead(source, options)
  const { format } = known
  return format === 'csv' ? await profileCsv(source, known) : await profileRows(source, { ...known, format })
}

/** Undefined if it is not a large CSV file or its beginning is ambiguous. */
export async function forecastFile(source: ByteSource, options: ProfileOptions = {}): Promise<Forecast | undefined> {
  const known = await inspectHead(source, options)
  return known.format === 'csv' && known.head.length === (options.headBytes ?? HEAD_BYTES)
    ? await forecastCsv(known)
    : undefined
}

async function inspectHead(
  source: ByteSource,
  options: ProfileOptions,
): Promise<InspectedFile & { readonly format: FileDialect['format'] }> {
  if (source.size === 0) throw new FileFault('The file is empty.')
  const packing = await detectPacking(source)
  const head = await readHead(unpack(source, packing), options.headBytes ?? HEAD_BYTES)
  if (packing === 'plain' || packing === 'gzip' || packing === 'zip') assertTable(head)
  const known = { ...options, given: options.given ?? {}, packing, head }
  return { ...known, format: known.given.format ?? guessFormat(packing, head, options.fileName) }
}

function guessFormat(packing: FilePacking, head: Buffer, fileName = ''): FileDialect['format'] {
  if (packing === 'xlsx' || packing === 'parquet') return packing
  if (isLikelyJson(head)) return 'jsonl'
  return /\.(?:jsonl|ndjson|json)(?:\.gz|\.zip)?$/i.test(fileName) ? 'jsonl' : 'csv'
}

const isLikelyJson = (head: Buffer) => {
  const text = head.toString('utf8', 0, 4096)
  return (
    /^(?:\ufeff)?\s*(?:(?:\[\s*)?\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})|\[\s*\[\s*["\d\]ntf-])/.test(text) ||
    isLinesOfLists(text)
  )
}

function isLinesOfLists(text: string): boolean {
  const [first = '', second = '', ...rest] = text.replace(/^\ufeff/, '').split(/\r?\n/)
  return rest.length > 0 && [first, second].every((line) => line.startsWith('[') && isJson(line))
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

interface InspectedFormat {
  readonly dialect: FileDialect
  readonly sheets: readonly string[]
  readonly start: TableStart | undefined
  readonly records?: string
  readonly names?: readonly string[]
}

async function inspectFormat(
  source: ByteSource,
  knownInspectedFile: InspectedFile,
  format: RowFormat,
): Promise<InspectedFormat> {
  const { given, head } = knownInspectedFile
  const plainFileDialect: FileDialect = {
    format,
    encoding: format === 'jsonl' ? detectEncoding(given, head) : 'utf-8',
    delimiter: ',',
    quote: '"',
    has_header: true,
    skip_lines: 0,
    null_tokens: [],
    decimal_comma: false,
    date_order: given.date_order ?? 'ymd',
    sheet: null,
  }
  if (format === 'jsonl') return await inspectJson(plainFileDialect, knownInspectedFile)
  if (format !== 'xlsx') return { dialect: plainFileDialect, sheets: [], start: undefined }
  const { names, start: sheet } = await readSheets(source, given.sheet)
  const start = sheet && findTableStart(afterSkip(sheet.rows, given), countColumns(sheet.rows))
  const dialect = toSheetDialect(plainFileDialect, given, { name: sheet?.name, start })
  const headerLine = dialect.skip_lines + (dialect.has_header ? 1 : 0)
  const hasMerged = sheet?.merges.some(({ from }) => from > headerLine) ?? false
  return {
    dialect: hasMerged ? { ...dialect, fill_merged: given.fill_merged ?? true } : dialect,
    sheets: names,
    start,
  }
}

/** API responses wrap rows in an object. */
async function inspectJson(
  plainFileDialect: FileDialect,
  { given, head, headBytes = HEAD_BYTES }: InspectedFile,
): Promise<InspectedFormat> {
  const utf8 = await readHead(toUtf8(once(head), plainFileDialect.encoding, { isCut: true }), HEAD_BYTES * 4)
  const records = findRecords(utf8, head.length === headBytes)
  const records_at = given.records_at ?? (records?.isLikely ? records.name : '')
  const dialect = records || given.records_at ? { ...plainFileDialect, records_at } : plainFileDialect
  const rows = await readListStart(records_at ? readRecords(once(utf8), records_at) : once(utf8))
  if (!rows) return { dialect, sheets: [], start: undefined, ...(records && { records: records.name }) }
  const width = countColumns(rows)
  const { hasHeader } = findTableStart(rows, width)
  const names = records_at !== '' && records?.columns?.length === width ? records.columns : undefined
  return {
    dialect: { ...dialect, has_header: given.has_header ?? (names ? false : hasHeader) },
    sheets: [],
    start: undefined,
    ...(records && { records: records.name }),
    ...(names && { names }),
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

type RowFormat = Exclude<FileDialect['format'], 'csv'>

/** Joined names are valid only at the detected start. */
function getNamesFrom(start: TableStart | undefined, given: Partial<FileDialect>, headers: readonly string[]) {
  const isFound = given.has_header !== false && given.skip_lines === undefined
  return isFound && start?.names?.length === headers.length ? start.names : headers
}

async function profileRows(source: ByteSource, known: InspectedFile & { format: RowFormat }): Promise<FileProfile> {
  const { packing, format, given } = known
  const { dialect, sheets, start, records, names } = await inspectFormat(source, known, format)
  const table = await openRows(source, { dialect, packing, ...(known.signal && { signal: known.signal }) })
  const headers = dialect.has_header
    ? getNamesFrom(start, given, table.headers)
    : (names ?? getNamesFrom(start, given, table.headers))
  const tally = createRowTally(dialect, headers, given.null_tokens !== undefined)
  for await (const batch of table.rows()) {
    known.signal?.throwIfAborted()
    for (const row of batch) tally.add(row)
    known.onProgress?.(Math.min(source.size, table.doneBytes()), tally.rows())
    if (known.maxRows !== undefined && tally.rows() >= known.maxRows) break
  }
  const tallied = tally.end()
  const settled = decideColumns(tallied, { dialect, given, ...(table.types && { types: table.types }) })
  const { rows, sample, broken, hasTokens, eol } = tallied
  return {
    dialect: settled.dialect,
    packing,
    columns: settled.columns,
    rows,
    sample,
    sheets,
    warnings: [
      ...(table.warnings?.() ?? []),
      ...warnBroken(broken),
      ...(start ? warnTitle(dialect, start, given) : []),
      ...settled.warnings,
      ...(format === 'xlsx' ? warnTotal(tallied) : []),
    ],
    reasons: [...explainSheet(dialect, start, sheets), ...explainRecords(dialect), ...settled.reasons],
    second_readings: [
      ...listOtherSheets(dialect, sheets),
      ...listOtherMerged(dialect),
      ...listOtherRecords(dialect, records),
      ...settled.seconds,
    ],
    eol,
    has_tokens: hasTokens,
  }
}

const warnBroken = ({ rows, line }: RowCount): string[] =>
  rows > 1
    ? [`${rows.toLocaleString('en')} rows can not be read, the first in line ${line}.`]
    : rows === 1
      ? [`One row can not be read (line ${line}).`]
      : []

const countColumns = (rows: readonly StartRow[]) => Math.max(1, ...rows.map(({ cells }) => cells.length))

const afterSkip = (rows: SheetStart['rows'], { skip_lines = 0 }: Partial<FileDialect>) =>
  rows.filter(({ line }) => line > skip_lines)

interface SheetFound {
  readonly name: string | undefined
  readonly start: TableStart | undefined
}

function toSheetDialect(
  plainFileDialect: FileDialect,
  given: Partial<FileDialect>,
  { name, start }: SheetFound,
): FileDialect {
  return {
    ...plainFileDialect,
    has_header: given.has_header ?? start?.hasHeader ?? true,
    skip_lines: given.skip_lines ?? start?.skip ?? 0,
    null_tokens: given.null_tokens ?? [''],
    null_words_in_text: given.null_words_in_text ?? given.null_tokens !== undefined,
    decimal_comma: given.decimal_comma ?? false,
    sheet: given.sheet ?? name ?? null,
  }
}

function explainSheet(
  { sheet, skip_lines, has_header }: FileDialect,
  start: TableStart | undefined,
  names: readonly string[],
): string[] {
  if (!start) return []
  const reasons =
    names.length > 1 ? [`The workbook has ${names.length} sheets; “${sheet}” is the first one with rows.`] : []
  if (skip_lines > 0) reasons.push(`The table begins in row ${skip_lines + 1}.`)
  if (start.names) reasons.push('The header takes two rows; the upper one groups columns of the lower one.')
  if (!has_header) reasons.push('The first row is data: its values are of the same kind as those below.')
  return reasons
}

const explainRecords = ({ records_at }: FileDialect): string[] =>
  records_at ? [`The rows are the list “${records_at}” of the file’s object; its other fields are not loaded.`] : []

const listOtherRecords = ({ records_at }: FileDialect, name: string | undefined) =>
  name === undefined
    ? []
    : [
        records_at
          ? { label: 'The whole object as one row', dialect: { records_at: '' } }
          : { label: `Rows from the list “${name}”`, dialect: { records_at: name } },
      ]

const listOtherMerged = ({ fill_merged }: FileDialect) =>
  fill_merged === undefined
    ? []
    : [
        {
          label: fill_merged ? 'Merged cells in their first row only' : 'Merged cells repeated in each of their rows',
          dialect: { fill_merged: !fill_merged },
        },
      ]

const MAX_OTHER_SHEETS = 3

const listOtherSheets = ({ sheet }: FileDialect, names: readonly string[]) =>
  names
    .filter((name) => name !== sheet)
    .slice(0, MAX_OTHER_SHEETS)
    .map((name) => ({ label: `Sheet ${name}`, dialect: { sheet: name } }))

const detectEncoding = (given: Partial<FileDialect>, head: Buffer) =>
  given.encoding ?? markedEncoding(head) ?? (isUtf8Head(head) ? 'utf-8' : 'windows-1252')
