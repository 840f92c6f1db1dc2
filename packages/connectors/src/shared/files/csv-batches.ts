import type { CsvBatch, CsvFormat, Field, Value } from '@trellis/connector-kit/batch'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { ByteSource } from '@trellis/table-files/read/byte-source'
import { type CopyBlock, type RecordWatch, readCsvBlocks } from '@trellis/table-files/read/csv-blocks'
import type { RowFault } from '@trellis/table-files/read/dialect'
import { toUtf8 } from '@trellis/table-files/read/encoding'
import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import { splitRecord } from '@trellis/table-files/read/record-fields'
import { createRecordScanner } from '@trellis/table-files/read/record-scanner'
import { isPlainDelimiter, toSeparators } from '@trellis/table-files/read/separators'
import { unpack } from '@trellis/table-files/read/unpack'

const REWRITTEN: readonly ColumnType[] = ['integer', 'decimal', 'float', 'date', 'timestamp', 'timestamptz']

interface NamedProfile {
  readonly profile: FileProfile
  readonly names: readonly string[]
}

/** Whether COPY can read the file's bytes directly, and all columns are wanted. */
export function canCopyDirectly({ profile, names }: NamedProfile, fields: readonly Field[]): boolean {
  const { dialect, columns } = profile
  if (dialect.format !== 'csv' || dialect.quote === '' || !isPlainDelimiter(dialect.delimiter)) return false
  if (profile.has_tokens || dialect.null_tokens.some((token) => token !== '')) return false
  if (fields.length !== names.length) return false
  return fields.every(({ name, type }) => {
    const at = names.indexOf(name)
    return at >= 0 && !(REWRITTEN.includes(type) && columns[at]?.is_grouped)
  })
}

export interface CsvCopyInput extends NamedProfile {
  readonly source: ByteSource
  readonly skip: number
  readonly read: (cells: readonly (string | null)[]) => Value[]
  readonly onFault: (fault: RowFault) => void
  readonly watch?: RecordWatch
}

export async function* copyCsv(passing: CsvCopyInput): AsyncGenerator<CsvBatch> {
  const { source, profile, names, skip, onFault, watch } = passing
  const { dialect, packing, eol } = profile
  const format: CsvFormat = {
    delimiter: dialect.delimiter,
    quote: dialect.quote,
    eol,
    dateOrder: dialect.date_order,
    fields: names,
  }
  const utf8 = toUtf8(unpack(source, packing), dialect.encoding)
  const options = { dialect, columns: names.length, eol, skip, hasGaps: true, onFault, ...(watch && { watch }) }
  for await (const block of readCsvBlocks(utf8, options)) yield toBatch(block, format, passing.read)
}

function toBatch({ parts, rows }: CopyBlock, format: CsvFormat, read: CsvCopyInput['read']): CsvBatch {
  const bytes = Buffer.concat(parts)
  return { kind: 'csv', bytes, rowCount: rows, format, rows: () => parseRecords(bytes, format).map(read) }
}

/** Escaped quotes have already been rewritten as COPY expects them. */
function parseRecords(bytes: Buffer, { delimiter, quote }: CsvFormat): (string | null)[][] {
  const separators = toSeparators({ delimiter, quote, escape: '' })
  const records: (string | null)[][] = []
  const scanner = createRecordScanner(separators, (record) => {
    records.push(splitRecord(record, separators).map(({ text, isQuoted }) => (text === '' && !isQuoted ? null : text)))
  })
  scanner.push(bytes)
  scanner.end()
  return records
}
