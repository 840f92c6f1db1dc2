import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { type SkippedLine, copyAndRecordSkipped, isOverRejectLimit } from '../copy-csv.ts'
import { type BadRow, assertWithinLimit, explainSkippedLines } from './bad-rows.ts'
import { toChunk, formatLine } from './copy-lines.ts'
import { type ChunkResult, type ChunkWrite, hasZeroByte } from './chunk-write.ts'
import type { KeyReader } from './keys/key-reader.ts'
import { type KeySum, NO_KEYS, subtractKeySums, addKeySums } from './keys/key-sum.ts'
import { type Chunk, type Load, RowsRefused } from './load.ts'

const MAX_REJECTED_LINES = 10_000

interface CopiedChunk extends ChunkResult {
  /** Lines copied again after removing a value, once per value. */
  readonly late: readonly number[]
}

/** Copies the chunk's lines and rejects what does not fit, or sets such values to NULL if the load asks for it. */
export async function copyChunk(session: Session, load: Load, input: ChunkWrite): Promise<CopiedChunk> {
  const { chunk, destination, reader, badBefore } = input
  const {
    rows,
    skipped: skippedLines,
    keys,
  } = await copyLines(session, load, { chunk, destination, badBefore, reader })
  const badRows = await explainSkippedLines(session, load, {
    skipped: skippedLines,
    chunk,
    rowsBefore: input.rowsBefore,
  })
  if (load.badRows.choice === 'set_null' && badRows.length > 0) {
    const { lost: lostKeys, ...remainingRows } = await copyWithNulls(session, load, {
      ...input,
      destination,
      bad: badRows,
    })
    return { ...remainingRows, rows: rows + remainingRows.rows, keys: keys && subtractKeySums(keys, lostKeys) }
  }
  assertWithinLimit(load, badRows, badBefore)
  return {
    rows,
    bad: badRows,
    emptied: 0,
    existingRows: 0,
    late: [],
    keys: reader && keys ? subtractKeySums(keys, readBadKeys(reader, badRows)) : null,
  }
}

const readBadKeys = (reader: KeyReader, badRows: readonly BadRow[]) =>
  reader.sumCells(badRows.map(({ cells }) => cells))

/** Copies rejected lines again without the value that did not fit, until all fit or can not be fixed. */
async function copyWithNulls(
  session: Session,
  load: Load,
  input: ChunkWrite & { bad: readonly BadRow[] },
): Promise<Omit<CopiedChunk, 'keys'> & { lost: KeySum }> {
  const { destination, required, badBefore, reader } = input
  let lostKeySum = NO_KEYS
  const addLostKeys = (row: BadRow) => {
    if (reader) lostKeySum = addKeySums(lostKeySum, readBadKeys(reader, [row]))
  }
  const unfixableRows: BadRow[] = []
  const recopiedLines: number[] = []
  let openRows = input.bad
  let rows = 0
  let emptied = 0
  while (openRows.length > 0) {
    const rowsWithNull = openRows.flatMap((row) => {
      if (row.column === null || required.includes(row.column)) {
        unfixableRows.push(row)
        addLostKeys(row)
        return []
      }
      if (load.proofKey.includes(row.column)) addLostKeys(row)
      return [{ ...row, cells: { ...row.cells, [row.column]: null } }]
    })
    assertWithinLimit(load, unfixableRows, badBefore)
    emptied += rowsWithNull.length
    if (rowsWithNull.length === 0) break
    const chunk = toChunk(
      rowsWithNull.map(({ cells }) => formatLine(load.columns.map(({ name }) => cells[name] ?? null))),
    )
    const copied = await copyLines(session, load, { chunk, destination, badBefore: 0, reader: undefined })
    rows += copied.rows
    recopiedLines.push(...rowsWithNull.map(({ line }) => line))
    const remainingRows = await explainSkippedLines(session, load, { skipped: copied.skipped, chunk, rowsBefore: 0 })
    openRows = remainingRows.map((row) => {
      const originalRow = rowsWithNull[row.line - 1] as BadRow
      return { ...row, row: originalRow.row, line: originalRow.line, raw: originalRow.raw }
    })
  }
  return { rows, bad: unfixableRows, emptied, existingRows: 0, late: recopiedLines, lost: lostKeySum }
}

async function copyLines(
  session: Session,
  load: Load,
  { chunk, destination, badBefore, reader }: Pick<ChunkWrite, 'chunk' | 'destination' | 'badBefore' | 'reader'>,
): Promise<{ rows: number; skipped: SkippedLine[]; keys: KeySum | null }> {
  const skippedLines: SkippedLine[] = []
  let keys = NO_KEYS
  const addKeys = (part: Uint8Array) => {
    if (reader) keys = addKeySums(keys, reader.sumLines(part))
  }
  const columns = load.columns.map(({ name }) => quoteName(name)).join(', ')
  const { choice, most: maxBadRows } = load.badRows
  const rejectLimit =
    choice === 'stop' ? 1 : choice === 'set_null' ? MAX_REJECTED_LINES : Math.max(1, maxBadRows - badBefore + 1)
  const text = `copy ${destination.quoted} (${columns}) from stdin
    with (format text, encoding 'UTF8', on_error ignore, log_verbosity verbose, reject_limit ${rejectLimit})`
  load.onStatement?.(text)
  if (destination.target) await session.query({ text: 'set local search_path = data' })
  try {
    const rows = await copyAndRecordSkipped(session, {
      text,
      chunks: streamParts(chunk, addKeys),
      skipped: skippedLines,
    })
    if (destination.target) await session.query({ text: 'set local search_path = pg_catalog' })
    return { rows, skipped: skippedLines, keys: reader ? keys : null }
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || !isOverRejectLimit(error.message)) throw error
    await session.query({ text: 'rollback to savepoint fill' })
    const badRows = await explainSkippedLines(session, load, {
      skipped: skippedLines.slice(0, 1),
      chunk,
      rowsBefore: 0,
    })
    assertWithinLimit(load, badRows, Number.MAX_SAFE_INTEGER / 2)
    throw new RowsRefused('Too many rows do not fit their columns.')
  }
}

/** Stops before a zero byte. */
async function* streamParts(chunk: Chunk, onPart: (part: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < chunk.parts.length || (await chunk.more?.()); index += 1) {
    const part = chunk.parts[index]
    if (!part || hasZeroByte(part)) return
    onPart(part)
    yield part
  }
}
