import type { Session } from '../session.ts'
import { readObjects } from './plain-session.ts'
import { type KindLetter, TABLE_KINDS, TABLE_LETTERS, type TableKind, visibleSchema } from './visible.ts'

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

const MAX_DATABASES = 200
/** xids compare within half their range, which an hour cannot exhaust. */
const WHOLE_AGAIN_MS = 3600_000

/** Always current; `cache` avoids reading unchanged names again. */
export async function readNames(
  session: Session,
  { database, cache }: { database: string; cache: NamesCache },
): Promise<Names> {
  const [head] = await readObjects<{ horizon: string; schemas: SchemaName[] }>(
    session,
    `select pg_snapshot_xmin(pg_current_snapshot())::xid::text as horizon,
            coalesce((select json_agg(json_build_object('oid', n.oid::bigint, 'name', n.nspname,
                        'description', obj_description(n.oid, 'pg_namespace')) order by n.nspname)
                        from pg_namespace n where ${visibleSchema(session, 'n')}), '[]') as schemas`,
  )
  const { horizon = '', schemas = [] } = head ?? {}
  const knownCachedNames = cache.get(database)
  const isFresh = knownCachedNames !== undefined && Date.now() - knownCachedNames.readAt < WHOLE_AGAIN_MS
  const schemaKey = schemas.map((schema) => `${schema.oid}:${schema.name}`).join('\n')
  const changes = { oids: schemas.map((schema) => schema.oid), horizon: isFresh ? knownCachedNames.horizon : null }
  const { changed, check } = await readChanged(session, changes)
  const rows = await applyChangedNames(session, {
    known: isFresh ? knownCachedNames.rows : new Map(),
    changed,
    check,
    oids: changes.oids,
  })
  const isSame = isFresh && rows === knownCachedNames.rows && knownCachedNames.schemaKey === schemaKey
  const tables = isSame ? knownCachedNames.names.tables : toSortedTableNames(rows, schemas)
  const names = { schemas, tables }
  cache.delete(database)
  cache.set(database, { horizon, readAt: isFresh ? knownCachedNames.readAt : Date.now(), rows, schemaKey, names })
  const oldest = cache.keys().next().value
  if (cache.size > MAX_DATABASES && oldest !== undefined) cache.delete(oldest)
  return names
}

const inSchemas = `c.relkind in ${TABLE_LETTERS} and c.relnamespace = any(string_to_array($1, ',')::oid[])`

interface Check {
  readonly count: number
  readonly sum: number
}

type PackedTable = [oid: number, schema: number, name: string, kind: KindLetter]

async function readChanged(
  session: Session,
  { oids, horizon }: { oids: readonly number[]; horizon: string | null },
): Promise<{ check: Check; changed: readonly TableRow[] }> {
  const [found] = await readObjects<Check & { changed: PackedTable[] | null }>(
    session,
    `select count(*) as count, coalesce(sum(c.oid::bigint), 0) as sum,
            json_agg(json_build_array(c.oid::bigint, c.relnamespace::bigint, c.relname, c.relkind))
              filter (where $2::text is null or age(c.xmin) <= age($2::text::xid)) as changed
       from pg_class c where ${inSchemas}`,
    [oids.join(','), horizon],
  )
  const changed = (found?.changed ?? []).map(([oid, schema, name, kind]) => ({ oid, schema, name, kind }))
  return { check: { count: found?.count ?? 0, sum: found?.sum ?? 0 }, changed }
}

interface NameChanges {
  known: ReadonlyMap<number, TableRow>
  changed: readonly TableRow[]
  check: Check
  oids: readonly number[]
}

async function applyChangedNames(
  session: Session,
  { known, changed, check, oids }: NameChanges,
): Promise<ReadonlyMap<number, TableRow>> {
  const news = changed.filter((row) => !isSameRow(known.get(row.oid), row))
  if (news.length === 0 && matchesCheck(known, check)) return known
  const rows = new Map(known)
  for (const row of news) rows.set(row.oid, row)
  if (matchesCheck(rows, check)) return rows
  const [alive] = await readObjects<{ oids: string | null }>(
    session,
    `select string_agg(c.oid::text, ',') as oids from pg_class c where ${inSchemas}`,
    [oids.join(',')],
  )
  const living = new Set((alive?.oids ?? '').split(',').map(Number))
  for (const oid of rows.keys()) if (!living.has(oid)) rows.delete(oid)
  if (matchesCheck(rows, check)) return rows
  const all = await readChanged(session, { oids, horizon: null })
  return new Map(all.changed.map((row) => [row.oid, row]))
}

const isSameRow = (a: TableRow | undefined, b: TableRow) =>
  a?.name === b.name && a.schema === b.schema && a.kind === b.kind

function matchesCheck(rows: ReadonlyMap<number, TableRow>, check: Check): boolean {
  if (rows.size !== check.count) return false
  let sum = 0
  for (const oid of rows.keys()) sum += oid
  return sum === check.sum
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
    .toSorted((a, b) => compare(a.schema, b.schema) || compare(a.name, b.name))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
