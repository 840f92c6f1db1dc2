import { type ByteSource, FileFault } from './byte-source.ts'
import { readCsvRows, readFirstRecord } from './csv-rows.ts'
import type { FileDialect, OpenTable } from './dialect.ts'
import { toUtf8 } from './encoding.ts'
import { readRecords } from './json/json-records.ts'
import { openJsonl } from './json/jsonl-rows.ts'
import { openParquet } from './parquet-rows.ts'
import { swapDelimiter } from './separators.ts'
import { type FilePacking, unpack } from './unpack.ts'
import { openSheet } from './xlsx-rows.ts'

export interface OpenOptions {
  readonly dialect: FileDialect
  readonly packing: FilePacking
  readonly headers?: readonly string[]
  readonly signal?: AbortSignal
}

export async function openRows(source: ByteSource, options: OpenOptions): Promise<OpenTable> {
  const { dialect } = options
  switch (dialect.format) {
    case 'csv':
      return await openCsv(source, options)
    case 'jsonl':
      return await openJsonl(() => jsonBytes(source, options), {
        hasHeader: dialect.has_header,
        ...(options.headers && { headers: options.headers }),
      })
    case 'xlsx':
      return await openSheet(source, dialect, options.headers)
    case 'parquet':
      return await openParquet(source)
  }
}

function jsonBytes(source: ByteSource, { dialect, packing }: OpenOptions): AsyncIterable<Uint8Array> {
  const utf8 = toUtf8(unpack(source, packing), dialect.encoding)
  return dialect.records_at ? readRecords(utf8, dialect.records_at) : utf8
}

async function openCsv(source: ByteSource, { dialect, packing, headers: known }: OpenOptions): Promise<OpenTable> {
  const utf8 = () => swapDelimiter(toUtf8(unpack(source, packing), dialect.encoding), dialect.delimiter)
  const first = known ?? (await readFirstRecord(utf8(), dialect))
  if (!first) throw new FileFault('The file has no rows and no header.')
  return {
    headers: known ?? (dialect.has_header ? first : first.map((_, at) => `column_${at + 1}`)),
    rows: () => readCsvRows(utf8(), { dialect, columns: first.length }),
    doneBytes: () => 0,
  }
}
