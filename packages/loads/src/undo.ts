import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { undoTableName, toOwnTableName } from './own-tables.ts'
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
import { deleteAppendedRows, revertMerge, setCursorBack } from './revert-rows.ts'
import { moveAside, moveBack, replaceRows } from './table-exchange.ts'
import { type TableName, getTarget, isNameTaken, refusedError } from './target.ts'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'

/** Restores the table to its state before a load. The current state is kept for a redo, except inserted rows. */
export async function undoLoad(session: Session, loadId: string, receipt: NewReceipt): Promise<Receipt> {
  await inTransaction(session, async () => {
    if (await openReceipt(session, receipt)) await undoWithin(session, loadId, receipt)
  })
  const done = await findReceipt(session, receipt.loadId)
  if (!done) throw new Error('Taking back left no receipt.')
  return done
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
      if (!load) throw refusedError('This load is not known.')
      const { schema, table } = load
      undo.onTable?.({ schema, table })
      const { source, by } = undo
      const receipt = { loadId: undo.toReceiptId(loadId), schema, table, mode: 'undo', source, by } as const
      rows += (await openReceipt(session, receipt))
        ? await undoWithin(session, loadId, receipt)
        : ((await findReceipt(session, receipt.loadId))?.rows ?? 0)
    }
    return rows
  })
}

/** In the open transaction. */
export async function undoWithin(session: Session, loadId: string, receipt: NewReceipt): Promise<number> {
  const load = await findReceipt(session, loadId)
  const all = (await listReceipts(session, receipt)).filter((other) => other.loadId !== receipt.loadId)
  if (!load || load.schema !== receipt.schema || load.table !== receipt.table)
    throw refusedError('This load is not known.')
  if (load.isUndone) throw refusedError('This load was rolled back already.')
  if (load.undo === null)
    throw refusedError('What the table held before is not kept any more, so this load can not be rolled back.')
  if (!canUndo(load, all)) throw refusedError('Another load came after this one. Roll that one back first.')
  const { rows, undo } = await applyUndo(session, load, receipt)
  await markUndone(session, loadId)
  await setCursorBack(session, loadId)
  await closeReceipt(session, receipt.loadId, { rows, rejected: 0, undo })
  return rows
}

interface UndoResult {
  readonly rows: number
  readonly undo: Undo | null
}

async function applyUndo(session: Session, load: Receipt, receipt: NewReceipt): Promise<UndoResult> {
  const undo = load.undo as Undo
  const kept = undoTableName(receipt.loadId)
  switch (undo.kind) {
    case 'rows':
    case 'chunks':
      return await deleteAppendedRows(session, load, undo)
    case 'merge':
      return await revertMerge(session, load, undo)
    case 'remove':
      return await putTableAside(session, receipt, kept)
    case 'restore':
      return await restoreTable(session, receipt, undo)
    case 'swap': {
      const target = await getTarget(session, receipt)
      if (target.isHeld) return await restoreRows(session, receipt, { from: undo.kept, kept })
      await session.query({ text: `lock table ${target.quoted} in access exclusive mode` })
      const indexes = (await moveAside(session, target, kept)).map(({ name }) => name)
      await moveBack(session, target, undo)
      return { rows: await countRows(session, target.quoted), undo: { kind: 'swap', kept, indexes } }
    }
    case 'refill':
      return await restoreRows(session, receipt, { from: undo.kept, kept })
  }
}

async function countRows(session: Session, quoted: string): Promise<number> {
  const { rows } = await session.query({ text: `select count(*) from ${quoted}` })
  return Number(rows[0]?.[0])
}

async function putTableAside(session: Session, receipt: NewReceipt, kept: string): Promise<UndoResult> {
  const target = await getTarget(session, receipt)
  if (target.isHeld) throw refusedError('Views, foreign keys or triggers use this table by now. Remove them first.')
  const rows = await countRows(session, target.quoted)
  const indexes = (await moveAside(session, target, kept)).map(({ name }) => name)
  return { rows, undo: { kind: 'restore', kept, indexes } }
}

async function restoreTable(
  session: Session,
  receipt: NewReceipt,
  { kept, indexes }: Extract<Undo, { kind: 'restore' }>,
): Promise<UndoResult> {
  if (await isNameTaken(session, receipt)) throw refusedError(`There is another table "${receipt.table}" by now.`)
  await moveBack(session, receipt, { kept, indexes })
  const rows = await countRows(session, `${quoteName(receipt.schema)}.${quoteName(receipt.table)}`)
  return { rows, undo: { kind: 'remove' } }
}

async function restoreRows(
  session: Session,
  receipt: NewReceipt,
  { from, kept }: { from: string; kept: string },
): Promise<UndoResult> {
  const target = await getTarget(session, receipt)
  await session.query({ text: `lock table ${target.quoted} in access exclusive mode` })
  const columns = target.columns.filter(({ isGenerated }) => !isGenerated).map(({ name }) => name)
  try {
    const rows = await replaceRows(session, target, { from: toOwnTableName(from), columns, kept })
    return { rows, undo: { kind: 'refill', kept } }
  } catch (error) {
    const isOtherShape = error instanceof WorkspaceDbError && ['42703', '42804'].includes(error.sqlState ?? '')
    throw isOtherShape
      ? refusedError('The columns of the table were changed since, so its rows can not be brought back.')
      : error
  }
}
