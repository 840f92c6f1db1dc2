import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { WorkspaceDbError } from '../errors.ts'
import { withWorkspaceAdmin } from '../in-workspace.ts'
import { LOADS_SCHEMA } from '../provision/loads-schema.ts'
import {
  type DetachedForeignKey,
  type DeletedObjects,
  type DeletedRelation,
  buildIsVisible,
  readDeletedObjects,
} from './deleted-objects.ts'
import { revokeGrants } from './grants.ts'
import { type BinnedObject, type SavedGrant, type SavedOwner, toBinSchemaName, saveManifest } from './manifest.ts'
import { reassignToWorkspaceOwner } from './owners.ts'
import { SQL_STATE } from '../sql-state.ts'

const quote = pg.escapeIdentifier

export interface BinLocation {
  readonly key: string
  /** 16 hexadecimal digits, stored before this call. */
  readonly binKey: string
}

export interface Deletion extends BinLocation {
  readonly schema: string
  readonly table?: string | undefined
  /** Called with what will be deleted, under lock; throws to abort. */
  readonly assertAgreed: (deletedObjects: DeletedObjects) => void
}

/**
 * Moves objects and dependents to a hidden schema, all or nothing. Indexes, keys, comments, triggers, sequences and
 * owners stay attached.
 */
export async function moveToBin(
  cluster: Cluster,
  { key, binKey, schema, table, assertAgreed: agree }: Deletion,
): Promise<DeletedObjects> {
  return await withWorkspaceAdmin(cluster, key, async (client, names) => {
    await client.query('set local search_path = pg_catalog')
    const target = await findTarget(client, schema, table)
    const deletedObjects = await lockDeletedObjects(client, target)
    agree(deletedObjects)
    if (deletedObjects.blockers.length > 0) throw blockedError(deletedObjects)
    await dropForeignKeys(client, deletedObjects.keys)
    const bins = await createBinSchemas(client, {
      binKey,
      deleted: deletedObjects,
      deletedSchema: table === undefined ? schema : null,
    })
    const objects = await moveObjects(client, deletedObjects, bins)
    const grants: SavedGrant[] = []
    const owners: SavedOwner[] = []
    for (const { bin } of bins) {
      grants.push(...(await revokeGrants(client, bin)))
      owners.push(...(await reassignToWorkspaceOwner(client, names, bin)))
    }
    await renameReceipts(client, objects)
    const deletion = { kind: target.kind, schema, table: table ?? null }
    await saveManifest(client, binKey, { ...deletion, bins, objects, keys: deletedObjects.keys, grants, owners })
    return deletedObjects
  })
}

async function findTarget(client: pg.Client, schema: string, table: string | undefined) {
  const { rows } = await client.query<{ oid: string }>(
    table === undefined
      ? `select n.oid::text from pg_namespace n where n.nspname = $1::text and ${buildIsVisible('n')}`
      : `select c.oid::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = $1::text and c.relname = $2::text and c.relkind in ('r', 'p', 'v', 'm', 'f') and ${buildIsVisible('n')}`,
    table === undefined ? [schema] : [schema, table],
  )
  if (!rows[0]) throw new WorkspaceDbError({ code: 'missing', message: 'There is no such table or schema.' })
  return { oid: Number(rows[0].oid), kind: table === undefined ? ('schema' as const) : ('table' as const) }
}

/** Under lock no new dependents can appear, so it is read again. */
async function lockDeletedObjects(
  client: pg.Client,
  target: { oid: number; kind: 'table' | 'schema' },
): Promise<DeletedObjects> {
  const readDeletionRows = createRowReader(client)
  for (const { schema, name, letter } of (await readDeletedObjects(readDeletionRows, target)).relations) {
    if (letter !== 'r' && letter !== 'p') continue
    await client.query(`lock table only ${quote(schema)}.${quote(name)} in access exclusive mode`)
  }
  return await readDeletedObjects(readDeletionRows, target)
}

const createRowReader =
  (client: pg.Client) =>
  async <Row>(text: string, values: readonly string[]): Promise<readonly Row[]> => {
    const { rows } = await client.query<{ row: Row }>(`select to_json(q) as row from (${text}) q`, [...values])
    return rows.map(({ row }) => row)
  }

function blockedError({ blockers }: DeletedObjects): WorkspaceDbError {
  const firstBlockers = blockers.slice(0, 5).map(({ what }) => what)
  const moreBlockers =
    blockers.length > firstBlockers.length ? ` and ${blockers.length - firstBlockers.length} more` : ''
  const message = `This can not be deleted while it is used by ${firstBlockers.join(', ')}${moreBlockers}. Change that first.`
  return new WorkspaceDbError({ code: 'refused', message, sqlState: SQL_STATE.DEPENDENT_OBJECTS_EXIST })
}

/** A foreign key would keep checking against invisible rows. */
async function dropForeignKeys(client: pg.Client, keys: readonly DetachedForeignKey[]): Promise<void> {
  for (const { schema, table, name } of keys) {
    await client.query(`alter table ${quote(schema)}.${quote(table)} drop constraint ${quote(name)}`)
  }
}

interface BinSchemasInput {
  readonly binKey: string
  readonly deleted: DeletedObjects
  readonly deletedSchema: string | null
}

async function createBinSchemas(client: pg.Client, { binKey, deleted, deletedSchema }: BinSchemasInput) {
  const schemas = new Set([...deleted.relations, ...deleted.functions].map(({ schema }) => schema))
  if (deletedSchema !== null) schemas.add(deletedSchema)
  const bins = [...schemas].toSorted().map((schema, index) => ({ schema, bin: toBinSchemaName(binKey, index) }))
  for (const { schema, bin } of bins) {
    if (schema === deletedSchema) await client.query(`alter schema ${quote(schema)} rename to ${bin}`)
    else await client.query(`create schema ${bin}`)
  }
  return bins
}

const KEYWORDS = {
  r: 'table',
  p: 'table',
  v: 'view',
  m: 'materialized view',
  f: 'foreign table',
} as const satisfies Record<DeletedRelation['letter'], string>

async function moveObjects(
  client: pg.Client,
  { relations, functions }: DeletedObjects,
  bins: readonly { schema: string; bin: string }[],
): Promise<BinnedObject[]> {
  const binBySchema = new Map(bins.map(({ schema, bin }) => [schema, bin]))
  const objects: BinnedObject[] = [
    ...relations.map(({ letter, schema, name, isNamed }) => ({
      keyword: KEYWORDS[letter],
      schema,
      name,
      bin: binBySchema.get(schema) ?? '',
      args: null,
      isNamed,
    })),
    ...functions.map(({ schema, name, signature }) => ({
      keyword: 'routine' as const,
      schema,
      name,
      bin: binBySchema.get(schema) ?? '',
      args: signature.slice(signature.indexOf('(')),
      isNamed: false,
    })),
  ]
  const { rows } = await client.query<{ name: string }>('select nspname as name from pg_namespace')
  const existingSchemas = new Set(rows.map(({ name }) => name))
  for (const { keyword, schema, name, bin, args } of objects) {
    if (!existingSchemas.has(schema)) continue
    await client.query(`alter ${keyword} ${quote(schema)}.${quote(name)}${args ?? ''} set schema ${bin}`)
  }
  return objects
}

/** Receipts follow the object, and do not apply to a new table of the same name. */
async function renameReceipts(client: pg.Client, objects: readonly BinnedObject[]): Promise<void> {
  await client.query(
    `update ${LOADS_SCHEMA}.receipts r set schema_name = o.bin
       from json_to_recordset($1) as o(schema text, name text, bin text)
      where r.schema_name = o.schema and r.table_name = o.name`,
    [JSON.stringify(objects)],
  )
}
