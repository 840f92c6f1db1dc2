import type { Session } from '@trellis/workspace-db/session'
import { durableTableName, stagingTableName, undoTableName, toOwnTableName } from '../own-tables.ts'
import type { Undo } from '../receipts.ts'
import { type Target, findTarget } from '../target.ts'
import { assertWithin, toBadRows } from './bad-rows.ts'
import { type ChunkDone, NOTHING_DONE, addDone } from './chunk-done.ts'
import { fill } from './fill.ts'
import type { ChunkTarget } from './chunk-write.ts'
import { createKeyReader } from './keys/key-reader.ts'
import { UNKNOWN_KEYS } from './keys/key-sum.ts'
import { type AddedKeys, findEnd, sumAddedKeys } from './keys/table-keys.ts'
import { FencedOff } from '../plan/fence.ts'
import type { Chunk, Load, LoadResult } from './load.ts'
import { type KeptRows, merge, prepareKeptRows } from './merge.ts'
import { type LoadProgress, saveProgress } from './progress.ts'
import { quotedTable } from './table-steps.ts'
import { checkFence } from '../writers.ts'

/** Merge at least this often, to limit the work lost in a crash. */
const GATHER_MS = 15_000

/** Chunks without a cursor stay uncommitted until one has it. */
export function startChunks(session: Session, load: Load, progress: LoadProgress) {
  const reader = load.mode === 'upsert' ? undefined : createKeyReader(load)
  let isOpen = false
  let isBegun = load.isProvisional === true
  let target: Target | undefined
  let keptRows: KeptRows | undefined
  let rowsRead = progress.rowsRead
  let rejected = progress.rejected
  let open = NOTHING_DONE
  let staged = 0
  let began = 0

  const begin = async () => {
    if (!isBegun) await session.query({ text: 'begin' })
    isBegun = false
    isOpen = true
    began = Date.now()
    if ((await checkFence(session, load)) === 'finished')
      throw new FencedOff('This load was finished by another worker.')
    target = load.mode === 'replace' ? undefined : await findTarget(session, load.table)
    if (load.mode === 'upsert') keptRows ??= await prepareKeptRows(session, load)
  }

  const writeRows = async (chunk: Chunk): Promise<ChunkDone> => {
    const chunkTarget: ChunkTarget =
      load.mode === 'append'
        ? { quoted: quotedTable(load.table), target }
        : {
            quoted: toOwnTableName((load.mode === 'replace' ? durableTableName : stagingTableName)(load.loadId)),
            target: undefined,
          }
    const required = load.mode === 'append' ? [] : load.key
    const end = reader && (await findEnd(session, target))
    const { rows, bad, emptied, known, keys, mark } = await fill(session, load, {
      chunk,
      place: chunkTarget,
      required,
      reader,
      rowsBefore: rowsRead,
      badBefore: rejected,
      edge: progress.edge,
    })
    staged += rows
    const written = load.mode === 'upsert' ? 0 : rows
    const targetKeys = reader && load.mode === 'append' ? await keysWritten({ mark, rows, given: keys }, end) : null
    return { ...NOTHING_DONE, read: chunk.rows, written, merged: known, bad, emptied, sourceKeys: keys, targetKeys }
  }

  const withRejected = (chunk: Chunk, filled: ChunkDone): ChunkDone => {
    const more = toBadRows(load, chunk, rowsRead + filled.read)
    assertWithin(load, more, rejected + filled.bad.length)
    return { ...filled, read: filled.read + more.length, bad: [...filled.bad, ...more] }
  }

  const keysWritten = async (added: AddedKeys, end: number | undefined) => {
    if (!reader || !target || end === undefined) return UNKNOWN_KEYS
    return await sumAddedKeys(session, { ...added, end, target, reader })
  }

  const mergeStaged = async (): Promise<ChunkDone> => {
    const step = load.phases.flatMap(({ steps }) => steps).find((loadStep) => loadStep.do === 'merge')
    if (!step || !target) throw new Error('There is nothing to merge into.')
    const stage = stagingTableName(load.loadId)
    const merged = await merge(session, load, { step, stage, target, kept: keptRows, staged })
    await session.query({ text: `truncate ${toOwnTableName(stage)}` })
    staged = 0
    return { ...NOTHING_DONE, ...merged }
  }

  return {
    async write(chunk: Chunk): Promise<LoadResult> {
      try {
        if (!isOpen) await begin()
        const filled = chunk.rows === 0 && !(await chunk.more?.()) ? NOTHING_DONE : await writeRows(chunk)
        const done = withRejected(chunk, filled)
        rowsRead += done.read
        rejected += done.bad.length
        open = addDone(open, done)
        const isGathering = load.mode === 'upsert' && staged < load.mergeRows && Date.now() - began < GATHER_MS
        const isEnd = chunk.isLast || (chunk.cursor !== undefined && !isGathering)
        if (isEnd && load.mode === 'upsert' && staged > 0) open = addDone(open, await mergeStaged())
        const { written, updated } = open
        if (isEnd) {
          const undo = getUndo(load, keptRows)
          await saveProgress(session, load, { done: open, cursor: chunk.cursor, isLast: chunk.isLast, undo })
          await session.query({ text: 'commit' })
          isOpen = false
          open = NOTHING_DONE
        }
        const counted = load.mode === 'upsert' ? (isEnd ? { written, updated } : { written: 0, updated: 0 }) : done
        return {
          read: done.read,
          bytes: chunk.parts.reduce((bytes, part) => bytes + part.byteLength, 0),
          written: counted.written,
          updated: counted.updated,
          rejected: done.bad.length,
          emptied: done.emptied,
          isCommitted: isEnd,
        }
      } catch (error) {
        isOpen = false
        await session.query({ text: 'rollback' }).catch(() => undefined)
        throw error
      }
    },
  }
}

function getUndo(load: Load, keptRows: KeptRows | undefined): Undo | null {
  if (load.mode === 'append') return { kind: 'chunks' }
  if (load.mode === 'upsert' && keptRows?.isWhole)
    return { kind: 'merge', kept: undoTableName(load.loadId), key: [...load.key] }
  return null
}
