import type pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { WorkspaceDbError } from '../errors.ts'
import { withWorkspaceAdmin } from '../in-workspace.ts'
import type { WorkspaceNames } from '../names.ts'
import { LOADS_SCHEMA } from '../provision/loads-schema.ts'
import { findSchemas } from '../schemas/find-schemas.ts'
import { getSchemaRoles } from '../schemas/schema-roles.ts'
import { registerAllSchemas } from '../schemas/register-schema.ts'
import { BIN_PREFIX, type Manifest, deleteManifest, findManifest, listBinKeys } from './manifest.ts'
import type { BinLocation } from './move-to-bin.ts'
import { SQL_STATE } from '../sql-state.ts'

export async function purgeFromBin(cluster: Cluster, { key, binKey }: BinLocation): Promise<boolean> {
  return await withWorkspaceAdmin(cluster, key, async (client, names) => {
    await client.query('set local search_path = pg_catalog')
    const manifest = await findManifest(client, binKey)
    if (!manifest) return false
    const bins = manifest.bins.map(({ bin }) => bin)
    await assertNotReadByBinned(client, bins)
    await client.query(`drop schema ${bins.join(', ')} cascade`)
    await client.query(`delete from ${LOADS_SCHEMA}.receipts where schema_name = any($1)`, [bins])
    if (manifest.kind === 'schema') {
      await dropSchemaRoles(client, names, manifest)
      // Objects moved out of the schema got their privileges from roles that are dropped.
      await registerAllSchemas(cluster, client, names)
    }
    await deleteManifest(client, binKey)
    return true
  })
}

/** An older deletion may depend on a younger one. */
async function assertNotReadByBinned(client: pg.Client, bins: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct v.relname as name
       from pg_class t join pg_namespace n on n.oid = t.relnamespace
       join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = t.oid and d.classid = 'pg_rewrite'::regclass
       join pg_rewrite r on r.oid = d.objid join pg_class v on v.oid = r.ev_class
       join pg_namespace vn on vn.oid = v.relnamespace
      where n.nspname = any($1) and vn.nspname <> all($1) and starts_with(vn.nspname, $2) order by 1`,
    [bins, BIN_PREFIX],
  )
  if (rows.length === 0) return
  const message = `${rows.map(({ name }) => name).join(', ')} in the recycle bin reads it. Delete that for good first.`
  throw new WorkspaceDbError({ code: 'refused', message, sqlState: SQL_STATE.DEPENDENT_OBJECTS_EXIST })
}

async function dropSchemaRoles(client: pg.Client, names: WorkspaceNames, { grants }: Manifest): Promise<void> {
  const ownerRolePattern = new RegExp(`^${names.database}_s_([0-9a-f]{8})_own$`)
  const tags = grants.flatMap((grant) =>
    grant.on === 'schema' && grant.privilege === 'CREATE'
      ? (ownerRolePattern.exec(grant.grantee ?? '')?.[1] ?? [])
      : [],
  )
  for (const tag of new Set(tags)) {
    const roles = getSchemaRoles(names, tag)
    await reassignTables(client, names, roles.owner)
    const { rows } = await client.query<{ name: string }>(UNUSED_ROLES_QUERY, [Object.values(roles)])
    for (const { name } of rows) {
      await client.query(`drop owned by ${name}`)
      await client.query(`drop role ${name}`)
    }
  }
}

const IS_OWNERSHIP = `d.deptype = 'o' and d.refclassid = 'pg_authid'::regclass and d.classid <> 'pg_default_acl'::regclass`

/** Views and functions moved elsewhere run with their owner's rights, so that role is kept. */
const UNUSED_ROLES_QUERY = `
  select r.rolname as name from pg_roles r
   where r.rolname = any($1) and not exists (select from pg_shdepend d where ${IS_OWNERSHIP} and d.refobjid = r.oid)
   order by r.rolname`

const MOVED_TABLES_QUERY = `
  select format('%I.%I', n.nspname, c.relname) as table, n.nspname as schema
    from pg_shdepend d join pg_class c on d.classid = 'pg_class'::regclass and c.oid = d.objid and c.relkind in ('r', 'p')
    join pg_namespace n on n.oid = c.relnamespace
   where ${IS_OWNERSHIP} and d.refobjid = $1::regrole
     and d.dbid = (select oid from pg_database where datname = current_database())`

async function reassignTables(client: pg.Client, names: WorkspaceNames, ownerRolePattern: string): Promise<void> {
  const { rows: ownerRows } = await client.query('select from pg_roles where rolname = $1', [ownerRolePattern])
  if (ownerRows.length === 0) return
  const { rows } = await client.query<{ table: string; schema: string }>(MOVED_TABLES_QUERY, [ownerRolePattern])
  const schemas = await findSchemas(client, names)
  for (const { table, schema } of rows) {
    const tag = schemas.find((foundSchema) => foundSchema.name === schema)?.tag
    await client.query(`alter table ${table} owner to ${tag ? getSchemaRoles(names, tag).owner : names.owner}`)
  }
}

/** To find interrupted deletions. */
export async function listWorkspaceBinKeys(cluster: Cluster, { key }: { key: string }): Promise<string[]> {
  return await withWorkspaceAdmin(cluster, key, (client) => listBinKeys(client))
}
