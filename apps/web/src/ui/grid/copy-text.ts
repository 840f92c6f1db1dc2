interface CopiedColumn {
  title: string
  isNumber?: boolean
}
export interface Copied {
  columns: readonly CopiedColumn[]
  rows: readonly (readonly (string | null)[])[]
}

export const COPY_FORMATS = { csv: 'CSV', tsv: 'Tab-separated text', json: 'JSON', markdown: 'Markdown table' } as const
export type CopyFormat = keyof typeof COPY_FORMATS

export function copyText(format: CopyFormat, copied: Copied): string {
  switch (format) {
    case 'csv':
      return separated(copied, { mark: ',', line: '\r\n' })
    case 'tsv':
      return separated(copied, { mark: '\t', line: '\n' })
    case 'json':
      return json(copied)
    case 'markdown':
      return markdown(copied)
  }
}

/** What goes to the clipboard for a single cell: the value alone, without a header. */
export function cellText(value: string | null): string {
  return value ?? ''
}

/** An empty text is quoted and NULL is not, so the two stay apart. */
function separated({ columns, rows }: Copied, { mark, line }: { mark: string; line: string }): string {
  const quoted = (value: string | null) => {
    if (value === null) return ''
    return value === '' || value.includes(mark) || /["\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
  }
  return [columns.map((column) => quoted(column.title)), ...rows.map((row) => row.map(quoted))]
    .map((cells) => cells.join(mark))
    .join(line)
}

/** A number too long for JavaScript stays a text: better quoted than changed. */
function valueOf(text: string | null, isNumber: boolean | undefined): string | number | null {
  return text !== null && isNumber && String(Number(text)) === text ? Number(text) : text
}

function json({ columns, rows }: Copied): string {
  const objects = rows.map((row) =>
    Object.fromEntries(columns.map((column, at) => [column.title, valueOf(row[at] ?? null, column.isNumber)])),
  )
  return JSON.stringify(objects, null, 2)
}

function markdown({ columns, rows }: Copied): string {
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
