import type { CopyFormat } from '../read/csv-blocks.ts'
import { NOTHING, findFault, fitFields, isNoRow, tokensInText } from '../read/csv-rows.ts'
import { type FileDialect, type FileRow, SHOWN_VALUE, shorten } from '../read/dialect.ts'
import { type RawField, splitRecord } from '../read/record-fields.ts'
import type { RecordView } from '../read/record-scanner.ts'
import { toSeparators, swapSigns } from '../read/separators.ts'
import { detectByteKinds } from '../values/byte-kinds.ts'
import { ALL_MARKS, KIND, MARK, NUMERIC } from '../values/kinds.ts'
import { detectKinds } from '../values/value-kinds.ts'
import { type ColumnTally, countForced, countValue, createTally, noteMarks } from './column-profile.ts'
import { SAFE_DIGITS, reachBytes } from './number-reach.ts'
import { findEscape } from './find-escape.ts'
import { mergeTally, countNullWords } from './settle-tally.ts'

const POINT = 46
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

function noteKinds(tally: ColumnTally, kinds: number, length: number): void {
  tally.values += 1
  tally.kinds &= kinds
  tally.likelyKinds &= kinds
  if (length > tally.longest) tally.longest = length
}

/** Works on bytes; creates strings only for values that may be typed. */
export function createCsvTally(dialect: FileDialect, headers: readonly string[], isTokensGiven: boolean) {
  const columns = headers.length
  const separators = toSeparators(dialect)
  const { delimiter, quote } = separators
  const tokens = new Set(tokensInText(dialect))
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
  // Null tokens that look like values must be compared as text.
  const hasOddTokens = [...tokens].some((token) => token !== '')
  // Must be rewritten for COPY.
  const isWritten = separators.swapped !== undefined || separators.isPadded === true
  let hasTokens = !tokens.has('') || separators.isPadded === true
  let eol: CopyFormat['eol'] | undefined
  let escaped: string | undefined
  let isHeader = dialect.has_header
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
  function isPlainText(buffer: Buffer, from: number, to: number): boolean {
    if (to - from > (hasOddTokens ? MAX_TOKEN_LENGTH : 4)) return true
    if (hasOddTokens || mayBeginWord[buffer[from] as number] === 1) return false
    for (let at = from + 1; at < to; at += 1) if ((buffer[at] as number) > 127) return false
    return true
  }
  function addField(tally: ColumnTally, buffer: Buffer, [from, to]: readonly [number, number]): void {
    const length = to - from
    if (length === 0) return count(tally, NO_FIELD)
    const isText = tally.likelyKinds === 0 && isPlainText(buffer, from, to)
    const kinds = isText ? 0 : detectByteKinds(buffer, from, to)
    const isMisfit = !isText && (tally.likelyKinds & kinds) === 0
    if (kinds < 0 || isMisfit || (length <= MAX_TOKEN_LENGTH && hasOddTokens)) {
      return count(tally, { text: buffer.toString('utf8', from, to) })
    }
    noteKinds(tally, kinds, length)
    if ((kinds & NUMERIC) !== 0) {
      const { digits, point } = tally.reach
      // Fast path: most fractions of a column have the same number of decimals.
      const isFraction = (kinds & KIND.integer) === 0
      const isSame = !isFraction || buffer[to - 1 - point.count] === POINT
      const signs = isFraction ? length - 1 : length
      if (!isSame || signs > digits || signs > SAFE_DIGITS) reachBytes(tally.reach, buffer, [from, to])
    }
    if ((kinds & ALL_MARKS & ~tally.marks) !== 0)
      noteMarks(tally, buffer.toString('latin1', from, to), kinds & ALL_MARKS)
  }
  function addBytes({ buffer, start, end, places, delimiters, hasQuotes }: RecordView): void {
    let from = start
    for (let at = 0; at < columns; at += 1) {
      const tally = tallies[at] as ColumnTally
      const to = at < delimiters ? start + (places[at] as number) : end
      if (hasQuotes && buffer[from] === quote && from < to)
        count(tally, splitRecord({ buffer, start: from, end: to }, separators)[0] ?? NO_FIELD)
      else addField(tally, buffer, [from, to])
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
    const settled = structuredClone(tallies)
    const isShortFilled = short.rows > 0 && (dialect.fill_short_rows ?? shortFitting >= short.rows * 0.9)
    if (isShortFilled) for (const [at, tally] of settled.entries()) mergeTally(tally, shortTallies[at] as ColumnTally)
    const isBroken = short.rows > 0 && !isShortFilled
    const line = isBroken && broken.rows > 0 ? Math.min(broken.line, short.line) : short.line
    const hasWords = settled.map(countNullWords).includes(true)
    return {
      headers,
      tallies: settled,
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
          const isCounted = misfits > 0 || (marks & MARK.spaced) !== 0
          return [kinds, likelyKinds, marks, words.size, isCounted ? values : values > 0].join()
        }),
        [broken.rows, short.rows, foreignRows, hasTokens, eol].join(),
      ].join(';'),
  }
}

export type CsvTally = ReturnType<typeof createCsvTally>

export function createRowTally(dialect: FileDialect, headers: readonly string[], isTokensGiven: boolean) {
  const tallies = headers.map(() => createTally())
  const tokens = new Set(tokensInText(dialect))
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
