import type { WorkspaceNames } from '../names.ts'
import { getSchemaRoles } from './schema-roles.ts'

/**
 * A table moved into a schema keeps its old privileges, and default privileges do not apply. Get the new tag with
 * `schemaTagQuery`, and run these as its owner.
 */
export function buildTableGrants(names: WorkspaceNames, tag: string, quotedTable: string): string[] {
  const { writer, reader } = getSchemaRoles(names, tag)
  return [
    `grant select on ${quotedTable} to ${reader}, ${names.reader}`,
    `grant insert, update, delete, truncate on ${quotedTable} to ${writer}`,
  ]
}

export function buildSchemaTagQuery(
  { database }: WorkspaceNames,
  schemaName: string,
): { text: string; values: string[] } {
  return {
    text: `select substr(r.rolname, length($1) + 1, 8) as tag
             from pg_catalog.pg_namespace n, pg_catalog.aclexplode(n.nspacl) a
             join pg_catalog.pg_roles r on r.oid = a.grantee
            where n.nspname = $2 and a.privilege_type = 'CREATE' and pg_catalog.starts_with(r.rolname, $1)
              and r.rolname ~ '_s_[0-9a-f]{8}_own$' limit 1`,
    values: [`${database}_s_`, schemaName],
  }
}
