import type { FileDialect } from './dialect.ts'
import { separatorsOf } from './csv-rows.ts'
import { type RawField, splitRecord } from './record-fields.ts'
import { createRecordScanner } from './record-scanner.ts'
import { KIND, kindsOf } from './value-kinds.ts'

const DELIMITERS = [',', ';', '\t', '|']
const TOKENS = ['NULL', 'null', 'N/A', 'n/a', '#N/A', 'NA']
const MOST_SKIPPED = 20

interface Sampled {
  readonly line: number
  readonly fields: readonly RawField[]
  readonly isOdd: boolean
}

type Signs = Pick<FileDialect, 'delimiter' | 'quote' | 'escape'>

/** How a CSV file is written, from its first bytes as UTF-8. What is given is taken as it is. */
export function sniffCsv(head: Buffer, given: Partial<FileDialect>): FileDialect {
  const quote = given.quote ?? sniffQuote(head)
  const { delimiter, escape } = sniffSigns(head, quote, given)
  const records = sampleRecords(head, { delimiter, quote, escape })
  const columns = modal(records.map((record) => record.fields.length))
  const skip = given.skip_lines ?? sniffSkip(records, columns)
  const table = records.filter((record) => record.line > skip && record.fields.length === columns)
  const hasHeader = given.has_header ?? sniffHeader(table)
  const rows = table.slice(hasHeader ? 1 : 0)
  const isCommaDecimal = given.decimal_comma ?? sniffComma(rows)
  return {
    format: 'csv',
    encoding: given.encoding ?? 'utf-8',
    delimiter,
    quote,
    escape,
    has_header: hasHeader,
    skip_lines: skip,
    null_tokens: given.null_tokens ?? sniffTokens(rows, isCommaDecimal),
    decimal_comma: isCommaDecimal,
    date_order: given.date_order ?? 'ymd',
    sheet: null,
  }
}

function sampleRecords(head: Buffer, signs: Signs): Sampled[] {
  const separators = separatorsOf(signs)
  const records: Sampled[] = []
  const scanner = createRecordScanner(separators, (record) => {
    if (record.start < record.end)
      records.push({ line: record.line, fields: splitRecord(record, separators), isOdd: record.isOdd })
  })
  scanner.push(head)
  // The last one is cut by the end of the sample, unless the sample is the whole file.
  if (records.length < 2) finishQuietly(scanner)
  return records
}

function finishQuietly(scanner: { end(): void }): void {
  try {
    scanner.end()
  } catch {
    // An open quote in the sample is told when the whole file is read.
  }
}

function sniffQuote(head: Buffer): string {
  const text = head.toString('latin1')
  const count = (quote: string) => text.match(new RegExp(`(?:^|[,;\\t|\\r\\n])${quote}`, 'g'))?.length ?? 0
  return count("'") > 2 && count('"') === 0 && count("'") * 2 >= (text.match(/\n/g)?.length ?? 0) ? "'" : '"'
}

/** A backslash escapes where reading it so leaves fewer rows that can hardly be meant: `"C:\\new\\"` is a path. */
function sniffSigns(head: Buffer, quote: string, given: Partial<FileDialect>) {
  const signsWith = (escape: '' | '\\') => ({
    delimiter: given.delimiter ?? sniffDelimiter(head, { quote, escape }),
    escape,
  })
  const doubled = signsWith(given.escape ?? '')
  if (given.escape !== undefined || quote === '' || !head.includes(`\\${quote}`)) return doubled
  const escaped = signsWith('\\')
  const oddIn = (signs: typeof doubled) => {
    const records = sampleRecords(head, { ...signs, quote })
    const columns = modal(records.map((record) => record.fields.length))
    return (
      records.filter((record) => record.isOdd || record.fields.length !== columns).length / Math.max(1, records.length)
    )
  }
  return oddIn(escaped) < oddIn(doubled) ? escaped : doubled
}

function sniffDelimiter(head: Buffer, signs: Omit<Signs, 'delimiter'>): string {
  const scores = DELIMITERS.map((delimiter) => {
    const counts = sampleRecords(head, { ...signs, delimiter }).map((record) => record.fields.length)
    const columns = modal(counts)
    const share = counts.filter((count) => count === columns).length / Math.max(1, counts.length)
    return { delimiter, score: columns < 2 ? 0 : share + Math.min(columns, 50) / 1000 }
  })
  const best = scores.reduce((first, next) => (next.score > first.score ? next : first))
  return best.score > 0 ? best.delimiter : ','
}

function modal(counts: readonly number[]): number {
  const seen = new Map<number, number>()
  for (const count of counts) seen.set(count, (seen.get(count) ?? 0) + 1)
  let best = 1
  let most = 0
  for (const [count, times] of seen) {
    if (times > most || (times === most && count > best)) [best, most] = [count, times]
  }
  return best
}

/** Titles and notes above the table have fewer values than its rows. */
function sniffSkip(records: readonly Sampled[], columns: number): number {
  const first = records.findIndex((record) => record.fields.length === columns)
  const start = records[first]
  if (columns < 2 || first <= 0 || !start || start.line - 1 > MOST_SKIPPED) return 0
  const isSmaller = records.slice(0, first).every((record) => record.fields.length < columns)
  return isSmaller ? start.line - 1 : 0
}

function sniffHeader(table: readonly Sampled[]): boolean {
  const [first] = table
  if (!first) return true
  const cells = first.fields.map((field) => field.text.trim())
  if (cells.every((cell) => cell === '')) return false
  // Words such as "n" and "on" are as likely names of columns as answers.
  return cells.every((cell) => cell === '' || (kindsOf(cell, { isCommaDecimal: false }) & ~KIND.boolean) === 0)
}

function sniffComma(rows: readonly Sampled[]): boolean {
  let commas = 0
  let dots = 0
  for (const { fields } of rows) {
    for (const { text } of fields) {
      if (/^\s*-?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+\s*$/.test(text) && !/^-?\d{1,3},\d{3}$/.test(text)) commas += 1
      else if (/^\s*-?\d+\.\d+\s*$/.test(text)) dots += 1
    }
  }
  return commas > dots
}

/** A word stands for nothing only where the column would otherwise be more than text. */
function sniffTokens(rows: readonly Sampled[], isCommaDecimal: boolean): string[] {
  const reading = { isCommaDecimal }
  const found = new Set([''])
  const columns = rows[0]?.fields.length ?? 0
  for (let column = 0; column < columns; column += 1) {
    const texts = rows.map((row) => row.fields[column]?.text ?? '')
    if (texts.includes('\\N')) found.add('\\N')
    const tokens = TOKENS.filter((token) => texts.includes(token))
    if (tokens.length === 0) continue
    const rest = texts.filter((text) => text !== '' && text !== '\\N' && !TOKENS.includes(text))
    const kinds = rest.reduce((all, text) => all & kindsOf(text, reading), 65535)
    if (rest.length > 0 && kinds !== 0) for (const token of tokens) found.add(token)
  }
  return [...found]
}
