import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { keptName, ownTable } from './own-tables.ts'
import { exchange, getTarget, insertAsUsual, putRowsAside, refused } from './publish.ts'
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
import { setCursorBack, takeChunksOut, takeMergeBack } from './run/take-back.ts'
import { type TableName, isNameTaken } from './target.ts'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'

/**
 * Brings a table back to what it was before a load. What the table holds now is kept in its turn, so that nothing is lost
 * by taking back; only rows that were added are taken out for good.
 */
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
  /** The same for every try: what an earlier one committed is found by it. */
  toReceiptId(loadId: string): string
  onTable?(table: TableName): void
}

/** Several loads in one transaction: all of their tables are brought back, or none. Gives the rows taken back. */
export async function undoLoads(session: Session, undo: LoadsUndo): Promise<number> {
  return await inTransaction(session, async () => {
    let rows = 0
    for (const loadId of undo.loadIds) {
      const load = await findReceipt(session, loadId)
      if (!load) throw refused('This load is not known.')
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

/** In the transaction that is open, for a receipt that is opened; gives the rows that were taken back. */
export async function undoWithin(session: Session, loadId: string, receipt: NewReceipt): Promise<number> {
  const load = await findReceipt(session, loadId)
  const all = (await listReceipts(session, receipt)).filter((other) => other.loadId !== receipt.loadId)
  if (!load || load.schema !== receipt.schema || load.table !== receipt.table) throw refused('This load is not known.')
  if (load.isUndone) throw refused('This load was rolled back already.')
  if (load.undo === null)
    throw refused('What the table held before is not kept any more, so this load can not be rolled back.')
  if (!canUndo(load, all)) throw refused('Another load came after this one. Roll that one back first.')
  const { rows, undo } = await takeBack(session, load, receipt)
  await markUndone(session, loadId)
  await setCursorBack(session, loadId)
  await closeReceipt(session, receipt.loadId, { rows, quarantined: 0, undo })
  return rows
}

interface TakenBack {
  readonly rows: number
  readonly undo: Undo | null
}

async function takeBack(session: Session, load: Receipt, receipt: NewReceipt): Promise<TakenBack> {
  const undo = load.undo as Undo
  const kept = keptName(receipt.loadId)
  switch (undo.kind) {
    case 'rows':
      return await takeRowsOut(session, load, undo)
    case 'chunks':
      return await takeChunksOut(session, load)
    case 'merge':
      return await takeMergeBack(session, load, undo)
    case 'remove':
      return await putTableAside(session, receipt, kept)
    case 'restore':
      return await bringTableBack(session, receipt, undo.kept)
    case 'swap': {
      const target = await getTarget(session, receipt)
      if (target.isHeld) return await refillFrom(session, receipt, { from: undo.kept, kept })
      await session.query({ text: `lock table ${target.quoted} in access exclusive mode` })
      const indexes = await exchange(session, target, { own: ownTable(undo.kept), indexNames: undo.indexes, kept })
      return { rows: await countRows(session, target.quoted), undo: { kind: 'swap', kept, indexes } }
    }
    case 'refill':
      return await refillFrom(session, receipt, { from: undo.kept, kept })
  }
}

async function countRows(session: Session, quoted: string): Promise<number> {
  const { rows } = await session.query({ text: `select count(*) from ${quoted}` })
  return Number(rows[0]?.[0])
}

const CHANGED = 'Rows of this load were changed or removed since, so they can not be taken out by themselves any more.'
/** Numbers of transactions come round again after this many; long before that the rows are not told by them. */
const FAR = 1_000_000_000

/** A row that nobody touched since still carries the number of the transaction that added it. */
async function takeRowsOut(session: Session, load: Receipt, undo: Undo & { kind: 'rows' }): Promise<TakenBack> {
  const target = await getTarget(session, load)
  const { rows } = await session.query({
    text: `select pg_current_xact_id()::text::numeric - $1::numeric < ${FAR}`,
    values: [undo.transaction],
  })
  if (rows[0]?.[0] !== 't') throw refused('This load is too long ago to be rolled back.')
  const deleted = await session.query({
    text: `delete from ${target.quoted} where xmin = ($1::numeric % 4294967296)::text::xid`,
    values: [undo.transaction],
  })
  if (deleted.rowCount !== undo.rows) throw refused(CHANGED)
  return { rows: deleted.rowCount, undo: null }
}

async function putTableAside(session: Session, receipt: NewReceipt, kept: string): Promise<TakenBack> {
  const target = await getTarget(session, receipt)
  if (target.isHeld) throw refused('Views, foreign keys or triggers use this table by now. Remove them first.')
  const rows = await countRows(session, target.quoted)
  await renameIndexes(session, target.quoted, (at) => `${kept}_i${at}`)
  await session.query({ text: `alter table ${target.quoted} rename to ${kept}` })
  await session.query({ text: `alter table ${quoteName(receipt.schema)}.${kept} set schema ${LOADS_SCHEMA}` })
  return { rows, undo: { kind: 'restore', kept } }
}

async function bringTableBack(session: Session, receipt: NewReceipt, from: string): Promise<TakenBack> {
  if (await isNameTaken(session, receipt)) throw refused(`There is another table "${receipt.table}" by now.`)
  await renameIndexes(session, ownTable(from), (at, name) => `${name.slice(0, 50)}_${at}`)
  await session.query({ text: `alter table ${ownTable(from)} set schema ${quoteName(receipt.schema)}` })
  await session.query({
    text: `alter table ${quoteName(receipt.schema)}.${from} rename to ${quoteName(receipt.table)}`,
  })
  const rows = await countRows(session, `${quoteName(receipt.schema)}.${quoteName(receipt.table)}`)
  return { rows, undo: { kind: 'remove' } }
}

async function renameIndexes(session: Session, quoted: string, toIndexName: (at: number, table: string) => string) {
  const { rows } = await session.query({
    text: `select quote_ident(n.nspname) || '.' || quote_ident(i.relname) from pg_index x join pg_class i on i.oid = x.indexrelid
             join pg_namespace n on n.oid = i.relnamespace where x.indrelid = $1::regclass order by i.relname`,
    values: [quoted],
  })
  for (const [at, [index]] of rows.entries()) {
    await session.query({
      text: `alter index ${index} rename to ${quoteName(toIndexName(at, quoted.split('.').at(-1) ?? ''))}`,
    })
  }
}

async function refillFrom(
  session: Session,
  receipt: NewReceipt,
  { from, kept }: { from: string; kept: string },
): Promise<TakenBack> {
  const target = await getTarget(session, receipt)
  await session.query({ text: `lock table ${target.quoted} in access exclusive mode` })
  const columns = target.columns.filter(({ isGenerated }) => !isGenerated).map(({ name }) => quoteName(name))
  await putRowsAside(session, target, kept)
  try {
    await session.query({ text: `truncate ${target.quoted}` })
    const rowCount = await insertAsUsual(
      session,
      `insert into ${target.quoted} (${columns.join(', ')}) overriding system value select ${columns.join(', ')} from ${ownTable(from)}`,
    )
    return { rows: rowCount, undo: { kind: 'refill', kept } }
  } catch (error) {
    const isOtherShape = error instanceof WorkspaceDbError && ['42703', '42804'].includes(error.sqlState ?? '')
    throw isOtherShape
      ? refused('The columns of the table were changed since, so its rows can not be brought back.')
      : error
  }
}
