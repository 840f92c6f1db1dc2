import { kindsOfBytes } from './byte-kinds.ts'
import { type ColumnTally, countValue, newTally } from './column-profile.ts'
import type { CopyFormat } from './csv-blocks.ts'
import { faultOf, isBlank, separatorsOf } from './csv-rows.ts'
import type { FileDialect, FileRow } from './dialect.ts'
import { splitRecord } from './record-fields.ts'
import { type RecordView, createRecordScanner } from './record-scanner.ts'

const SAMPLE_ROWS = 100
const SAMPLE_CELL = 300
const LONGEST_TOKEN = 100

/** What is known of a file once all its rows went by. */
export interface Tallied {
  readonly headers: readonly string[]
  readonly tallies: readonly ColumnTally[]
  readonly sample: (string | null)[][]
  readonly rows: number
  readonly brokenRows: number
  readonly hasForeignBytes: boolean
  readonly hasTokens: boolean
  readonly eol: CopyFormat['eol']
}

/** Counts the values of a CSV file on its bytes: a string is made only of what may still be more than text. */
export function createCsvTally(dialect: FileDialect, first: readonly string[]) {
  const columns = first.length
  const headers = dialect.has_header ? first : first.map((_, at) => `column_${at + 1}`)
  const separators = separatorsOf(dialect)
  const { delimiter, quote } = separators
  const tokens = new Set(dialect.null_tokens)
  const tallies = headers.map(() => newTally())
  const sample: (string | null)[][] = []
  let rows = 0
  let brokenRows = 0
  let hasForeignBytes = false
  // Words for nothing that look like values can only be told as words.
  const hasOddTokens = dialect.null_tokens.some((token) => token !== '')
  let hasTokens = !tokens.has('')
  let eol: CopyFormat['eol'] | undefined
  let isHeader = dialect.has_header

  function count(tally: ColumnTally, text: string): void {
    if (!tokens.has(text)) return countValue(tally, text, dialect.decimal_comma)
    tally.empty += 1
    if (text !== '') hasTokens = true
  }
  function addFields(record: RecordView): void {
    const fields = splitRecord(record, separators)
    for (const [at, field] of fields.entries()) count(tallies[at] as ColumnTally, field.text)
    if (sample.length >= SAMPLE_ROWS) return
    sample.push(fields.map(({ text, isQuoted }) => (tokens.has(text) && !isQuoted ? null : text.slice(0, SAMPLE_CELL))))
  }
  /** One field on its bytes; a string only where the bytes do not tell. */
  function addField(tally: ColumnTally, buffer: Buffer, [from, to]: readonly [number, number]): void {
    const length = to - from
    const isLongText = tally.likelyKinds === 0 && length > (hasOddTokens ? LONGEST_TOKEN : 0)
    const kinds = isLongText ? 0 : length === 0 || dialect.decimal_comma ? -1 : kindsOfBytes(buffer, from, to)
    const isMisfit = !isLongText && (tally.likelyKinds & kinds) === 0
    if (kinds < 0 || isMisfit || (length <= LONGEST_TOKEN && hasOddTokens)) {
      return count(tally, length === 0 ? '' : buffer.toString('latin1', from, to))
    }
    tally.values += 1
    tally.kinds &= kinds
    tally.likelyKinds &= kinds
    if (length > tally.longest) tally.longest = length
  }
  function addBytes({ buffer, start, end }: RecordView): void {
    let from = start
    for (let at = 0; at < columns; at += 1) {
      const tally = tallies[at] as ColumnTally
      let to = from
      if (buffer[from] === quote && from < end) {
        to = behindQuotes(buffer, from, end)
        count(tally, splitRecord({ buffer, start: from, end: to }, separators)[0]?.text ?? '')
      } else {
        while (to < end && buffer[to] !== delimiter) to += 1
        addField(tally, buffer, [from, to])
      }
      from = to + 1
    }
  }
  /** The delimiter behind a field in quotes. */
  function behindQuotes(buffer: Buffer, from: number, end: number): number {
    let at = from + 1
    for (;;) {
      const close = buffer.indexOf(quote, at)
      at = close + 1
      if (close < 0 || close >= end) return end
      if (buffer[at] !== quote || at >= end) break
      at += 1
    }
    while (at < end && buffer[at] !== delimiter) at += 1
    return at
  }
  function refuse(record: RecordView): void {
    brokenRows += 1
    if (record.isBroken && !record.buffer.subarray(record.start, record.end).includes(0)) hasForeignBytes = true
  }
  const scanner = createRecordScanner(separators, (record) => {
    if (eol === undefined && record.eol !== '') ({ eol } = record)
    if (isHeader) {
      isHeader = false
      return
    }
    if (isBlank(record, columns)) return
    rows += 1
    if (faultOf(record, columns)) refuse(record)
    else if (record.isOdd || record.isEscaped || sample.length < SAMPLE_ROWS) addFields(record)
    else addBytes(record)
  })
  return {
    rows: () => rows,
    push: (chunk: Buffer) => scanner.push(chunk),
    /** `isCut`: what comes behind the last whole record is not looked at. */
    end({ isCut }: { isCut: boolean }): Tallied {
      if (!isCut) scanner.end()
      return { headers, tallies, sample, rows, brokenRows, hasForeignBytes, hasTokens, eol: eol ?? '\n' }
    },
  }
}

/** The same for rows that come as values. */
export function createRowTally(dialect: FileDialect, headers: readonly string[]) {
  const tallies = headers.map(() => newTally())
  const tokens = new Set(dialect.null_tokens)
  const sample: (string | null)[][] = []
  let rows = 0
  let brokenRows = 0
  let hasTokens = false
  const count = (tally: ColumnTally, cell: string | null) => {
    if (cell !== null && !tokens.has(cell)) return countValue(tally, cell, dialect.decimal_comma)
    tally.empty += 1
    hasTokens ||= cell !== null && cell !== ''
  }
  return {
    rows: () => rows,
    add({ cells, fault }: FileRow): void {
      rows += 1
      if (fault) {
        brokenRows += 1
        return
      }
      for (const [at, tally] of tallies.entries()) count(tally, cells[at] ?? null)
      if (sample.length < SAMPLE_ROWS) sample.push(cells.map((cell) => cell?.slice(0, SAMPLE_CELL) ?? null))
    },
    end(): Tallied {
      return { headers, tallies, sample, rows, brokenRows, hasForeignBytes: false, hasTokens, eol: '\n' }
    },
  }
}
