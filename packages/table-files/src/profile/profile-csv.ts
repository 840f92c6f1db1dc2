import { type EncodingFound, findEncoding, isUtf8Head, markedEncoding } from '../detect/encoding.ts'
import { assertText } from '../detect/not-a-table.ts'
import { type Candidate, rankSeparators } from '../detect/separators.ts'
import { type TableStart, findTableStart } from '../detect/table-start.ts'
import { type ByteSource, FileFault, readHead } from '../read/byte-source.ts'
import { readFirstRecord, skipLines } from '../read/csv-rows.ts'
import type { FileDialect } from '../read/dialect.ts'
import { createRecordScanner } from '../read/record-scanner.ts'
import { toUtf8 } from '../read/encoding.ts'
import { swapDelimiter, toSeparators } from '../read/separators.ts'
import { unpack } from '../read/unpack.ts'
import { buildProfile } from './build-profile.ts'
import { HEAD_BYTES, type InspectedFile, type FileProfile, withProgress } from './file-profile.ts'
import { type CsvTally, type FileTally, createCsvTally } from './tally-file.ts'

const RECORD_SEPARATOR = 0x1e
const NO_LINES =
  'The rows of the file are separated by the character U+001E instead of line ends. Write the file with one row a line.'

interface CsvReading {
  readonly dialect: FileDialect
  readonly start: TableStart
  readonly candidate: Candidate
  readonly tallied: FileTally
}

/** Tries the readings that fit the beginning on the whole file, best first. */
export async function profileCsv(source: ByteSource, knownInspectedFile: InspectedFile): Promise<FileProfile> {
  const { packing, given } = knownInspectedFile
  const found = await chooseEncoding(source, knownInspectedFile)
  const { encoding } = found
  const text = await readHead(toUtf8(once(knownInspectedFile.head), encoding, { isCut: true }), HEAD_BYTES * 4)
  assertText(text)
  if (text.includes(RECORD_SEPARATOR) && !text.includes(10) && !text.includes(13)) throw new FileFault(NO_LINES)
  const isCut =
    knownInspectedFile.isHeadOnly === true &&
    knownInspectedFile.head.length === (knownInspectedFile.headBytes ?? HEAD_BYTES)
  const utf8 = () =>
    isCut ? toUtf8(once(knownInspectedFile.head), encoding, { isCut }) : toUtf8(unpack(source, packing), encoding)
  const rankedCandidates = rankSeparators(text, given)
  const readings = await readBest(rankedCandidates, (candidate) => {
    const text = () => swapDelimiter(utf8(), candidate.signs.delimiter)
    return readAll(candidate, text, { ...knownInspectedFile, encoding, isCut })
  })
  if (!readings) return await profileCsv(source, { ...knownInspectedFile, isHeadOnly: false })
  const { best, second, failed } = readings
  // Later bytes may reveal another encoding.
  if (
    best.tallied.foreignRows > 0 &&
    encoding === 'utf-8' &&
    given.encoding === undefined &&
    found.broken === 0 &&
    !isCut
  ) {
    const whole = await findEncoding(unpack(source, packing))
    if (whole.encoding !== 'utf-8') return await profileCsv(source, { ...knownInspectedFile, encodingFound: whole })
    return buildProfile({
      ...best,
      ranked: rankedCandidates,
      second,
      failed,
      known: knownInspectedFile,
      isCut,
      encoding: whole,
    })
  }
  return buildProfile({
    ...best,
    ranked: rankedCandidates,
    second,
    failed,
    known: knownInspectedFile,
    isCut,
    encoding: found,
  })
}

async function chooseEncoding(source: ByteSource, knownInspectedFile: InspectedFile): Promise<EncodingFound> {
  const { given, head, packing } = knownInspectedFile
  if (knownInspectedFile.encodingFound) return knownInspectedFile.encodingFound
  const sure = { fitting: 0, broken: 0, second: undefined }
  const encoding = given.encoding ?? markedEncoding(head)
  if (encoding !== undefined) return { encoding, ...sure }
  if (isUtf8Head(head)) return { encoding: 'utf-8', ...sure }
  assertText(head)
  return await findEncoding(unpack(source, packing))
}

export async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

interface Readings {
  readonly best: CsvReading
  readonly second: CsvReading | undefined
  readonly failed: FileFault | undefined
}

const brokenShare = ({ tallied }: Pick<CsvReading, 'tallied'>) => tallied.broken.rows / Math.max(1, tallied.rows)
const GOOD_SHARE = 0.1
export const isGoodReading = (reading: Pick<CsvReading, 'tallied'>): boolean => brokenShare(reading) <= GOOD_SHARE
const MAX_TRIED = 3

async function readBest(
  rankedCandidates: readonly Candidate[],
  read: (candidate: Candidate) => Promise<CsvReading | undefined>,
): Promise<Readings | undefined> {
  let best: CsvReading | undefined
  let second: CsvReading | undefined
  let failedFileFault: FileFault | undefined
  for (const candidate of rankedCandidates.slice(0, MAX_TRIED)) {
    if (best && candidate.isCut) continue
    try {
      const reading = await read(candidate)
      if (!reading) return undefined
      if (failedFileFault && (brokenShare(reading) > GOOD_SHARE / 2 || candidate.columns < 2)) continue
      if (!best) best = reading
      else if (candidate.columns > 1 && brokenShare(reading) < brokenShare(best) / 2) [best, second] = [reading, best]
      else second ??= reading
      if (isGoodReading(best)) break
    } catch (error) {
      if (!(error instanceof FileFault)) throw error
      failedFileFault ??= error
    }
  }
  return decide({ best, second, failed: failedFileFault }, rankedCandidates)
}

function decide(
  found: Omit<Readings, 'best'> & { best: CsvReading | undefined },
  rankedCandidates: readonly Candidate[],
): Readings {
  const { best, second, failed } = found
  if (!best) throw failed ?? new FileFault('The file has no rows and no header.')
  // If no reading fits half of the rows, the best one's error is the most useful.
  if (failed && brokenShare(best) > 0.5) throw failed
  return { best, second, failed: best.candidate === rankedCandidates[0] ? undefined : failed }
}

type Reader = InspectedFile & { readonly encoding: FileDialect['encoding']; readonly isCut: boolean }

async function readAll(
  candidate: Candidate,
  utf8: () => AsyncIterable<Uint8Array>,
  knownReader: Reader,
): Promise<CsvReading | undefined> {
  const prepared = await prepareReading(candidate, utf8, knownReader)
  if (!prepared) return undefined
  const { dialect, start } = prepared
  const tally = prepared.createTally()
  const scanner = createRecordScanner(toSeparators(dialect), tally.take)
  for await (const chunk of skipLines(withProgress(utf8(), knownReader, tally.rows), dialect.skip_lines)) {
    tally.look(chunk)
    scanner.push(chunk)
  }
  if (!knownReader.isCut) scanner.end()
  return { dialect, start, candidate, tallied: tally.settle() }
}

export interface PreparedReading extends Pick<CsvReading, 'dialect' | 'start'> {
  createTally(): CsvTally
}

export async function prepareReading(
  candidate: Candidate,
  utf8: () => AsyncIterable<Uint8Array>,
  knownReader: Reader,
): Promise<PreparedReading | undefined> {
  const { given } = knownReader
  const start = findStart(candidate, given)
  const dialect: FileDialect = {
    format: 'csv',
    encoding: knownReader.encoding,
    ...candidate.signs,
    has_header: given.has_header ?? start.hasHeader,
    skip_lines: given.skip_lines ?? start.skip,
    null_tokens: given.null_tokens ?? [''],
    null_words_in_text: given.null_words_in_text ?? given.null_tokens !== undefined,
    ...(given.fill_short_rows !== undefined && { fill_short_rows: given.fill_short_rows }),
    comment: given.comment ?? findComment(candidate),
    decimal_comma: given.decimal_comma ?? false,
    date_order: given.date_order ?? 'ymd',
    sheet: null,
  }
  const first = await readFirstRecord(utf8(), dialect, knownReader)
  if (!first && knownReader.isCut) return undefined
  if (!first) throw new FileFault('The file has no rows and no header.')
  const headers = chooseNames(first, { dialect, start, given })
  return { dialect, start, createTally: () => createCsvTally(dialect, headers, given.null_tokens !== undefined) }
}

const SEP_LINE = /^sep=(.)$/i

function findStart({ records, columns }: Candidate, given: Partial<FileDialect>): TableStart {
  const from = given.skip_lines ?? 0
  const rows = records
    .filter(({ line, fields }) => line > from && !(line === 1 && isSepLine(fields)))
    .map(({ line, fields }) => ({ line, cells: fields.map(({ text }) => text) }))
  const width = usedWidth(rows, columns)
  const start = findTableStart(
    rows.filter(({ cells }) => !isComment(cells, width)),
    width,
  )
  const header = rows.find(({ line }) => line === start.skip + 1)
  const isNarrow = header !== undefined && start.hasHeader && header.cells.length < width
  // A missing name cannot be located, and a wrong name is worse than none.
  if (isNarrow && given.has_header === undefined) {
    const rest = rows.filter(({ line }) => line > start.skip + 1)
    const isShort = rest.every(({ cells }) => cells.length <= header.cells.length)
    if (isShort) return start
    const names = hasRowNumbers(rest, width) && header.cells.length === width - 1 ? header.cells : undefined
    return {
      ...start,
      skip: start.skip + 1,
      hasHeader: false,
      titles: [...start.titles, header.cells.join(', ')],
      ...(names && { names: [numberedName(0), ...names] }),
    }
  }
  return start
}

interface NameFacts {
  readonly dialect: FileDialect
  readonly start: TableStart
  readonly given: Partial<FileDialect>
}

/** Joined names are valid only at the detected start. */
function chooseNames(first: readonly string[], { dialect, start, given }: NameFacts): readonly string[] {
  const isFound = given.has_header !== false && given.skip_lines === undefined
  if (isFound && start.names?.length === first.length) return start.names
  return dialect.has_header ? first : first.map((_, at) => numberedName(at))
}

const numberedName = (at: number) => `column_${at + 1}`

/** R writes row numbers under an empty header. */
const hasRowNumbers = (rows: readonly { cells: readonly string[] }[], width: number) =>
  rows.length > 1 && rows.every(({ cells }, at) => cells.length === width && cells[0] === String(at + 1))

/** `sep=;` for Excel, which its own delimiter may split. */
const isSepLine = (fields: readonly { text: string }[]) =>
  SEP_LINE.test(fields[0]?.text ?? '') ||
  (fields.length === 2 && /^sep=$/i.test(fields[0]?.text ?? '') && fields[1]?.text === '')

const isComment = (cells: readonly string[], width: number) =>
  cells[0]?.startsWith('#') === true && cells.length < width

function usedWidth(rows: readonly { cells: readonly string[] }[], columns: number): number {
  const full = rows.filter(({ cells }) => cells.length === columns)
  for (let width = columns; width > 1; width -= 1) {
    if (full.some(({ cells }) => (cells[width - 1] ?? '') !== '')) return width
  }
  return columns
}

const findComment = ({ records, columns, hasRules }: Candidate): '' | '#' | '-' => {
  if (hasRules) return '-'
  return columns > 1 && records.some(({ fields }) => fields.length !== columns && fields[0]?.text.startsWith('#'))
    ? '#'
    : ''
}
