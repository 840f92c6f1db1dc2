import type { FileDialect } from '../read/dialect.ts'
import { type RawField, splitRecord } from '../read/record-fields.ts'
import { createRecordScanner } from '../read/record-scanner.ts'
import { separatorsOf } from '../read/separators.ts'
import { kindsOf } from '../values/value-kinds.ts'

type Signs = Pick<FileDialect, 'delimiter' | 'quote' | 'escape'>

interface SampleRecord {
  readonly line: number
  readonly fields: readonly RawField[]
  readonly isTorn: boolean
}

export interface Candidate {
  readonly signs: Signs
  readonly records: readonly SampleRecord[]
  /** The number of values most records have. */
  readonly columns: number
  /** The share of records that have as many. */
  readonly share: number
  readonly score: number
}

/** How likely a sign parts values where nothing else speaks for or against it. */
const PRIORS: Readonly<Record<string, number>> = { ',': 0.05, ';': 0.045, '\t': 0.05, '|': 0.04 }
const UNLIKELY: Readonly<Record<string, number>> = {
  ' ': -0.4,
  ':': -0.15,
  '/': -0.3,
  '-': -0.35,
  '.': -0.4,
  '=': -0.2,
}
const OTHER_PRIOR = -0.05
const MAX_RECORDS = 500
const MAX_CANDIDATES = 10
/** One column of text that nothing parts, and what it gains when all its values are of one kind. */
const ONE_COLUMN = 0.7
const ONE_KIND = 0.4

/** Every way the signs of a file can be read, the best first. */
export function rankSeparators(head: Buffer, given: Partial<FileDialect>): Candidate[] {
  const delimiters = given.delimiter === undefined ? findDelimiters(head) : [given.delimiter]
  const quotes = given.quote === undefined ? findQuotes(head) : [given.quote]
  const candidates: Candidate[] = []
  for (const quote of quotes) {
    const escapes = given.escape === undefined ? findEscapes(head, quote) : [given.escape]
    for (const escape of escapes) {
      for (const delimiter of delimiters) {
        if (delimiter !== quote) candidates.push(scoreSigns(head, { delimiter, quote, escape }))
      }
    }
  }
  return candidates.toSorted((a, b) => b.score - a.score)
}

/** Signs that stand in most lines; letters, digits and what names are made of part nothing. */
function findDelimiters(head: Buffer): string[] {
  const lines = head
    .toString('latin1')
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '')
    .slice(0, 200)
  const counts = new Map<string, number>()
  for (const line of lines) {
    for (const sign of new Set(line)) if (canPart(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  const common = Object.keys(PRIORS)
  const start = lines.find((line) => !line.startsWith('#')) ?? ''
  // A sign that most values have but no header is part of the values.
  const others = [...counts]
    .filter(([sign, count]) => !common.includes(sign) && count * 2 >= lines.length && start.includes(sign))
    .toSorted((a, b) => b[1] - a[1])
    .map(([sign]) => sign)
  return [...common, ...others].slice(0, MAX_CANDIDATES)
}

/** Signs of ASCII but letters, digits, quotes and what names and paths are made of; also the separators of its control characters. */
function canPart(sign: string): boolean {
  const code = sign.charCodeAt(0)
  if (code >= 127 || code === 0 || /[\w"'\\\r\n]/.test(sign)) return false
  return code <= 9 || code >= 28
}

function findQuotes(head: Buffer): string[] {
  const text = head.toString('latin1')
  const opens = (quote: string) => text.match(new RegExp(`(?:^|[,;\\t|\\r\\n:^~ ])${quote}`, 'g'))?.length ?? 0
  const closes = (quote: string) => text.match(new RegExp(`${quote}(?:$|[,;\\t|\\r\\n:^~ ])`, 'g'))?.length ?? 0
  const isSingle = opens("'") > 2 && closes("'") > 2 && opens('"') === 0
  if (!text.includes('"')) return isSingle ? ["'", '"'] : ['"']
  return ['"', '']
}

const findEscapes = (head: Buffer, quote: string): ('' | '\\')[] =>
  quote !== '' && head.includes(`\\${quote}`) ? ['', '\\'] : ['']

function scoreSigns(head: Buffer, signs: Signs): Candidate {
  const { records, isOpen } = sampleRecords(head, signs)
  const rows = records.filter(({ fields }) => fields[0]?.text.startsWith('#') !== true)
  const columns = modal((rows.length > 0 ? rows : records).map((record) => record.fields.length))
  const full = records.filter((record) => record.fields.length === columns)
  const titles = titleLines(records, columns)
  const body = records.slice(titles).filter((record) => !isComment(record, columns))
  const share = body.filter((record) => record.fields.length === columns).length / Math.max(1, body.length)
  const torn = records.filter((record) => record.isTorn).length / Math.max(1, records.length)
  const typed = typedShare(full, columns)
  const prior = PRIORS[signs.delimiter] ?? UNLIKELY[signs.delimiter] ?? OTHER_PRIOR
  // Quotes that are left standing around values were meant to be taken off.
  const kept = signs.quote === '' ? quotedShare(full) * 0.5 + 0.1 : 0
  const escaped = signs.escape === '\\' ? 0.01 : 0
  const penalty =
    torn * 0.15 +
    kept +
    escaped +
    (isOpen ? 0.6 : 0) +
    (signs.quote === "'" ? 0.01 : 0) +
    (titles > 0 && isData(records[titles]) ? 0.3 : 0)
  const score =
    columns < 2
      ? ONE_COLUMN + (isParted(records) ? -ONE_KIND : ONE_KIND * typed) + prior / 100 - (1 - share) * 0.3 - penalty
      : share + 0.25 * typed + prior + Math.min(columns, 20) / 1000 - penalty
  return { signs, records, columns, share, score }
}

/** Behind a title comes a header: where data comes at once, the title was one of another table. */
const isData = (record: SampleRecord | undefined) =>
  record?.fields.every(({ text }) => text === '' || kindsOf(text) !== 0) === true

const quotedShare = (records: readonly SampleRecord[]) =>
  records.filter(({ fields }) => fields.some(({ text }) => /^".*"$/.test(text))).length / Math.max(1, records.length)

/** A header that is parted says that the rows are. */
const isParted = ([first]: readonly SampleRecord[]) => /[,;\t|]/.test(first?.fields[0]?.text ?? '')

const isComment = ({ fields }: SampleRecord, columns: number) =>
  fields.length !== columns && fields[0]?.text.startsWith('#') === true

/** Lines above the table have fewer values than its rows, and say nothing about how those are written. */
function titleLines(records: readonly SampleRecord[], columns: number): number {
  const first = records.findIndex((record) => record.fields.length === columns)
  return columns > 1 && first <= 20 ? Math.max(0, first) : 0
}

/** The share of columns that are more than text. */
function typedShare(records: readonly SampleRecord[], columns: number): number {
  let typed = 0
  for (let column = 0; column < columns; column += 1) {
    let kinds = -1
    let values = 0
    for (const { fields } of records.slice(1, 100)) {
      const text = fields[column]?.text ?? ''
      if (text === '') continue
      values += 1
      kinds &= kindsOf(text)
      if (kinds === 0) break
    }
    if (values > 0 && (kinds & 0xfffff) !== 0) typed += 1
  }
  return typed / Math.max(1, columns)
}

function sampleRecords(head: Buffer, signs: Signs): { records: SampleRecord[]; isOpen: boolean } {
  const separators = separatorsOf(signs)
  const records: SampleRecord[] = []
  const scanner = createRecordScanner(separators, (record) => {
    if (record.start < record.end && records.length < MAX_RECORDS)
      records.push({ line: record.line, fields: splitRecord(record, separators), isTorn: record.isTorn })
  })
  scanner.push(head)
  // The last one is cut by the end of the sample, unless the sample is the whole file.
  const before = records.length
  try {
    if (before < 20) scanner.end()
  } catch {
    return { records, isOpen: true }
  }
  return { records, isOpen: false }
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
