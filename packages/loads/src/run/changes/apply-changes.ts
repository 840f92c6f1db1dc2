import type { Session } from '@trellis/workspace-db/session'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'
import { toStagingTableName, qualifyPlatformTable } from '../../own-tables.ts'
import { findTarget } from '../../target.ts'
import { prepareLoad } from '../execute.ts'
import { fillChunk } from '../fill.ts'
import { FencedOff } from '../../plan/fence.ts'
import type { Chunk, Load } from '../load.ts'
import { type ChunkCounts, NO_COUNTS, addCounts } from '../chunk-counts.ts'
import { finishReceipt, saveProgress } from '../progress.ts'
import { deleteOlderUndos } from '../publish-load.ts'
import { checkFence } from '../../writers.ts'
import { type MergedChanges, deleteAllRows, isControlColumn, isMovedRow, mergeChanges } from './merge-changes.ts'

export interface ChangeChunk extends Pick<Chunk, 'parts' | 'counts' | 'rows'> {
  /** Before collapsing. */
  readonly changes: number
  readonly moved: number
  readonly truncatedAt: string | null
  readonly hasKept: boolean
  readonly hasMoved: boolean
  /** All source commits up to here are included; without it the transaction stays open. */
  readonly position?: unknown
}

interface AppliedChanges extends MergedChanges {
  readonly rejected: number
  /** Misfits replaced by NULL. */
  readonly emptied: number
  readonly isCommitted: boolean
}

export interface OpenChanges {
  /** Source position of the last commit. */
  readonly cursor: unknown
  apply(chunk: ChangeChunk): Promise<AppliedChanges>
  /** Rolls back an incomplete source transaction. */
  rollBack(): Promise<void>
  finish(): Promise<void>
}

const NO_UNDO_REASON = 'Changes from the log can not be rolled back: the source does not send them again.'

/** Undefined if an earlier attempt finished. */
export async function openChanges(session: Session, load: Load): Promise<OpenChanges | undefined> {
  const progress = await prepareLoad(session, load)
  if (!progress) return undefined
  const columns = load.columns.map(({ name }) => name).filter((name) => !isControlColumn(name))
  const stagingTable = qualifyPlatformTable(toStagingTableName(load.loadId))
  let isOpen = false
  let { rowsRead, rejected } = progress
  let uncommitted = NO_COUNTS

  const beginTransaction = async () => {
    await session.query({ text: 'begin' })
    isOpen = true
    if ((await checkFence(session, load)) === 'finished')
      throw new FencedOff('This load was finished by another worker.')
  }
  const rollBack = async () => {
    if (!isOpen) return
    isOpen = false
    uncommitted = NO_COUNTS
    await session.query({ text: 'rollback' }).catch(() => undefined)
  }
  const mergeChunk = async (chunk: ChangeChunk): Promise<AppliedChanges & { done: ChunkCounts }> => {
    const target = await findTarget(session, load.table)
    if (!target) throw new Error('The table of the changes is gone.')
    const truncatedRows =
      chunk.truncatedAt === null ? 0 : await deleteAllRows(session, load, { target, at: chunk.truncatedAt })
    if (chunk.rows === 0) {
      const counts = { ...NO_COUNTS, read: chunk.changes, merged: chunk.changes }
      return { ...NOTHING_APPLIED, deleted: truncatedRows, done: counts }
    }
    await session.query({ text: `truncate ${stagingTable}` })
    const destination = { quoted: stagingTable, target: undefined }
    const fillInput = {
      destination,
      required: load.key,
      rowsBefore: rowsRead,
      badBefore: rejected,
      edge: null,
      reader: undefined,
    }
    const fillResult = await fillChunk(session, load, { ...fillInput, chunk: { ...chunk, isLast: false } })
    const badRows = fillResult.bad
      .filter(({ cells }) => !isMovedRow(cells))
      .map((row) => ({ ...row, cells: omitControlColumns(row.cells) }))
    const mergedChanges = await mergeChanges(session, load, { ...chunk, target, columns })
    const changedRows = chunk.rows - chunk.moved
    const written = changedRows - badRows.length
    const done = { ...NO_COUNTS, read: chunk.changes, written, updated: mergedChanges.updated, bad: badRows }
    const deleted = mergedChanges.deleted + truncatedRows
    return {
      ...mergedChanges,
      deleted,
      rejected: badRows.length,
      emptied: fillResult.emptied,
      isCommitted: false,
      done: { ...done, merged: chunk.changes - changedRows },
    }
  }

  return {
    cursor: progress.cursor,
    rollBack,
    async apply(chunk) {
      try {
        if (!isOpen) await beginTransaction()
        const { done: counts, ...applied } =
          chunk.changes === 0 ? { ...NOTHING_APPLIED, done: NO_COUNTS } : await mergeChunk(chunk)
        rowsRead += counts.read
        rejected += counts.bad.length
        uncommitted = addCounts(uncommitted, counts)
        if (chunk.position === undefined) return applied
        await saveProgress(session, load, { counts: uncommitted, cursor: chunk.position, isLast: false, undo: null })
        await session.query({ text: 'commit' })
        isOpen = false
        uncommitted = NO_COUNTS
        return { ...applied, isCommitted: true }
      } catch (error) {
        await rollBack()
        throw error
      }
    },
    async finish() {
      await rollBack()
      await inTransaction(session, async () => {
        if ((await checkFence(session, load)) === 'finished') return
        await session.query({ text: `drop table if exists ${stagingTable}` })
        await deleteOlderUndos(session, load)
        await finishReceipt(session, load, { undo: null, note: NO_UNDO_REASON })
      })
    },
  }
}

const NOTHING_APPLIED: AppliedChanges = {
  inserted: 0,
  updated: 0,
  deleted: 0,
  incomplete: 0,
  rejected: 0,
  emptied: 0,
  isCommitted: false,
}

const omitControlColumns = (cells: Readonly<Record<string, string | null>>) =>
  Object.fromEntries(Object.entries(cells).filter(([name]) => !isControlColumn(name)))

/** Where to continue; undefined if the table was never loaded by it, or its replacement did not finish. */
export async function findChangesCursor(
  session: Session,
  { writer, reads }: { writer: string; reads: string },
): Promise<unknown> {
  const { rows } = await session.query({
    text: `select w.cursor::text from ${LOADS_SCHEMA}.writers w left join ${LOADS_SCHEMA}.receipts r on r.load_id = w.load_id
            where w.writer = $1 and w.reads = $2 and (r.load_id is null or r.is_done or r.mode <> 'replace')`,
    values: [writer, reads],
  })
  return JSON.parse(rows[0]?.[0] ?? 'null') as unknown
}
