import type { Session } from '../session.ts'
import { readObjects } from './plain-session.ts'
import { buildVisibleSchemaCondition } from './visible.ts'

export interface Dependency {
  readonly kind: 'view' | 'materialized_view' | 'table' | 'function' | 'sequence'
  readonly schema: string
  readonly name: string
  readonly detail: string
}

const SEED_QUERIES = {
  table: 'select $1::oid as oid',
  schema: "select c.oid from pg_class c where c.relnamespace = $1::oid and c.relkind in ('r', 'p', 'v', 'm', 'f')",
}

const RELATION_KIND = `case c.relkind when 'v' then 'view' when 'm' then 'materialized_view' when 'S' then 'sequence' else 'table' end`

export async function readDependencies(
  session: Session,
  { kind, oid }: { kind: 'table' | 'schema'; oid: number },
): Promise<readonly Dependency[]> {
  return await readObjects<Dependency>(
    session,
    `with seed as (${SEED_QUERIES[kind]}),
     found(kind, oid, schema, name, detail) as (
       select ${RELATION_KIND}, c.oid, n.nspname, c.relname, 'Read by ' || string_agg(distinct v.relname, ', ')
         from seed join pg_class v on v.oid = seed.oid join pg_rewrite r on r.ev_class = v.oid
         join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
         join pg_class c on c.oid = d.refobjid and c.oid <> v.oid join pg_namespace n on n.oid = c.relnamespace
        where ${buildVisibleSchemaCondition(session, 'n')} group by 1, 2, 3, 4
       union all
       select 'table', c.oid, n.nspname, c.relname, 'By the foreign key ' || string_agg(distinct k.conname, ', ')
         from seed join pg_constraint k on k.conrelid = seed.oid and k.contype = 'f'
         join pg_class c on c.oid = k.confrelid and c.oid <> k.conrelid join pg_namespace n on n.oid = c.relnamespace
        where ${buildVisibleSchemaCondition(session, 'n')} group by 1, 2, 3, 4
       union all
       select 'table', c.oid, n.nspname, c.relname, 'Is a part of it'
         from seed join pg_inherits h on h.inhrelid = seed.oid join pg_class c on c.oid = h.inhparent
         join pg_namespace n on n.oid = c.relnamespace where ${buildVisibleSchemaCondition(session, 'n')}
       union all
       select 'function', p.oid, n.nspname, p.proname, 'By the trigger ' || string_agg(distinct t.tgname, ', ')
         from seed join pg_trigger t on t.tgrelid = seed.oid and not t.tgisinternal
         join pg_proc p on p.oid = t.tgfoid join pg_namespace n on n.oid = p.pronamespace
        where ${buildVisibleSchemaCondition(session, 'n')} group by 1, 2, 3, 4
       union all
       select ${RELATION_KIND}, c.oid, n.nspname, c.relname, 'By a default value'
         from seed join pg_attrdef a on a.adrelid = seed.oid
         join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = a.oid and d.refclassid = 'pg_class'::regclass
         join pg_class c on c.oid = d.refobjid and c.relkind = 'S' join pg_namespace n on n.oid = c.relnamespace
        where ${buildVisibleSchemaCondition(session, 'n')} and not exists (
              select from pg_depend o where o.classid = 'pg_class'::regclass and o.objid = c.oid and o.deptype in ('a', 'i')
                 and o.refobjid = seed.oid)
     )
     select distinct kind, schema, name, detail from found
      where not (kind <> 'function' and oid in (select oid from seed)) ${kind === 'schema' ? 'and schema <> (select nspname from pg_namespace where oid = $1::oid)' : ''}
      order by kind, schema, name`,
    [String(oid)],
  )
}
