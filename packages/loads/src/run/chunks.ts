import type { Session } from '@trellis/workspace-db/session'
import { toDurableTableName, toStagingTableName, toUndoTableName, qualifyPlatformTable } from '../own-tables.ts'
import type { Undo } from '../receipts.ts'
import { type Target, findTarget } from '../target.ts'
import { assertWithinLimit, toBadRows } from './bad-rows.ts'
import { type ChunkCounts, NO_COUNTS, addCounts } from './chunk-counts.ts'
import { fillChunk } from './fill.ts'
import type { ChunkTarget } from './chunk-write.ts'
import { createKeyReader } from './keys/key-reader.ts'
import { UNKNOWN_KEYS } from './keys/key-sum.ts'
import { type AddedKeys, findEndBlock, sumAddedKeys } from './keys/table-keys.ts'
import { FencedOff } from '../plan/fence.ts'
import type { Chunk, Load, LoadResult } from './load.ts'
import { type ReplacedVersions, mergeStage, prepareReplacedVersions } from './merge.ts'
import { type LoadProgress, saveProgress } from './progress.ts'
import { quoteTable } from './table-steps.ts'
import { checkFence } from '../writers.ts'

/** Merge at least this often, to limit the work lost in a crash. */
const MAX_GATHER_MS = 15_000

/** Chunks without a cursor stay uncommitted until one has it. */
export function createChunkWriter(session: Session, load: Load, progress: LoadProgress) {
  const reader = load.mode === 'upsert' ? undefined : createKeyReader(load)
  let isOpen = false
  let hasTransaction = load.isProvisional === true
  let target: Target | undefined
  let keptRows: ReplacedVersions | undefined
  let rowsRead = progress.rowsRead
  let rejected = progress.rejected
  let uncommitted = NO_COUNTS
  let stagedRows = 0
  let startedAt = 0

  const beginTransaction = async () => {
    if (!hasTransaction) await session.query({ text: 'begin' })
    hasTransaction = false
    isOpen = true
    startedAt = Date.now()
    if ((await checkFence(session, load)) === 'finished')
      throw new FencedOff('This load was finished by another worker.')
    target = load.mode === 'replace' ? undefined : await findTarget(session, load.table)
    if (load.mode === 'upsert') keptRows ??= await prepareReplacedVersions(session, load)
  }

  const writeRows = async (chunk: Chunk): Promise<ChunkCounts> => {
    /** The table itself, or a staging table whose rows are published or merged later. */
    const destination: ChunkTarget =
      load.mode === 'append'
        ? { quoted: quoteTable(load.table), target }
        : {
            quoted: qualifyPlatformTable(
              (load.mode === 'replace' ? toDurableTableName : toStagingTableName)(load.loadId),
            ),
            target: undefined,
          }
    const required = load.mode === 'append' ? [] : load.key
    const endBlock = reader && (await findEndBlock(session, target))
    const { rows, bad, emptied, existingRows, keys, xid } = await fillChunk(session, load, {
      chunk,
      destination,
      required,
      reader,
      rowsBefore: rowsRead,
      badBefore: rejected,
      edge: progress.edge,
    })
    stagedRows += rows
    const written = load.mode === 'upsert' ? 0 : rows
    const writtenKeys =
      reader && load.mode === 'append' ? await readWrittenKeys({ xid, rows, sourceKeys: keys }, endBlock) : null
    return {
      ...NO_COUNTS,
      read: chunk.rows,
      written,
      merged: existingRows,
      bad,
      emptied,
      sourceKeys: keys,
      targetKeys: writtenKeys,
    }
  }

  /** Records the source has refused itself. */
  const addRejectedRecords = (chunk: Chunk, counts: ChunkCounts): ChunkCounts => {
    const rejectedRecords = toBadRows(load, chunk, rowsRead + counts.read)
    assertWithinLimit(load, rejectedRecords, rejected + counts.bad.length)
    return { ...counts, read: counts.read + rejectedRecords.length, bad: [...counts.bad, ...rejectedRecords] }
  }

  const readWrittenKeys = async (added: AddedKeys, endBlock: number | undefined) => {
    if (!reader || !target || endBlock === undefined) return UNKNOWN_KEYS
    return await sumAddedKeys(session, { ...added, endBlock, target, reader })
  }

  const mergeStaged = async (): Promise<ChunkCounts> => {
    const step = load.phases.flatMap(({ steps }) => steps).find((loadStep) => loadStep.do === 'merge')
    if (!step || !target) throw new Error('There is nothing to merge into.')
    const stage = toStagingTableName(load.loadId)
    const merged = await mergeStage(session, load, { step, stage, target, kept: keptRows, staged: stagedRows })
    await session.query({ text: `truncate ${qualifyPlatformTable(stage)}` })
    stagedRows = 0
    return { ...NO_COUNTS, ...merged }
  }

  return {
    async write(chunk: Chunk): Promise<LoadResult> {
      try {
        if (!isOpen) await beginTransaction()
        const writtenCounts = chunk.rows === 0 && !(await chunk.more?.()) ? NO_COUNTS : await writeRows(chunk)
        const counts = addRejectedRecords(chunk, writtenCounts)
        rowsRead += counts.read
        rejected += counts.bad.length
        uncommitted = addCounts(uncommitted, counts)
        const isGathering =
          load.mode === 'upsert' && stagedRows < load.mergeRows && Date.now() - startedAt < MAX_GATHER_MS
        const isEnd = chunk.isLast || (chunk.cursor !== undefined && !isGathering)
        if (isEnd && load.mode === 'upsert' && stagedRows > 0) uncommitted = addCounts(uncommitted, await mergeStaged())
        const { written, updated } = uncommitted
        if (isEnd) {
          const undo = buildUndo(load, keptRows)
          await saveProgress(session, load, {
            counts: uncommitted,
            cursor: chunk.cursor,
            isLast: chunk.isLast,
            undo,
          })
          await session.query({ text: 'commit' })
          isOpen = false
          uncommitted = NO_COUNTS
        }
        const reported = load.mode === 'upsert' ? (isEnd ? { written, updated } : { written: 0, updated: 0 }) : counts
        return {
          read: counts.read,
          bytes: chunk.parts.reduce((bytes, part) => bytes + part.byteLength, 0),
          written: reported.written,
          updated: reported.updated,
          rejected: counts.bad.length,
          emptied: counts.emptied,
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

function buildUndo(load: Load, keptRows: ReplacedVersions | undefined): Undo | null {
  if (load.mode === 'append') return { kind: 'chunks' }
  if (load.mode === 'upsert' && keptRows?.isWhole)
    return { kind: 'merge', kept: toUndoTableName(load.loadId), key: [...load.key] }
  return null
}
