import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { isHiddenSchema, quoteName } from '@trellis/workspace-db/identifiers'

interface TargetColumn {
  readonly name: string
  readonly type: string
  readonly isText: boolean
  readonly isNumber: boolean
  readonly isMoment: boolean
  readonly isComparable: boolean
  readonly isNullable: boolean
  readonly hasDefault: boolean
  readonly isGenerated: boolean
  readonly isIdentity: boolean
}

export interface Target {
  readonly oid: string
  readonly schema: string
  readonly table: string
  readonly quoted: string
  readonly isPartitioned: boolean
  readonly columns: readonly TargetColumn[]
  readonly primaryKey: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  readonly checks: readonly TableCheck[]
  readonly references: readonly TableReference[]
  readonly hasDependents: boolean
  /** Columns whose type cannot change: those used by views, or all if other objects depend on the table. */
  readonly fixedTypeColumns: readonly string[]
  readonly views: readonly ViewUse[]
}

interface ViewUse {
  readonly name: string
  readonly column: string | null
}

interface TableCheck {
  readonly name: string
  readonly columns: readonly string[]
  /** Normalised, with schemas. */
  readonly expression: string
}

interface TableReference {
  readonly columns: readonly string[]
  readonly table: string
  readonly keys: readonly string[]
}

export interface TableName {
  readonly schema: string
  readonly table: string
}

export async function hasSchema(session: Session, schema: string): Promise<boolean> {
  if (isHiddenSchema(schema)) return false
  const text = `select 1 from pg_namespace where nspname = $1 and has_schema_privilege(oid, 'USAGE')`
  return (await session.query({ text, values: [schema] })).rows.length > 0
}

const HAS_DEPENDENTS = `
  c.relkind <> 'r' or c.relhassubclass or c.relispartition or c.relrowsecurity or c.relhastriggers
  or exists (select 1 from pg_inherits i where i.inhrelid = c.oid)
  or exists (select 1 from pg_constraint k where k.confrelid = c.oid or (k.conrelid = c.oid and k.contype in ('f', 'x')))
  or exists (select 1 from pg_trigger g where g.tgrelid = c.oid)
  or exists (select 1 from pg_publication_rel p where p.prrelid = c.oid)
  or exists (select 1 from pg_statistic_ext s where s.stxrelid = c.oid)
  or exists (select 1 from pg_depend d where d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid
              and d.classid = 'pg_proc'::regclass)
  or exists (select 1 from pg_depend d where d.refclassid = 'pg_type'::regclass and d.refobjid in (c.reltype, (select typarray from pg_type where oid = c.reltype))
              and d.deptype = 'n')
  or exists (select 1 from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
              and (a.attidentity <> '' or a.attgenerated <> ''
                or a.attcollation <> (select typcollation from pg_type where oid = a.atttypid)))
  or exists (select 1 from pg_depend d where d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid and d.deptype = 'a'
              and d.classid = 'pg_class'::regclass and (select relkind from pg_class where oid = d.objid) = 'S')`

const COLUMNS_QUERY = `
  select jsonb_agg(jsonb_build_object(
           'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
           'isText', coalesce(b.typcategory, t.typcategory) = 'S',
           'isNumber', coalesce(b.typcategory, t.typcategory) = 'N',
           'isMoment', coalesce(b.typcategory, t.typcategory) = 'D',
           'isComparable', exists (select 1 from pg_opclass o join pg_am m on m.oid = o.opcmethod
                where m.amname = 'btree' and o.opcdefault and (o.opcintype = coalesce(b.oid, t.oid)
                   or (coalesce(b.typtype, t.typtype) = 'e' and o.opcintype = 'anyenum'::regtype)
                   or (coalesce(b.typname, t.typname) = 'varchar' and o.opcintype = 'text'::regtype))),
           'isNullable', not a.attnotnull, 'hasDefault', a.atthasdef, 'isGenerated', a.attgenerated <> '',
           'isIdentity', a.attidentity <> '') order by a.attnum)
    from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_type b on b.oid = nullif(t.typbasetype, 0)
   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`

const toColumnNamesSql = (table: string, numbers: string) =>
  `(select coalesce(jsonb_agg(a.attname order by u.ord), '[]') from unnest(${numbers}) with ordinality u(num, ord)
      join pg_attribute a on a.attrelid = ${table} and a.attnum = u.num)`

/** Unique indexes over plain columns; others show on delivery. */
const RULES_QUERY = `
  jsonb_build_object(
    'uniques', (select coalesce(jsonb_agg(${toColumnNamesSql('c.oid', 'i.indkey::int2[]')}), '[]') from pg_index i
       where i.indrelid = c.oid and i.indisunique and not i.indisprimary and i.indisvalid
         and i.indpred is null and i.indexprs is null and i.indnkeyatts = i.indnatts and not i.indnullsnotdistinct),
    'checks', (select coalesce(jsonb_agg(jsonb_build_object('name', k.conname,
         'columns', ${toColumnNamesSql('c.oid', 'k.conkey')}, 'expression', pg_get_expr(k.conbin, k.conrelid)) order by k.conname), '[]')
       from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'),
    'references', (select coalesce(jsonb_agg(jsonb_build_object('columns', ${toColumnNamesSql('c.oid', 'k.conkey')},
         'table', format('%I.%I', rn.nspname, r.relname), 'keys', ${toColumnNamesSql('r.oid', 'k.confkey')}) order by k.conname), '[]')
       from pg_constraint k join pg_class r on r.oid = k.confrelid join pg_namespace rn on rn.oid = r.relnamespace
      where k.conrelid = c.oid and k.contype = 'f' and k.confmatchtype = 's'),
    'views', (select coalesce(jsonb_agg(distinct jsonb_build_object('name', format('%I.%I', vn.nspname, v.relname), 'column', a.attname)), '[]')
       from pg_depend d join pg_rewrite r on r.oid = d.objid join pg_class v on v.oid = r.ev_class
       join pg_namespace vn on vn.oid = v.relnamespace
       left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid and d.refobjsubid > 0
      where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid and v.oid <> c.oid))`

/** By exact name. Views and foreign tables are no targets. */
export async function findTarget(session: Session, { schema, table }: TableName): Promise<Target | undefined> {
  if (isHiddenSchema(schema)) return undefined
  const { rows } = await session.query({
    text: `select c.oid, c.relkind, (${COLUMNS_QUERY})::text as columns, (${HAS_DEPENDENTS}) as held, (${RULES_QUERY})::text as rules,
                  (select coalesce(jsonb_agg(a.attname order by k.ord), '[]')::text
                     from pg_index i, unnest(i.indkey) with ordinality k(num, ord), pg_attribute a
                    where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.num) as key
             from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = $1 and c.relname = $2 and c.relkind in ('r', 'p')`,
    values: [schema, table],
  })
  const [row] = rows
  if (!row) return undefined
  const [oid, kind, columnText, hasDependents, ruleText, key] = row
  const columns = JSON.parse(columnText ?? '[]') as TargetColumn[]
  const rules = JSON.parse(ruleText ?? '{}') as Pick<Target, 'uniques' | 'checks' | 'references' | 'views'>
  const viewColumns = rules.views.flatMap(({ column }) => (column === null ? [] : [column]))
  return {
    oid: oid ?? '',
    schema,
    table,
    quoted: `${quoteName(schema)}.${quoteName(table)}`,
    isPartitioned: kind === 'p',
    columns,
    primaryKey: JSON.parse(key ?? '[]') as string[],
    hasDependents: hasDependents === 't' || rules.views.length > 0,
    fixedTypeColumns: hasDependents === 't' ? columns.map(({ name }) => name) : [...new Set(viewColumns)],
    ...rules,
  }
}

export const createRefusedError = (message: string) => new WorkspaceDbError({ code: 'refused', message })

export async function getTarget(session: Session, name: TableName): Promise<Target> {
  const target = await findTarget(session, name)
  if (!target) throw createRefusedError(`There is no table "${name.table}" in "${name.schema}" any more.`)
  return target
}

export async function isNameTaken(session: Session, { schema, table }: TableName): Promise<boolean> {
  const { rows } = await session.query({
    text: `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2`,
    values: [schema, table],
  })
  return rows.length > 0
}
