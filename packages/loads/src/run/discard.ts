import { randomUUID } from 'node:crypto'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { durableTableName, stagingTableName, toOwnTableName, undoTableName } from '../own-tables.ts'
import { FencedOff } from '../plan/fence.ts'
import { type Receipt, findReceipt, markUndone, openReceipt } from '../receipts.ts'
import { type TableName, findTarget } from '../target.ts'
import { undoWithin } from '../undo.ts'
import { type WriterState, checkFence } from '../writers.ts'
import type { Load } from './load.ts'
import { type LoadProgress, findContinued, findProgress, setCursorBefore } from './progress.ts'

/** The load is to be read anew, but rows it has committed can't be deleted: they would be doubled. */
export class CommittedRowsStay extends Error {
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
  const knownLoadProgress = await findProgress(session, load.loadId)
  if (!isUnfinished || load.mode === 'replace' || !knownLoadProgress || knownLoadProgress.rows === 0) return 0
  return await undoRows(session, load, { loadId: load.loadId, ...load.table })
}

async function undoRows(
  session: Session,
  { about }: Load,
  { loadId, schema, table }: TableName & { readonly loadId: string },
): Promise<number> {
  const receipt = { loadId: randomUUID(), schema, table, mode: 'undo', source: about.source, by: about.by } as const
  await openReceipt(session, receipt)
  const rows = await undoWithin(session, loadId, receipt)
  // A repeated load keeps rows of its own there.
  await session.query({ text: `drop table if exists ${toOwnTableName(undoTableName(loadId))}` })
  return rows
}

export async function discardCommitted(session: Session, load: Load): Promise<number> {
  if ((await checkFence(session, load)) === 'finished') throw new FencedOff('This load was finished by another worker.')
  return await discardContinued(session, load, load.table)
}

interface Earlier {
  readonly state: WriterState | undefined
  readonly known: LoadProgress | undefined
}

/**
 * Deletes what this load has committed of another query, connection or table or in another mode, which the cursor does
 * not belong to. Returns the number of rows; undefined if nothing was to be discarded. The writer must be locked.
 */
export async function discardOtherReads(
  session: Session,
  load: Load,
  { state, known }: Earlier,
): Promise<number | undefined> {
  if (!known || known.isUndone) return undefined
  const receipt = await findReceipt(session, load.loadId)
  if (!receipt) return undefined
  const isSame = state?.loadId === load.loadId
  const reads = known.reads ?? (isSame ? state.reads : load.reads)
  const isChanged = reads !== load.reads || receipt.mode !== load.mode
  const isPassed = load.isIncremental && state?.reads !== load.reads
  if (!isChanged && !isPassed) return undefined
  // Of a snapshot nothing was published.
  if (load.mode === 'replace' && receipt.mode === 'replace') return undefined
  try {
    return isSame ? await discardContinued(session, load, receipt) : await discardOne(session, load, load.loadId)
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || error.code !== 'refused') throw error
    throw new CommittedRowsStay({ schema: receipt.schema, table: receipt.table }, error)
  }
}

async function discardContinued(session: Session, load: Load, table: TableName): Promise<number> {
  let rows = await discardOne(session, load, load.loadId)
  const place = { ...load, table }
  for (let id = await findContinued(session, place); id !== undefined; id = await findContinued(session, place)) {
    rows += await discardOne(session, load, id)
  }
  return rows
}

async function discardOne(session: Session, load: Load, loadId: string): Promise<number> {
  const known = await findProgress(session, loadId)
  const receipt = await findReceipt(session, loadId)
  if (!known || !receipt || known.isUndone) return 0
  const isInTable = receipt.mode !== 'replace' && known.rows > 0
  const rows = isInTable ? await deleteRows(session, load, receipt) : known.rows
  if (!isInTable) await markUndone(session, loadId)
  await setCursorBefore(session, load, loadId)
  await dropLoadTables(session, loadId)
  return rows
}

/** A dropped table lost its loads. */
async function deleteRows(session: Session, load: Load, receipt: Receipt): Promise<number> {
  if (await findTarget(session, receipt)) return await undoRows(session, load, receipt)
  await markUndone(session, receipt.loadId)
  return 0
}

/** Drops what a load has not published yet. */
export async function dropLoadTables(session: Session, loadId: string): Promise<void> {
  const tables = [stagingTableName(loadId), durableTableName(loadId)].map((name) => toOwnTableName(name))
  await session.query({ text: `drop table if exists ${tables.join(', ')}` })
}
