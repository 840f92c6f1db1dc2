import type { Dialect } from '@trellis/contract/uploads/uploads.schemas'

export const FORMAT_LABELS: Record<Dialect['format'], string> = {
  csv: 'Delimited text',
  jsonl: 'JSON lines',
  xlsx: 'Excel workbook',
  parquet: 'Parquet',
}

export const ENCODING_OPTIONS: { value: Dialect['encoding']; label: string }[] = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'utf-16le', label: 'UTF-16, little endian' },
  { value: 'utf-16be', label: 'UTF-16, big endian' },
  { value: 'windows-1252', label: 'Western (Windows-1252, Latin-1)' },
  { value: 'windows-1250', label: 'Central European (Windows-1250)' },
  { value: 'windows-1251', label: 'Cyrillic (Windows-1251)' },
  { value: 'windows-1253', label: 'Greek (Windows-1253)' },
  { value: 'windows-1254', label: 'Turkish (Windows-1254)' },
  { value: 'windows-1255', label: 'Hebrew (Windows-1255)' },
  { value: 'windows-1256', label: 'Arabic (Windows-1256)' },
  { value: 'windows-1257', label: 'Baltic (Windows-1257)' },
  { value: 'windows-874', label: 'Thai (Windows-874)' },
  { value: 'iso-8859-2', label: 'Central European (ISO 8859-2)' },
  { value: 'koi8-r', label: 'Cyrillic (KOI8-R)' },
  { value: 'ibm866', label: 'Cyrillic (DOS, CP 866)' },
  { value: 'ibm850', label: 'Western (DOS, CP 850)' },
  { value: 'macintosh', label: 'Western (Mac Roman)' },
  { value: 'shift_jis', label: 'Japanese (Shift JIS)' },
  { value: 'euc-jp', label: 'Japanese (EUC-JP)' },
  { value: 'gb18030', label: 'Chinese, simplified (GB18030, GBK)' },
  { value: 'big5', label: 'Chinese, traditional (Big5)' },
  { value: 'euc-kr', label: 'Korean (EUC-KR)' },
]

const DELIMITERS: Record<string, string> = {
  ',': 'Comma  ,',
  ';': 'Semicolon  ;',
  '\t': 'Tab',
  '|': 'Pipe  |',
  ':': 'Colon  :',
  ' ': 'Space',
}

export function delimiterOptions(current: string): { value: string; label: string }[] {
  const options = Object.entries(DELIMITERS).map(([value, label]) => ({ value, label }))
  return current in DELIMITERS ? options : [...options, { value: current, label: `Other  ${current}` }]
}

const QUOTES: Record<string, string> = { '"': 'Double quote  "', "'": 'Single quote  \u2019', '': 'None' }

export function quoteOptions(current: string): { value: string; label: string }[] {
  const options = Object.entries(QUOTES).map(([value, label]) => ({ value, label }))
  return current in QUOTES ? options : [...options, { value: current, label: `Other  ${current}` }]
}

export const ESCAPE_OPTIONS = [
  { value: '', label: 'Doubled  ""' },
  { value: '\\', label: 'With a backslash  \\"' },
]

export const DATE_OPTIONS: { value: Dialect['date_order']; label: string }[] = [
  { value: 'ymd', label: 'Year, month, day (2024-03-31)' },
  { value: 'dmy', label: 'Day, month, year (31.03.2024)' },
  { value: 'mdy', label: 'Month, day, year (03/31/2024)' },
]

export function formatNullTokens(tokens: readonly string[]): string {
  return tokens.filter((token) => token !== '').join(', ')
}

/** An empty field always means null. */
export function parseNullTokens(text: string): string[] {
  const words = text.split(',').map((word) => word.trim())
  return [...new Set(['', ...words])].slice(0, 20)
}
