import { quoteName, quoteText } from '@trellis/workspace-db/identifiers'

/** How records of CSV are written, in the words of COPY. */
export interface CsvFormat {
  readonly delimiter: string
  readonly quote: string
  /** In the order of a record's values. */
  readonly columns: readonly string[]
  /** Columns in which an empty value in quotes is nothing as well. */
  readonly emptyIsNull: readonly string[]
}

/** Values that do not fit are skipped and told in notices, up to the limit. */
export function formatCsvCopy(table: string, format: CsvFormat, rejectLimit: number): string {
  const join = (names: readonly string[]) => names.map((name) => quoteName(name)).join(', ')
  const options = [
    'format csv',
    'header true',
    `delimiter ${quoteText(format.delimiter)}`,
    `quote ${quoteText(format.quote)}`,
    `null ''`,
    ...(format.emptyIsNull.length === 0 ? [] : [`force_null (${join(format.emptyIsNull)})`]),
    `encoding 'UTF8'`,
    'on_error ignore',
    'log_verbosity verbose',
    `reject_limit ${rejectLimit}`,
  ]
  return `copy ${table} (${join(format.columns)}) from stdin with (${options.join(', ')})`
}

/** A line of its own in front tells COPY the kind of line end before it counts any. */
export const firstLine = (eol: string): Uint8Array => Buffer.from(`x${eol}`)

/** A line that COPY skipped, counted from 1. */
export interface SkippedLine {
  readonly line: number
  readonly column: string
}

const SKIPPED = /at line (\d+) for column "(.*?)":? /s

export function parseSkippedLine(notice: string): SkippedLine | undefined {
  const [, line, column] = SKIPPED.exec(notice) ?? []
  return line === undefined || column === undefined ? undefined : { line: Number(line), column }
}

export const isOverRejectLimit = (message: string): boolean => message.includes('REJECT_LIMIT')
