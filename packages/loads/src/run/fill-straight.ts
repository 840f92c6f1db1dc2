import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { type SkippedLine, copySkipping, isOverRejectLimit } from '../copy-csv.ts'
import { type BadRow, assertWithin, explainSkipped } from './bad-rows.ts'
import { toChunk, formatLine } from './copy-lines.ts'
import { type ChunkResult, type ChunkWrite, hasZero } from './chunk-write.ts'
import type { KeyReader } from './keys/key-reader.ts'
import { type KeySum, NO_KEYS, subtractKeySums, addKeySums } from './keys/key-sum.ts'
import { type Chunk, type Load, RowsRefused } from './load.ts'

const MAX_LISTED = 10_000

interface FilledStraight extends ChunkResult {
  /** Lines copied again after removing a value, once per value. */
  readonly late: readonly number[]
}

export async function fillStraight(session: Session, load: Load, filling: ChunkWrite): Promise<FilledStraight> {
  const { chunk, place, reader, badBefore } = filling
  const { rows, skipped, keys } = await copyLines(session, load, { chunk, place, badBefore, reader })
  const badRows = await explainSkipped(session, load, { skipped, chunk, before: filling.rowsBefore })
  if (load.badRows.choice === 'set_null' && badRows.length > 0) {
    const { lost, ...again } = await fillEmptied(session, load, { ...filling, place, bad: badRows })
    return { ...again, rows: rows + again.rows, keys: keys && subtractKeySums(keys, lost) }
  }
  assertWithin(load, badRows, badBefore)
  return {
    rows,
    bad: badRows,
    emptied: 0,
    known: 0,
    late: [],
    keys: reader && keys ? subtractKeySums(keys, readBadKeys(reader, badRows)) : null,
  }
}

const readBadKeys = (reader: KeyReader, badRows: readonly BadRow[]) => reader.ofCells(badRows.map(({ cells }) => cells))

async function fillEmptied(
  session: Session,
  load: Load,
  filling: ChunkWrite & { bad: readonly BadRow[] },
): Promise<Omit<FilledStraight, 'keys'> & { lost: KeySum }> {
  const { place, required, badBefore, reader } = filling
  let lostKeySum = NO_KEYS
  const lose = (row: BadRow) => {
    if (reader) lostKeySum = addKeySums(lostKeySum, readBadKeys(reader, [row]))
  }
  const stuck: BadRow[] = []
  const late: number[] = []
  let open = filling.bad
  let rows = 0
  let emptied = 0
  while (open.length > 0) {
    const mended = open.flatMap((row) => {
      if (row.column === null || required.includes(row.column)) {
        stuck.push(row)
        lose(row)
        return []
      }
      if (load.proofKey.includes(row.column)) lose(row)
      return [{ ...row, cells: { ...row.cells, [row.column]: null } }]
    })
    assertWithin(load, stuck, badBefore)
    emptied += mended.length
    if (mended.length === 0) break
    const chunk = toChunk(mended.map(({ cells }) => formatLine(load.columns.map(({ name }) => cells[name] ?? null))))
    const copied = await copyLines(session, load, { chunk, place, badBefore: 0, reader: undefined })
    rows += copied.rows
    late.push(...mended.map(({ line }) => line))
    const again = await explainSkipped(session, load, { skipped: copied.skipped, chunk, before: 0 })
    open = again.map((row) => {
      const from = mended[row.line - 1] as BadRow
      return { ...row, row: from.row, line: from.line, raw: from.raw }
    })
  }
  return { rows, bad: stuck, emptied, known: 0, late, lost: lostKeySum }
}

async function copyLines(
  session: Session,
  load: Load,
  { chunk, place, badBefore, reader }: Pick<ChunkWrite, 'chunk' | 'place' | 'badBefore' | 'reader'>,
): Promise<{ rows: number; skipped: SkippedLine[]; keys: KeySum | null }> {
  const skipped: SkippedLine[] = []
  let keys = NO_KEYS
  const addKeys = (part: Uint8Array) => {
    if (reader) keys = addKeySums(keys, reader.ofLines(part))
  }
  const columns = load.columns.map(({ name }) => quoteName(name)).join(', ')
  const { choice, most } = load.badRows
  const limit = choice === 'stop' ? 1 : choice === 'set_null' ? MAX_LISTED : Math.max(1, most - badBefore + 1)
  const text = `copy ${place.quoted} (${columns}) from stdin
    with (format text, encoding 'UTF8', on_error ignore, log_verbosity verbose, reject_limit ${limit})`
  load.onStatement?.(text)
  if (place.target) await session.query({ text: 'set local search_path = data' })
  try {
    const rows = await copySkipping(session, { text, chunks: watchParts(chunk, addKeys), skipped })
    if (place.target) await session.query({ text: 'set local search_path = pg_catalog' })
    return { rows, skipped, keys: reader ? keys : null }
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || !isOverRejectLimit(error.message)) throw error
    await session.query({ text: 'rollback to savepoint fill' })
    const badRows = await explainSkipped(session, load, { skipped: skipped.slice(0, 1), chunk, before: 0 })
    assertWithin(load, badRows, Number.MAX_SAFE_INTEGER / 2)
    throw new RowsRefused('Too many rows do not fit their columns.')
  }
}

/** Stops before a zero byte. */
async function* watchParts(chunk: Chunk, look: (part: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < chunk.parts.length || (await chunk.more?.()); at += 1) {
    const part = chunk.parts[at]
    if (!part || hasZero(part)) return
    look(part)
    yield part
  }
}
