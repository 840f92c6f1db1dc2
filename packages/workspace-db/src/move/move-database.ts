import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { toWorkspaceNames, type WorkspaceNames } from '../names.ts'
import { provisionWorkspaceDatabase } from '../provision.ts'
import { LOADS_SCHEMA } from '../provision/loads-schema.ts'
import type { WorkspaceCredentials } from '../provision/credentials.ts'
import { lockWorkspaceDatabase, removeWorkspaceDatabase } from '../remove.ts'
import { listStoppedDatabases } from '../watch/stop-writes.ts'
import { copyRoles } from './copy-roles.ts'
import {
  type MovedTable,
  copySequences,
  copyTable,
  hashTable,
  listTables,
  readSequences,
  refreshViews,
} from './copy-rows.ts'
import { assertClosed, closeForMove, endWriters, openAfterMove } from './fence.ts'
import { copyLargeObjects, hashLargeObjects } from './large-objects.ts'
import { createMover, dropMover, grantMoverAccess, listOwners, withMovers } from './mover.ts'
import { assertSameSchema, dumpSchema, runStatements, restoreTables } from './restore-schema.ts'

/** Where a copy can be stopped or killed, in order. */
type MoveStep = 'close' | 'roles' | 'schema' | 'rows' | 'indexes' | 'compare' | 'commit' | 'open'

interface DatabaseMove {
  readonly from: Cluster
  readonly to: Cluster
  readonly key: string
  readonly credentials: WorkspaceCredentials
  readonly onStep: (step: MoveStep, detail: string) => Promise<void>
  readonly signal: AbortSignal
}

export interface MovedDatabase {
  readonly tables: number
  readonly bytes: number
  /** For how long nothing could be written. */
  readonly closedMs: number
}

const PARALLEL_COPIES = 2
const NEEDS_SUPERUSER =
  'A move needs superusers as administrators of both clusters: others can not read the passwords of logins.'

/**
 * Copies a database while it can only be read, compares the copy, and opens it once `commit` has stored that it is the
 * one. What fails before leaves the source closed: `openAfterMove` opens it, once nobody can commit any more.
 */
export async function moveDatabase(move: DatabaseMove, commit: () => Promise<void>): Promise<MovedDatabase> {
  const { from, to, key } = move
  const names = toWorkspaceNames(key)
  if (!from.isSuperuser || !to.isSuperuser) throw new Error(NEEDS_SUPERUSER)
  await removeWorkspaceDatabase(to, { key })
  const movedDatabase = await from.withAdmin(undefined, async (admin) => {
    await lockWorkspaceDatabase(admin, names)
    if ((await listStoppedDatabases(admin)).has(names.database)) {
      throw new Error('Writing is stopped in this database, because the disk or the storage of its account is full.')
    }
    const startedAt = performance.now()
    await move.onStep('close', '')
    await closeForMove(admin, names)
    await endWriters(admin, names)
    const copiedTotals = await from.withAdmin(names.database, (sourceClient) => copyDatabase(move, names, sourceClient))
    await assertClosed(admin, names)
    await move.onStep('commit', '')
    move.signal.throwIfAborted()
    await commit()
    await openMovedDatabase(move, names)
    return { ...copiedTotals, closedMs: Math.round(performance.now() - startedAt) }
  })
  return movedDatabase
}

async function openMovedDatabase({ to, onStep }: DatabaseMove, names: WorkspaceNames): Promise<void> {
  await onStep('open', '')
  await openAfterMove(to.admin, names)
}

async function copyDatabase(move: DatabaseMove, names: WorkspaceNames, sourceClient: pg.Client) {
  const { from, to, key, credentials, signal } = move
  const tables = await listTables(sourceClient)
  const owners = await listOwners(sourceClient)
  const schema = await dumpSchema(from, names.database)
  signal.throwIfAborted()
  await move.onStep('roles', '')
  await copyRoles(from, to, names)
  await to.withAdmin(undefined, async (admin) => await createDatabase(admin, sourceClient, names))
  const configs = [
    await createMover({ cluster: from, names, owners, isTarget: false }),
    await createMover({ cluster: to, names, owners, isTarget: true }),
  ] as const
  await to.withAdmin(names.database, async (target) => {
    await withMovers([configs[1]], async ([mover]) => {
      await move.onStep('schema', '')
      const admins = { from: await readUser(sourceClient), to: await readUser(target) }
      const connections = {
        admin: target,
        mover: mover as pg.Client,
        admins,
        onSchemas: () => grantMoverAccess(target, names),
      }
      const statementsAfterRows = await restoreTables(schema, connections)
      await copyAllRows(move, tables, configs)
      await move.onStep('indexes', '')
      await runStatements(statementsAfterRows, connections)
      await copyLargeObjects({ from: sourceClient, to: target })
      await refreshViews(sourceClient, mover as pg.Client)
    })
    await move.onStep('compare', '')
    await compareRows(move, tables, configs)
    if ((await hashLargeObjects(sourceClient)) !== (await hashLargeObjects(target)))
      throw new Error('Large objects differ.')
  })
  await withMovers([configs[1]], async ([mover]) => void (await mover?.query(CLEAR_UNDO)))
  for (const cluster of [from, to]) await dropMover(cluster, names)
  await provisionWorkspaceDatabase(to, { key, credentials })
  await copyDatabaseRights(sourceClient, to, names)
  await closeForMove(to.admin, names)
  assertSameSchema(schema, await dumpSchema(to, names.database), {
    from: await readUser(sourceClient),
    to: await to.withAdmin(names.database, readUser),
  })
  return { tables: tables.length, bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0) }
}

const readUser = async (client: pg.Client): Promise<string> =>
  (await client.query<{ name: string }>('select current_user::text as name')).rows[0]?.name ?? ''

async function createDatabase(admin: pg.Client, sourceClient: pg.Client, { database }: WorkspaceNames): Promise<void> {
  const { rows } = await sourceClient.query<{
    provider: string
    collate: string
    ctype: string
    locale: string | null
  }>(
    `select datlocprovider::text as provider, datcollate as collate, datctype as ctype, datlocale as locale
       from pg_database where datname = current_database()`,
  )
  const { provider = 'c', collate = 'C', ctype = 'C', locale = null } = rows[0] ?? {}
  const providerName = { c: 'libc', i: 'icu', b: 'builtin' }[provider] ?? 'libc'
  const localeClause = locale === null ? '' : ` ${providerName}_locale ${pg.escapeLiteral(locale)}`
  await admin.query(
    `create database ${database} template template0 encoding 'UTF8' allow_connections false locale_provider ${providerName}
       lc_collate ${pg.escapeLiteral(collate)} lc_ctype ${pg.escapeLiteral(ctype)}${localeClause}`,
  )
  await admin.query(`revoke all on database ${database} from public`)
  await admin.query(`alter database ${database} allow_connections true`)
}

/** Rows are recognised by their transaction, which is another one in a copy. */
const CLEAR_UNDO = `update ${LOADS_SCHEMA}.receipts set undo = null,
  note = 'The workspace was moved to another server since, so this load can not be rolled back any more.'
  where undo ->> 'kind' in ('rows', 'chunks', 'merge')`

type MoverConfigs = readonly [pg.ClientConfig, pg.ClientConfig]

async function copyAllRows(
  move: DatabaseMove,
  tables: readonly MovedTable[],
  [source, target]: MoverConfigs,
): Promise<void> {
  const remainingTables = [...tables]
  const totalBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  let copiedBytes = 0
  const copyNext = async () =>
    await withMovers([source, target], async ([from, to]) => {
      const clients = { source: from as pg.Client, target: to as pg.Client }
      for (let table = remainingTables.shift(); table; table = remainingTables.shift()) {
        move.signal.throwIfAborted()
        await copyTable(table, clients)
        copiedBytes += table.bytes
        await move.onStep(
          'rows',
          `${(copiedBytes / 1024 ** 2).toFixed(0)} of ${(totalBytes / 1024 ** 2).toFixed(0)} MB`,
        )
      }
    })
  await Promise.all(Array.from({ length: PARALLEL_COPIES }, copyNext))
  await withMovers([source, target], async ([from, to]) => {
    await copySequences({ from: from as pg.Client, to: to as pg.Client })
  })
}

async function compareRows(move: DatabaseMove, tables: readonly MovedTable[], configs: MoverConfigs): Promise<void> {
  await withMovers(configs, async ([from, to]) => {
    for (const table of tables) {
      move.signal.throwIfAborted()
      const [sourceHash, copied] = await Promise.all([
        hashTable(from as pg.Client, table),
        hashTable(to as pg.Client, table),
      ])
      if (sourceHash !== copied) throw new Error(`The rows of ${table.name} differ: ${sourceHash} and ${copied}.`)
    }
    const [sequenceStates, other] = [await readSequences(from as pg.Client), await readSequences(to as pg.Client)]
    if (JSON.stringify(sequenceStates) !== JSON.stringify(other)) throw new Error('Sequences differ.')
  })
}

/** Rights to connect beyond those that provisioning gives. */
async function copyDatabaseRights(sourceClient: pg.Client, to: Cluster, { database }: WorkspaceNames): Promise<void> {
  const { rows } = await sourceClient.query<{ right: string; role: string }>(
    `select lower(a.privilege_type) as right, r.rolname as role
       from pg_database d, aclexplode(d.datacl) a join pg_roles r on r.oid = a.grantee
      where d.datname = current_database() and a.grantee <> d.datdba`,
  )
  for (const { right, role } of rows) {
    await to.admin.query(`grant ${right} on database ${database} to ${pg.escapeIdentifier(role)}`)
  }
}
