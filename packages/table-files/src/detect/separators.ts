import type { FileDialect } from '../read/dialect.ts'
import { isRule } from '../read/csv-rows.ts'
import { type RawField, splitRecord } from '../read/record-fields.ts'
import { createRecordScanner } from '../read/record-scanner.ts'
import { toSeparators, swapSigns } from '../read/separators.ts'
import { ALL_KINDS, KIND } from '../values/kinds.ts'
import { detectKinds } from '../values/value-kinds.ts'

type Signs = Pick<FileDialect, 'delimiter' | 'quote' | 'escape'>

interface SampleRecord {
  readonly line: number
  readonly fields: readonly RawField[]
  readonly isTorn: boolean
}

export interface Candidate {
  readonly signs: Signs
  readonly records: readonly SampleRecord[]
  readonly columns: number
  readonly share: number
  readonly titles: number
  readonly hasRules: boolean
  readonly isCut: boolean
  readonly score: number
}

const PRIORS: Readonly<Record<string, number>> = { ',': 0.05, ';': 0.045, '\t': 0.05, '|': 0.04 }
const UNLIKELY: Readonly<Record<string, number>> = { ' ': -0.4, ':': -0.15, '=': -0.2 }
const OTHER_PRIOR = -0.05
const CONTROL_PRIOR = 0.3
/** Prefers a candidate whose table starts at the first line. */
const TITLE_PENALTY = 0.12
const DECIMAL_COMMA_PENALTY = 0.3
/** A delimiter inside quotes cuts a value. */
const CUT_PENALTY = 0.2
/** A delimiter that yields far more columns is unlikely to be part of the values. */
const WIDER_BONUS = 0.05
const WIDER_TIMES = 2
const getPrior = (sign: string) =>
  PRIORS[sign] ?? UNLIKELY[sign] ?? (sign.charCodeAt(0) < 32 ? CONTROL_PRIOR : OTHER_PRIOR)
const MAX_NOTES = 10
const MAX_RECORDS = 500
const MAX_CANDIDATES = 10
/** Score of a single text column, and its bonus if all values have one kind. */
const ONE_COLUMN = 0.7
const ONE_KIND = 0.4

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
  const hasDecimalCommas = hasCommasInNumbers(head)
  const isParted =
    hasMoreThanCommas(head) ||
    candidates.some(
      ({ signs, columns, share }) =>
        signs.delimiter !== ',' && columns > 1 && share >= 0.95 && !(signs.delimiter in UNLIKELY),
    )
  const isAllParted = candidates.some((candidate) => splitsEveryRecord(candidate) && candidate.titles === 0)
  const narrowest = Math.min(...candidates.filter(splitsEveryRecord).map(({ columns }) => columns))
  return candidates
    .map((candidate) => {
      const isDecimal = candidate.signs.delimiter === ',' && hasDecimalCommas && isParted
      const isWider = splitsEveryRecord(candidate) && candidate.columns >= narrowest * WIDER_TIMES
      const penalty =
        (isDecimal ? DECIMAL_COMMA_PENALTY : 0) + (isAllParted && candidate.titles > 0 ? TITLE_PENALTY : 0)
      return { ...candidate, score: candidate.score - penalty + (isWider ? WIDER_BONUS : 0) }
    })
    .toSorted((a, b) => b.score - a.score)
}

const splitsEveryRecord = ({ signs, columns, share, records }: Candidate) =>
  signs.delimiter in PRIORS && columns > 1 && share === 1 && records.length > 1

/** Commas between digits may be decimal commas. */
function hasCommasInNumbers(head: Buffer): boolean {
  const text = head.toString('latin1')
  const commas = text.split(',').length - 1
  const between = text.match(/\d,(?=\d)/g)?.length ?? 0
  return commas > 0 && between >= commas * 0.9
}

function hasMoreThanCommas(head: Buffer): boolean {
  const text = head.toString('latin1')
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line !== '')
  const commas = text.split(',').length
  return [';', '\t', '|'].some(
    (sign) =>
      text.split(sign).length > commas && lines.filter((line) => line.includes(sign)).length * 5 >= lines.length * 4,
  )
}

/** Punctuation in most lines; letters, digits and name characters never separate. */
function findDelimiters(head: Buffer): string[] {
  const lines = head
    .toString('utf8')
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '')
    .slice(0, 200)
  const counts = new Map<string, number>()
  for (const line of lines) {
    for (const sign of new Set(line)) if (canPart(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  const common = Object.keys(PRIORS)
  const start = lines.find((line) => !line.startsWith('#')) ?? ''
  // A character in most values but not in the header is part of the values.
  const others = [...counts]
    .filter(([sign, count]) => !common.includes(sign) && count * 2 >= lines.length && start.includes(sign))
    .toSorted((a, b) => b[1] - a[1])
    .map(([sign]) => sign)
  return [...common, ...others].slice(0, MAX_CANDIDATES)
}

/** Parts of dates, versions, paths, amounts and quotes never separate. */
const NEVER_PARTS = /[\w"'\\\r\n./\-+()[\]{}%‘’“”«»–—…°º€£¥\ufffd]/

function canPart(sign: string): boolean {
  const code = sign.charCodeAt(0)
  // A surrogate pair cannot be a delimiter.
  if (code === 0 || code === 127 || sign.length > 1 || NEVER_PARTS.test(sign)) return false
  return code < 127 ? code <= 9 || code >= 28 : /^[\p{P}\p{S}]$/u.test(sign)
}

function findQuotes(head: Buffer): string[] {
  const text = head.toString('latin1')
  const opens = (quote: string) => text.match(new RegExp(`(?:^|[^\\w"'.])${quote}`, 'g'))?.length ?? 0
  const closes = (quote: string) => text.match(new RegExp(`${quote}(?:$|[^\\w"'.])`, 'g'))?.length ?? 0
  const single = opens("'") > 1 && closes("'") > 1 ? ["'"] : []
  return text.includes('"') ? ['"', ...single, ''] : [...single, '"']
}

const findEscapes = (head: Buffer, quote: string): ('' | '\\')[] =>
  quote !== '' && head.includes(`\\${quote}`) ? ['', '\\'] : ['']

function scoreSigns(head: Buffer, signs: Signs): Candidate {
  const sample = sampleRecords(head, signs)
  const { isOpen } = sample
  const ruled = signs.delimiter === '|' ? sample.records.filter((record) => !isRuledLine(record)) : sample.records
  const hasRules = ruled.length > 0 && ruled.length < sample.records.length
  const records = hasRules ? ruled : sample.records
  const rows = records.filter(({ fields }) => fields[0]?.text.startsWith('#') !== true)
  const columns = getMode((rows.length > 0 ? rows : records).map((record) => record.fields.length))
  const full = records.filter((record) => record.fields.length === columns)
  const lines = records.filter((record) => !isComment(record, columns))
  const titles = titleLines(lines, columns)
  const body = withoutNotes(lines.slice(titles), columns)
  const share = body.filter((record) => record.fields.length === columns).length / Math.max(1, body.length)
  const torn = records.filter((record) => record.isTorn).length / Math.max(1, records.length)
  const typed = typedShare(full, columns)
  const prior = getPrior(signs.delimiter)
  const isCut = signs.quote === '' && records.some(hasCutQuotes)
  const kept = scoreKept(full, signs.quote, isCut)
  const escaped = signs.escape === '\\' ? 0.01 : 0
  const penalty =
    torn * 0.15 +
    kept +
    escaped +
    (isOpen ? 0.6 : 0) +
    (signs.quote === "'" ? 0.01 : 0) +
    (signs.delimiter in UNLIKELY && !isNames(rows) ? 0.5 : 0) +
    (titles > 0 ? TITLE_PENALTY : 0) +
    (columns > 1 && hasSwallowed(records, signs.delimiter, columns) ? 0.2 : 0) +
    (titles > 0 && isData(lines[titles]) ? 0.3 : 0)
  const score =
    columns < 2
      ? ONE_COLUMN + (isParted(lines) ? -ONE_KIND : ONE_KIND * typed) + prior / 100 - (1 - share) * 0.3 - penalty
      : share + 0.25 * typed + prior + Math.min(columns, 20) / 1000 - penalty
  return { signs, records, columns, share, titles, hasRules, isCut, score }
}

const scoreKept = (full: readonly SampleRecord[], quote: string, isCut: boolean) =>
  quotedShare(full, quote) * 0.5 + (quote === '' ? 0.1 : 0) + (isCut ? CUT_PENALTY : 0)

const isRuledLine = ({ fields }: SampleRecord) => isRule(fields.map(({ text }) => text).join('|'))

/** A title must be followed by a header, otherwise it belonged to another table. */
const isData = (record: SampleRecord | undefined) =>
  record?.fields.every(({ text }) => text === '' || detectKinds(text) !== 0) === true

/** Reading a literal quote as quoting swallows rows up to the next quote. */
const hasSwallowed = (records: readonly SampleRecord[], delimiter: string, columns: number) =>
  records.some(({ fields }) =>
    fields.some(({ text, isQuoted }) => isQuoted && /[\r\n]/.test(text) && text.split(delimiter).length >= columns),
  )

/** Spaces and colons separate only if they also separate the header. */
const isNames = ([first, next]: readonly SampleRecord[]) =>
  first !== undefined &&
  next !== undefined &&
  first.fields.every(({ text }) => text !== '' && !/^\d/.test(text) && isName(text))

const isName = (text: string) => (detectKinds(text) & ALL_KINDS & ~KIND.boolean) === 0

function quotedShare(records: readonly SampleRecord[], quote: string): number {
  const isKept = (text: string) =>
    text.length > 1 && ((quote !== '"' && DOUBLE.test(text)) || (quote !== "'" && SINGLE.test(text)))
  const keptRecords = records.filter(
    (record) => (quote === '' && hasCutQuotes(record)) || record.fields.some(({ text }) => isKept(text)),
  )
  return keptRecords.length / Math.max(1, records.length)
}

/** A field starts with a quote and a later one ends with it. */
function hasCutQuotes({ fields }: SampleRecord): boolean {
  const open = fields.findIndex(({ text }) => /^"[^"]*$/.test(text))
  return open >= 0 && fields.slice(open + 1).some(({ text }) => /^[^"]+"$/.test(text))
}
const DOUBLE = /^"[^]*"$/
const SINGLE = /^'[^]*'$/

const isParted = (records: readonly SampleRecord[]) => {
  const first = records.find(({ fields }) => fields[0]?.text.startsWith('#') !== true)
  return /[,;\t|]/.test(first?.fields[0]?.text ?? '')
}

const isComment = ({ fields }: SampleRecord, columns: number) =>
  fields.length !== columns && fields[0]?.text.startsWith('#') === true

/** Title lines have fewer values than rows; only the first may be wider. */
function titleLines(records: readonly SampleRecord[], columns: number): number {
  const first = records.findIndex(({ fields }, at) => fields.length === columns || (at > 0 && fields.length > columns))
  return columns > 1 && first <= 20 ? Math.max(0, first) : 0
}

function withoutNotes(body: readonly SampleRecord[], columns: number): readonly SampleRecord[] {
  if (columns < 3) return body
  const last = body.findLastIndex(({ fields }) => fields.length > 1)
  const notes = body.length - 1 - last
  return notes <= MAX_NOTES && last > 0 ? body.slice(0, last + 1) : body
}

function typedShare(records: readonly SampleRecord[], columns: number): number {
  let typed = 0
  for (let column = 0; column < columns; column += 1) {
    let kinds = -1
    let values = 0
    for (const { fields } of records.slice(records.length > 1 ? 1 : 0, 100)) {
      const text = fields[column]?.text ?? ''
      if (text === '') continue
      values += 1
      kinds &= detectKinds(text)
      if (kinds === 0) break
    }
    if (values > 0 && (kinds & 0xfffff) !== 0) typed += 1
  }
  return typed / Math.max(1, columns)
}

function sampleRecords(head: Buffer, signs: Signs): { records: SampleRecord[]; isOpen: boolean } {
  const separators = toSeparators(signs)
  const { swapped } = separators
  const bytes = swapped === undefined ? head : Buffer.from(swapSigns(head.toString('utf8'), swapped))
  const records: SampleRecord[] = []
  const scanner = createRecordScanner(separators, (record) => {
    if (record.start < record.end && records.length < MAX_RECORDS)
      records.push({ line: record.line, fields: splitRecord(record, separators), isTorn: record.isTorn })
  })
  scanner.push(bytes)
  // Drops the last record of a sample, which may be cut off.
  const before = records.length
  try {
    if (before < 20) scanner.end()
  } catch {
    return { records, isOpen: true }
  }
  return { records, isOpen: false }
}

function getMode(counts: readonly number[]): number {
  const seen = new Map<number, number>()
  for (const count of counts) seen.set(count, (seen.get(count) ?? 0) + 1)
  let best = 1
  let most = 0
  for (const [count, times] of seen) {
    if (times > most || (times === most && count > best)) [best, most] = [count, times]
  }
  return best
}
