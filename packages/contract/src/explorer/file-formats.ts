export const FILE_FORMATS = ['csv', 'jsonl', 'parquet', 'xlsx'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]
