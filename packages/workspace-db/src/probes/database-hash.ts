import { createHash } from 'node:crypto'
import type { Cluster } from '../cluster.ts'

export interface DatabaseHash {
  /** Rows, sequences, and objects with their privileges. */
  readonly content: string
  readonly largeObjects: number
}

const OBJECTS = `
  select 'relation', c.oid::regclass::text, c.relkind::text, c.relnatts::text, c.relacl::text, obj_description(c.oid)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname !~ '^(pg_|information_schema)'
  union all select 'function', p.oid::regprocedure::text, p.prosrc, '', p.proacl::text, ''
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname !~ '^(pg_|information_schema)'
  union all select 'schema', nspname, '', '', nspacl::text, '' from pg_namespace where nspname !~ '^pg_(toast|temp)'
  union all select 'default', defaclrole::text, defaclnamespace::text, defaclobjtype::text, defaclacl::text, ''
    from pg_default_acl
  union all select 'rule', r.oid::text, pg_get_ruledef(r.oid), '', '', ''
    from pg_rewrite r join pg_class c on c.oid = r.ev_class join pg_namespace n on n.oid = c.relnamespace
   where n.nspname !~ '^(pg_|information_schema)'
  union all select 'trigger', pg_get_triggerdef(oid), tgenabled::text, '', '', '' from pg_trigger
  union all select 'constraint', conrelid::regclass::text, pg_get_constraintdef(oid), '', '', '' from pg_constraint
   where connamespace::regnamespace::text !~ '^(pg_|information_schema)'
  union all select 'policy', polname, polrelid::regclass::text, '', '', '' from pg_policy
  union all select 'statistics', stxname, '', '', '', '' from pg_statistic_ext
  union all select 'extension', extname, extversion, '', '', '' from pg_extension
  union all select 'event trigger', evtname, '', '', '', '' from pg_event_trigger
  union all select 'publication', pubname, '', '', '', '' from pg_publication
  union all select 'subscription', subname, '', '', '', '' from pg_subscription
   where subdbid = (select oid from pg_database where datname = current_database())
  union all select 'server', srvname, '', '', srvacl::text, '' from pg_foreign_server
  union all select 'role', rolname, concat(rolsuper, rolcanlogin, rolcreaterole, rolcreatedb, rolbypassrls),
                   rolconnlimit::text, array_to_string(rolconfig, ','), ''
    from pg_roles where starts_with(rolname, current_database() || '_')
  union all select 'member', roleid::regrole::text, member::regrole::text, concat(admin_option, inherit_option, set_option), '', ''
    from pg_auth_members where starts_with(member::regrole::text, current_database() || '_')
  order by 1, 2, 3`

const TABLES = `
  select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'm', 'S') and n.nspname !~ '^(pg_|information_schema)' order by 1`

export function computeDatabaseHash(cluster: Cluster, database: string): Promise<DatabaseHash> {
  return cluster.withAdmin(database, async (client) => {
    const hash = createHash('sha256')
    hash.update(JSON.stringify((await client.query({ text: OBJECTS, rowMode: 'array' })).rows))
    const tables = await client.query<{ name: string }>(TABLES)
    for (const { name } of tables.rows) {
      const { rows } = await client.query<unknown[]>({ text: `select * from ${name}`, rowMode: 'array' })
      hash.update(name).update(JSON.stringify(rows.map((row) => JSON.stringify(row)).toSorted()))
    }
    const large = await client.query<{ count: string }>('select count(*) from pg_largeobject_metadata')
    return { content: hash.digest('hex'), largeObjects: Number(large.rows[0]?.count) }
  })
}
