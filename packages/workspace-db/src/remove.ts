import pg from 'pg'
import type { Cluster } from './cluster.ts'
import { toWorkspaceNames, type WorkspaceNames } from './names.ts'
import { buildGuestLoginsQuery } from './roles/find-logins.ts'

/** Until the connection ends; serialises provisioning and removal. */
export async function lockWorkspaceDatabase(admin: pg.Client, names: WorkspaceNames): Promise<void> {
  await admin.query("select pg_advisory_lock(hashtextextended('trellis workspace ' || $1, 0))", [names.database])
}

/** Idempotent. */
export async function removeWorkspaceDatabase(cluster: Cluster, input: { key: string }): Promise<void> {
  const names = toWorkspaceNames(input.key)
  await cluster.withAdmin(undefined, async (admin) => {
    await lockWorkspaceDatabase(admin, names)
    await dropDatabaseAndRoles(cluster, admin, names)
  })
}

export async function dropDatabaseAndRoles(cluster: Cluster, admin: pg.Client, names: WorkspaceNames): Promise<void> {
  const { rows } = await admin.query<{ broken: boolean }>(
    'select datconnlimit = -2 as broken from pg_database where datname = $1',
    [names.database],
  )
  // Otherwise clients could reconnect before the drop.
  if (rows[0] && !rows[0].broken) await admin.query(`alter database ${names.database} allow_connections false`)
  await admin.query(`drop database if exists ${names.database} with (force)`)
  // The role that identifies logins goes last, for an interrupted removal.
  const roles = await admin.query<{ rolname: string }>(
    `select rolname from pg_roles where starts_with(rolname, $1) or oid in (${buildGuestLoginsQuery('$2')})
      order by rolname = $2`,
    [`${names.database}_`, names.guest],
  )
  for (const { rolname } of roles.rows) await dropRole(cluster, admin, rolname)
}

/** Privileges in another workspace's database would prevent DROP ROLE. */
async function dropRole(cluster: Cluster, admin: pg.Client, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role)
  const { rows } = await admin.query<{ datname: string }>(
    `select distinct d.datname from pg_shdepend s join pg_database d on d.oid = s.dbid
      where s.refclassid = 'pg_authid'::regclass and s.refobjid = $1::regrole`,
    [name],
  )
  for (const { datname } of rows) {
    await cluster.withAdmin(datname, async (client) => {
      await client.query(`drop owned by ${name}`)
    })
  }
  await admin.query(`drop role if exists ${name}`)
}
