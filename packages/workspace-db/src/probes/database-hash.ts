import { createHash } from 'node:crypto'
import type { Cluster } from '../cluster.ts'

export interface DatabaseHash {
  /** Of every row of every table, the place of every sequence, and every object with its rights. */
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
  order by 1, 2, 3`

const TABLES = `
  select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'm', 'S') and n.nspname !~ '^(pg_|information_schema)' order by 1`

/** Everything a statement could have changed in a workspace database, as one value to compare. */
export function databaseHash(cluster: Cluster, database: string): Promise<DatabaseHash> {
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
