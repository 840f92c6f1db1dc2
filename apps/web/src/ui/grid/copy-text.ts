interface CopiedColumn {
  title: string
  isNumber?: boolean
  isBoolean?: boolean
  isJson?: boolean
}
export interface CopiedCells {
  columns: readonly CopiedColumn[]
  rows: readonly (readonly (string | null)[])[]
  /** As SQL writes it, for INSERT. */
  table?: string
}

export const COPY_FORMATS = {
  csv: 'CSV',
  tsv: 'Tab-separated text',
  json: 'JSON',
  markdown: 'Markdown table',
  insert: 'INSERT statements',
} as const
export type CopyFormat = keyof typeof COPY_FORMATS

export function copyText(format: CopyFormat, copiedCells: CopiedCells): string {
  switch (format) {
    case 'csv':
      return toSeparatedText(copiedCells, { mark: ',', line: '\r\n' })
    case 'tsv':
      return toSeparatedText(copiedCells, { mark: '\t', line: '\n' })
    case 'json':
      return toJson(copiedCells)
    case 'markdown':
      return toMarkdown(copiedCells)
    case 'insert':
      return insertStatements(copiedCells)
  }
}

/** What goes to the clipboard for a single cell: the value alone, without a header. */
export function formatCell(value: string | null): string {
  return value ?? ''
}

/** An empty text is quoted and NULL is not, so the two stay apart. */
function toSeparatedText({ columns, rows }: CopiedCells, { mark, line }: { mark: string; line: string }): string {
  const quoted = (value: string | null) => {
    if (value === null) return ''
    return value === '' || value.includes(mark) || /["\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
  }
  return [columns.map((column) => quoted(column.title)), ...rows.map((row) => row.map(quoted))]
    .map((cells) => cells.join(mark))
    .join(line)
}

/** A number too long for JavaScript stays a text: better quoted than changed. */
function toJsonValue(text: string | null, { isNumber, isBoolean, isJson }: CopiedColumn): unknown {
  if (text === null) return null
  if (isNumber) return String(Number(text)) === text ? Number(text) : text
  if (isBoolean) return text === 'true'
  return isJson ? parseJson(text) : text
}

/** Cut values are no JSON any more, and numbers that would change stay in their text. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return /\d{16}/.test(text) ? text : value
  } catch {
    return text
  }
}

function toJson({ columns, rows }: CopiedCells): string {
  const objects = rows.map((row) =>
    Object.fromEntries(columns.map((column, at) => [column.title, toJsonValue(row[at] ?? null, column)])),
  )
  return JSON.stringify(objects, null, 2)
}

const MAX_ROWS_PER_INSERT = 500

function insertStatements({ columns, rows, table = 'my_table' }: CopiedCells): string {
  const names = columns.map(({ title }) => `"${title.replaceAll('"', '""')}"`).join(', ')
  const lines = rows.map((row) => `  (${columns.map((column, at) => toLiteral(row[at] ?? null, column)).join(', ')})`)
  const statements: string[] = []
  for (let at = 0; at < lines.length; at += MAX_ROWS_PER_INSERT) {
    const values = lines.slice(at, at + MAX_ROWS_PER_INSERT).join(',\n')
    statements.push(`insert into ${table} (${names}) values\n${values};`)
  }
  return statements.join('\n')
}

/** Backslashes have no meaning in a plain literal; NaN and infinity are texts that Postgres reads as numbers. */
function toLiteral(text: string | null, { isNumber, isBoolean }: CopiedColumn): string {
  if (text === null) return 'null'
  if (isNumber && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return text
  if (isBoolean && (text === 'true' || text === 'false')) return text
  return `'${text.replaceAll("'", "''")}'`
}

function toMarkdown({ columns, rows }: CopiedCells): string {
  const cell = (value: string | null) =>
    value === null
      ? ''
      : value
          .replaceAll('\\', '\\\\')
          .replaceAll('|', '\\|')
          .replaceAll(/\r\n?|\n/g, '<br>')
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(columns.map((column) => cell(column.title))),
    line(columns.map((column) => (column.isNumber ? '---:' : '---'))),
    ...rows.map((row) => line(columns.map((_, at) => cell(row[at] ?? null)))),
  ].join('\n')
}
