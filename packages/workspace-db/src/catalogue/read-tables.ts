import type { Session } from '../session.ts'
import type { TableAddress } from './find-table.ts'
import { readObjects } from './plain-session.ts'

interface DescribedColumn {
  readonly name: string
  readonly kind: 'integer' | 'number' | 'text' | 'boolean' | 'date' | 'timestamp' | 'other'
  readonly comment: string | null
  readonly isNullable: boolean
  readonly values: readonly string[]
  readonly distinct: number
}

export interface DescribedTable {
  readonly schema: string
  readonly name: string
  readonly comment: string | null
  readonly rows: number | null
  readonly columns: readonly DescribedColumn[]
  readonly primaryKey: readonly string[]
}

export interface DescribedLink {
  readonly schema: string
  readonly table: string
  readonly columns: readonly string[]
  readonly otherSchema: string
  readonly otherTable: string
  readonly otherColumns: readonly string[]
}

const MAX_VALUES = 200
const MAX_VALUE_CHARACTERS = 80

const REQUESTED_TABLES = `
  wanted as (select c.oid, n.nspname, c.relname, c.relkind, c.reltuples
    from json_to_recordset($1::json) t(schema text, name text)
    join pg_namespace n on n.nspname = t.schema join pg_class c on c.relnamespace = n.oid and c.relname = t.name
   where c.relkind in ('r', 'p', 'v', 'm', 'f'))`

const COLUMN_KIND = `case
    when b.typcategory = 'B' then 'boolean'
    when b.typname in ('int2', 'int4', 'int8') then 'integer'
    when b.typcategory = 'N' and b.typname not like 'reg%' and b.typname <> 'oid' then 'number'
    when b.typname = 'date' then 'date'
    when b.typname in ('timestamp', 'timestamptz') then 'timestamp'
    when b.typcategory in ('S', 'E') or b.typname = 'uuid' then 'text'
    else 'other' end`

const buildFirstValues = (values: string) =>
  `case when array_ndims(${values}::text::text[]) = 1 then (${values}::text::text[])[1:${MAX_VALUES}] end`

export async function readTables(
  session: Session,
  tables: readonly TableAddress[],
): Promise<readonly DescribedTable[]> {
  return await readObjects<DescribedTable>(
    session,
    `with ${REQUESTED_TABLES}
     select w.nspname as schema, w.relname as name, obj_description(w.oid, 'pg_class') as comment,
            case when w.reltuples >= 0 and w.relkind <> 'v' then w.reltuples::bigint end as rows,
            coalesce((select json_agg(json_build_object(
                'name', a.attname, 'kind', ${COLUMN_KIND}, 'comment', col_description(w.oid, a.attnum), 'isNullable', not a.attnotnull,
                'values', to_json(array(select left(v, ${MAX_VALUE_CHARACTERS}) from unnest(coalesce(s.common, '{}') || coalesce(s.bounds, '{}')) v
                                         where v is not null and b.typcategory in ('S', 'E'))),
                'distinct', coalesce(s.n_distinct, 0)) order by a.attnum)
               from pg_attribute a
               join pg_type t on t.oid = a.atttypid
               join pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
               left join lateral (select p.n_distinct, ${buildFirstValues('p.most_common_vals')} as common, ${buildFirstValues('p.histogram_bounds')} as bounds
                  from pg_stats p where p.schemaname = w.nspname and p.tablename = w.relname and p.attname = a.attname
                   and p.inherited = (w.relkind = 'p')) s on true
              where a.attrelid = w.oid and a.attnum > 0 and not a.attisdropped), '[]') as columns,
            coalesce((select json_agg(a.attname order by k.place) from pg_index i
               cross join lateral unnest(i.indkey::int2[]) with ordinality k(number, place)
               join pg_attribute a on a.attrelid = w.oid and a.attnum = k.number
              where i.indrelid = w.oid and i.indisprimary), '[]') as "primaryKey"
       from wanted w order by w.nspname, w.relname`,
    [toJson(tables)],
  )
}

export async function readForeignKeyLinks(
  session: Session,
  tables: readonly TableAddress[],
): Promise<readonly DescribedLink[]> {
  const buildColumnNames = (relation: string, numbers: string) =>
    `(select array_agg(a.attname::text order by n.place) from unnest(${numbers}) with ordinality n(number, place)
        join pg_attribute a on a.attrelid = ${relation} and a.attnum = n.number)`
  return await readObjects<DescribedLink>(
    session,
    `with ${REQUESTED_TABLES}
     select f.nspname as schema, f.relname as table, ${buildColumnNames('k.conrelid', 'k.conkey')} as columns,
            o.nspname as "otherSchema", o.relname as "otherTable", ${buildColumnNames('k.confrelid', 'k.confkey')} as "otherColumns"
       from pg_constraint k join wanted f on f.oid = k.conrelid join wanted o on o.oid = k.confrelid
      where k.contype = 'f' order by k.conname`,
    [toJson(tables)],
  )
}

const toJson = (tables: readonly TableAddress[]) => JSON.stringify(tables.map(({ schema, name }) => ({ schema, name })))
