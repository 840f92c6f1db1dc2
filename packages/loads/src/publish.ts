import { quoteName } from '@trellis/workspace-db/identifiers'
import type { Session } from '@trellis/workspace-db/session'
import { insertRows } from './insert-rows.ts'
import { undoTableName, toOwnTableName } from './own-tables.ts'
import {
  type ReceiptOutcome,
  type NewReceipt,
  type Receipt,
  TOO_MANY_CHANGED,
  closeReceipt,
  findReceipt,
  openReceipt,
} from './receipts.ts'
import { type RejectedRow, writeRejectedRows } from './rejected-rows.ts'
import { merge, prepareKeptRows } from './run/merge.ts'
import { markRows } from './run/progress.ts'
import { ROW_COLUMN } from './stage.ts'
import { becomeTable, copyIndexes, replaceTable } from './table-exchange.ts'
import { commentStatement } from './table-properties.ts'
import { type Target, getTarget, isNameTaken, refusedError } from './target.ts'

export interface Delivery {
  readonly receipt: NewReceipt & { readonly mode: 'new' | 'append' | 'replace' | 'upsert' }
  readonly stage: string
  readonly isNumbered: boolean
  readonly columns: readonly string[]
  readonly rows: number
  readonly rejected: readonly RejectedRow[]
  readonly comments?: readonly { readonly column: string; readonly text: string }[]
}

export class StageLost extends Error {
  override readonly name = 'StageLost'
}

/** All or nothing, with the receipt in the same transaction. Idempotent. */
export async function deliver(session: Session, delivery: Delivery): Promise<Receipt> {
  const { receipt } = delivery
  await session.query({ text: 'begin' })
  try {
    if (await openReceipt(session, receipt)) {
      const done = await WAYS[receipt.mode](session, delivery)
      const { rows, rejected } = delivery
      await writeRejectedRows(session, receipt.loadId, rejected)
      await closeReceipt(session, receipt.loadId, { rows, rejected: rejected.length, ...done })
    }
    await session.query({ text: 'commit' })
  } catch (error) {
    await session.query({ text: 'rollback' }).catch(() => undefined)
    throw error
  }
  const done = await findReceipt(session, receipt.loadId)
  if (!done) throw new Error('A delivery left no receipt.')
  return done
}

const WAYS = { new: deliverNew, append: deliverAppend, replace: deliverReplace, upsert: deliverUpsert }

type DeliveryOutcome = Pick<ReceiptOutcome, 'undo' | 'note' | 'updated'>

async function deliverNew(session: Session, delivery: Delivery): Promise<DeliveryOutcome> {
  const { receipt, stage } = delivery
  if (await isNameTaken(session, receipt)) {
    throw refusedError(
      `"${receipt.table}" already exists in "${receipt.schema}". Choose another name, or append or replace.`,
    )
  }
  await prepareStage(session, delivery)
  const undo = await becomeTable(session, receipt, stage)
  const quoted = `${quoteName(receipt.schema)}.${quoteName(receipt.table)}`
  for (const { column, text } of delivery.comments ?? []) {
    await session.query({ text: commentStatement(`column ${quoted}.${quoteName(column)}`, text) })
  }
  return { undo }
}

async function prepareStage(session: Session, { stage, rows, isNumbered }: Delivery): Promise<void> {
  const own = toOwnTableName(stage)
  const foundResult = await session.query({ text: `select count(*) from ${own}` })
  if (Number(foundResult.rows[0]?.[0]) !== rows) throw new StageLost(LOST)
  if (isNumbered) await session.query({ text: `alter table ${own} drop column ${ROW_COLUMN}` })
}

const LOST = 'The staged rows are not all there any more.'

async function deliverAppend(session: Session, { receipt, stage, columns, rows }: Delivery): Promise<DeliveryOutcome> {
  const target = await getTarget(session, receipt)
  await session.query({ text: `lock table ${target.quoted} in row exclusive mode` })
  const written = await insertRows(session, { target, into: target.quoted }, { from: toOwnTableName(stage), columns })
  if (written !== rows) throw new StageLost(LOST)
  await markRows(session, receipt.loadId, rows)
  await session.query({ text: `drop table ${toOwnTableName(stage)}` })
  return { undo: { kind: 'chunks' } }
}

async function deliverUpsert(session: Session, delivery: Delivery): Promise<DeliveryOutcome> {
  const { receipt, stage, columns, rows: staged } = delivery
  const { loadId } = receipt
  const target = await getTarget(session, receipt)
  const { primaryKey: key } = target
  await prepareStage(session, delivery)
  const types = target.columns.filter(({ name }) => columns.includes(name))
  const keptRows = await prepareKeptRows(session, {
    loadId,
    columns: types.map(({ name, type }) => ({ field: name, name, postgres: type })),
  })
  const { updated } = await merge(
    session,
    { loadId },
    { step: { key, columns, newestBy: null }, stage, target, kept: keptRows, staged },
  )
  await session.query({ text: `drop table ${toOwnTableName(stage)}` })
  if (!keptRows.isWhole) return { undo: null, note: TOO_MANY_CHANGED, updated }
  return { undo: { kind: 'merge', kept: undoTableName(loadId), key }, updated }
}

async function deliverReplace(session: Session, delivery: Delivery): Promise<DeliveryOutcome> {
  const { receipt, stage: staged, columns } = delivery
  const target = await getTarget(session, receipt)
  await prepareStage(session, delivery)
  if (!target.isHeld) {
    await fillDefaults(session, target, delivery)
    await copyIndexes(session, target, { staged, hasOwnKey: false })
  }
  const kept = undoTableName(receipt.loadId)
  const replacement = { staged, columns, nullable: [], hasOwnKey: false, kept }
  return { undo: await replaceTable(session, receipt, replacement) }
}

/** Missing columns get the table's defaults. */
async function fillDefaults(session: Session, target: Target, { stage, columns }: Delivery): Promise<void> {
  const { rows } = await session.query({
    text: `select a.attname, pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d
             join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum where d.adrelid = $1::oid`,
    values: [target.oid],
  })
  const sets = rows
    .filter(([name]) => !columns.includes(name ?? ''))
    .map(([name, expression]) => `${quoteName(name ?? '')} = ${expression}`)
  if (sets.length > 0) await session.query({ text: `update ${toOwnTableName(stage)} set ${sets.join(', ')}` })
}
