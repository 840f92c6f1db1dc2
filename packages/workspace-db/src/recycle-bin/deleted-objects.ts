export type ReadRows = <Row>(text: string, values: readonly string[]) => Promise<readonly Row[]>

export interface DeletedRelation {
  readonly oid: number
  readonly letter: 'r' | 'p' | 'v' | 'm' | 'f'
  readonly schema: string
  readonly name: string
  readonly isNamed: boolean
  readonly detail: string
  readonly rows: number
  readonly bytes: number
}

interface DeletedFunction {
  readonly oid: number
  readonly schema: string
  readonly name: string
  readonly signature: string
  readonly detail: string
}

/** A foreign key between deleted and remaining tables. */
export interface DetachedForeignKey {
  readonly oid: number
  readonly name: string
  readonly definition: string
  readonly comment: string | null
  readonly schema: string
  readonly table: string
  readonly otherSchema: string
  readonly otherTable: string
  /** The referenced table as written in the definition. */
  readonly reference: string
  readonly isIncoming: boolean
  readonly isValid: boolean
}

interface Blocker {
  readonly what: string
}

export interface DeletedObjects {
  readonly relations: readonly DeletedRelation[]
  readonly functions: readonly DeletedFunction[]
  readonly keys: readonly DetachedForeignKey[]
  readonly blockers: readonly Blocker[]
}

export interface DeletionTarget {
  readonly oid: number
  readonly kind: 'table' | 'schema'
}

export const buildIsVisible = (namespaceAlias: string) =>
  `${namespaceAlias}.nspname !~* '^(pg_|trellis|information_schema$|public$)'`

const SEED_QUERIES = {
  table: 'select $1::oid as oid',
  schema: "select c.oid from pg_class c where c.relnamespace = $1::oid and c.relkind in ('r', 'p', 'v', 'm', 'f')",
}

const CATALOGUES_BY_SCHEMA = [
  ['pg_class', 'relnamespace'],
  ['pg_type', 'typnamespace'],
  ['pg_proc', 'pronamespace'],
  ['pg_operator', 'oprnamespace'],
  ['pg_opclass', 'opcnamespace'],
  ['pg_opfamily', 'opfnamespace'],
  ['pg_collation', 'collnamespace'],
  ['pg_conversion', 'connamespace'],
  ['pg_ts_config', 'cfgnamespace'],
  ['pg_ts_dict', 'dictnamespace'],
  ['pg_ts_parser', 'prsnamespace'],
  ['pg_ts_template', 'tmplnamespace'],
] as const

const CATALOGUES_BY_RELATION = [
  ['pg_constraint', 'conrelid'],
  ['pg_attrdef', 'adrelid'],
  ['pg_trigger', 'tgrelid'],
  ['pg_rewrite', 'ev_class'],
  ['pg_policy', 'polrelid'],
  ['pg_statistic_ext', 'stxrelid'],
  ['pg_publication_rel', 'prrelid'],
] as const

const DOMAIN_CHECKS = `union select 'pg_constraint'::regclass, x.oid from pg_constraint x join pg_type t on t.oid = x.contypid
           where t.typnamespace = $1::oid`

/** `deleted`: relations; `functions`: dependent routines; `own`: everything belonging to them. */
const buildDependencyQuery = ({ kind }: DeletionTarget, buildVisible: (namespaceAlias: string) => string) => `
  with recursive seed(oid) as (${SEED_QUERIES[kind]}),
  deleted(oid) as (
    select oid from seed
    union
    select next.oid from deleted cross join lateral (
      select r.ev_class as oid from pg_depend d join pg_rewrite r on r.oid = d.objid
       where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = deleted.oid
      union all
      select h.inhrelid from pg_inherits h where h.inhparent = deleted.oid
    ) next
    join pg_class c on c.oid = next.oid join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${buildVisible('n')}
  ),
  rowtypes(oid) as (
    select t.oid from deleted join pg_class c on c.oid = deleted.oid join pg_type t on t.oid = c.reltype
    union select t.typarray from deleted join pg_class c on c.oid = deleted.oid join pg_type t on t.oid = c.reltype
     where t.typarray <> 0
  ),
  functions(oid) as (
    select distinct p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid
     where ((d.refclassid = 'pg_class'::regclass and d.refobjid in (select oid from deleted))
         or (d.refclassid = 'pg_type'::regclass and d.refobjid in (select oid from rowtypes)))
       and ${buildVisible('n')}${kind === 'schema' ? ' and p.pronamespace <> $1::oid' : ''}
  ),
  own(class, oid) as (
    select 'pg_class'::regclass, oid from deleted
    union select 'pg_type'::regclass, oid from rowtypes
    union select 'pg_proc'::regclass, oid from functions
    union select 'pg_class'::regclass, i.indexrelid from pg_index i where i.indrelid in (select oid from deleted)
    union select 'pg_class'::regclass, c.oid from pg_depend d join pg_class c on c.oid = d.objid and c.relkind = 'S'
           where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
             and d.refobjid in (select oid from deleted)
    ${CATALOGUES_BY_RELATION.map(([catalogue, column]) => `union select '${catalogue}'::regclass, x.oid from ${catalogue} x where x.${column} in (select oid from deleted)`).join('\n    ')}
    ${kind === 'schema' ? CATALOGUES_BY_SCHEMA.map(([catalogue, column]) => `union select '${catalogue}'::regclass, x.oid from ${catalogue} x where x.${column} = $1::oid`).join('\n    ') : ''}
    ${kind === 'schema' ? DOMAIN_CHECKS : ''}
  )`

const RELATIONS_QUERY = `
  select c.oid::bigint as oid, c.relkind as letter, n.nspname as schema, c.relname as name,
         exists (select from seed where seed.oid = c.oid) as "isNamed",
         case when c.relkind in ('v', 'm') then 'Reads ' || coalesce((
                select string_agg(distinct s.relname, ', ') from pg_rewrite r
                  join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
                   and d.refclassid = 'pg_class'::regclass
                  join deleted g on g.oid = d.refobjid join pg_class s on s.oid = g.oid
                 where r.ev_class = c.oid and s.oid <> c.oid), 'it')
              when c.relispartition then 'Is a partition of it'
              else 'Inherits from it' end as detail,
         greatest(c.reltuples, 0)::bigint as rows,
         case when c.relkind in ('r', 'm') then coalesce(pg_total_relation_size(c.oid), 0) else 0 end as bytes
    from deleted g join pg_class c on c.oid = g.oid join pg_namespace n on n.oid = c.relnamespace
   order by n.nspname, c.relname`

const FUNCTIONS_QUERY = `
  select p.oid::bigint as oid, n.nspname as schema, p.proname as name,
         format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)) as signature,
         'Uses ' || coalesce((select string_agg(distinct c.relname, ', ') from deleted g join pg_class c on c.oid = g.oid
            join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid
             and ((d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid)
               or (d.refclassid = 'pg_type'::regclass and d.refobjid in (c.reltype,
                     (select t.typarray from pg_type t where t.oid = c.reltype))))), 'it') as detail
    from functions f join pg_proc p on p.oid = f.oid join pg_namespace n on n.oid = p.pronamespace
   order by n.nspname, p.proname`

const buildForeignKeysQuery = (buildVisible: (namespaceAlias: string) => string) => `
  select k.oid::bigint as oid, k.conname as name, pg_get_constraintdef(k.oid) as definition,
         obj_description(k.oid, 'pg_constraint') as comment, n.nspname as schema, c.relname as table,
         tn.nspname as "otherSchema", t.relname as "otherTable",
         format('%I.%I', tn.nspname, t.relname) as reference, k.convalidated as "isValid",
         k.confrelid in (select oid from deleted) as "isIncoming"
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    join pg_class t on t.oid = k.confrelid join pg_namespace tn on tn.oid = t.relnamespace
   where k.contype = 'f' and k.conparentid = 0 and ${buildVisible('n')} and ${buildVisible('tn')}
     and (k.confrelid in (select oid from deleted)) <> (k.conrelid in (select oid from deleted))
   order by n.nspname, c.relname, k.conname`

const buildBlockersQuery = (buildVisible: (namespaceAlias: string) => string) => `
  select what from (
    select distinct pg_describe_object(d.classid, d.objid, d.objsubid) as what
      from pg_depend d join own on own.class = d.refclassid and own.oid = d.refobjid
      left join pg_constraint k on d.classid = 'pg_constraint'::regclass and k.oid = d.objid
      left join pg_attrdef a on d.classid = 'pg_attrdef'::regclass and a.oid = d.objid
      left join pg_rewrite w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid
      left join pg_trigger g on d.classid = 'pg_trigger'::regclass and g.oid = d.objid
      left join pg_policy y on d.classid = 'pg_policy'::regclass and y.oid = d.objid
      left join pg_proc p on d.classid = 'pg_proc'::regclass and p.oid = d.objid
      left join pg_class c on c.oid = coalesce(nullif(k.conrelid, 0), a.adrelid, w.ev_class, g.tgrelid, y.polrelid,
                                               case when d.classid = 'pg_class'::regclass then d.objid end)
      left join pg_namespace n on n.oid = coalesce(c.relnamespace, p.pronamespace)
     where d.deptype in ('n', 'a') and k.contype is distinct from 'f'
       and not exists (select from own o where o.class = d.classid and o.oid = d.objid)
       and (n.oid is null or ${buildVisible('n')})
    union
    select pg_describe_object('pg_class'::regclass, h.inhparent, 0) || ', which it is a part of'
      from pg_inherits h join pg_class c on c.oid = h.inhrelid
     where h.inhrelid in (select oid from deleted) and h.inhparent not in (select oid from deleted) and c.relkind in ('r', 'p', 'f')
  ) held order by what`

/** Transitive. */
export async function readDeletedObjects(
  read: ReadRows,
  target: DeletionTarget,
  buildVisible: (namespaceAlias: string) => string = buildIsVisible,
): Promise<DeletedObjects> {
  const readRows = <Row>(select: string) =>
    read<Row>(`${buildDependencyQuery(target, buildVisible)} ${select}`, [String(target.oid)])
  return {
    relations: await readRows<DeletedRelation>(RELATIONS_QUERY),
    functions: await readRows<DeletedFunction>(FUNCTIONS_QUERY),
    keys: await readRows<DetachedForeignKey>(buildForeignKeysQuery(buildVisible)),
    blockers: await readRows<Blocker>(buildBlockersQuery(buildVisible)),
  }
}
