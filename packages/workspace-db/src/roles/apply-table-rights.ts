import type pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { toWorkspaceNames, type WorkspaceNames } from '../names.ts'
import { findSchemas } from '../schemas/find-schemas.ts'
import { getSchemaRoles } from '../schemas/schema-roles.ts'
import { buildTableGrants } from '../schemas/table-rights.ts'

/** Tables with a wrong owner, or invisible to the reader. */
const TABLE_RIGHTS_QUERY = `
  select format('%I.%I', n.nspname, c.relname) as name,
         c.relkind in ('r', 'p') and pg_get_userbyid(c.relowner) <> $2
           and exists (select from pg_roles r where r.rolname ~ $4 and pg_has_role(r.oid, $2::regrole, 'usage')) as "isForeign",
         not has_table_privilege($3::regrole, c.oid, 'select') as "isUnseen"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.oid = $1::oid and c.relkind in ('r', 'p', 'v', 'm', 'f')`
const LOCK_TIMEOUT_MS = 300

/**
 * Hands new tables to the schema's owner, so that all who create tables can change them, and grants to readers and writers. Views
 * keep their owner, whose rights they use. Skips tables in use. Returns the number changed.
 */
export async function applyTableRights(cluster: Cluster, { key }: { key: string }): Promise<number> {
  const names = toWorkspaceNames(key)
  return await cluster.withAdmin(names.database, async (client) => {
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
    let changedCount = 0
    for (const statement of await planTableRights(client, names)) {
      const hasSucceeded = await client.query(statement).then(
        () => true,
        () => false,
      )
      if (hasSucceeded) changedCount += 1
    }
    return changedCount
  })
}

async function planTableRights(client: pg.Client, names: WorkspaceNames): Promise<string[]> {
  const statements: string[] = []
  for (const { oid, tag } of await findSchemas(client, names)) {
    if (tag === null) continue
    const { owner, reader } = getSchemaRoles(names, tag)
    const { rows } = await client.query<{ name: string; isForeign: boolean; isUnseen: boolean }>(TABLE_RIGHTS_QUERY, [
      oid,
      owner,
      reader,
      `^${names.database}_p_[0-9a-f]{8}$`,
    ])
    for (const table of rows) {
      if (table.isForeign) statements.push(`alter table ${table.name} owner to ${owner}`)
      if (table.isUnseen) statements.push(...buildTableGrants(names, tag, table.name))
    }
  }
  return statements
}
