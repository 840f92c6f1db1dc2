import type { Session } from '../session.ts'
import { toRowEstimate } from './list-tables.ts'
import { readObjects } from './plain-session.ts'
import { type KindLetter, TABLE_KINDS, TABLE_LETTERS, type TableKind, buildVisibleSchemaCondition } from './visible.ts'

export interface CatalogueColumn {
  readonly name: string
  readonly quoted: string
  readonly type: string
  /** The base type without a length, which would truncate the compared value. */
  readonly castType: string
  readonly isSortable: boolean
  readonly isNullable: boolean
}

/** The only source of names used in statements. */
export interface CatalogueTable {
  readonly oid: number
  readonly schema: string
  readonly name: string
  readonly quoted: string
  readonly kind: TableKind
  readonly columns: readonly CatalogueColumn[]
  readonly primaryKey: readonly CatalogueColumn[]
  readonly hasPlaces: boolean
  readonly rowsEstimate: number | null
}

export interface TableAddress {
  readonly schema: string
  readonly name: string
}

interface TableRow {
  readonly oid: number
  readonly schema: string
  readonly name: string
  readonly quoted: string
  readonly kind: KindLetter
  readonly rows: number
  readonly hasPlaces: boolean
  readonly columns: readonly CatalogueColumn[]
  readonly primaryKey: readonly string[]
}

/** As text: cast to `name` a long name would be truncated and could match another table. */
const IS_NAMED = `n.nspname = $1::text and c.relname = $2::text and c.relkind in ${TABLE_LETTERS}`

const buildHasBtreeOrder = (type: string) =>
  `exists (select from pg_opclass o where o.opcmethod = 403 and o.opcdefault and (o.opcintype = ${type}.oid
     or exists (select from pg_cast k where k.castsource = ${type}.oid and k.castmethod = 'b'
                   and k.casttarget = o.opcintype)))
   or ${type}.typtype in ('e', 'r', 'm')`

const COLUMNS_QUERY = `
  select json_agg(json_build_object(
           'name', a.attname, 'quoted', quote_ident(a.attname),
           'type', format_type(a.atttypid, a.atttypmod), 'castType', format_type(base.oid, -1),
           'isNullable', not a.attnotnull,
           'isSortable', ${buildHasBtreeOrder('base')} or (base.typcategory = 'A' and element.oid is not null and (${buildHasBtreeOrder('element')}))
         ) order by a.attnum)
    from pg_attribute a
    cross join lateral (
      with recursive below(oid, base) as (
        select t.oid, t.typbasetype from pg_type t where t.oid = a.atttypid
        union all
        select t.oid, t.typbasetype from below join pg_type t on t.oid = below.base
      ) select t.* from below join pg_type t on t.oid = below.oid where below.base = 0
    ) base
    left join pg_type element on element.oid = base.typelem
   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`

const PRIMARY_KEY_QUERY = `
  select array_agg(a.attname::text order by k.place)
    from pg_index i
    cross join lateral unnest(i.indkey::int2[]) with ordinality k(number, place)
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
   where i.indrelid = c.oid and i.indisprimary and i.indisvalid`

export async function findTable(session: Session, { schema, name }: TableAddress): Promise<CatalogueTable | undefined> {
  // Postgres refuses NUL in a parameter.
  if (schema.includes('\0') || name.includes('\0')) return undefined
  const [row] = await readObjects<TableRow>(
    session,
    `select c.oid::bigint as oid, n.nspname as schema, c.relname as name,
            quote_ident(n.nspname) || '.' || quote_ident(c.relname) as quoted,
            c.relkind as kind, c.reltuples::bigint as rows,
            c.relkind in ('r', 'm') and not exists (select from pg_inherits h where h.inhparent = c.oid) as "hasPlaces",
            coalesce((${COLUMNS_QUERY}), '[]') as columns, coalesce((${PRIMARY_KEY_QUERY}), '{}') as "primaryKey"
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${IS_NAMED} and ${buildVisibleSchemaCondition(session, 'n')}`,
    [schema, name],
  )
  if (!row) return undefined
  const kind = TABLE_KINDS[row.kind]
  return {
    ...row,
    kind,
    rowsEstimate: toRowEstimate(kind, row.rows),
    primaryKey: row.primaryKey.flatMap((key) => row.columns.find((column) => column.name === key) ?? []),
  }
}

export interface CatalogueSchema {
  readonly oid: number
  readonly name: string
  readonly quoted: string
  readonly description: string | null
}

export async function findSchema(session: Session, name: string): Promise<CatalogueSchema | undefined> {
  if (name.includes('\0')) return undefined
  const [row] = await readObjects<CatalogueSchema>(
    session,
    `select n.oid::bigint as oid, n.nspname as name, quote_ident(n.nspname) as quoted,
            obj_description(n.oid, 'pg_namespace') as description
       from pg_namespace n where n.nspname = $1::text and ${buildVisibleSchemaCondition(session, 'n')}`,
    [name],
  )
  return row
}
