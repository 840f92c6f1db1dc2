import type { CopyFormat } from '../read/csv-blocks.ts'
import { NOTHING, findFault, fitFields, isNoRow, listTokensInText } from '../read/csv-rows.ts'
import { type FileDialect, type FileRow, SHOWN_VALUE, shorten } from '../read/dialect.ts'
import { type RawField, splitRecord } from '../read/record-fields.ts'
import type { RecordView } from '../read/record-scanner.ts'
import { toSeparators, swapSigns } from '../read/separators.ts'
import { type Cell, detectByteKinds } from '../values/byte-kinds.ts'
import { MARK } from '../values/kinds.ts'
import { detectKinds } from '../values/value-kinds.ts'
import { type ColumnTally, countForced, countValue, createTally } from './column-profile.ts'
import { countBytes, countText } from './count-bytes.ts'
import { findEscape } from './find-escape.ts'
import { mergeTally, countNullWords } from './settle-tally.ts'

const EQUALS = 61
const DOUBLE_QUOTE = 34
const SINGLE_QUOTE = 39
const SAMPLE_ROWS = 100
const SAMPLE_CELL = 300
const MAX_TOKEN_LENGTH = 100

export interface RowCount {
  rows: number
  line: number
  raw: string
}

const NO_FIELD = { text: '' }

const noRows = (): RowCount => ({ rows: 0, line: 0, raw: '' })

export interface FileTally {
  readonly headers: readonly string[]
  readonly tallies: readonly ColumnTally[]
  readonly sample: (string | null)[][]
  readonly rows: number
  readonly broken: RowCount
  readonly short: RowCount
  readonly isShortFilled: boolean
  readonly torn: RowCount
  readonly foreignRows: number
  readonly hasTokens: boolean
  readonly eol: CopyFormat['eol']
  /** A backslash escape, as databases write tabs and line breaks. */
  readonly escaped?: string | undefined
  readonly last: readonly (string | null)[]
}

/** Null tokens of columns that are numbers, dates or booleans otherwise. */
const NULL_WORDS = [
  'NULL',
  'null',
  'Null',
  'N/A',
  'n/a',
  '#N/A',
  'NA',
  'na',
  'None',
  'nil',
  '-',
  '--',
  '–',
  '—',
  '?',
  '.',
  '(null)',
  '[NULL]',
  '<null>',
  '<NA>',
  'NaT',
  'n.a.',
  'N.A.',
  'k.A.',
  // Spreadsheet errors.
  '#NULL!',
  '#DIV/0!',
  '#REF!',
  '#VALUE!',
  '#NAME?',
  '#NUM!',
  '#ERROR!',
  // SAP's and MySQL's zero dates.
  '00.00.0000',
  '0000-00-00',
  '0000-00-00 00:00:00',
  '00/00/0000',
  NOTHING,
]

const wordsFor = ({ null_tokens, null_words_in_text }: FileDialect, isGiven: boolean): readonly string[] =>
  isGiven ? (null_words_in_text === false ? null_tokens.filter((word) => word !== '') : []) : NULL_WORDS

function findWord(text: string, words: ReadonlySet<string>): string | undefined {
  const word = text.trim()
  return words.has(word) || (word === '' && text !== '') ? word : undefined
}

function countWord(tally: ColumnTally, text: string, words: ReadonlySet<string>): void {
  const word = findWord(text, words)
  if (word === undefined) countValue(tally, text)
  else tally.words.set(word, (tally.words.get(word) ?? 0) + 1)
}

function findFirstBytes(words: readonly string[]): Uint8Array {
  const first = new Uint8Array(256).fill(1, 0, 33).fill(1, 128)
  for (const word of words) first[Buffer.from(word)[0] ?? 0] = 1
  return first
}

/** Works on bytes; creates strings only for values that may be typed. */
export function createCsvTally(dialect: FileDialect, headers: readonly string[], isTokensGiven: boolean) {
  const columns = headers.length
  const separators = toSeparators(dialect)
  const { delimiter, quote } = separators
  const tokens = new Set(listTokensInText(dialect))
  const words = new Set(wordsFor(dialect, isTokensGiven))
  const mayBeginWord = findFirstBytes([...tokens, ...words])
  const tallies = headers.map(() => createTally())
  const shortTallies = headers.map(() => createTally())
  const sample: (string | null)[][] = []
  const shape = { columns, dialect: { ...dialect, fill_short_rows: true } }
  const broken = noRows()
  const short = noRows()
  const torn = noRows()
  let shortFitting = 0
  let rows = 0
  let foreignRows = 0
  const hasOddTokens = [...tokens].some((token) => token !== '')
  // Null tokens that look like values must be compared as text.
  const isComparedAsText =
    hasOddTokens || [...words].some((word) => detectByteKinds(Buffer.from(word), 0, Buffer.byteLength(word)) >= 0)
  // Another quote could be a sign of numbers or dates.
  const isPlainQuote = quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE
  // Must be rewritten for COPY.
  const isWritten = separators.swapped !== undefined || separators.isPadded === true
  let hasTokens = !tokens.has('') || separators.isPadded === true
  let eol: CopyFormat['eol'] | undefined
  let escaped: string | undefined
  let isHeader = dialect.has_header
  const cell: Cell = { buffer: Buffer.alloc(0), from: 0, to: 0 }
  const last: Pick<RecordView, 'buffer' | 'start' | 'end'> = { buffer: Buffer.alloc(0), start: 0, end: 0 }

  function count(tally: ColumnTally, { text, isForced = false }: Pick<RawField, 'text' | 'isForced'>): void {
    if (isForced) {
      countForced(tally, text)
      hasTokens = true
    } else if (tokens.has(text)) {
      tally.empty += 1
      if (text !== '') hasTokens = true
    } else countWord(tally, text, words)
  }
  function addFields(record: RecordView): void {
    const fields = fitFields(splitRecord(record, separators), columns)
    for (const [at, field] of fields.entries()) count(tallies[at] as ColumnTally, field ?? NO_FIELD)
    if (sample.length >= SAMPLE_ROWS) return
    sample.push(
      fields.map((field) =>
        field === undefined || (tokens.has(field.text) && !field.isQuoted) ? null : field.text.slice(0, SAMPLE_CELL),
      ),
    )
  }
  const isPlainText = ({ buffer, from, to }: Cell): boolean => {
    if (to - from > (hasOddTokens ? MAX_TOKEN_LENGTH : 4)) return true
    if (hasOddTokens || mayBeginWord[buffer[from] as number] === 1) return false
    for (let at = from + 1; at < to; at += 1) if ((buffer[at] as number) > 127) return false
    return true
  }
  function addCell(tally: ColumnTally, cell: Cell): void {
    const { buffer, from, to } = cell
    if (tally.likelyKinds === 0 && isPlainText(cell)) return countText(tally, to - from)
    if (!isCountedByBytes(tally, cell)) count(tally, { text: buffer.toString('utf8', from, to) })
  }
  const isCountedByBytes = (tally: ColumnTally, cell: Cell): boolean =>
    !(isComparedAsText && cell.to - cell.from <= MAX_TOKEN_LENGTH) &&
    countBytes(tally, cell, detectByteKinds(cell.buffer, cell.from, cell.to))
  /** A quoted value that is text anyway needs no string, unless it may be a word for nothing or `="007"`. */
  function isQuotedText({ likelyKinds, kinds, longest }: ColumnTally, { buffer, from, to }: Cell): boolean {
    if ((likelyKinds | kinds) !== 0 || hasOddTokens || to - from - 2 > longest) return false
    const first = buffer[from + 1] as number
    return first !== EQUALS && mayBeginWord[first] === 0 && (first !== quote || to - from > 2)
  }
  function addQuoted(tally: ColumnTally, cell: Cell): void {
    if (isQuotedText(tally, cell)) {
      tally.values += 1
      return
    }
    const { buffer, from: start, to: end } = cell
    cell.from += 1
    cell.to -= 1
    const isCounted = isPlainQuote && cell.from < cell.to && isCountedByBytes(tally, cell)
    if (!isCounted) count(tally, splitRecord({ buffer, start, end }, separators)[0] ?? NO_FIELD)
  }
  function addBytes({ buffer, start, end, places, delimiters, hasQuotes }: RecordView): void {
    cell.buffer = buffer
    let from = start
    for (let at = 0; at < columns; at += 1) {
      const tally = tallies[at] as ColumnTally
      const to = at < delimiters ? start + (places[at] as number) : end
      cell.from = from
      cell.to = to
      if (from === to) count(tally, NO_FIELD)
      else if (hasQuotes && buffer[from] === quote) addQuoted(tally, cell)
      else addCell(tally, cell)
      from = to + 1
    }
  }
  function note(about: RowCount, record: RecordView): void {
    about.rows += 1
    if (about.rows > 1) return
    about.line = record.line + dialect.skip_lines
    const raw = record.buffer.toString('utf8', record.start, Math.min(record.end, record.start + SHOWN_VALUE))
    about.raw = shorten(separators.swapped === undefined ? raw : swapSigns(raw, separators.swapped), 120)
  }
  /** A row cut by a line break does not fit; one missing its last values does. */
  function addShort(record: RecordView): void {
    note(short, record)
    const fields = splitRecord(record, separators)
    const isFitting = fields.every(({ text }, at) => {
      const { likelyKinds, values } = tallies[at] as ColumnTally
      return (
        values === 0 ||
        likelyKinds === 0 ||
        tokens.has(text) ||
        findWord(text, words) !== undefined ||
        (detectKinds(text) & likelyKinds) !== 0
      )
    })
    if (isFitting && (fields.length > 1 || columns === 2)) shortFitting += 1
    for (const [at, field] of fitFields(fields, columns).entries())
      count(shortTallies[at] as ColumnTally, field ?? NO_FIELD)
  }
  function add(record: RecordView): void {
    rows += 1
    if (findFault(record, shape)) {
      note(broken, record)
      if (record.isBroken && !record.buffer.subarray(record.start, record.end).includes(0)) foreignRows += 1
      return
    }
    last.buffer = record.buffer
    last.start = record.start
    last.end = record.end
    if (record.isTorn) note(torn, record)
    if (record.delimiters + 1 < columns) addShort(record)
    else if (record.isOdd || record.isEscaped || isWritten || sample.length < SAMPLE_ROWS) addFields(record)
    else addBytes(record)
  }
  function take(record: RecordView): void {
    if (eol === undefined && record.eol !== '') ({ eol } = record)
    if (isHeader) isHeader = false
    else if (!isNoRow(record, shape)) add(record)
  }
  function settle(): FileTally {
    const settledColumnTallies = structuredClone(tallies)
    const isShortFilled = short.rows > 0 && (dialect.fill_short_rows ?? shortFitting >= short.rows * 0.9)
    if (isShortFilled)
      for (const [at, tally] of settledColumnTallies.entries()) mergeTally(tally, shortTallies[at] as ColumnTally)
    const isBroken = short.rows > 0 && !isShortFilled
    const line = isBroken && broken.rows > 0 ? Math.min(broken.line, short.line) : short.line
    const hasWords = settledColumnTallies.map(countNullWords).includes(true)
    return {
      headers,
      tallies: settledColumnTallies,
      sample,
      rows,
      broken: isBroken ? { ...broken, line, rows: broken.rows + short.rows } : { ...broken },
      short,
      isShortFilled,
      torn,
      foreignRows,
      hasTokens: hasTokens || hasWords,
      eol: eol ?? '\n',
      escaped,
      last: splitRecord(last, separators).map(({ text }) => text),
    }
  }
  return {
    rows: () => rows,
    look: (chunk: Buffer) => void (escaped ??= findEscape(chunk, delimiter)),
    take,
    settle,
    /** Unchanged while nothing could settle the columns differently. */
    digest: () =>
      [
        ...tallies.map(({ kinds, likelyKinds, marks, misfits, words, values }) => {
          // In a column that is text already, no share can change anything.
          const isCounted = likelyKinds !== 0 && (misfits > 0 || (marks & MARK.spaced) !== 0)
          return [kinds, likelyKinds, marks, words.size, isCounted ? values : values > 0].join()
        }),
        [broken.rows, short.rows, foreignRows, hasTokens, eol].join(),
      ].join(';'),
  }
}

export type CsvTally = ReturnType<typeof createCsvTally>

export function createRowTally(dialect: FileDialect, headers: readonly string[], isTokensGiven: boolean) {
  const tallies = headers.map(() => createTally())
  const tokens = new Set(listTokensInText(dialect))
  const words = new Set(
    dialect.format === 'parquet' || dialect.format === 'jsonl' ? [] : wordsFor(dialect, isTokensGiven),
  )
  const sample: (string | null)[][] = []
  let rows = 0
  const broken = noRows()
  let hasTokens = false
  let last: FileRow['cells'] = []
  const count = (tally: ColumnTally, cell: string | null, kinds: number | undefined) => {
    if (cell === null || tokens.has(cell)) {
      tally.empty += 1
      hasTokens ||= cell !== null && cell !== ''
    } else if (findWord(cell, words) === undefined) countValue(tally, cell, kinds)
    else countWord(tally, cell, words)
  }
  return {
    rows: () => rows,
    add({ cells, fault, kinds }: FileRow): void {
      rows += 1
      if (fault) {
        broken.rows += 1
        if (broken.rows === 1) broken.line = fault.line
        return
      }
      last = cells
      for (const [at, tally] of tallies.entries()) count(tally, cells[at] ?? null, kinds?.[at])
      if (sample.length < SAMPLE_ROWS) sample.push(cells.map((cell) => cell?.slice(0, SAMPLE_CELL) ?? null))
    },
    end(): FileTally {
      for (const tally of tallies) hasTokens = countNullWords(tally) || hasTokens
      const none = { short: noRows(), torn: noRows(), isShortFilled: false, foreignRows: 0 }
      return { headers, tallies, sample, rows, broken, ...none, hasTokens, eol: '\n', last }
    },
  }
}
