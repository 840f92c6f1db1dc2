import pg from 'pg'
import { EXTERNAL } from './roles/access-names.ts'

/** Arbitrary, but the same in every process. */
const HARDEN_LOCK_ID = 7_305_211

/**
 * Revokes CONNECT from PUBLIC, once per cluster. Databases that the administrator does not own stay open; see
 * `findOpenDatabases`.
 */
export async function hardenCluster(client: pg.Client, databases: readonly string[]): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [HARDEN_LOCK_ID])
  try {
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database
        where datname = any($1::text[]) and pg_has_role(datdba, 'USAGE')
          and (has_database_privilege('public', oid, 'CONNECT') or has_database_privilege('public', oid, 'TEMPORARY'))`,
      [databases],
    )
    for (const { datname } of rows) {
      await client.query(`revoke connect, temporary on database ${pg.escapeIdentifier(datname)} from public`)
    }
    const externalRole = await client.query('select 1 from pg_roles where rolname = $1', [EXTERNAL])
    if (externalRole.rowCount === 0) await client.query(`create role ${EXTERNAL} nologin`)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [HARDEN_LOCK_ID])
  }
}

export async function findOpenDatabases(cluster: { readonly admin: pg.Pool }): Promise<string[]> {
  const { rows } = await cluster.admin.query<{ datname: string }>(
    `select datname from pg_database
      where datallowconn and has_database_privilege('public', oid, 'CONNECT') order by datname`,
  )
  return rows.map((row) => row.datname)
}
