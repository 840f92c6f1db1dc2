import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { besideName, fillName, keptName, ownTable } from '../own-tables.ts'
import { exchange, putRowsAside, refused } from '../publish.ts'
import type { Undo } from '../receipts.ts'
import { copyRights, dressStatements, freeName, giveDefaultRights, readIndexes } from '../table-dress.ts'
import { type Target, findTarget, isNameTaken } from '../target.ts'
import { dedupe } from './merge.ts'
import { keepDeletedRows } from './changes/keep-deleted.ts'
import { settleEdge } from './existing-rows.ts'
import { keepComparison } from './shadow/keep-comparison.ts'
import { createKeyReader } from './keys/key-reader.ts'
import { minus } from './keys/key-sum.ts'
import { keysIn, setTargetKeys, settleKeys } from './keys/table-keys.ts'
import type { LoadStep } from '../plan/load-plan.ts'
import type { Load } from './load.ts'
import { finishReceipt } from './progress.ts'
import { INDEX_TYPES, alterTable, joinNames, quotedTable } from './table-steps.ts'

/** Keys and indexes of the table beside, before anybody has to wait for them. */
export async function buildBeside(session: Session, load: Load, steps: readonly LoadStep[]): Promise<void> {
  const name = besideName(load.loadId)
  const own = ownTable(name)
  // All of it is one transaction: an attempt that was killed behind it left it whole.
  if (await hasIndexes(session, own)) return
  for (const step of steps) {
    if (step.do === 'create_key') await addKey(session, load, steps)
    if (step.do === 'create_index') {
      const method = INDEX_TYPES.find((known) => known === step.type) ?? 'btree'
      await session.query({ text: `create index on ${own} using ${method} (${quoteName(step.column)})` })
    }
  }
  await addFormerIndexes(session, load)
  await session.query({ text: `analyze ${own}` })
}

async function hasIndexes(session: Session, table: string): Promise<boolean> {
  const { rows } = await session.query({
    text: 'select 1 from pg_index where indrelid = $1::regclass limit 1',
    values: [table],
  })
  return rows.length > 0
}

/** Doubles are looked for only when the key shows that there are some: mostly there are none. */
async function addKey(session: Session, load: Load, steps: readonly LoadStep[]): Promise<void> {
  const name = besideName(load.loadId)
  const step = steps.find((one) => one.do === 'dedupe')
  const text = `alter table ${ownTable(name)} add constraint ${name}_k primary key (${joinNames(load.key)})`
  await session.query({ text: 'savepoint doubles' })
  try {
    await session.query({ text })
  } catch (error) {
    if (!step || !(error instanceof WorkspaceDbError) || error.sqlState !== '23505') throw error
    await session.query({ text: 'rollback to savepoint doubles' })
    const reader = createKeyReader(load)
    const before = reader && (await keysIn(session, { table: ownTable(name), reader }))
    const merged = await dedupe(session, name, step)
    const lost = before && minus(before, await keysIn(session, { table: ownTable(name), reader })).hash
    await session.query({
      text: `update ${LOADS_SCHEMA}.receipts set rows = rows - $2::bigint, rows_merged = rows_merged + $2::bigint,
               source_hash = source_hash - $3::numeric where load_id = $1`,
      values: [load.loadId, String(merged), String(lost ?? 0)],
    })
    await session.query({ text })
  }
}

/** Indexes people gave the table that is about to be replaced. */
async function addFormerIndexes(session: Session, load: Load): Promise<void> {
  const target = await findTarget(session, load.table)
  if (!target || target.isHeld) return
  const own = ownTable(besideName(load.loadId))
  const { rows } = await session.query({ text: 'select $1::regclass::oid::text', values: [own] })
  const there = (await readIndexes(session, rows[0]?.[0] ?? '0')).map((index) => index.make('t', 'i'))
  const { rows: keys } = await session.query({
    text: `select i.relname from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = $1::oid and x.indisprimary`,
    values: [target.oid],
  })
  for (const [at, index] of (await readIndexes(session, target.oid)).entries()) {
    if (keys.some(([name]) => name === index.name) || there.includes(index.make('t', 'i'))) continue
    await session.query({ text: index.make(own, `${besideName(load.loadId)}_f${at}`) })
  }
}

export async function publish(session: Session, load: Load, steps: readonly LoadStep[]): Promise<void> {
  let undo: Undo | null | undefined
  for (const step of steps) {
    if (step.do === 'drop_stage')
      await session.query({ text: `drop table if exists ${ownTable(fillName(load.loadId))}` })
    if (step.do === 'verify_count') await verifyCount(session, load)
    if (step.do === 'alter')
      await alterTable(session, load.table, step.change)
    if (step.do === 'swap' && load.deletedAt !== undefined) await keepDeletedRows(session, load, load.deletedAt)
    if (step.do === 'swap') undo = await takePlace(session, load)
    if (step.do === 'compare' && load.shadow) await keepComparison(session, load, load.shadow)
  }
  if (load.mode === 'append') await settleAppend(session, load)
  if (undo === undefined) undo = await findUndo(session, load)
  await forgetOlder(session, load)
  await finishReceipt(session, load, { undo, note: undo === null && !load.shadow ? TOO_MANY : null, rows: null })
}

async function settleAppend(session: Session, load: Load): Promise<void> {
  await settleEdge(session, load)
  const reader = createKeyReader(load)
  if (reader) await settleKeys(session, load, reader)
}

const TOO_MANY = 'Too many rows were changed to keep what they held before.'

async function findUndo(session: Session, { loadId }: Load): Promise<Undo | null> {
  const { rows } = await session.query({
    text: `select undo::text from ${LOADS_SCHEMA}.receipts where load_id = $1`,
    values: [loadId],
  })
  const [text] = rows[0] ?? []
  return text ? (JSON.parse(text) as Undo) : null
}

/** Only the latest load of a run can be taken back: what older ones kept is of no use any more. */
export async function forgetOlder(session: Session, { table, loadId }: Load): Promise<void> {
  const { rows } = await session.query({
    text: `update ${LOADS_SCHEMA}.receipts r set undo = null, note = 'Another load came after it.' from (
             select load_id, undo->>'kept' as kept from ${LOADS_SCHEMA}.receipts
              where schema_name = $1 and table_name = $2 and load_id <> $3 and writer is not null and undo is not null) o
            where r.load_id = o.load_id returning o.kept`,
    values: [table.schema, table.table, loadId],
  })
  for (const [kept] of rows) if (kept) await session.query({ text: `drop table if exists ${ownTable(kept)}` })
}

async function verifyCount(session: Session, load: Load): Promise<void> {
  const { loadId } = load
  const table = ownTable(besideName(loadId))
  const reader = createKeyReader(load)
  const keys = reader && (await keysIn(session, { table, reader }))
  const found = keys?.rows ?? Number((await session.query({ text: `select count(*) from ${table}` })).rows[0]?.[0])
  const { rows } = await session.query({
    text: `select rows, source_hash is not null from ${LOADS_SCHEMA}.receipts where load_id = $1`,
    values: [loadId],
  })
  const [count, hasSourceKeys] = rows[0] ?? []
  const expected = Number(count)
  if (found !== expected) throw new Error(`The new table holds ${found} rows, ${expected} were written into it.`)
  // An empty source gave no keys to compare with.
  if (keys && hasSourceKeys === 't') await setTargetKeys(session, loadId, keys)
}

async function takePlace(session: Session, load: Load): Promise<Undo> {
  const { table } = load
  if (!(await findTarget(session, table))) {
    if (await isNameTaken(session, table)) throw refused(`"${table.table}" is no table that rows can go to.`)
    return await becomeTable(session, load)
  }
  await session.query({ text: `lock table ${quotedTable(table)} in access exclusive mode` })
  // Looked at again under the lock: a view may have come since.
  const target = await findTarget(session, table)
  if (!target) throw refused(`There is no table "${table.table}" in "${table.schema}" any more.`)
  return target.isHeld ? await exchangeRows(session, load, target) : await exchangeTables(session, load, target)
}

async function becomeTable(session: Session, load: Load): Promise<Undo> {
  const own = ownTable(besideName(load.loadId))
  await giveDefaultRights(session, load.table, own)
  await session.query({ text: `alter table ${own} set schema ${quoteName(load.table.schema)}` })
  const there = `${quoteName(load.table.schema)}.${besideName(load.loadId)}`
  await session.query({ text: `alter table ${there} rename to ${quoteName(load.table.table)}` })
  await nameIndexes(session, load)
  return { kind: 'remove' }
}

/** Keys and indexes were made under names of the platform. */
async function nameIndexes(session: Session, { table, loadId }: Load): Promise<void> {
  const { rows } = await session.query({
    text: `select i.relname, x.indisprimary, coalesce((select string_agg(a.attname, '_' order by k.ord)
                    from unnest(x.indkey) with ordinality k(num, ord) join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.num), '')
             from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = $1::regclass and i.relname like $2`,
    values: [quotedTable(table), `${besideName(loadId)}\\_%`],
  })
  for (const [name, isPrimary, columns] of rows) {
    const wanted = isPrimary === 't' ? `${table.table}_pkey` : `${table.table}_${columns}_idx`
    const free = await freeName(session, table.schema, wanted)
    await session.query({
      text: `alter index ${quoteName(table.schema)}.${quoteName(name ?? '')} rename to ${quoteName(free)}`,
    })
  }
}

/** Nothing holds on to the table: the new one takes its place, dressed like it. */
async function exchangeTables(session: Session, load: Load, target: Target): Promise<Undo> {
  const own = ownTable(besideName(load.loadId))
  const written = new Set(load.columns.map(({ name }) => name))
  for (const text of await dressStatements(session, target.oid, own)) {
    const gone = target.columns.find(
      ({ name }) =>
        !written.has(name) && [name, quoteName(name)].some((one) => text.endsWith(`alter column ${one} set not null`)),
    )
    if (!gone) await session.query({ text })
  }
  await copyRights(session, target.oid, own)
  const kept = keptName(load.loadId)
  const { rows } = await session.query({
    text: 'select quote_ident(pg_get_userbyid(relowner)) from pg_class where oid = $1::oid',
    values: [target.oid],
  })
  const indexes = await exchange(session, target, { own, indexNames: [], kept })
  await nameIndexes(session, load)
  await session.query({ text: `alter table ${target.quoted} owner to ${rows[0]?.[0] ?? 'current_user'}` })
  return { kind: 'swap', kept, indexes }
}

/** Something holds on to the table: it stays, its rows are put aside and the new ones come in. */
async function exchangeRows(session: Session, load: Load, target: Target): Promise<Undo> {
  const kept = keptName(load.loadId)
  await putRowsAside(session, target, kept)
  await session.query({ text: `truncate ${target.quoted}` }).catch((error: unknown) => {
    if (!(error instanceof WorkspaceDbError) || error.sqlState !== '0A000') throw error
    throw refused(
      'Other tables refer to rows of this table, so they can not be replaced. Append, upsert, or remove the foreign keys first.',
    )
  })
  const list = joinNames(load.columns.map(({ name }) => name))
  const own = ownTable(besideName(load.loadId))
  const isCounted = target.columns.some(
    ({ name, isIdentity }) => isIdentity && load.columns.some((one) => one.name === name),
  )
  await session.query({ text: 'set local search_path = data' })
  await session.query({
    text: `insert into ${target.quoted} (${list}) ${isCounted ? 'overriding system value' : ''} select ${list} from ${own}`,
  })
  await session.query({ text: 'set local search_path = pg_catalog' })
  await session.query({ text: `drop table ${own}` })
  return { kind: 'refill', kept }
}
