import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { insertRows } from './insert-rows.ts'
import { ownTable } from './own-tables.ts'
import type { Undo } from './receipts.ts'
import {
  type IndexDefinition,
  commentStatement,
  copyProperties,
  copyRights,
  findFreeName,
  giveDefaultRights,
  readIndexes,
} from './table-properties.ts'
import { type TableName, type Target, findTarget, getTarget, isNameTaken, refused } from './target.ts'

/** A staging table whose rows take the place of those of a table. */
export interface Replacement {
  readonly staged: string
  /** Columns that the rows have values for. */
  readonly columns: readonly string[]
  /** Columns that may be NULL from now on. */
  readonly nullable: readonly string[]
  /** Its key is not that of the table: the plan has it. */
  readonly hasOwnKey: boolean
  /** Under this name what is replaced is kept. */
  readonly kept: string
}

/** The rows become the table, or take the place of the one that is there. Indexes are built before, so that nobody waits for them. */
export async function replaceTable(session: Session, table: TableName, replacement: Replacement): Promise<Undo> {
  if (!(await findTarget(session, table))) return await becomeTable(session, table, replacement.staged)
  const quoted = `${quoteName(table.schema)}.${quoteName(table.table)}`
  await session.query({ text: `lock table ${quoted} in access exclusive mode` })
  // Looked at again under the lock: a view may have come since.
  const target = await getTarget(session, table)
  if (!target.isHeld) return await exchangeTables(session, target, replacement)
  const { staged, columns, kept } = replacement
  await replaceRows(session, target, { from: ownTable(staged), columns, kept })
  await session.query({ text: `drop table ${ownTable(staged)}` })
  return { kind: 'refill', kept }
}

export async function becomeTable(session: Session, table: TableName, staged: string): Promise<Undo> {
  if (await isNameTaken(session, table)) throw refused(`"${table.table}" is no table that rows can go to.`)
  await giveDefaultRights(session, table, ownTable(staged))
  await moveIn(session, staged, table)
  await nameIndexes(session, table, [])
  return { kind: 'remove' }
}

/** Nothing holds on to the table: another one with its properties takes its place. */
async function exchangeTables(session: Session, target: Target, replacement: Replacement): Promise<Undo> {
  const { staged, nullable, kept } = replacement
  const own = ownTable(staged)
  // Most were built before the lock; somebody may have made one since.
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

/** Something holds on to the table: it stays, its rows are kept aside and others come in. Gives how many. */
export async function replaceRows(
  session: Session,
  target: Target,
  { from, columns, kept }: { from: string; columns: readonly string[]; kept: string },
): Promise<number> {
  await session.query({ text: `create table ${ownTable(kept)} as table ${target.quoted}` })
  await session.query({ text: `truncate ${target.quoted}` }).catch((error: unknown) => {
    if (!(error instanceof WorkspaceDbError) || error.sqlState !== '0A000') throw error
    throw refused(
      'Other tables refer to rows of this table, so they can not be replaced. Append, upsert, or remove the foreign keys first.',
    )
  })
  return await insertRows(session, { target, into: target.quoted }, { from, columns })
}

/** Indexes of a table that the staging table lacks. A plan that has a key of its own leaves that of the table out. */
export async function copyIndexes(
  session: Session,
  target: Target,
  { staged, hasOwnKey }: Pick<Replacement, 'staged' | 'hasOwnKey'>,
): Promise<void> {
  const own = ownTable(staged)
  const there = (await readIndexes(session, own)).map((index) => index.make('t', 'i'))
  let made = there.length
  for (const index of await readIndexes(session, target.quoted)) {
    if ((hasOwnKey && index.isPrimary) || there.includes(index.make('t', 'i'))) continue
    await session.query({ text: index.make(own, `${staged}_f${made}`) })
    made += 1
  }
}

/** Puts a table aside under a name of the platform; gives its indexes as they were. */
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
  await session.query({ text: `alter table ${ownTable(own)} set schema ${quoteName(schema)}` })
  await session.query({ text: `alter table ${quoteName(schema)}.${own} rename to ${quoteName(table)}` })
}

/** A table that was put aside comes back. Without the names of its indexes they get names of their own. */
export async function moveBack(
  session: Session,
  table: TableName,
  { kept, indexes }: { kept: string; indexes: readonly string[] | undefined },
): Promise<void> {
  await moveIn(session, kept, table)
  if (!indexes) return await nameIndexes(session, table, [])
  for (const [at, wanted] of indexes.entries()) await renameIndex(session, table, { name: `${kept}_i${at}`, wanted })
}

/** Indexes were built under names of the platform: they take over from those of the table before, or are named after their columns. */
async function nameIndexes(session: Session, table: TableName, former: readonly IndexDefinition[]): Promise<void> {
  const quoted = `${quoteName(table.schema)}.${quoteName(table.table)}`
  const left = [...former]
  for (const index of await readIndexes(session, quoted)) {
    const at = left.findIndex((one) => one.make('t', 'i') === index.make('t', 'i'))
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
