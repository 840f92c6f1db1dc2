import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { SQL_STATE } from '@trellis/workspace-db/sql-state'
import { insertRows } from './insert-rows.ts'
import { qualifyPlatformTable } from './own-tables.ts'
import type { Undo } from './receipts.ts'
import {
  type IndexDefinition,
  buildCommentStatement,
  copyProperties,
  copyGrants,
  findFreeName,
  copyDefaultPrivileges,
  readIndexes,
} from './table-properties.ts'
import { type TableName, type Target, findTarget, getTarget, isNameTaken, createRefusedError } from './target.ts'

export interface Replacement {
  /** The loaded table that takes the place. */
  readonly stagingName: string
  readonly columns: readonly string[]
  readonly nullable: readonly string[]
  readonly hasStagedKey: boolean
  /** The name under which the former table, or a copy of its rows, stays for an undo. */
  readonly backupName: string
}

/**
 * Creates the table, swaps it, or refills it if other objects depend on it. Indexes must exist already, so that the
 * lock is short.
 */
export async function replaceTable(session: Session, table: TableName, replacement: Replacement): Promise<Undo> {
  if (!(await findTarget(session, table))) return await publishAsNewTable(session, table, replacement.stagingName)
  const quoted = `${quoteName(table.schema)}.${quoteName(table.table)}`
  await session.query({ text: `lock table ${quoted} in access exclusive mode` })
  // Checked again under the lock: a view may have been created.
  const target = await getTarget(session, table)
  if (!target.hasDependents) return await swapTables(session, target, replacement)
  const { stagingName: staged, columns, backupName } = replacement
  await replaceRows(session, target, { stagingTable: qualifyPlatformTable(staged), columns, backupName })
  await session.query({ text: `drop table ${qualifyPlatformTable(staged)}` })
  return { kind: 'refill', kept: backupName }
}

export async function publishAsNewTable(session: Session, table: TableName, stagingName: string): Promise<Undo> {
  if (await isNameTaken(session, table)) throw createRefusedError(`"${table.table}" is no table that rows can go to.`)
  await copyDefaultPrivileges(session, table, qualifyPlatformTable(stagingName))
  await moveFromPlatformSchema(session, stagingName, table)
  await restoreIndexNames(session, table, [])
  return { kind: 'remove' }
}

/** No dependents: swap. */
async function swapTables(session: Session, target: Target, replacement: Replacement): Promise<Undo> {
  const { stagingName, nullable, backupName } = replacement
  const stagingTable = qualifyPlatformTable(stagingName)
  await copyIndexes(session, target, replacement)
  await copyProperties(session, target.oid, { to: stagingTable, nullable })
  await copyGrants(session, target.oid, stagingTable)
  const { rows } = await session.query({
    text: 'select quote_ident(pg_get_userbyid(relowner)) from pg_class where oid = $1::oid',
    values: [target.oid],
  })
  const formerIndexes = await moveToBackup(session, target, backupName)
  await moveFromPlatformSchema(session, stagingName, target)
  await restoreIndexNames(session, target, formerIndexes)
  await session.query({ text: `alter table ${target.quoted} owner to ${rows[0]?.[0] ?? 'current_user'}` })
  return { kind: 'swap', kept: backupName, indexes: formerIndexes.map(({ name }) => name) }
}

/**
 * With dependents: keeps the table, copies its rows to the backup table, and replaces them by those of the staging table.
 * Returns the number of new rows. Refused if foreign keys of other tables point to it, which TRUNCATE does not support.
 */
export async function replaceRows(
  session: Session,
  target: Target,
  { stagingTable, columns, backupName }: { stagingTable: string; columns: readonly string[]; backupName: string },
): Promise<number> {
  await session.query({ text: `create table ${qualifyPlatformTable(backupName)} as table ${target.quoted}` })
  await session.query({ text: `truncate ${target.quoted}` }).catch((error: unknown) => {
    if (!(error instanceof WorkspaceDbError) || error.sqlState !== SQL_STATE.FEATURE_NOT_SUPPORTED) throw error
    throw createRefusedError(
      'Other tables refer to rows of this table, so they can not be replaced. Append, upsert, or remove the foreign keys first.',
    )
  })
  return await insertRows(session, { target, targetTable: target.quoted }, { sourceTable: stagingTable, columns })
}

/** Missing indexes of the table, without its key if the plan has one. */
export async function copyIndexes(
  session: Session,
  target: Target,
  { stagingName, hasStagedKey }: Pick<Replacement, 'stagingName' | 'hasStagedKey'>,
): Promise<void> {
  const stagingTable = qualifyPlatformTable(stagingName)
  const existingStatements = (await readIndexes(session, stagingTable)).map((index) => index.buildStatement('t', 'i'))
  let indexCount = existingStatements.length
  for (const index of await readIndexes(session, target.quoted)) {
    if ((hasStagedKey && index.isPrimary) || existingStatements.includes(index.buildStatement('t', 'i'))) continue
    await session.query({ text: index.buildStatement(stagingTable, `${stagingName}_f${indexCount}`) })
    indexCount += 1
  }
}

/** Moves the table and its indexes to the platform's schema under the backup's name. Returns the indexes as they were. */
export async function moveToBackup(session: Session, target: Target, backupName: string): Promise<IndexDefinition[]> {
  const schema = quoteName(target.schema)
  const indexes = await readIndexes(session, target.quoted)
  for (const [index, { name }] of indexes.entries()) {
    await session.query({ text: `alter index ${schema}.${quoteName(name)} rename to ${backupName}_i${index}` })
  }
  await session.query({ text: `alter table ${target.quoted} rename to ${backupName}` })
  await session.query({ text: `alter table ${schema}.${backupName} set schema ${LOADS_SCHEMA}` })
  return indexes
}

/** The reverse of staging: the platform's table `name` becomes the table of the workspace. */
async function moveFromPlatformSchema(session: Session, name: string, { schema, table }: TableName): Promise<void> {
  await session.query({ text: `alter table ${qualifyPlatformTable(name)} set schema ${quoteName(schema)}` })
  await session.query({ text: `alter table ${quoteName(schema)}.${name} rename to ${quoteName(table)}` })
}

export async function moveBackFromBackup(
  session: Session,
  table: TableName,
  { kept: backupName, indexes }: { kept: string; indexes: readonly string[] | undefined },
): Promise<void> {
  await moveFromPlatformSchema(session, backupName, table)
  if (!indexes) return await restoreIndexNames(session, table, [])
  for (const [at, formerName] of indexes.entries())
    await renameIndex(session, table, { name: `${backupName}_i${at}`, desiredName: formerName })
}

/** Renames indexes from platform names to the former ones. */
async function restoreIndexNames(
  session: Session,
  table: TableName,
  formerIndexes: readonly IndexDefinition[],
): Promise<void> {
  const quoted = `${quoteName(table.schema)}.${quoteName(table.table)}`
  const unmatchedIndexes = [...formerIndexes]
  for (const index of await readIndexes(session, quoted)) {
    const position = unmatchedIndexes.findIndex(
      (indexDefinition) => indexDefinition.buildStatement('t', 'i') === index.buildStatement('t', 'i'),
    )
    const [formerIndex] = position < 0 ? [] : unmatchedIndexes.splice(position, 1)
    const defaultName = index.isPrimary ? `${table.table}_pkey` : `${table.table}_${index.columns}_idx`
    const name = await renameIndex(session, table, { name: index.name, desiredName: formerIndex?.name ?? defaultName })
    if (formerIndex && formerIndex.comment !== null) {
      const commentTarget = index.isConstraint
        ? `constraint ${quoteName(name)} on ${quoted}`
        : `index ${quoteName(table.schema)}.${quoteName(name)}`
      await session.query({ text: buildCommentStatement(commentTarget, formerIndex.comment) })
    }
  }
}

async function renameIndex(
  session: Session,
  { schema }: TableName,
  { name, desiredName }: { name: string; desiredName: string },
): Promise<string> {
  const freeName = await findFreeName(session, schema, desiredName)
  await session.query({ text: `alter index ${quoteName(schema)}.${quoteName(name)} rename to ${quoteName(freeName)}` })
  return freeName
}
