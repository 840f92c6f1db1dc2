import type { Session } from '../session.ts'
import { readObjects } from './plain-session.ts'
import { visibleSchema } from './visible.ts'

/** Something that stops working, or goes too, when a table or schema goes. */
export interface Dependent {
  readonly kind: 'view' | 'materialized_view' | 'foreign_key' | 'table' | 'function'
  readonly schema: string
  readonly name: string
  readonly detail: string
}

/** `going` is the list of relations that go; views on views, and what lies on those, are followed to the end. */
const GRAPH = (session: Session, seeds: string) => `
  with recursive going(oid) as (
    ${seeds}
    union
    select next.oid from going cross join lateral (
      select r.ev_class as oid from pg_depend d join pg_rewrite r on r.oid = d.objid
       where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = going.oid
         and r.ev_class <> going.oid
      union all
      select h.inhrelid from pg_inherits h where h.inhparent = going.oid
    ) next
  ),
  seed(oid) as (${seeds}),
  found(kind, schema, name, detail) as (
    select case c.relkind when 'v' then 'view' when 'm' then 'materialized_view' else 'table' end,
           n.nspname, c.relname,
           case when c.relkind in ('v', 'm') then 'Reads ' || coalesce((
                  select string_agg(distinct s.relname, ', ') from pg_rewrite r
                    join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
                     and d.refclassid = 'pg_class'::regclass
                    join going g on g.oid = d.refobjid join pg_class s on s.oid = g.oid
                   where r.ev_class = c.oid and s.oid <> c.oid), 'it')
                when c.relispartition then 'Is a partition of it'
                else 'Inherits from it' end
      from going g join pg_class c on c.oid = g.oid join pg_namespace n on n.oid = c.relnamespace
     where not exists (select from seed where seed.oid = g.oid) and ${visibleSchema(session, 'n')}
    union all
    select 'foreign_key', n.nspname, k.conname, 'Of ' || c.relname || ', points to ' || t.relname
      from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      join pg_class t on t.oid = k.confrelid
     where k.contype = 'f' and k.conparentid = 0 and ${visibleSchema(session, 'n')}
       and exists (select from going g where g.oid = k.confrelid)
       and not exists (select from going g where g.oid = k.conrelid)
    union all
    select 'function', n.nspname, p.proname, 'Uses ' || string_agg(distinct c.relname, ', ')
      from going g join pg_class c on c.oid = g.oid
      join pg_depend d on d.classid = 'pg_proc'::regclass
       and ((d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid)
         or (d.refclassid = 'pg_type'::regclass and d.refobjid in (c.reltype, (select t.typarray from pg_type t where t.oid = c.reltype))))
      join pg_proc p on p.oid = d.objid join pg_namespace n on n.oid = p.pronamespace
     where ${visibleSchema(session, 'n')} and d.refobjid <> 0
     group by p.oid, n.nspname, p.proname
  )
  select distinct kind, schema, name, detail from found order by kind, schema, name`

export async function readTableDependents(session: Session, oid: number): Promise<readonly Dependent[]> {
  return await readObjects<Dependent>(session, GRAPH(session, 'select $1::oid'), [String(oid)])
}

/** What lies outside a schema and depends on something in it. */
export async function readSchemaDependents(session: Session, oid: number): Promise<readonly Dependent[]> {
  const seeds = "select c.oid from pg_class c where c.relnamespace = $1::oid and c.relkind in ('r', 'p', 'v', 'm', 'f')"
  const all = await readObjects<Dependent>(
    session,
    `select * from (${GRAPH(session, seeds)}) d where d.schema <> (select n.nspname from pg_namespace n where n.oid = $1::oid)`,
    [String(oid)],
  )
  return all
}
