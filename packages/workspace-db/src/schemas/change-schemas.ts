import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { WorkspaceDbError } from '../errors.ts'
import { inWorkspace } from '../in-workspace.ts'
import type { WorkspaceNames } from '../names.ts'
import { findSchema, findSchemas, type FoundSchema } from './find-schemas.ts'
import { newSchemaTag, schemaRoles } from './schema-roles.ts'
import { takeInAllSchemas, takeInSchema } from './take-in.ts'

const MAX_BYTES = 63
const RESERVED = /^(?:pg_|trellis|information_schema$|public$)/i

export interface SchemaPlace {
  readonly key: string
  readonly name: string
}

/** A schema with its own owner role, so that default privileges hold whoever makes a table in it. */
export async function createSchema(cluster: Cluster, { key, name }: SchemaPlace): Promise<void> {
  assertNewName(name)
  await inWorkspace(cluster, key, async (inside, names) => {
    await inside.query(`create schema ${pg.escapeIdentifier(name)}`)
    await takeInSchema(cluster, inside, { names, schema: { name, tag: newSchemaTag() } })
  })
}

export async function renameSchema(cluster: Cluster, place: SchemaPlace & { newName: string }): Promise<void> {
  assertNewName(place.newName)
  await inWorkspace(cluster, place.key, async (inside, names) => {
    const schema = getFound(await findSchema(inside, names, place.name))
    if (schema.name === place.newName) return
    const [from, to] = [schema.name, place.newName].map((name) => pg.escapeIdentifier(name))
    await inside.query(`alter schema ${from} rename to ${to}`)
  })
}

/**
 * Without `cascade` a schema that holds anything is refused (SQLSTATE 2BP01). With it everything inside goes, and what
 * depends on that in other schemas.
 */
export async function dropSchema(cluster: Cluster, place: SchemaPlace & { cascade: boolean }): Promise<void> {
  await inWorkspace(cluster, place.key, async (inside, names) => {
    const schema = getFound(await findSchema(inside, names, place.name))
    await inside.query(`drop schema ${pg.escapeIdentifier(schema.name)} ${place.cascade ? 'cascade' : 'restrict'}`)
    if (schema.tag === null) return
    const { owner, writer, reader } = schemaRoles(names, schema.tag)
    await handOverTables(inside, names, owner)
    for (const role of [owner, writer, reader]) {
      await inside.query(`drop owned by ${role}`)
      await inside.query(`drop role ${role}`)
    }
    await takeInAllSchemas(cluster, inside, names)
  })
}

/** Owned by a role and left when its schema is gone; what belongs to a table goes along with it. */
const LEFT = `
  select pg_describe_object(d.classid, d.objid, d.objsubid) as what,
         case when c.relkind in ('r', 'p') then format('%I.%I', n.nspname, c.relname) end as table, n.nspname as schema
    from pg_shdepend d left join pg_class c on d.classid = 'pg_class'::regclass and c.oid = d.objid
    left join pg_namespace n on n.oid = c.relnamespace
   where d.deptype = 'o' and d.classid <> 'pg_default_acl'::regclass and d.refclassid = 'pg_authid'::regclass and d.refobjid = $1::regrole
     and d.dbid = (select oid from pg_database where datname = current_database())
   order by 1`

/**
 * A table that was moved from here goes to whom tables of its schema belong. Anything else stays with nobody: a view or a
 * function runs with its owner's rights, so handing it on would give its maker the rights of another.
 */
async function handOverTables(inside: pg.Client, names: WorkspaceNames, owner: string): Promise<void> {
  const { rows } = await inside.query<{ what: string; table: string | null; schema: string | null }>(LEFT, [owner])
  const held = rows.filter((left) => left.table === null).map((left) => left.what)
  if (held.length > 0) {
    const named = `${held.slice(0, 5).join(', ')}${held.length > 5 ? ` and ${held.length - 5} more` : ''}`
    const message = `What was made by the owner of this schema lies elsewhere: ${named}. Delete it first, or move it back.`
    throw new WorkspaceDbError({ code: 'refused', message, sqlState: '2BP01' })
  }
  const schemas = await findSchemas(inside, names)
  for (const { table, schema } of rows) {
    const tag = schemas.find((found) => found.name === schema)?.tag
    await inside.query(`alter table ${table} owner to ${tag ? schemaRoles(names, tag).owner : names.owner}`)
  }
}

function assertNewName(name: string): void {
  const isUsable = name !== '' && !name.includes('\0') && Buffer.byteLength(name) <= MAX_BYTES && !RESERVED.test(name)
  if (isUsable) return
  throw new WorkspaceDbError({ code: 'refused', message: 'This name can not be used for a schema.', sqlState: '42939' })
}

function getFound(schema: FoundSchema | undefined): FoundSchema {
  if (schema) return schema
  throw new WorkspaceDbError({ code: 'missing', message: 'There is no such schema.', sqlState: '3F000' })
}
