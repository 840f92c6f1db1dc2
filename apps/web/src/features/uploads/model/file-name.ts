import type { Dialect, UploadFile } from '@trellis/contract/uploads/uploads.schemas'

type Format = Dialect['format']

const ENDINGS: Record<string, Format> = {
  csv: 'csv',
  tsv: 'csv',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  xlsx: 'xlsx',
  parquet: 'parquet',
}
const FORMAT_LABELS: Record<Format, string> = {
  csv: 'plain text with separated values',
  jsonl: 'JSON lines',
  xlsx: 'an Excel workbook',
  parquet: 'Parquet',
}

/** The content decides the format; warns when the file extension differs. */
export function nameWarnings(file: Pick<UploadFile, 'original_filename' | 'dialect'>): string[] {
  const ending = /\.([a-z]+)(?:\.gz)?$/i.exec(file.original_filename)?.[1]?.toLowerCase() ?? ''
  const expected = ENDINGS[ending]
  if (!file.dialect || expected === undefined || expected === file.dialect.format) return []
  return [
    `The name ends with .${ending}, but the file holds ${FORMAT_LABELS[file.dialect.format]} and is read as that.`,
  ]
}
