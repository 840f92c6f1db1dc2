import type { CopyBlock, CopyFormat } from './csv-blocks.ts'
import type { FileRow, RowFault } from './dialect.ts'
import { shorten, SHOWN_RAW, SHOWN_VALUE } from './dialect.ts'
import { type DateOrder, isoMoment } from '../values/moments.ts'
import { plainNumber } from '../values/numbers.ts'

export const ROW_FORMAT: CopyFormat = { delimiter: ',', quote: '"', eol: '\n' }

export interface ValueRule {
  readonly source: number
  readonly kind: 'text' | 'number' | 'moment' | 'other'
  readonly isCommaDecimal: boolean
  readonly nullTokens: ReadonlySet<string>
  /** Non-dates stay text, although Postgres would accept 10-11-12 and ignore the zone in 10:00 CET. */
  readonly isStrict?: boolean
}

export interface RowRules {
  readonly values: readonly ValueRule[]
  readonly dateOrder: DateOrder
}

/** Postgres would read these as the current time. */
const CLOCK_WORDS = /^\s*(?:now|today|tomorrow|yesterday|epoch|allballs|[+-]?infinity)\s*$/i
const BLOCK_CHARACTERS = 256 * 1024

export interface RowOptions {
  readonly rules: RowRules
  readonly isNumbered?: boolean
  readonly onFault: (fault: RowFault) => void
}

export async function* encodeRows(batches: AsyncIterable<FileRow[]>, options: RowOptions): AsyncGenerator<CopyBlock> {
  let text = ''
  let rows = 0
  let lines = 0
  let firstRow = 0
  const take = (): CopyBlock => {
    const part = Buffer.from(text)
    const block = { parts: [part], bytes: part.length, firstRow, rows, lines }
    text = ''
    rows = 0
    lines = 0
    return block
  }
  for await (const batch of batches) {
    for (const row of batch) {
      const encoded = row.fault ?? encodeRow(row, options.rules)
      if (typeof encoded !== 'string') {
        if (rows > 0) yield take()
        options.onFault(encoded)
        continue
      }
      if (rows === 0) firstRow = row.row
      rows += 1
      lines += 1 + countFeeds(encoded)
      text += options.isNumbered ? `${row.row},${encoded}\n` : `${encoded}\n`
      if (text.length >= BLOCK_CHARACTERS) yield take()
    }
  }
  if (rows > 0) yield take()
}

function encodeRow(row: FileRow, rules: RowRules): string | RowFault {
  let text = ''
  for (let at = 0; at < rules.values.length; at += 1) {
    const rule = rules.values[at] as ValueRule
    const value = cellFor(row.cells[rule.source] ?? null, rule, rules)
    if (value !== null && rule.kind === 'moment' && CLOCK_WORDS.test(value)) {
      return clockFault(row, rule, value)
    }
    if (at > 0) text += ','
    text += quoteCell(value)
  }
  return text
}

function clockFault(row: FileRow, rule: ValueRule, value: string): RowFault {
  const reason = `"${shorten(value, 100)}" is not a date or time of its own.`
  return {
    row: row.row,
    line: row.line,
    column: rule.source,
    value: shorten(value, SHOWN_VALUE),
    reason,
    raw: formatRaw(row),
  }
}

export function formatRaw(row: FileRow): string {
  return shorten(row.cells.map((cell) => quoteCell(cell)).join(','), SHOWN_RAW)
}

/** Null tokens become NULL; numbers and dates are rewritten for Postgres. */
export function cellFor(cell: string | null, rule: ValueRule, { dateOrder }: RowRules): string | null {
  if (cell === null || rule.kind === 'text') return cell
  if (rule.nullTokens.has(cell) || (isPadded(cell) && rule.nullTokens.has(cell.trim()))) return null
  if (rule.kind === 'number') return plainNumber(cell, rule.isCommaDecimal)
  return rule.kind === 'moment' ? (isoMoment(cell, dateOrder) ?? (rule.isStrict ? markMisfit(cell) : cell)) : cell
}

/** Quoted, so that Postgres refuses it. */
export const markMisfit = (cell: string): string => `“${cell}”`

const isPadded = (cell: string) => isSpaceOrWide(cell.charCodeAt(0)) || isSpaceOrWide(cell.charCodeAt(cell.length - 1))
const isSpaceOrWide = (code: number) => code <= 32 || code > 127

const NEEDS_QUOTES = /[",\n\r]|^\\\.$|^$/

function quoteCell(value: string | null): string {
  if (value === null) return ''
  return NEEDS_QUOTES.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

function countFeeds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
