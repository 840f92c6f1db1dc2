import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { WorkspaceDbError } from '../errors.ts'
import { withWorkspaceAdmin } from '../in-workspace.ts'
import { LOADS_SCHEMA } from '../provision/loads-schema.ts'
import type { DetachedForeignKey } from './deleted-objects.ts'
import { restoreOwnerGrants, restoreDependentGrants } from './grants.ts'
import { type BinnedObject, type Manifest, BIN_PREFIX, deleteManifest, findManifest } from './manifest.ts'
import type { BinLocation } from './move-to-bin.ts'
import { restoreOwners } from './owners.ts'
import { SQL_STATE } from '../sql-state.ts'

const quote = pg.escapeIdentifier

export interface RestoreOptions extends BinLocation {
  readonly newName?: string | undefined
}

export interface RestoreResult {
  readonly schema: string
  readonly table: string | null
  /** Restored foreign keys that the caller must validate as their owner. */
  readonly unchecked: readonly { readonly table: string; readonly name: string }[]
  readonly notes: readonly string[]
}

/** All or nothing; a second call finds nothing. */
export async function restoreFromBin(
  cluster: Cluster,
  { key, binKey, newName }: RestoreOptions,
): Promise<RestoreResult> {
  return await withWorkspaceAdmin(cluster, key, async (client, names) => {
    await client.query('set local search_path = pg_catalog')
    const manifest = await findManifest(client, binKey)
    if (!manifest) throw notInBinError()
    const restorePlan = buildRestorePlan(manifest, newName)
    await assertRestorable(client, manifest, restorePlan)
    const schemaByBin = new Map(
      manifest.bins.map(({ bin, schema }) => [
        bin,
        schema === manifest.schema && restorePlan.wholeSchema ? bin : schema,
      ]),
    )
    // Schema grants first, since they identify the owner, who grants the rest.
    await restoreOwnerGrants(
      client,
      manifest.grants.filter(({ on }) => on === 'schema'),
    )
    await restoreOwners(client, { names, owners: manifest.owners, schemaByBin })
    await restoreOwnerGrants(
      client,
      manifest.grants.filter(({ on }) => on !== 'schema'),
    )
    const notes = await renameClashes(client, restorePlan)
    await moveObjectsBack(client, restorePlan)
    for (const { bin } of manifest.bins) await client.query(`drop schema if exists ${bin} restrict`)
    const grantNotes = await restoreDependentGrants(
      client,
      toRestoredGrants(manifest.grants, restorePlan, manifest.bins),
    )
    await renameReceiptsBack(client, restorePlan.objects)
    const keys = await restoreForeignKeys(client, restorePlan)
    await deleteManifest(client, binKey)
    const { schema, table } = restorePlan
    return { schema, table, unchecked: keys.unchecked, notes: [...notes, ...grantNotes, ...keys.notes] }
  })
}

function toRestoredGrants(
  grants: Manifest['grants'],
  { objects, wholeSchema }: RestorePlan,
  bins: Manifest['bins'],
): Manifest['grants'] {
  const schemaByBin = new Map(
    bins.map(({ bin, schema }) => [bin, bin === wholeSchema?.bin ? wholeSchema.schema : schema]),
  )
  return grants.map((grant) => ({
    ...grant,
    bin: schemaByBin.get(grant.bin) ?? grant.bin,
    name: objects.find(({ bin, name }) => bin === grant.bin && name === grant.name)?.newName ?? grant.name,
  }))
}

const notInBinError = () =>
  new WorkspaceDbError({
    code: 'missing',
    message: 'This is not in the recycle bin any more.',
    sqlState: SQL_STATE.UNDEFINED_TABLE,
  })

interface RestorePlan {
  readonly kind: Manifest['kind']
  readonly schema: string
  readonly table: string | null
  readonly wholeSchema: { readonly bin: string; readonly schema: string } | undefined
  readonly objects: readonly (BinnedObject & { readonly newName: string })[]
  readonly keys: readonly DetachedForeignKey[]
}

function buildRestorePlan(manifest: Manifest, newName: string | undefined): RestorePlan {
  const { kind, schema, table, keys } = manifest
  const schemaName = kind === 'schema' ? (newName ?? schema) : schema
  const tableName = kind === 'table' ? (newName ?? table) : null
  const bin = manifest.bins.find((candidate) => candidate.schema === schema)?.bin ?? ''
  const isTable = (item: { schema: string; name: string }) =>
    kind === 'table' && item.schema === schema && item.name === table
  const toSchemaName = (originalSchema: string) =>
    kind === 'schema' && originalSchema === schema ? schemaName : originalSchema
  const toRestoredName = (originalSchema: string, name: string) =>
    isTable({ schema: originalSchema, name }) ? (tableName ?? name) : name
  return {
    kind,
    schema: schemaName,
    table: tableName,
    wholeSchema: kind === 'schema' ? { bin, schema: schemaName } : undefined,
    objects: manifest.objects.map((object) => ({
      ...object,
      schema: toSchemaName(object.schema),
      newName: object.keyword === 'routine' ? object.name : toRestoredName(object.schema, object.name),
    })),
    keys: keys.map((detachedForeignKey) => ({
      ...detachedForeignKey,
      schema: toSchemaName(detachedForeignKey.schema),
      table: toRestoredName(detachedForeignKey.schema, detachedForeignKey.table),
      otherSchema: toSchemaName(detachedForeignKey.otherSchema),
      otherTable: toRestoredName(detachedForeignKey.otherSchema, detachedForeignKey.otherTable),
      definition: detachedForeignKey.definition.replace(
        `REFERENCES ${detachedForeignKey.reference}(`,
        () =>
          `REFERENCES ${quote(toSchemaName(detachedForeignKey.otherSchema))}.${quote(toRestoredName(detachedForeignKey.otherSchema, detachedForeignKey.otherTable))}(`,
      ),
    })),
  }
}

async function assertRestorable(client: pg.Client, manifest: Manifest, restorePlan: RestorePlan): Promise<void> {
  const { rows: schemas } = await client.query<{ name: string }>('select nspname as name from pg_namespace')
  const existingSchemas = new Set(schemas.map(({ name }) => name))
  if (restorePlan.wholeSchema && existingSchemas.has(restorePlan.wholeSchema.schema))
    throw nameTakenError(`A schema named ${restorePlan.wholeSchema.schema}`)
  const requiredSchemas = new Set(
    restorePlan.objects.map(({ schema }) => schema).filter((name) => name !== restorePlan.wholeSchema?.schema),
  )
  const missingSchemas = [...requiredSchemas].filter((name) => !existingSchemas.has(name))
  if (missingSchemas.length > 0)
    throw conflictError(`The schema ${missingSchemas.join(', ')} no longer exists. Restore or create it first.`)
  const { rows: clashes } = await client.query<{ name: string }>(
    `select format('%s.%s', o.schema, o."newName") as name
       from json_to_recordset($1) as o(schema text, "newName" text, keyword text)
       join pg_namespace n on n.nspname = o.schema join pg_class c on c.relnamespace = n.oid and c.relname = o."newName"
      where o.keyword <> 'routine' order by 1`,
    [JSON.stringify(restorePlan.objects.filter(({ schema }) => schema !== restorePlan.wholeSchema?.schema))],
  )
  if (clashes.length > 0) throw nameTakenError(clashes.map(({ name }) => name).join(', '))
  const { rows: binnedSources } = await client.query<{ what: string }>(
    `select distinct format('%s', t.relname) as what
       from pg_class v join pg_namespace vn on vn.oid = v.relnamespace
       join pg_rewrite r on r.ev_class = v.oid
       join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
       join pg_class t on t.oid = d.refobjid join pg_namespace n on n.oid = t.relnamespace
      where vn.nspname = any($1) and starts_with(n.nspname, $2) and n.nspname <> all($1) order by 1`,
    [manifest.bins.map(({ bin }) => bin), BIN_PREFIX],
  )
  if (binnedSources.length === 0) return
  throw conflictError(
    `It reads ${binnedSources.map(({ what }) => what).join(', ')}, which is in the recycle bin. Restore that first.`,
  )
}

const nameTakenError = (what: string) =>
  new WorkspaceDbError({
    code: 'refused',
    message: `${what} exists already. Choose another name.`,
    sqlState: SQL_STATE.DUPLICATE_TABLE,
  })

const conflictError = (message: string) =>
  new WorkspaceDbError({ code: 'refused', message, sqlState: SQL_STATE.OBJECT_NOT_IN_PREREQUISITE_STATE })

/** Indexes and sequences whose names are taken get new ones. */
async function renameClashes(client: pg.Client, { objects, wholeSchema }: RestorePlan): Promise<string[]> {
  const movedObjects = objects.filter(({ schema, keyword }) => schema !== wholeSchema?.schema && keyword !== 'routine')
  const schemaByBin = [...new Map(movedObjects.map(({ bin, schema }) => [bin, schema]))]
  const notes: string[] = []
  for (const [bin, schema] of schemaByBin) {
    const { rows } = await client.query<{ name: string; kind: 'i' | 'I' | 'S' }>(
      `select b.relname as name, b.relkind as kind from pg_class b join pg_class c on c.relname = b.relname
        where b.relnamespace = $1::regnamespace and b.relkind in ('i', 'I', 'S') and c.relnamespace = $2::regnamespace
        order by 1`,
      [quote(bin), quote(schema)],
    )
    for (const { name, kind } of rows) {
      const freeName = await findFreeName(client, schema, name)
      const what = kind === 'S' ? 'sequence' : 'index'
      await client.query(`alter ${what} ${bin}.${quote(name)} rename to ${quote(freeName)}`)
      notes.push(`The ${what} ${name} is named ${freeName} now, since its name was taken.`)
    }
  }
  return notes
}

async function findFreeName(client: pg.Client, schema: string, name: string): Promise<string> {
  for (let suffix = 1; ; suffix += 1) {
    const freeName = `${Buffer.from(name)
      .subarray(0, 50)
      .toString()
      .replace(/\uFFFD$/, '')}_${suffix}`
    const { rows } = await client.query('select from pg_class where relname = $1 and relnamespace = $2::regnamespace', [
      freeName,
      quote(schema),
    ])
    if (rows.length === 0) return freeName
  }
}

async function moveObjectsBack(client: pg.Client, { objects, wholeSchema }: RestorePlan): Promise<void> {
  if (wholeSchema) await client.query(`alter schema ${wholeSchema.bin} rename to ${quote(wholeSchema.schema)}`)
  for (const { keyword, bin, name, newName, schema, args } of objects) {
    if (schema === wholeSchema?.schema) continue
    if (newName !== name) await client.query(`alter ${keyword} ${bin}.${quote(name)} rename to ${quote(newName)}`)
    await client.query(`alter ${keyword} ${bin}.${quote(newName)}${args ?? ''} set schema ${quote(schema)}`)
  }
}

async function renameReceiptsBack(client: pg.Client, objects: RestorePlan['objects']): Promise<void> {
  await client.query(
    `update ${LOADS_SCHEMA}.receipts r set schema_name = o.schema, table_name = o."newName"
       from json_to_recordset($1) as o(schema text, name text, bin text, "newName" text)
      where r.schema_name = o.bin and r.table_name = o.name`,
    [JSON.stringify(objects)],
  )
}

/** NOT VALID: validating runs user-defined operators, which must not run as administrator. */
async function restoreForeignKeys(
  client: pg.Client,
  { keys }: RestorePlan,
): Promise<Pick<RestoreResult, 'unchecked' | 'notes'>> {
  const uncheckedKeys: { table: string; name: string }[] = []
  const notes: string[] = []
  for (const { schema, table, name, definition, comment, isValid } of keys) {
    const qualified = `${quote(schema)}.${quote(table)}`
    await client.query('savepoint key')
    try {
      const hasNotValid = / NOT (?:VALID|ENFORCED)$/.test(definition)
      await client.query(
        `alter table ${qualified} add constraint ${quote(name)} ${definition}${hasNotValid ? '' : ' not valid'}`,
      )
      if (comment !== null) {
        await client.query(`comment on constraint ${quote(name)} on ${qualified} is ${pg.escapeLiteral(comment)}`)
      }
      if (isValid) uncheckedKeys.push({ table: qualified, name: quote(name) })
    } catch {
      await client.query('rollback to savepoint key')
      notes.push(`The foreign key ${name} of ${schema}.${table} could not be made again.`)
    }
  }
  return { unchecked: uncheckedKeys, notes }
}
