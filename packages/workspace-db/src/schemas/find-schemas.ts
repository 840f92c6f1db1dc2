import type pg from 'pg'
import type { WorkspaceNames } from '../names.ts'

export interface FoundSchema {
  readonly oid: string
  readonly name: string
  readonly tag: string | null
}

const HIDDEN = '^(pg_|trellis|information_schema$|public$)'

/** Roles are found by grants, so they survive a rename. */
export async function findSchemas(client: pg.Client, { database }: WorkspaceNames): Promise<FoundSchema[]> {
  const { rows } = await client.query<FoundSchema>(
    `select n.oid::text, n.nspname as name,
            (select min(substr(r.rolname, length($1) + 1, 8))
               from aclexplode(n.nspacl) a join pg_roles r on r.oid = a.grantee
              where a.privilege_type = 'CREATE' and starts_with(r.rolname, $1) and r.rolname ~ '_s_[0-9a-f]{8}_own$') as tag
       from pg_namespace n where n.nspname !~* $2 order by n.nspname`,
    [`${database}_s_`, HIDDEN],
  )
  return rows
}

export async function findSchema(
  client: pg.Client,
  names: WorkspaceNames,
  name: string,
): Promise<FoundSchema | undefined> {
  return (await findSchemas(client, names)).find((schema) => schema.name === name)
}
