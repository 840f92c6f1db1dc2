import type { Session } from '../session.ts'
import { readObjects } from './plain-session.ts'
import { type KindLetter, TABLE_KINDS, TABLE_LETTERS, type TableKind, buildVisibleSchemaCondition } from './visible.ts'

interface SchemaName {
  readonly oid: number
  readonly name: string
  readonly description: string | null
}

export interface TableName {
  readonly oid: number
  readonly schema: string
  readonly name: string
  readonly kind: TableKind
}

export interface Names {
  readonly schemas: readonly SchemaName[]
  readonly tables: readonly TableName[]
}

interface TableRow {
  readonly oid: number
  readonly schema: number
  readonly name: string
  readonly kind: KindLetter
}

interface CachedNames {
  /** Transactions before this xid had ended when the names were read. */
  readonly horizon: string
  readonly readAt: number
  readonly rows: ReadonlyMap<number, TableRow>
  readonly schemaKey: string
  readonly names: Names
}

export type NamesCache = Map<string, CachedNames>
export const createNamesCache = (): NamesCache => new Map()

const MAX_CACHED_DATABASES = 200
/** xids compare within half their range, which an hour cannot exhaust. */
const MAX_CACHE_AGE_MS = 3600_000

/** Always current; `cache` avoids reading unchanged names again. */
export async function readNames(
  session: Session,
  { database, cache }: { database: string; cache: NamesCache },
): Promise<Names> {
  const [snapshot] = await readObjects<{ horizon: string; schemas: SchemaName[] }>(
    session,
    `select pg_snapshot_xmin(pg_current_snapshot())::xid::text as horizon,
            coalesce((select json_agg(json_build_object('oid', n.oid::bigint, 'name', n.nspname,
                        'description', obj_description(n.oid, 'pg_namespace')) order by n.nspname)
                        from pg_namespace n where ${buildVisibleSchemaCondition(session, 'n')}), '[]') as schemas`,
  )
  const { horizon = '', schemas = [] } = snapshot ?? {}
  const cachedNames = cache.get(database)
  const isFresh = cachedNames !== undefined && Date.now() - cachedNames.readAt < MAX_CACHE_AGE_MS
  const schemaKey = schemas.map((schema) => `${schema.oid}:${schema.name}`).join('\n')
  const changeQuery = { oids: schemas.map((schema) => schema.oid), horizon: isFresh ? cachedNames.horizon : null }
  const { changed, check } = await readChangedTables(session, changeQuery)
  const rows = await applyChangedNames(session, {
    knownTables: isFresh ? cachedNames.rows : new Map(),
    changedTables: changed,
    totals: check,
    oids: changeQuery.oids,
  })
  const isUnchanged = isFresh && rows === cachedNames.rows && cachedNames.schemaKey === schemaKey
  const tables = isUnchanged ? cachedNames.names.tables : toSortedTableNames(rows, schemas)
  const names = { schemas, tables }
  cache.delete(database)
  cache.set(database, { horizon, readAt: isFresh ? cachedNames.readAt : Date.now(), rows, schemaKey, names })
  const oldest = cache.keys().next().value
  if (cache.size > MAX_CACHED_DATABASES && oldest !== undefined) cache.delete(oldest)
  return names
}

const IN_SCHEMAS = `c.relkind in ${TABLE_LETTERS} and c.relnamespace = any(string_to_array($1, ',')::oid[])`

interface TableTotals {
  readonly count: number
  readonly sum: number
}

type TableTuple = [oid: number, schema: number, name: string, kind: KindLetter]

async function readChangedTables(
  session: Session,
  { oids, horizon }: { oids: readonly number[]; horizon: string | null },
): Promise<{ check: TableTotals; changed: readonly TableRow[] }> {
  const [totals] = await readObjects<TableTotals & { changed: TableTuple[] | null }>(
    session,
    `select count(*) as count, coalesce(sum(c.oid::bigint), 0) as sum,
            json_agg(json_build_array(c.oid::bigint, c.relnamespace::bigint, c.relname, c.relkind))
              filter (where $2::text is null or age(c.xmin) <= age($2::text::xid)) as changed
       from pg_class c where ${IN_SCHEMAS}`,
    [oids.join(','), horizon],
  )
  const changed = (totals?.changed ?? []).map(([oid, schema, name, kind]) => ({ oid, schema, name, kind }))
  return { check: { count: totals?.count ?? 0, sum: totals?.sum ?? 0 }, changed }
}

interface NameChanges {
  knownTables: ReadonlyMap<number, TableRow>
  changedTables: readonly TableRow[]
  totals: TableTotals
  oids: readonly number[]
}

async function applyChangedNames(
  session: Session,
  { knownTables: known, changedTables: changed, totals: check, oids }: NameChanges,
): Promise<ReadonlyMap<number, TableRow>> {
  const newOrChanged = changed.filter((row) => !isSameRow(known.get(row.oid), row))
  if (newOrChanged.length === 0 && matchesTotals(known, check)) return known
  const rows = new Map(known)
  for (const row of newOrChanged) rows.set(row.oid, row)
  if (matchesTotals(rows, check)) return rows
  const [existing] = await readObjects<{ oids: string | null }>(
    session,
    `select string_agg(c.oid::text, ',') as oids from pg_class c where ${IN_SCHEMAS}`,
    [oids.join(',')],
  )
  const existingOids = new Set((existing?.oids ?? '').split(',').map(Number))
  for (const oid of rows.keys()) if (!existingOids.has(oid)) rows.delete(oid)
  if (matchesTotals(rows, check)) return rows
  const allTables = await readChangedTables(session, { oids, horizon: null })
  return new Map(allTables.changed.map((row) => [row.oid, row]))
}

const isSameRow = (a: TableRow | undefined, b: TableRow) =>
  a?.name === b.name && a.schema === b.schema && a.kind === b.kind

function matchesTotals(rows: ReadonlyMap<number, TableRow>, totals: TableTotals): boolean {
  if (rows.size !== totals.count) return false
  let sum = 0
  for (const oid of rows.keys()) sum += oid
  return sum === totals.sum
}

function toSortedTableNames(rows: ReadonlyMap<number, TableRow>, schemas: readonly SchemaName[]): TableName[] {
  const schemaNameByOid = new Map(schemas.map((schema) => [schema.oid, schema.name]))
  return [...rows.values()]
    .map((row) => ({
      oid: row.oid,
      schema: schemaNameByOid.get(row.schema) ?? '',
      name: row.name,
      kind: TABLE_KINDS[row.kind],
    }))
    .toSorted((a, b) => compareNames(a.schema, b.schema) || compareNames(a.name, b.name))
}

const compareNames = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
