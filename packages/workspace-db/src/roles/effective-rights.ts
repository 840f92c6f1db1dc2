import type pg from 'pg'
import type { WorkspaceNames } from '../names.ts'
import { getSchemaRoles } from '../schemas/schema-roles.ts'
import { readAccess, type Membership } from './read-access.ts'

export interface SchemaRights {
  readonly profile: string
  readonly schema: string
  readonly tag: string
  readonly canUse: boolean
  readonly canRead: boolean
  readonly canWrite: boolean
  readonly canCreate: boolean
  readonly isOwner: boolean
}
export interface EffectiveRights {
  readonly rights: readonly SchemaRights[]
  readonly gaps: ReadonlySet<string>
  readonly memberships: readonly Membership[]
}

// Privileges via SET ROLE count.
const RIGHTS_QUERY = `
  select p.rolname as profile, n.nspname as schema, s.tag,
         has_schema_privilege(p.oid, n.oid, 'usage') as "canUse",
         has_schema_privilege(p.oid, n.oid, 'create') as "canCreate",
         pg_has_role(p.oid, s.reader::regrole, 'usage, set') as "canRead",
         pg_has_role(p.oid, s.writer::regrole, 'usage, set') as "canWrite",
         pg_has_role(p.oid, s.owner::regrole, 'usage, set') as "isOwner"
    from pg_roles p
    cross join unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) as s(name, tag, owner, writer, reader)
    join pg_namespace n on n.nspname = s.name
   where p.rolname = any($1) order by 1, 2`
const UNREADABLE_SCHEMAS_QUERY = `
  select distinct s.name from unnest($1::text[], $2::text[]) as s(name, reader)
    join pg_namespace n on n.nspname = s.name join pg_class c on c.relnamespace = n.oid
   where c.relkind in ('r', 'p', 'v', 'm', 'f') and not has_table_privilege(s.reader::regrole, c.oid, 'select')`

export async function readRights(
  client: pg.Client,
  names: WorkspaceNames,
  profiles: readonly string[],
): Promise<EffectiveRights> {
  const { schemas, memberships } = await readAccess(client, names)
  const roles = schemas.map((schema) => ({ ...schema, ...getSchemaRoles(names, schema.tag) }))
  const collectColumn = (getValue: (role: (typeof roles)[number]) => string) => roles.map((role) => getValue(role))
  const rights = await client.query<SchemaRights>(RIGHTS_QUERY, [
    profiles,
    collectColumn((item) => item.name),
    collectColumn((item) => item.tag),
    collectColumn((item) => item.owner),
    collectColumn((item) => item.writer),
    collectColumn((item) => item.reader),
  ])
  const gaps = await client.query<{ name: string }>(UNREADABLE_SCHEMAS_QUERY, [
    collectColumn((item) => item.name),
    collectColumn((item) => item.reader),
  ])
  return { rights: rights.rows, gaps: new Set(gaps.rows.map((row) => row.name)), memberships }
}

/** Shortest membership path, exclusive; undefined if none. */
export function findPathTo(memberships: readonly Membership[], from: string, to: string): string[] | undefined {
  let paths: string[][] = [[from]]
  const visitedRoles = new Set([from])
  while (paths.length > 0) {
    const longerPaths: string[][] = []
    for (const path of paths) {
      const last = path.at(-1)
      if (last === to) return path.slice(1, -1)
      for (const { member, role, inherits } of memberships) {
        if (member !== last || !inherits || visitedRoles.has(role)) continue
        visitedRoles.add(role)
        longerPaths.push([...path, role])
      }
    }
    paths = longerPaths
  }
  return undefined
}
