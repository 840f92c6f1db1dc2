export const WRITE_FORMATS = {
  csv: { extension: 'csv', contentType: 'text/csv; charset=utf-8' },
  jsonl: { extension: 'jsonl', contentType: 'application/x-ndjson' },
  parquet: { extension: 'parquet', contentType: 'application/vnd.apache.parquet' },
  xlsx: { extension: 'xlsx', contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
} as const
export type WriteFormat = keyof typeof WRITE_FORMATS
