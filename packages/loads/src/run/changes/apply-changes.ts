import type { Session } from '@trellis/workspace-db/session'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'
import { stagingTableName, toOwnTableName } from '../../own-tables.ts'
import { findTarget } from '../../target.ts'
import { prepareLoad } from '../execute.ts'
import { fill } from '../fill.ts'
import { FencedOff } from '../../plan/fence.ts'
import type { Chunk, Load } from '../load.ts'
import { type ChunkDone, NOTHING_DONE, addDone } from '../chunk-done.ts'
import { finishReceipt, saveProgress } from '../progress.ts'
import { deleteOlderUndos } from '../publish-load.ts'
import { checkFence } from '../../writers.ts'
import { type MergedChanges, deleteAll, isControlColumn, isMovedRow, mergeChanges } from './merge-changes.ts'

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

const NO_UNDO = 'Changes from the log can not be rolled back: the source does not send them again.'

/** Undefined if an earlier attempt finished. */
export async function openChanges(session: Session, load: Load): Promise<OpenChanges | undefined> {
  const progress = await prepareLoad(session, load)
  if (!progress) return undefined
  const columns = load.columns.map(({ name }) => name).filter((name) => !isControlColumn(name))
  const own = toOwnTableName(stagingTableName(load.loadId))
  let isOpen = false
  let { rowsRead, rejected } = progress
  let open = NOTHING_DONE

  const begin = async () => {
    await session.query({ text: 'begin' })
    isOpen = true
    if ((await checkFence(session, load)) === 'finished')
      throw new FencedOff('This load was finished by another worker.')
  }
  const rollBack = async () => {
    if (!isOpen) return
    isOpen = false
    open = NOTHING_DONE
    await session.query({ text: 'rollback' }).catch(() => undefined)
  }
  const write = async (chunk: ChangeChunk): Promise<AppliedChanges & { done: ChunkDone }> => {
    const target = await findTarget(session, load.table)
    if (!target) throw new Error('The table of the changes is gone.')
    const truncated = chunk.truncatedAt === null ? 0 : await deleteAll(session, load, { target, at: chunk.truncatedAt })
    if (chunk.rows === 0) {
      const done = { ...NOTHING_DONE, read: chunk.changes, merged: chunk.changes }
      return { ...NOTHING_APPLIED, deleted: truncated, done }
    }
    await session.query({ text: `truncate ${own}` })
    const place = { quoted: own, target: undefined }
    const filling = {
      place,
      required: load.key,
      rowsBefore: rowsRead,
      badBefore: rejected,
      edge: null,
      reader: undefined,
    }
    const filled = await fill(session, load, { ...filling, chunk: { ...chunk, isLast: false } })
    const bad = filled.bad
      .filter(({ cells }) => !isMovedRow(cells))
      .map((row) => ({ ...row, cells: withoutControl(row.cells) }))
    const mergedChanges = await mergeChanges(session, load, { ...chunk, target, columns })
    const ownRows = chunk.rows - chunk.moved
    const written = ownRows - bad.length
    const done = { ...NOTHING_DONE, read: chunk.changes, written, updated: mergedChanges.updated, bad }
    const deleted = mergedChanges.deleted + truncated
    return {
      ...mergedChanges,
      deleted,
      rejected: bad.length,
      emptied: filled.emptied,
      isCommitted: false,
      done: { ...done, merged: chunk.changes - ownRows },
    }
  }

  return {
    cursor: progress.cursor,
    rollBack,
    async apply(chunk) {
      try {
        if (!isOpen) await begin()
        const { done, ...applied } =
          chunk.changes === 0 ? { ...NOTHING_APPLIED, done: NOTHING_DONE } : await write(chunk)
        rowsRead += done.read
        rejected += done.bad.length
        open = addDone(open, done)
        if (chunk.position === undefined) return applied
        await saveProgress(session, load, { done: open, cursor: chunk.position, isLast: false, undo: null })
        await session.query({ text: 'commit' })
        isOpen = false
        open = NOTHING_DONE
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
        await session.query({ text: `drop table if exists ${own}` })
        await deleteOlderUndos(session, load)
        await finishReceipt(session, load, { undo: null, note: NO_UNDO })
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

const withoutControl = (cells: Readonly<Record<string, string | null>>) =>
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
