import { type ByteSource, FileFault, readHead } from './byte-source.ts'
import { type ColumnProfile, findDateOrder, profileOf } from './column-profile.ts'
import type { CopyFormat } from './csv-blocks.ts'
import { sniffCsv } from './csv-dialect.ts'
import { readFirstRecord, skipLines } from './csv-rows.ts'
import type { FileDialect } from './dialect.ts'
import { detectEncoding, toUtf8 } from './encoding.ts'
import { openRows } from './open-rows.ts'
import { type Tallied, createCsvTally, createRowTally } from './tally-file.ts'
import { type Packing, detectPacking, unpack } from './unpack.ts'
import { sheetsOf } from './xlsx-rows.ts'

/** What reading a whole file found. */
export interface FileProfile {
  readonly dialect: FileDialect
  readonly packing: Packing
  readonly columns: readonly ColumnProfile[]
  readonly rows: number
  readonly sample: readonly (readonly (string | null)[])[]
  readonly sheets: readonly string[]
  readonly warnings: readonly string[]
  readonly eol: CopyFormat['eol']
  /** A word for nothing, other than the empty one, stands somewhere. */
  readonly has_tokens: boolean
}

export interface ProfileOptions {
  readonly given?: Partial<FileDialect>
  readonly fileName?: string
  /** A large CSV file is judged by its beginning. */
  readonly isHeadOnly?: boolean
  readonly onProgress?: (bytes: number, rows: number) => void
  readonly signal?: AbortSignal
}

const HEAD_BYTES = 256 * 1024

export async function profileFile(source: ByteSource, options: ProfileOptions = {}): Promise<FileProfile> {
  if (source.size === 0) throw new FileFault('The file is empty.')
  const packing = await detectPacking(source)
  const head = await readHead(unpack(source, packing), HEAD_BYTES)
  const format = options.given?.format ?? guessFormat(packing, head, options.fileName)
  if (format === 'csv') return await profileCsv(source, { ...options, packing, head })
  return await profileRows(source, { ...options, packing, format, head })
}

function guessFormat(packing: Packing, head: Buffer, fileName = ''): FileDialect['format'] {
  if (packing === 'xlsx' || packing === 'parquet') return packing
  const isNamedJson = /\.(?:jsonl|ndjson|json)(?:\.gz|\.zip)?$/i.test(fileName)
  const firstLine = head.toString('utf8').trimStart().split('\n', 1)[0] ?? ''
  return isNamedJson || (firstLine.startsWith('{"') && firstLine.trimEnd().endsWith('}')) ? 'jsonl' : 'csv'
}

interface Known extends ProfileOptions {
  readonly packing: Packing
  readonly head: Buffer
}

async function profileCsv(source: ByteSource, known: Known): Promise<FileProfile> {
  const { packing, head, given = {} } = known
  const encoding = given.encoding ?? detectEncoding(head)
  if (encoding === 'utf-8' || encoding === 'windows-1252') assertText(head)
  const text = await readHead(toUtf8(once(head), encoding === 'utf-8' ? 'utf-8' : encoding), HEAD_BYTES * 4)
  const dialect = { ...sniffCsv(text, given), encoding }
  const isCut = known.isHeadOnly === true && head.length === HEAD_BYTES
  const utf8 = () => (isCut ? once(text) : toUtf8(unpack(source, packing), encoding))
  const tallied = await tallyCsv(utf8, dialect, { ...known, isCut })
  // Not even one whole row in the sample.
  if (!tallied) return await profileCsv(source, { ...known, isHeadOnly: false })
  // Bytes behind the sample may show that the file was not UTF-8 after all.
  if (tallied.brokenRows > 0 && encoding === 'utf-8' && given.encoding === undefined && tallied.hasForeignBytes) {
    return await profileCsv(source, { ...known, given: { ...given, encoding: 'windows-1252' } })
  }
  return finish(tallied, { dialect, packing, sheets: [], given })
}

/** Programs, pictures and archives of other kinds are full of zero bytes; text in these encodings has none to speak of. */
function assertText(head: Buffer): void {
  let zeros = 0
  for (let at = head.indexOf(0); at >= 0; at = head.indexOf(0, at + 1)) zeros += 1
  if (zeros > 8 && zeros > head.length / 100) {
    throw new FileFault('This is not a table as text. Send CSV, JSON lines, XLSX or Parquet.')
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  // A character cut by the end of the sample would look like a wrong encoding.
  yield bytes.subarray(0, bytes.length - (bytes.length === HEAD_BYTES ? HEAD_BYTES % 2 : 0))
}

/** Counts bytes as they are read, and stops when told. */
async function* watched(bytes: AsyncIterable<Uint8Array>, options: ProfileOptions, rows: () => number) {
  let done = 0
  for await (const chunk of bytes) {
    options.signal?.throwIfAborted()
    yield chunk
    done += chunk.length
    options.onProgress?.(done, rows())
  }
}

async function tallyCsv(
  utf8: () => AsyncIterable<Uint8Array>,
  dialect: FileDialect,
  known: Known & { isCut: boolean },
): Promise<Tallied | undefined> {
  const first = await readFirstRecord(utf8(), dialect, known)
  if (!first && known.isCut) return undefined
  if (!first) throw new FileFault('The file has no rows and no header.')
  const tally = createCsvTally(dialect, first)
  const bytes = watched(utf8(), known, tally.rows)
  for await (const chunk of skipLines(bytes, dialect.skip_lines)) tally.push(chunk)
  return tally.end(known)
}

async function profileRows(
  source: ByteSource,
  known: Known & { format: Exclude<FileDialect['format'], 'csv'> },
): Promise<FileProfile> {
  const { packing, format, given = {}, head } = known
  const sheets = format === 'xlsx' ? await sheetsOf(source) : []
  const plain: FileDialect = {
    format,
    encoding: 'utf-8',
    delimiter: ',',
    quote: '"',
    has_header: true,
    skip_lines: 0,
    null_tokens: [],
    decimal_comma: false,
    date_order: given.date_order ?? 'ymd',
    sheet: null,
  }
  const dialect =
    format === 'xlsx' ? ofSheet(plain, given, sheets) : { ...plain, encoding: encodingOf(format, given, head) }
  const table = await openRows(source, { dialect, packing, ...(known.signal && { signal: known.signal }) })
  const tally = createRowTally(dialect, table.headers)
  for await (const batch of table.rows()) {
    known.signal?.throwIfAborted()
    for (const row of batch) tally.add(row)
    known.onProgress?.(Math.min(source.size, table.doneBytes()), tally.rows())
  }
  return finish(tally.end(), { dialect, packing, sheets, given })
}

function ofSheet(plain: FileDialect, given: Partial<FileDialect>, sheets: readonly string[]): FileDialect {
  return {
    ...plain,
    has_header: given.has_header ?? true,
    skip_lines: given.skip_lines ?? 0,
    null_tokens: given.null_tokens ?? [''],
    decimal_comma: given.decimal_comma ?? false,
    sheet: given.sheet ?? sheets[0] ?? null,
  }
}

const encodingOf = (format: FileDialect['format'], given: Partial<FileDialect>, head: Buffer) =>
  format === 'jsonl' ? (given.encoding ?? detectEncoding(head)) : 'utf-8'

interface Finish {
  readonly dialect: FileDialect
  readonly packing: Packing
  readonly sheets: readonly string[]
  readonly given: Partial<FileDialect>
}

function finish(tallied: Tallied, { dialect, packing, sheets, given }: Finish): FileProfile {
  const found = findDateOrder(tallied.tallies)
  const order = given.date_order ?? found?.order ?? 'ymd'
  const warnings: string[] = []
  if (found?.isAmbiguous && given.date_order === undefined) {
    warnings.push(
      'Dates such as 03/04/2024 can be read in two ways. They are read day first; choose the other order if that is wrong.',
    )
  }
  if (tallied.brokenRows > 0) {
    const count = tallied.brokenRows.toLocaleString('en')
    warnings.push(
      tallied.brokenRows === 1 ? 'One row does not fit the header.' : `${count} rows do not fit the header.`,
    )
  }
  if (dialect.encoding === 'windows-1252' && given.encoding === undefined) {
    warnings.push('The text is not UTF-8; it is read as Windows-1252. If letters look wrong, choose another encoding.')
  }
  const columns = tallied.tallies.map((tally, at) => profileOf(tallied.headers[at] ?? '', tally, order))
  for (const [at, column] of columns.entries())
    warnings.push(...misfitWarning(column, tallied.tallies[at]?.misfits ?? 0))
  return {
    dialect: { ...dialect, date_order: order },
    packing,
    columns,
    rows: tallied.rows,
    sample: tallied.sample,
    sheets,
    warnings,
    eol: tallied.eol,
    has_tokens: tallied.hasTokens,
  }
}

function misfitWarning({ header, fitting_types, likely_type = 'text' }: ColumnProfile, misfits: number): string[] {
  if (fitting_types.includes(likely_type)) return []
  const rest = misfits === 1 ? 'One value' : `${misfits.toLocaleString('en')} values`
  const verb = misfits === 1 ? 'does' : 'do'
  return [`${rest} of “${header}” ${verb} not fit what the others are. Choose text to keep every value as it is.`]
}
