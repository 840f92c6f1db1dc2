import type pg from 'pg'
import type { Cluster } from '../cluster.ts'

export async function createSchemaRoles(
  cluster: Pick<Cluster, 'isSuperuser'>,
  client: pg.Client,
  roles: readonly string[],
): Promise<void> {
  const { rows } = await client.query<{ rolname: string }>('select rolname from pg_roles where rolname = any($1)', [
    roles,
  ])
  const existingRoles = new Set(rows.map((row) => row.rolname))
  for (const role of roles) {
    if (!existingRoles.has(role)) await client.query(`create role ${role} nologin noinherit`)
    for (const statement of buildOwnershipStatements(cluster, role)) await client.query(statement)
  }
}

/** A non-superuser administrator can only manage roles it is a member of. */
export function buildOwnershipStatements(cluster: Pick<Cluster, 'isSuperuser'>, role: string): string[] {
  return cluster.isSuperuser ? [] : [`grant ${role} to current_user with inherit true, set true`]
}
