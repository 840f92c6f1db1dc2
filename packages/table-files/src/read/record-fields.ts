import type { RecordView, Separators } from './record-scanner.ts'

/** A value of a row as the file has it: nothing where the file has nothing, not where it has an empty text in quotes. */
export type Cell = string | null

export interface RawField {
  readonly text: string
  readonly isQuoted: boolean
}

const QUOTE_IN_QUOTES = (quote: string) => quote + quote

/** The fields of one record, by the same rules as the scanner's. */
export function splitRecord(record: Pick<RecordView, 'buffer' | 'start' | 'end'>, separators: Separators): RawField[] {
  const text = record.buffer.toString('utf8', record.start, record.end)
  const delimiter = String.fromCharCode(separators.delimiter)
  const quote = separators.quote < 0 ? undefined : String.fromCharCode(separators.quote)
  if (quote === undefined || !text.includes(quote)) {
    return text.split(delimiter).map((field) => ({ text: field, isQuoted: false }))
  }
  const fields: RawField[] = []
  let at = 0
  for (;;) {
    const { field, next } =
      text[at] === quote ? quotedField(text, at, { quote, delimiter }) : plain(text, at, delimiter)
    fields.push(field)
    if (next < 0) return fields
    at = next
  }
}

function plain(text: string, from: number, delimiter: string): { field: RawField; next: number } {
  const end = text.indexOf(delimiter, from)
  const field = { text: end < 0 ? text.slice(from) : text.slice(from, end), isQuoted: false }
  return { field, next: end < 0 ? -1 : end + 1 }
}

function quotedField(text: string, from: number, signs: { quote: string; delimiter: string }) {
  const { quote, delimiter } = signs
  let close = from + 1
  for (;;) {
    close = text.indexOf(quote, close)
    if (close < 0 || text[close + 1] !== quote) break
    close += 2
  }
  const inner = text.slice(from + 1, close < 0 ? text.length : close).replaceAll(QUOTE_IN_QUOTES(quote), quote)
  const end = close < 0 ? -1 : text.indexOf(delimiter, close + 1)
  const rest = close < 0 ? '' : end < 0 ? text.slice(close + 1) : text.slice(close + 1, end)
  return { field: { text: inner + rest, isQuoted: true }, next: end < 0 ? -1 : end + 1 }
}
