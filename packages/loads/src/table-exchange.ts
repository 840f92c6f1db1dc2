import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { insertRows } from './insert-rows.ts'
import { toOwnTableName } from './own-tables.ts'
import type { Undo } from './receipts.ts'
import {
  type IndexDefinition,
  commentStatement,
  copyProperties,
  copyRights,
  findFreeName,
  copyDefaultPrivileges,
  readIndexes,
} from './table-properties.ts'
import { type TableName, type Target, findTarget, getTarget, isNameTaken, refusedError } from './target.ts'

export interface Replacement {
  /** The loaded table that takes the place. */
  readonly staged: string
  readonly columns: readonly string[]
  readonly nullable: readonly string[]
  readonly hasOwnKey: boolean
  /** The name under which the former table, or a copy of its rows, stays for an undo. */
  readonly kept: string
}

/**
 * Creates the table, swaps it, or refills it if other objects depend on it. Indexes must exist already, so that the
 * lock is short.
 */
export async function replaceTable(session: Session, table: TableName, replacement: Replacement): Promise<Undo> {
  if (!(await findTarget(session, table))) return await becomeTable(session, table, replacement.staged)
  const quoted = `${quoteName(table.schema)}.${quoteName(table.table)}`
  await session.query({ text: `lock table ${quoted} in access exclusive mode` })
  // Checked again under the lock: a view may have been created.
  const target = await getTarget(session, table)
  if (!target.isHeld) return await exchangeTables(session, target, replacement)
  const { staged, columns, kept } = replacement
  await replaceRows(session, target, { from: toOwnTableName(staged), columns, kept })
  await session.query({ text: `drop table ${toOwnTableName(staged)}` })
  return { kind: 'refill', kept }
}

export async function becomeTable(session: Session, table: TableName, staged: string): Promise<Undo> {
  if (await isNameTaken(session, table)) throw refusedError(`"${table.table}" is no table that rows can go to.`)
  await copyDefaultPrivileges(session, table, toOwnTableName(staged))
  await moveIn(session, staged, table)
  await nameIndexes(session, table, [])
  return { kind: 'remove' }
}

/** No dependents: swap. */
async function exchangeTables(session: Session, target: Target, replacement: Replacement): Promise<Undo> {
  const { staged, nullable, kept } = replacement
  const own = toOwnTableName(staged)
  await copyIndexes(session, target, replacement)
  await copyProperties(session, target.oid, { to: own, nullable })
  await copyRights(session, target.oid, own)
  const { rows } = await session.query({
    text: 'select quote_ident(pg_get_userbyid(relowner)) from pg_class where oid = $1::oid',
    values: [target.oid],
  })
  const former = await moveAside(session, target, kept)
  await moveIn(session, staged, target)
  await nameIndexes(session, target, former)
  await session.query({ text: `alter table ${target.quoted} owner to ${rows[0]?.[0] ?? 'current_user'}` })
  return { kind: 'swap', kept, indexes: former.map(({ name }) => name) }
}

/** With dependents: keeps the table and replaces its rows. Returns the number of rows kept. */
export async function replaceRows(
  session: Session,
  target: Target,
  { from, columns, kept }: { from: string; columns: readonly string[]; kept: string },
): Promise<number> {
  await session.query({ text: `create table ${toOwnTableName(kept)} as table ${target.quoted}` })
  await session.query({ text: `truncate ${target.quoted}` }).catch((error: unknown) => {
    if (!(error instanceof WorkspaceDbError) || error.sqlState !== '0A000') throw error
    throw refusedError(
      'Other tables refer to rows of this table, so they can not be replaced. Append, upsert, or remove the foreign keys first.',
    )
  })
  return await insertRows(session, { target, into: target.quoted }, { from, columns })
}

/** Missing indexes of the table, without its key if the plan has one. */
export async function copyIndexes(
  session: Session,
  target: Target,
  { staged, hasOwnKey }: Pick<Replacement, 'staged' | 'hasOwnKey'>,
): Promise<void> {
  const own = toOwnTableName(staged)
  const there = (await readIndexes(session, own)).map((index) => index.make('t', 'i'))
  let made = there.length
  for (const index of await readIndexes(session, target.quoted)) {
    if ((hasOwnKey && index.isPrimary) || there.includes(index.make('t', 'i'))) continue
    await session.query({ text: index.make(own, `${staged}_f${made}`) })
    made += 1
  }
}

export async function moveAside(session: Session, target: Target, kept: string): Promise<IndexDefinition[]> {
  const schema = quoteName(target.schema)
  const indexes = await readIndexes(session, target.quoted)
  for (const [at, { name }] of indexes.entries()) {
    await session.query({ text: `alter index ${schema}.${quoteName(name)} rename to ${kept}_i${at}` })
  }
  await session.query({ text: `alter table ${target.quoted} rename to ${kept}` })
  await session.query({ text: `alter table ${schema}.${kept} set schema ${LOADS_SCHEMA}` })
  return indexes
}

async function moveIn(session: Session, own: string, { schema, table }: TableName): Promise<void> {
  await session.query({ text: `alter table ${toOwnTableName(own)} set schema ${quoteName(schema)}` })
  await session.query({ text: `alter table ${quoteName(schema)}.${own} rename to ${quoteName(table)}` })
}

export async function moveBack(
  session: Session,
  table: TableName,
  { kept, indexes }: { kept: string; indexes: readonly string[] | undefined },
): Promise<void> {
  await moveIn(session, kept, table)
  if (!indexes) return await nameIndexes(session, table, [])
  for (const [at, wanted] of indexes.entries()) await renameIndex(session, table, { name: `${kept}_i${at}`, wanted })
}

/** Renames indexes from platform names to the former ones. */
async function nameIndexes(session: Session, table: TableName, former: readonly IndexDefinition[]): Promise<void> {
  const quoted = `${quoteName(table.schema)}.${quoteName(table.table)}`
  const left = [...former]
  for (const index of await readIndexes(session, quoted)) {
    const at = left.findIndex((indexDefinition) => indexDefinition.make('t', 'i') === index.make('t', 'i'))
    const [same] = at < 0 ? [] : left.splice(at, 1)
    const own = index.isPrimary ? `${table.table}_pkey` : `${table.table}_${index.columns}_idx`
    const name = await renameIndex(session, table, { name: index.name, wanted: same?.name ?? own })
    if (same && same.comment !== null) {
      const place = index.isConstraint
        ? `constraint ${quoteName(name)} on ${quoted}`
        : `index ${quoteName(table.schema)}.${quoteName(name)}`
      await session.query({ text: commentStatement(place, same.comment) })
    }
  }
}

async function renameIndex(
  session: Session,
  { schema }: TableName,
  { name, wanted }: { name: string; wanted: string },
): Promise<string> {
  const free = await findFreeName(session, schema, wanted)
  await session.query({ text: `alter index ${quoteName(schema)}.${quoteName(name)} rename to ${quoteName(free)}` })
  return free
}
