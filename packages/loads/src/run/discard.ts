import { randomUUID } from 'node:crypto'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { toDurableTableName, toStagingTableName, qualifyPlatformTable, toUndoTableName } from '../own-tables.ts'
import { FencedOff, decideFence } from '../plan/fence.ts'
import { type Receipt, findReceipt, markUndone, openReceipt } from '../receipts.ts'
import { type TableName, findTarget } from '../target.ts'
import { undoInTransaction } from '../undo.ts'
import { type WriterState, checkFence, claimWriter, startWriter } from '../writers.ts'
import type { Load } from './load.ts'
import { type LoadProgress, findContinuedLoad, findProgress, resetCursor } from './progress.ts'

/** The load is to be read anew, but rows it has committed can't be deleted: they would be doubled. */
export class CommittedRowsNotDeletable extends Error {
  override readonly name = 'CommittedRowsStay'
  readonly table: TableName

  constructor(table: TableName, cause: WorkspaceDbError) {
    super(cause.message, { cause })
    this.table = table
  }
}

/** After the fence check: a new owner continues with what is there. */
export async function deleteCommittedChunks(session: Session, load: Load): Promise<number> {
  const isUnfinished = (await checkFence(session, load)) === 'write'
  const progress = await findProgress(session, load.loadId)
  if (!isUnfinished || load.mode === 'replace' || !progress || progress.rows === 0) return 0
  return await undoLoadRows(session, load, { loadId: load.loadId, ...load.table })
}

async function undoLoadRows(
  session: Session,
  { origin }: UnfinishedLoad,
  { loadId, schema, table }: TableName & { readonly loadId: string },
): Promise<number> {
  const receipt = { loadId: randomUUID(), schema, table, mode: 'undo', source: origin.source, by: origin.by } as const
  await openReceipt(session, receipt)
  const rows = await undoInTransaction(session, loadId, receipt)
  // A repeated load keeps rows of its own there.
  await session.query({ text: `drop table if exists ${qualifyPlatformTable(toUndoTableName(loadId))}` })
  return rows
}

export async function discardCommittedLoads(session: Session, load: Load): Promise<number> {
  if ((await checkFence(session, load)) === 'finished') throw new FencedOff('This load was finished by another worker.')
  return await discardWithContinued(session, load, load.table)
}

interface EarlierState {
  readonly state: WriterState | undefined
  readonly earlierProgress: LoadProgress | undefined
}

/**
 * Deletes what this load has committed of another query, connection or table or in another mode, which the cursor does
 * not belong to. Returns the number of rows; undefined if nothing was to be discarded. The writer must be locked.
 */
export async function discardOtherReads(
  session: Session,
  load: Load,
  { state, earlierProgress }: EarlierState,
): Promise<number | undefined> {
  if (!earlierProgress || earlierProgress.isUndone) return undefined
  const receipt = await findReceipt(session, load.loadId)
  if (!receipt) return undefined
  const isCurrentLoad = state?.loadId === load.loadId
  const reads = earlierProgress.reads ?? (isCurrentLoad ? state.reads : load.reads)
  const isChanged = reads !== load.reads || receipt.mode !== load.mode
  const hasMovedOn = load.isIncremental && state?.reads !== load.reads
  if (!isChanged && !hasMovedOn) return undefined
  // Of a snapshot nothing was published.
  if (load.mode === 'replace' && receipt.mode === 'replace') return undefined
  try {
    return isCurrentLoad
      ? await discardWithContinued(session, load, receipt)
      : await discardLoad(session, load, load.loadId)
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || error.code !== 'refused') throw error
    throw new CommittedRowsNotDeletable({ schema: receipt.schema, table: receipt.table }, error)
  }
}

export type UnfinishedLoad = Pick<Load, 'writer' | 'epoch' | 'loadId' | 'origin'>

/**
 * Deletes what earlier attempts of this load have committed, if they did not finish it, and fences them. Returns the
 * number of rows; undefined if there was no such load.
 */
export async function discardUnfinished(session: Session, load: UnfinishedLoad): Promise<number | undefined> {
  const receipt = await findReceipt(session, load.loadId)
  if (!receipt) return undefined
  const state = await claimWriter(session, load)
  const progress = await findProgress(session, load.loadId)
  if (state?.loadId !== load.loadId || !progress || progress.isDone || progress.isUndone) return undefined
  const decision = decideFence({ epoch: state.epoch, isDone: false }, load.epoch)
  if (decision.do === 'stop') throw new FencedOff(decision.reason)
  await startWriter(session, { ...load, reads: state.reads ?? '' }, state.cursor)
  try {
    return await discardWithContinued(session, load, receipt)
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || error.code !== 'refused') throw error
    throw new CommittedRowsNotDeletable({ schema: receipt.schema, table: receipt.table }, error)
  }
}

async function discardWithContinued(session: Session, load: UnfinishedLoad, table: TableName): Promise<number> {
  let rows = await discardLoad(session, load, load.loadId)
  const continuation = { ...load, table }
  for (
    let id = await findContinuedLoad(session, continuation);
    id !== undefined;
    id = await findContinuedLoad(session, continuation)
  ) {
    rows += await discardLoad(session, load, id)
  }
  return rows
}

async function discardLoad(session: Session, load: UnfinishedLoad, loadId: string): Promise<number> {
  const progress = await findProgress(session, loadId)
  const receipt = await findReceipt(session, loadId)
  if (!progress || !receipt || progress.isUndone) return 0
  const isInTable = receipt.mode !== 'replace' && progress.rows > 0
  const rows = isInTable ? await deleteRows(session, load, receipt) : progress.rows
  if (!isInTable) await markUndone(session, loadId)
  await resetCursor(session, load, loadId)
  await dropLoadTables(session, loadId)
  return rows
}

/** A dropped table lost its loads. */
async function deleteRows(session: Session, load: UnfinishedLoad, receipt: Receipt): Promise<number> {
  if (await findTarget(session, receipt)) return await undoLoadRows(session, load, receipt)
  await markUndone(session, receipt.loadId)
  return 0
}

/** Drops what a load has not published yet. */
export async function dropLoadTables(session: Session, loadId: string): Promise<void> {
  const tables = [toStagingTableName(loadId), toDurableTableName(loadId)].map((name) => qualifyPlatformTable(name))
  await session.query({ text: `drop table if exists ${tables.join(', ')}` })
}
