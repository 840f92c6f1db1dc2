import type { RecordView, Separators } from './record-scanner.ts'
import { swapSigns } from './separators.ts'

export interface RawField {
  readonly text: string
  readonly isQuoted: boolean
  /** `="00123"`, which makes Excel show text. */
  readonly isForced?: boolean
}

const QUOTE_IN_QUOTES = (quote: string) => quote + quote

const FORCED = /^="([^"]*)"$/

function withoutForce(field: RawField): RawField {
  const forced = field.text.startsWith('="') ? FORCED.exec(field.text)?.[1] : undefined
  return forced === undefined ? field : { text: forced, isQuoted: true, isForced: true }
}

export function splitRecord(record: Pick<RecordView, 'buffer' | 'start' | 'end'>, separators: Separators): RawField[] {
  const fields = splitFields(record, separators)
  if (!separators.isPadded) return fields
  return fields.map((field) => (field.isQuoted ? field : { ...field, text: field.text.trim() }))
}

function splitFields(record: Pick<RecordView, 'buffer' | 'start' | 'end'>, separators: Separators): RawField[] {
  const bytes = record.buffer.toString('utf8', record.start, record.end)
  const { swapped } = separators
  const text = swapped === undefined ? bytes : swapSigns(bytes, swapped)
  const delimiter = swapped ?? String.fromCharCode(separators.delimiter)
  const quote = separators.quote < 0 ? undefined : String.fromCharCode(separators.quote)
  const escape = separators.escape < 0 ? undefined : String.fromCharCode(separators.escape)
  if (quote === undefined || !text.includes(quote)) {
    return text.split(delimiter).map((field) => ({ text: field, isQuoted: false }))
  }
  const fields: RawField[] = []
  let at = 0
  for (;;) {
    const open = skipSpaces(text, at, delimiter)
    const { field, next } =
      text[open] === quote ? quotedField(text, open, { quote, delimiter, escape }) : readPlainField(text, at, delimiter)
    fields.push(quote === '"' ? withoutForce(field) : field)
    if (next < 0) return fields
    at = next
  }
}

function skipSpaces(text: string, from: number, delimiter: string): number {
  if (delimiter === ' ') return from
  let at = from
  while (text[at] === ' ') at += 1
  return at
}

function readPlainField(text: string, from: number, delimiter: string): { field: RawField; next: number } {
  const end = text.indexOf(delimiter, from)
  const field = { text: end < 0 ? text.slice(from) : text.slice(from, end), isQuoted: false }
  return { field, next: end < 0 ? -1 : end + 1 }
}

interface Signs {
  readonly quote: string
  readonly delimiter: string
  readonly escape: string | undefined
}

function findClosingQuote(text: string, from: number, { quote, escape }: Signs): number {
  let at = from + 1
  for (;;) {
    const close = text.indexOf(quote, at)
    const escaped = escape === undefined ? -1 : text.indexOf(escape, at)
    if (escaped >= 0 && (close < 0 || escaped < close)) at = escaped + 2
    else if (close >= 0 && text[close + 1] === quote) at = close + 2
    else return close
  }
}

/** A backslash before other characters is literal, as in paths. */
function unquoteField(inner: string, { quote, escape }: Signs): string {
  if (escape === undefined) return inner.replaceAll(QUOTE_IN_QUOTES(quote), quote)
  let text = ''
  for (let at = 0; at < inner.length; at += 1) {
    const [sign, next] = [inner[at], inner[at + 1]]
    const isPair = (sign === escape && (next === quote || next === escape)) || (sign === quote && next === quote)
    if (isPair) at += 1
    text += isPair ? next : sign
  }
  return text
}

function quotedField(text: string, from: number, signs: Signs) {
  const { delimiter } = signs
  const close = findClosingQuote(text, from, signs)
  const inner = unquoteField(text.slice(from + 1, close < 0 ? text.length : close), signs)
  const end = close < 0 ? -1 : text.indexOf(delimiter, close + 1)
  const rest = close < 0 ? '' : end < 0 ? text.slice(close + 1) : text.slice(close + 1, end)
  return { field: { text: inner + rest, isQuoted: true }, next: end < 0 ? -1 : end + 1 }
}
