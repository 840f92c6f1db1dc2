import { isUtf8Head, markedEncoding } from '../detect/encoding.ts'
import { assertTable } from '../detect/not-a-table.ts'
import { settleColumns } from './build-profile.ts'
import { type FileProfile, HEAD_BYTES, type KnownFile, type ProfileOptions } from './file-profile.ts'
import { profileCsv } from './profile-csv.ts'
import { createRowTally } from './tally-file.ts'
import { type ByteSource, FileFault, readHead } from '../read/byte-source.ts'
import type { FileDialect } from '../read/dialect.ts'
import { openRows } from '../read/open-rows.ts'
import { type Packing, detectPacking, unpack } from '../read/unpack.ts'
import { sheetsOf } from '../read/xlsx-rows.ts'

export async function profileFile(source: ByteSource, options: ProfileOptions = {}): Promise<FileProfile> {
  if (source.size === 0) throw new FileFault('The file is empty.')
  const packing = await detectPacking(source)
  const head = await readHead(unpack(source, packing), HEAD_BYTES)
  if (packing === 'plain' || packing === 'gzip' || packing === 'zip') assertTable(head)
  const known = { ...options, given: options.given ?? {}, packing, head }
  const format = known.given.format ?? guessFormat(packing, head, options.fileName)
  if (format === 'csv') return await profileCsv(source, known)
  return await profileRows(source, { ...known, format })
}

function guessFormat(packing: Packing, head: Buffer, fileName = ''): FileDialect['format'] {
  if (packing === 'xlsx' || packing === 'parquet') return packing
  const isNamedJson = /\.(?:jsonl|ndjson|json)(?:\.gz|\.zip)?$/i.test(fileName)
  const firstLine = head.toString('utf8').trimStart().split('\n', 1)[0] ?? ''
  return isNamedJson || (firstLine.startsWith('{"') && firstLine.trimEnd().endsWith('}')) ? 'jsonl' : 'csv'
}

async function profileRows(
  source: ByteSource,
  known: KnownFile & { format: Exclude<FileDialect['format'], 'csv'> },
): Promise<FileProfile> {
  const { packing, format, given, head } = known
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
  const tally = createRowTally(dialect, table.headers, given.null_tokens !== undefined)
  for await (const batch of table.rows()) {
    known.signal?.throwIfAborted()
    for (const row of batch) tally.add(row)
    known.onProgress?.(Math.min(source.size, table.doneBytes()), tally.rows())
  }
  const tallied = tally.end()
  const settled = settleColumns(tallied, { dialect, given, ...(table.types && { types: table.types }) })
  const { rows, sample, broken, hasTokens, eol } = tallied
  const misfits =
    broken.rows > 0
      ? [`${broken.rows.toLocaleString('en')} rows can not be read, the first in line ${broken.line}.`]
      : []
  return {
    dialect: settled.dialect,
    packing,
    columns: settled.columns,
    rows,
    sample,
    sheets,
    warnings: [...(table.warnings?.() ?? []), ...misfits, ...settled.warnings],
    reasons: settled.reasons,
    second_readings: settled.seconds,
    eol,
    has_tokens: hasTokens,
  }
}

function ofSheet(plain: FileDialect, given: Partial<FileDialect>, sheets: readonly string[]): FileDialect {
  return {
    ...plain,
    has_header: given.has_header ?? true,
    skip_lines: given.skip_lines ?? 0,
    null_tokens: given.null_tokens ?? [''],
    null_words_in_text: given.null_words_in_text ?? given.null_tokens !== undefined,
    decimal_comma: given.decimal_comma ?? false,
    sheet: given.sheet ?? sheets[0] ?? null,
  }
}

const encodingOf = (format: FileDialect['format'], given: Partial<FileDialect>, head: Buffer) =>
  format === 'jsonl'
    ? (given.encoding ?? markedEncoding(head) ?? (isUtf8Head(head) ? 'utf-8' : 'windows-1252'))
    : 'utf-8'
