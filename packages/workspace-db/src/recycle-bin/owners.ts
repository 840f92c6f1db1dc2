import pg from 'pg'
import type { WorkspaceNames } from '../names.ts'
import { getSchemaRoles } from '../schemas/schema-roles.ts'
import { buildSchemaTagQuery } from '../schemas/table-rights.ts'
import type { SavedOwner } from './manifest.ts'

const quote = pg.escapeIdentifier

/** Created by a profile, which may be deleted with everything it owns. */
const PROFILE_OBJECTS_QUERY = `
  select * from (
    select case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table'
                          when 'S' then 'sequence' else 'table' end as keyword,
           $2::text as bin, c.relname as name, null::text as args, pg_get_userbyid(c.relowner) as owner
      from pg_class c where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
                          and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i') and c.relkind = 'S')
    union all
    select 'routine', $2, p.proname, '(' || pg_get_function_identity_arguments(p.oid) || ')', pg_get_userbyid(p.proowner)
      from pg_proc p where p.pronamespace = $1::regnamespace
  ) owned where owner ~ $3 order by 1, 3`

const formatAlteredObject = ({ keyword, bin, name, args }: SavedOwner) =>
  `${keyword} ${quote(bin)}.${quote(name)}${args ?? ''}`

export async function reassignToWorkspaceOwner(
  client: pg.Client,
  names: WorkspaceNames,
  bin: string,
): Promise<SavedOwner[]> {
  const values = [quote(bin), bin, `^${names.database}_p_[0-9a-f]{8}$`]
  const { rows } = await client.query<SavedOwner>(PROFILE_OBJECTS_QUERY, values)
  for (const ownedObject of rows)
    await client.query(`alter ${formatAlteredObject(ownedObject)} owner to ${names.owner}`)
  return rows
}

export interface RestoreOwnersInput {
  readonly names: WorkspaceNames
  readonly owners: readonly SavedOwner[]
  readonly schemaByBin: ReadonlyMap<string, string>
}

/** If the profile is gone, the schema's owner: objects must not outlive their creator's privileges. */
export async function restoreOwners(
  client: pg.Client,
  { names, owners, schemaByBin }: RestoreOwnersInput,
): Promise<void> {
  for (const ownedObject of owners) {
    const { rows } = await client.query('select from pg_roles where rolname = $1', [ownedObject.owner])
    const owner =
      rows.length > 0 ? ownedObject.owner : await findSchemaOwner(client, names, schemaByBin.get(ownedObject.bin) ?? '')
    await client.query(`alter ${formatAlteredObject(ownedObject)} owner to ${quote(owner)}`)
  }
}

async function findSchemaOwner(client: pg.Client, names: WorkspaceNames, schema: string): Promise<string> {
  const { text, values } = buildSchemaTagQuery(names, schema)
  const { rows } = await client.query<{ tag: string }>(text, values)
  return rows[0] ? getSchemaRoles(names, rows[0].tag).owner : names.owner
}
