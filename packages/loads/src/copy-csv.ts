import { quoteName, quoteText } from '@trellis/workspace-db/identifiers'
import type { Session } from '@trellis/workspace-db/session'

export interface CsvFormat {
  readonly delimiter: string
  readonly quote: string
  readonly columns: readonly string[]
  /** Columns where a quoted empty value is NULL too. */
  readonly emptyIsNull: readonly string[]
}

/** COPY … ON_ERROR ignore: misfits are skipped and reported as notices, up to REJECT_LIMIT. */
export function buildCsvCopy(table: string, format: CsvFormat, rejectLimit: number): string {
  const joinColumns = (names: readonly string[]) => names.map((name) => quoteName(name)).join(', ')
  const options = [
    'format csv',
    'header true',
    `delimiter ${quoteText(format.delimiter)}`,
    `quote ${quoteText(format.quote)}`,
    `null ''`,
    ...(format.emptyIsNull.length === 0 ? [] : [`force_null (${joinColumns(format.emptyIsNull)})`]),
    `encoding 'UTF8'`,
    'on_error ignore',
    'log_verbosity verbose',
    `reject_limit ${rejectLimit}`,
  ]
  return `copy ${table} (${joinColumns(format.columns)}) from stdin with (${options.join(', ')})`
}

/** COPY detects the line ending from its first line, which would break quoted line breaks. */
export const getFirstLine = (eol: string): Uint8Array => Buffer.from(`x${eol}`)

/** 1-based. */
export interface SkippedLine {
  readonly line: number
  readonly column: string
}

/** Adds what COPY skips to `skipped` as it goes, so that it is known after an error too. */
export async function copyAndRecordSkipped(
  session: Session,
  { text, chunks, skipped: skippedLines }: { text: string; chunks: AsyncIterable<Uint8Array>; skipped: SkippedLine[] },
): Promise<number> {
  const onNotice = (message: string) => {
    const line = parseSkippedLine(message)
    if (line) skippedLines.push(line)
  }
  return await session.copyIn({ text, chunks, onNotice })
}

const SKIPPED_LINE_NOTICE = /at line (\d+) for column "(.*?)":? /s

function parseSkippedLine(notice: string): SkippedLine | undefined {
  const [, line, column] = SKIPPED_LINE_NOTICE.exec(notice) ?? []
  return line === undefined || column === undefined ? undefined : { line: Number(line), column }
}

export const isOverRejectLimit = (message: string): boolean => message.includes('REJECT_LIMIT')
