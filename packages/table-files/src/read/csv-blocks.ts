import type { FileDialect, RowFault } from './dialect.ts'
import { findFault, fitFields, isNoRow, longField, rowFault, skipLines } from './csv-rows.ts'
import { splitRecord } from './record-fields.ts'
import { type RecordView, type Separators, createRecordScanner } from './record-scanner.ts'
import { toSeparators } from './separators.ts'

export interface CopyBlock {
  readonly parts: readonly Uint8Array[]
  readonly bytes: number
  readonly firstRow: number
  readonly rows: number
  readonly lines: number
}

export interface CopyFormat {
  readonly delimiter: string
  readonly quote: string
  readonly eol: '\n' | '\r\n' | '\r'
}

export interface RecordWatch {
  look(chunk: Buffer): void
  take(record: RecordView): void
}

const BLOCK_BYTES = 512 * 1024

export interface PassOptions {
  readonly dialect: FileDialect
  readonly columns: number
  readonly isNumbered?: boolean
  readonly skip?: number
  readonly hasGaps?: boolean
  /** COPY allows a single kind of line ending. */
  readonly eol: CopyFormat['eol']
  readonly onFault: (fault: RowFault) => void
  readonly watch?: RecordWatch
}

/**
 * Mostly passes on the file's bytes: only records that COPY would misread are rewritten, and invalid ones are reported.
 */
export async function* readCsvBlocks(utf8: AsyncIterable<Uint8Array>, options: PassOptions): AsyncGenerator<CopyBlock> {
  const { dialect, watch } = options
  const ready: CopyBlock[] = []
  const builder = createBlockBuilder(options, (block) => ready.push(block))
  let isHeader = dialect.has_header
  const scanner = createRecordScanner(toSeparators(dialect), (record) => {
    watch?.take(record)
    if (isHeader) isHeader = false
    else builder.add(record)
  })
  for await (const chunk of skipLines(utf8, dialect.skip_lines)) {
    watch?.look(chunk)
    scanner.push(chunk)
    builder.pause()
    yield* ready.splice(0)
  }
  scanner.end()
  builder.flush()
  yield* ready
}

function createBlockBuilder(options: PassOptions, give: (block: CopyBlock) => void) {
  const { dialect, columns, eol, onFault } = options
  const separators = toSeparators(dialect)
  const eolBytes = Buffer.from(eol)
  let parts: Uint8Array[] = []
  let bytes = 0
  let rows = 0
  let lines = 0
  let row = 0
  let firstRow = 1
  let left = options.skip ?? 0
  let run: Buffer | undefined
  let runStart = 0
  let runEnd = 0

  function closeRun(): void {
    if (!run) return
    parts.push(run.subarray(runStart, runEnd))
    bytes += runEnd - runStart
    run = undefined
  }
  function flush(): void {
    closeRun()
    if (rows > 0) give({ parts, bytes, firstRow, rows, lines })
    parts = []
    bytes = 0
    rows = 0
    lines = 0
    firstRow = row + 1
  }
  function append(part: Uint8Array): void {
    parts.push(part)
    bytes += part.length
  }
  function rejectRecord(record: RecordView, reason: string): void {
    if (!options.hasGaps) {
      row -= 1
      flush()
      row += 1
      firstRow = row + 1
    }
    onFault(rowFault(record, row, { line: record.line + dialect.skip_lines, reason }))
  }
  function write(record: RecordView): void {
    closeRun()
    if (options.isNumbered) append(Buffer.from(`${row}${dialect.delimiter}`))
    append(
      needsRewriting(record, columns)
        ? rewriteRecord(record, options, separators)
        : record.buffer.subarray(record.start, record.end),
    )
    append(eolBytes)
  }

  return {
    flush,
    pause() {
      if (bytes + runEnd - runStart >= BLOCK_BYTES) flush()
      else closeRun()
    },
    add(record: RecordView): void {
      if (isNoRow(record, options)) return
      row += 1
      const reason = findFault(record, options) ?? longReason(record, separators)
      if (reason) return rejectRecord(record, reason)
      if (left > 0) {
        left -= 1
        firstRow = row + 1
        return
      }
      rows += 1
      lines += 1 + (eol === '\n' ? record.feeds : record.returns)
      const isAsItLies =
        record.eol === eol && record.next >= 0 && !options.isNumbered && !needsRewriting(record, columns)
      if (!isAsItLies) return write(record)
      if (run !== record.buffer || runEnd !== record.start) {
        closeRun()
        run = record.buffer
        runStart = record.start
      }
      runEnd = record.next
    },
  }
}

/** Before version 18, `\.` ends the data for COPY. */
const isEndMark = ({ buffer, start, end }: RecordView) =>
  end - start === 2 && buffer[start] === 92 && buffer[start + 1] === 46

const needsRewriting = (record: RecordView, columns: number) =>
  record.isOdd || record.isEscaped || record.delimiters + 1 !== columns || isEndMark(record)

function longReason(record: RecordView, separators: Separators): string | undefined {
  if (record.end - record.start <= 16 * 1024 * 1024) return undefined
  return longField(record, splitRecord(record, separators)) < 0 ? undefined : 'A value of the row is longer than 16 MB.'
}

function rewriteRecord(record: RecordView, { dialect, columns }: PassOptions, separators: Separators): Buffer {
  const { delimiter, quote } = dialect
  const fields = fitFields(splitRecord(record, separators), columns).map((field) => {
    if (field === undefined) return ''
    const { text, isQuoted } = field
    if (!isQuoted && text !== '\\.' && !text.includes(quote)) return text
    return quote + text.replaceAll(quote, quote + quote) + quote
  })
  return Buffer.from(fields.join(delimiter))
}
