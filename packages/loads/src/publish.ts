import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { keptName, ownTable } from './own-tables.ts'
import {
  type NewReceipt,
  type Receipt,
  type SetAside,
  type Undo,
  closeReceipt,
  findReceipt,
  openReceipt,
  writeQuarantine,
} from './receipts.ts'
import { ROW_COLUMN } from './stage.ts'
import {
  type IndexDress,
  commentStatement,
  copyRights,
  dressStatements,
  freeName,
  giveDefaultRights,
  readIndexes,
} from './table-dress.ts'
import { type TableName, type Target, findTarget, isNameTaken } from './target.ts'

export interface Delivery {
  readonly receipt: NewReceipt & { readonly mode: 'new' | 'append' | 'replace' }
  readonly stage: string
  readonly isNumbered: boolean
  /** Columns of the stage that have values for the table. */
  readonly columns: readonly string[]
  /** Rows the stage must hold: a server that crashed may have emptied it. */
  readonly rows: number
  readonly setAside: readonly SetAside[]
  /** For a new table: what its columns were called. */
  readonly comments?: readonly { readonly column: string; readonly text: string }[]
}

/** The staged rows are not what they were; they have to be staged again. */
export class StageLost extends Error {
  override readonly name = 'StageLost'
}

/**
 * Puts staged rows into their table, all or none, with the receipt in the same transaction. A load that was delivered
 * before is only read back: repeating it changes nothing.
 */
export async function deliver(session: Session, delivery: Delivery): Promise<Receipt> {
  const { receipt } = delivery
  await session.query({ text: 'begin' })
  try {
    if (await openReceipt(session, receipt)) {
      const undo = await WAYS[receipt.mode](session, delivery)
      await writeQuarantine(session, receipt.loadId, delivery.setAside)
      await closeReceipt(session, receipt.loadId, { rows: delivery.rows, quarantined: delivery.setAside.length, undo })
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

const WAYS = { new: deliverNew, append: deliverAppend, replace: deliverReplace }

export const refused = (message: string) => new WorkspaceDbError({ code: 'refused', message })

export async function getTarget(session: Session, name: TableName): Promise<Target> {
  const target = await findTarget(session, name)
  if (!target) throw refused(`There is no table "${name.table}" in "${name.schema}" any more.`)
  return target
}

async function run(session: Session, statements: readonly string[]): Promise<void> {
  for (const text of statements) await session.query({ text })
}

async function deliverNew(session: Session, delivery: Delivery): Promise<Undo> {
  const { receipt, stage } = delivery
  if (await isNameTaken(session, receipt)) {
    throw refused(
      `"${receipt.table}" already exists in "${receipt.schema}". Choose another name, or append or replace.`,
    )
  }
  const own = ownTable(stage)
  await assertRows(session, own, delivery.rows)
  await giveDefaultRights(session, receipt, own)
  if (delivery.isNumbered) await run(session, [`alter table ${own} drop column ${ROW_COLUMN}`])
  await run(session, moveStatements(own, receipt))
  const quoted = `${quoteName(receipt.schema)}.${quoteName(receipt.table)}`
  for (const { column, text } of delivery.comments ?? []) {
    await run(session, [commentStatement(`column ${quoted}.${quoteName(column)}`, text)])
  }
  await nameIndexes(session, receipt, delivery)
  return { kind: 'remove' }
}

function moveStatements(own: string, { schema, table }: TableName): string[] {
  const bare = own.slice(LOADS_SCHEMA.length + 1)
  return [
    `alter table ${own} set schema ${quoteName(schema)}`,
    `alter table ${quoteName(schema)}.${quoteName(bare)} rename to ${quoteName(table)}`,
  ]
}

/** Keys and indexes were made while staging, under names of the stage. */
async function nameIndexes(session: Session, { schema, table }: TableName, delivery: Delivery): Promise<void> {
  const quoted = `${quoteName(schema)}.${quoteName(table)}`
  const { rows } = await session.query({
    text: `select i.relname, x.indisprimary, coalesce((select string_agg(a.attname, '_' order by k.ord)
                    from unnest(x.indkey) with ordinality k(num, ord) join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.num), '')
             from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = $1::regclass and i.relname like $2`,
    values: [quoted, `${delivery.stage}\\_%`],
  })
  for (const [name, isPrimary, columns] of rows) {
    const wanted = isPrimary === 't' ? `${table}_pkey` : `${table}_${columns}_idx`
    const free = await freeName(session, schema, wanted)
    await run(session, [`alter index ${quoteName(schema)}.${quoteName(name ?? '')} rename to ${quoteName(free)}`])
  }
}

async function assertRows(session: Session, own: string, rows: number): Promise<void> {
  const found = await session.query({ text: `select count(*) from ${own}` })
  if (Number(found.rows[0]?.[0]) !== rows) throw new StageLost('The staged rows are not all there any more.')
}

async function deliverAppend(session: Session, delivery: Delivery): Promise<Undo> {
  const target = await getTarget(session, delivery.receipt)
  await run(session, [`lock table ${target.quoted} in row exclusive mode`])
  await insertRows(session, target, delivery)
  const { rows } = await session.query({ text: 'select pg_current_xact_id()::text' })
  return { kind: 'rows', transaction: rows[0]?.[0] ?? '', rows: delivery.rows }
}

async function insertRows(session: Session, target: Target, delivery: Delivery): Promise<void> {
  const columns = delivery.columns.map((column) => quoteName(column)).join(', ')
  const rowCount = await insertAsUsual(
    session,
    `insert into ${target.quoted} (${columns}) ${overriding(target, delivery)} select ${columns} from ${ownTable(delivery.stage)}`,
  )
  if (rowCount !== delivery.rows) throw new StageLost('The staged rows are not all there any more.')
  await run(session, [`drop table ${ownTable(delivery.stage)}`])
}

/** Triggers of a table are written for the path that sessions of the workspace have. The statement itself names all it uses. */
export async function insertAsUsual(session: Session, text: string): Promise<number> {
  await run(session, ['set local search_path = data'])
  const { rowCount } = await session.query({ text })
  await run(session, ['set local search_path = pg_catalog'])
  return rowCount
}

/** A file with values for a counted column means those values. */
const overriding = (target: Target, { columns }: Delivery) =>
  target.columns.some(({ name, isIdentity }) => isIdentity && columns.includes(name)) ? 'overriding system value' : ''

async function deliverReplace(session: Session, delivery: Delivery): Promise<Undo> {
  const target = await getTarget(session, delivery.receipt)
  await run(session, [`lock table ${target.quoted} in access exclusive mode`])
  // Looked at again under the lock: a view may have come since.
  const held = await getTarget(session, delivery.receipt)
  return held.isHeld ? await refill(session, held, delivery) : await swap(session, held, delivery)
}

/** Something holds on to the table: it stays, its rows are put aside and the new ones come in. */
async function refill(session: Session, target: Target, delivery: Delivery): Promise<Undo> {
  const kept = keptName(delivery.receipt.loadId)
  await putRowsAside(session, target, kept)
  await run(session, [`truncate ${target.quoted}`]).catch((error: unknown) => {
    if (!(error instanceof WorkspaceDbError) || error.sqlState !== '0A000') throw error
    throw refused(
      'Other tables refer to rows of this table, so they can not be replaced. Append, or remove the foreign keys first.',
    )
  })
  await insertRows(session, target, delivery)
  return { kind: 'refill', kept }
}

export async function putRowsAside(session: Session, target: Target, kept: string): Promise<void> {
  await run(session, [`create table ${ownTable(kept)} as table ${target.quoted}`])
}

/** Nothing holds on to the table: the stage takes its place, dressed like it. */
async function swap(session: Session, target: Target, delivery: Delivery): Promise<Undo> {
  const own = ownTable(delivery.stage)
  await assertRows(session, own, delivery.rows)
  if (delivery.isNumbered) await run(session, [`alter table ${own} drop column ${ROW_COLUMN}`])
  await fillDefaults(session, target, { own, columns: delivery.columns })
  await run(session, await dressStatements(session, target.oid, own))
  await copyRights(session, target.oid, own)
  const kept = keptName(delivery.receipt.loadId)
  const owner = await readOwner(session, target.oid)
  const indexes = await exchange(session, target, { own, kept })
  await run(session, [`alter table ${target.quoted} owner to ${owner}`])
  return { kind: 'swap', kept, indexes }
}

async function readOwner(session: Session, oid: string): Promise<string> {
  const { rows } = await session.query({
    text: 'select quote_ident(pg_get_userbyid(relowner)) from pg_class where oid = $1::oid',
    values: [oid],
  })
  return rows[0]?.[0] ?? 'current_user'
}

/** Columns the rows have no values for get what the table would have given them. */
async function fillDefaults(
  session: Session,
  target: Target,
  { own, columns }: { own: string; columns: readonly string[] },
): Promise<void> {
  const { rows } = await session.query({
    text: `select a.attname, pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d
             join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum where d.adrelid = $1::oid`,
    values: [target.oid],
  })
  const sets = rows
    .filter(([name]) => !columns.includes(name ?? ''))
    .map(([name, expression]) => `${quoteName(name ?? '')} = ${expression}`)
  if (sets.length > 0) await run(session, [`update ${own} set ${sets.join(', ')}`])
}

export interface Exchange {
  /** The table that comes in, with the platform's name. */
  readonly own: string
  /** Names its indexes are to have; without them it has none yet and gets those of the table it replaces. */
  readonly indexNames?: readonly string[]
  readonly kept: string
}

/** Puts one table where another one is. That one is kept; the names of its indexes are given back for its return. */
export async function exchange(
  session: Session,
  target: Target,
  { own, indexNames, kept }: Exchange,
): Promise<string[]> {
  const { schema, table } = target
  const bare = own.slice(LOADS_SCHEMA.length + 1)
  const indexes = await readIndexes(session, target.oid)
  const names = indexes.map((index) => index.name)
  if (!indexNames) for (const [at, index] of indexes.entries()) await run(session, [index.make(own, `${bare}_i${at}`)])
  for (const [at, name] of names.entries()) {
    await run(session, [`alter index ${quoteName(schema)}.${quoteName(name)} rename to ${kept}_i${at}`])
  }
  await run(session, [
    `alter table ${target.quoted} rename to ${kept}`,
    `alter table ${quoteName(schema)}.${kept} set schema ${LOADS_SCHEMA}`,
    ...moveStatements(own, { schema, table }),
  ])
  for (const [at, wanted] of (indexNames ?? names).entries()) {
    const name = await freeName(session, schema, wanted)
    await run(session, [`alter index ${quoteName(schema)}.${quoteName(`${bare}_i${at}`)} rename to ${quoteName(name)}`])
  }
  if (!indexNames)
    await run(
      session,
      indexes.flatMap((index) => indexComment(target, index)),
    )
  return names
}

function indexComment({ schema, quoted }: Target, { name, isConstraint, comment }: IndexDress): string[] {
  if (comment === null) return []
  const place = isConstraint
    ? `constraint ${quoteName(name)} on ${quoted}`
    : `index ${quoteName(schema)}.${quoteName(name)}`
  return [commentStatement(place, comment)]
}
