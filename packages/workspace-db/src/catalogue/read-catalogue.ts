import type { Session } from '../session.ts'
import { readObjects } from './plain-session.ts'
import { type KindLetter, TABLE_KINDS, TABLE_LETTERS, type TableKind, buildVisibleSchemaCondition } from './visible.ts'

interface CatalogueTable {
  readonly schema: string
  readonly name: string
  readonly kind: TableKind
  readonly comment: string | null
  readonly columns: string[]
  readonly types: string[]
  readonly column_comments: Record<string, string>
}

interface CatalogueForeignKey {
  readonly schema: string
  readonly table: string
  readonly columns: string[]
  readonly foreign_schema: string
  readonly foreign_table: string
  readonly foreign_columns: string[]
}

interface CatalogueFunction {
  readonly schema: string
  readonly name: string
  readonly arguments: string
  readonly result: string
  readonly kind: 'function' | 'aggregate' | 'window' | 'procedure'
  readonly comment: string | null
}

/** Changes with every DDL statement: catalogue rows get a new `xmin`. Statistics do not change it. */
export async function readCatalogueVersion(session: Session): Promise<string> {
  const isVisible = buildVisibleSchemaCondition(session, 'n')
  const [versionRow] = await readObjects<{ version: string }>(
    session,
    `select md5(concat_ws(' ',
       (select concat_ws(' ', count(*), sum(hashint8extended(c.oid::bigint, c.xmin::text::bigint)))
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ${TABLE_LETTERS} and ${isVisible}),
       (select concat_ws(' ', count(*), sum(hashint8extended(a.attrelid::bigint * 2048 + a.attnum, a.xmin::text::bigint)))
          from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
         where a.attnum > 0 and c.relkind in ${TABLE_LETTERS} and ${isVisible}),
       (select concat_ws(' ', count(*), sum(hashint8extended(k.oid::bigint, k.xmin::text::bigint)))
          from pg_constraint k join pg_namespace n on n.oid = k.connamespace where k.contype = 'f' and ${isVisible}),
       (select concat_ws(' ', count(*), sum(hashint8extended(p.oid::bigint, p.xmin::text::bigint)))
          from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${isVisible}),
       (select concat_ws(' ', count(*), sum(hashint8extended(d.objoid::bigint * 2048 + d.objsubid, d.xmin::text::bigint)))
          from pg_description d where d.classoid = 'pg_class'::regclass and d.objoid >= 16384),
       (select string_agg(n.nspname, ' ' order by n.nspname) from pg_namespace n where ${isVisible})
     )) as version`,
  )
  return versionRow?.version ?? ''
}

export async function readCatalogueSchemas(session: Session): Promise<string[]> {
  const rows = await readObjects<{ name: string }>(
    session,
    `select n.nspname as name from pg_namespace n where ${buildVisibleSchemaCondition(session, 'n')} order by 1`,
  )
  return rows.map(({ name }) => name)
}

export async function readCatalogueTables(
  session: Session,
  { after, limit }: { after: number; limit: number },
): Promise<{ tables: CatalogueTable[]; nextAfter: number | null }> {
  const rows = await readObjects<Omit<CatalogueTable, 'kind'> & { oid: number; kind: KindLetter }>(
    session,
    `select t.oid::bigint as oid, t.schema, t.name, t.kind, t.comment, coalesce(a.columns, '{}') as columns,
            coalesce(a.types, '{}') as types, coalesce(a.comments, '{}') as column_comments
       from (select c.oid, n.nspname as schema, c.relname as name, c.relkind as kind,
                    obj_description(c.oid, 'pg_class') as comment
               from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where c.oid > $1::bigint::oid and c.relkind in ${TABLE_LETTERS} and ${buildVisibleSchemaCondition(session, 'n')}
              order by c.oid limit $2::int) t
       left join lateral (
         select array_agg(a.attname::text order by a.attnum) as columns,
                array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) as types,
                json_object_agg(a.attname, d.description) filter (where d.description is not null) as comments
           from pg_attribute a
           left join pg_description d
             on d.classoid = 'pg_class'::regclass and d.objoid = a.attrelid and d.objsubid = a.attnum
          where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped) a on true
      order by t.oid`,
    [String(after), String(limit)],
  )
  const tables = rows.map(({ oid: _, kind, ...table }) => ({ ...table, kind: TABLE_KINDS[kind] }))
  return { tables, nextAfter: rows.length < limit ? null : (rows.at(-1)?.oid ?? null) }
}

export async function readForeignKeys(
  session: Session,
  { after, until }: { after: number; until: number | null },
): Promise<readonly CatalogueForeignKey[]> {
  const buildColumnNames = (relation: string, numbers: string) =>
    `(select array_agg(a.attname::text order by k.at) from unnest(${numbers}) with ordinality k(number, at)
        join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.number)`
  return await readObjects<CatalogueForeignKey>(
    session,
    `select n.nspname as schema, c.relname as table, ${buildColumnNames('f.conrelid', 'f.conkey')} as columns,
            m.nspname as foreign_schema, r.relname as foreign_table,
            ${buildColumnNames('f.confrelid', 'f.confkey')} as foreign_columns
       from pg_constraint f
       join pg_class c on c.oid = f.conrelid join pg_namespace n on n.oid = c.relnamespace
       join pg_class r on r.oid = f.confrelid join pg_namespace m on m.oid = r.relnamespace
      where f.contype = 'f' and f.conparentid = 0 and c.oid > $1::bigint::oid
        and ($2::text is null or c.oid <= $2::text::bigint::oid)
        and ${buildVisibleSchemaCondition(session, 'n')} and ${buildVisibleSchemaCondition(session, 'm')}
      order by f.oid`,
    [String(after), until === null ? null : String(until)],
  )
}

/** Without internal functions of operators and types. */
export async function readFunctions(session: Session): Promise<readonly CatalogueFunction[]> {
  return await readObjects<CatalogueFunction>(
    session,
    `select n.nspname as schema, p.proname as name, pg_get_function_arguments(p.oid) as arguments,
            coalesce(pg_get_function_result(p.oid), 'void') as result,
            case p.prokind when 'a' then 'aggregate' when 'w' then 'window' when 'p' then 'procedure'
              else 'function' end as kind,
            d.description as comment
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       left join pg_description d on d.classoid = 'pg_proc'::regclass and d.objoid = p.oid and d.objsubid = 0
      where p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype, 'internal'::regtype, 'cstring'::regtype)
        and (${buildVisibleSchemaCondition(session, 'n')} or (
          n.nspname = 'pg_catalog' and p.proname !~ '^(_|pg_stat_get_|binary_upgrade|RI_)'
          and not ('internal'::regtype = any(p.proargtypes)) and not ('cstring'::regtype = any(p.proargtypes))
          and d.description is not null and d.description !~ '^(implementation of|I/O|internal|aggregate (transition|final|combine)|less-equal-greater|sort support|hash$|convert .* to .*|ascii_to|statistics:|join selectivity|restriction selectivity)'
          and not exists (select from pg_operator o where o.oprcode = p.oid)))
      order by 1, 2, 3`,
  )
}
