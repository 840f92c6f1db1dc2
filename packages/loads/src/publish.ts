import { quoteName } from '@trellis/workspace-db/identifiers'
import type { Session } from '@trellis/workspace-db/session'
import { insertRows } from './insert-rows.ts'
import { toUndoTableName, qualifyPlatformTable } from './own-tables.ts'
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
import { mergeStage, prepareReplacedVersions } from './run/merge.ts'
import { recordRowTransaction } from './run/progress.ts'
import { ROW_COLUMN } from './stage.ts'
import { publishAsNewTable, copyIndexes, replaceTable } from './table-exchange.ts'
import { buildCommentStatement } from './table-properties.ts'
import { type Target, getTarget, isNameTaken, createRefusedError } from './target.ts'

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
      const done = await DELIVERIES[receipt.mode](session, delivery)
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

const DELIVERIES = { new: deliverNew, append: deliverAppend, replace: deliverReplace, upsert: deliverUpsert }

type DeliveryOutcome = Pick<ReceiptOutcome, 'undo' | 'note' | 'updated'>

async function deliverNew(session: Session, delivery: Delivery): Promise<DeliveryOutcome> {
  const { receipt, stage } = delivery
  if (await isNameTaken(session, receipt)) {
    throw createRefusedError(
      `"${receipt.table}" already exists in "${receipt.schema}". Choose another name, or append or replace.`,
    )
  }
  await verifyStage(session, delivery)
  const undo = await publishAsNewTable(session, receipt, stage)
  const quoted = `${quoteName(receipt.schema)}.${quoteName(receipt.table)}`
  for (const { column, text } of delivery.comments ?? []) {
    await session.query({ text: buildCommentStatement(`column ${quoted}.${quoteName(column)}`, text) })
  }
  return { undo }
}

async function verifyStage(session: Session, { stage, rows, isNumbered }: Delivery): Promise<void> {
  const stagingTable = qualifyPlatformTable(stage)
  const result = await session.query({ text: `select count(*) from ${stagingTable}` })
  if (Number(result.rows[0]?.[0]) !== rows) throw new StageLost(ROWS_MISSING)
  if (isNumbered) await session.query({ text: `alter table ${stagingTable} drop column ${ROW_COLUMN}` })
}

const ROWS_MISSING = 'The staged rows are not all there any more.'

async function deliverAppend(session: Session, { receipt, stage, columns, rows }: Delivery): Promise<DeliveryOutcome> {
  const target = await getTarget(session, receipt)
  await session.query({ text: `lock table ${target.quoted} in row exclusive mode` })
  const insertedRows = await insertRows(
    session,
    { target, targetTable: target.quoted },
    { sourceTable: qualifyPlatformTable(stage), columns },
  )
  if (insertedRows !== rows) throw new StageLost(ROWS_MISSING)
  await recordRowTransaction(session, receipt.loadId, rows)
  await session.query({ text: `drop table ${qualifyPlatformTable(stage)}` })
  return { undo: { kind: 'chunks' } }
}

async function deliverUpsert(session: Session, delivery: Delivery): Promise<DeliveryOutcome> {
  const { receipt, stage, columns, rows: stagedRows } = delivery
  const { loadId } = receipt
  const target = await getTarget(session, receipt)
  const { primaryKey: key } = target
  await verifyStage(session, delivery)
  const writtenColumns = target.columns.filter(({ name }) => columns.includes(name))
  const keptRows = await prepareReplacedVersions(session, {
    loadId,
    columns: writtenColumns.map(({ name, type }) => ({ field: name, name, postgres: type })),
  })
  const { updated } = await mergeStage(
    session,
    { loadId },
    { step: { key, columns, newestBy: null }, stage, target, kept: keptRows, staged: stagedRows },
  )
  await session.query({ text: `drop table ${qualifyPlatformTable(stage)}` })
  if (!keptRows.isWhole) return { undo: null, note: TOO_MANY_CHANGED, updated }
  return { undo: { kind: 'merge', kept: toUndoTableName(loadId), key }, updated }
}

async function deliverReplace(session: Session, delivery: Delivery): Promise<DeliveryOutcome> {
  const { receipt, stage: stagingName, columns } = delivery
  const target = await getTarget(session, receipt)
  await verifyStage(session, delivery)
  if (!target.hasDependents) {
    await fillDefaults(session, target, delivery)
    await copyIndexes(session, target, { stagingName, hasStagedKey: false })
  }
  const backupName = toUndoTableName(receipt.loadId)
  const replacement = { stagingName, columns, nullable: [], hasStagedKey: false, backupName }
  return { undo: await replaceTable(session, receipt, replacement) }
}

/** Missing columns get the table's defaults. */
async function fillDefaults(session: Session, target: Target, { stage, columns }: Delivery): Promise<void> {
  const { rows } = await session.query({
    text: `select a.attname, pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d
             join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum where d.adrelid = $1::oid`,
    values: [target.oid],
  })
  const assignments = rows
    .filter(([name]) => !columns.includes(name ?? ''))
    .map(([name, expression]) => `${quoteName(name ?? '')} = ${expression}`)
  if (assignments.length > 0)
    await session.query({ text: `update ${qualifyPlatformTable(stage)} set ${assignments.join(', ')}` })
}
