import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { toUndoTableName, qualifyPlatformTable } from './own-tables.ts'
import {
  type NewReceipt,
  type Receipt,
  type Undo,
  canUndo,
  closeReceipt,
  findReceipt,
  listReceipts,
  markUndone,
  openReceipt,
} from './receipts.ts'
import { deleteAppendedRows, revertMerge, resetWriterCursor } from './revert-rows.ts'
import { moveToBackup, moveBackFromBackup, replaceRows } from './table-exchange.ts'
import { type TableName, getTarget, isNameTaken, createRefusedError } from './target.ts'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'
import { SQL_STATE } from '@trellis/workspace-db/sql-state'

/** Restores the table to its state before a load. The current state is kept for a redo, except inserted rows. */
export async function undoLoad(session: Session, loadId: string, receipt: NewReceipt): Promise<Receipt> {
  await inTransaction(session, async () => {
    if (await openReceipt(session, receipt)) await undoInTransaction(session, loadId, receipt)
  })
  const undoReceipt = await findReceipt(session, receipt.loadId)
  if (!undoReceipt) throw new Error('Taking back left no receipt.')
  return undoReceipt
}

export interface LoadsUndo extends Pick<NewReceipt, 'source' | 'by'> {
  readonly loadIds: readonly string[]
  /** Deterministic, so that a retry finds what an earlier one committed. */
  toReceiptId(loadId: string): string
  onTable?(table: TableName): void
}

/** In one transaction; returns the number of rows. */
export async function undoLoads(session: Session, undo: LoadsUndo): Promise<number> {
  return await inTransaction(session, async () => {
    let rows = 0
    for (const loadId of undo.loadIds) {
      const load = await findReceipt(session, loadId)
      if (!load) throw createRefusedError('This load is not known.')
      const { schema, table } = load
      undo.onTable?.({ schema, table })
      const { source, by } = undo
      const receipt = { loadId: undo.toReceiptId(loadId), schema, table, mode: 'undo', source, by } as const
      rows += (await openReceipt(session, receipt))
        ? await undoInTransaction(session, loadId, receipt)
        : ((await findReceipt(session, receipt.loadId))?.rows ?? 0)
    }
    return rows
  })
}

/** In the open transaction. */
export async function undoInTransaction(session: Session, loadId: string, receipt: NewReceipt): Promise<number> {
  const load = await findReceipt(session, loadId)
  const otherReceipts = (await listReceipts(session, receipt)).filter((other) => other.loadId !== receipt.loadId)
  if (!load || load.schema !== receipt.schema || load.table !== receipt.table)
    throw createRefusedError('This load is not known.')
  if (load.isUndone) throw createRefusedError('This load was rolled back already.')
  if (load.undo === null)
    throw createRefusedError('What the table held before is not kept any more, so this load can not be rolled back.')
  if (!canUndo(load, otherReceipts))
    throw createRefusedError('Another load came after this one. Roll that one back first.')
  const { rows, undo } = await applyUndo(session, load, receipt)
  await markUndone(session, loadId)
  await resetWriterCursor(session, loadId)
  await closeReceipt(session, receipt.loadId, { rows, rejected: 0, undo })
  return rows
}

interface UndoResult {
  readonly rows: number
  readonly undo: Undo | null
}

async function applyUndo(session: Session, load: Receipt, receipt: NewReceipt): Promise<UndoResult> {
  const undo = load.undo as Undo
  const backupName = toUndoTableName(receipt.loadId)
  switch (undo.kind) {
    case 'rows':
    case 'chunks':
      return await deleteAppendedRows(session, load, undo)
    case 'merge':
      return await revertMerge(session, load, undo)
    case 'remove':
      return await moveTableToBackup(session, receipt, backupName)
    case 'restore':
      return await restoreTable(session, receipt, undo)
    case 'swap': {
      const target = await getTarget(session, receipt)
      if (target.hasDependents)
        return await restoreRows(session, receipt, { backupTable: undo.kept, newBackupName: backupName })
      await session.query({ text: `lock table ${target.quoted} in access exclusive mode` })
      const indexes = (await moveToBackup(session, target, backupName)).map(({ name }) => name)
      await moveBackFromBackup(session, target, undo)
      return { rows: await countTableRows(session, target.quoted), undo: { kind: 'swap', kept: backupName, indexes } }
    }
    case 'refill':
      return await restoreRows(session, receipt, { backupTable: undo.kept, newBackupName: backupName })
  }
}

async function countTableRows(session: Session, quoted: string): Promise<number> {
  const { rows } = await session.query({ text: `select count(*) from ${quoted}` })
  return Number(rows[0]?.[0])
}

async function moveTableToBackup(session: Session, receipt: NewReceipt, backupName: string): Promise<UndoResult> {
  const target = await getTarget(session, receipt)
  if (target.hasDependents)
    throw createRefusedError('Views, foreign keys or triggers use this table by now. Remove them first.')
  const rows = await countTableRows(session, target.quoted)
  const indexes = (await moveToBackup(session, target, backupName)).map(({ name }) => name)
  return { rows, undo: { kind: 'restore', kept: backupName, indexes } }
}

async function restoreTable(
  session: Session,
  receipt: NewReceipt,
  { kept: backupName, indexes }: Extract<Undo, { kind: 'restore' }>,
): Promise<UndoResult> {
  if (await isNameTaken(session, receipt)) throw createRefusedError(`There is another table "${receipt.table}" by now.`)
  await moveBackFromBackup(session, receipt, { kept: backupName, indexes })
  const rows = await countTableRows(session, `${quoteName(receipt.schema)}.${quoteName(receipt.table)}`)
  return { rows, undo: { kind: 'remove' } }
}

const COLUMN_MISMATCHES = new Set<string>([SQL_STATE.UNDEFINED_COLUMN, SQL_STATE.DATATYPE_MISMATCH])

/** Refills a table that dependents use from its backup; its present rows go to a new backup. */
async function restoreRows(
  session: Session,
  receipt: NewReceipt,
  { backupTable, newBackupName }: { backupTable: string; newBackupName: string },
): Promise<UndoResult> {
  const target = await getTarget(session, receipt)
  await session.query({ text: `lock table ${target.quoted} in access exclusive mode` })
  const columns = target.columns.filter(({ isGenerated }) => !isGenerated).map(({ name }) => name)
  try {
    const rows = await replaceRows(session, target, {
      stagingTable: qualifyPlatformTable(backupTable),
      columns,
      backupName: newBackupName,
    })
    return { rows, undo: { kind: 'refill', kept: newBackupName } }
  } catch (error) {
    const haveColumnsChanged = error instanceof WorkspaceDbError && COLUMN_MISMATCHES.has(error.sqlState ?? '')
    throw haveColumnsChanged
      ? createRefusedError('The columns of the table were changed since, so its rows can not be brought back.')
      : error
  }
}
