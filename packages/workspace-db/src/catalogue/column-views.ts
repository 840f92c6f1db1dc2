import type { Session } from '../session.ts'
import { readObjects } from './plain-session.ts'

export interface ColumnView {
  readonly column: string
  readonly schema: string
  readonly name: string
}

export async function listColumnViews(session: Session, oid: string): Promise<readonly ColumnView[]> {
  return await readObjects<ColumnView>(
    session,
    `select distinct a.attname as "column", n.nspname as schema, v.relname as name
       from pg_depend d
       join pg_rewrite r on r.oid = d.objid
       join pg_class v on v.oid = r.ev_class and v.oid <> d.refobjid
       join pg_namespace n on n.oid = v.relnamespace
       join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = $1::oid
      order by 1, 2, 3`,
    [oid],
  )
}
