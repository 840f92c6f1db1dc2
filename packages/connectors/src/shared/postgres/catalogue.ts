import type { TableListing } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { Link } from './link.ts'

const MAX_TABLES = 5000
const NOT_OURS = `n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_toast%' and n.nspname not like 'pg\\_temp%'`
const READABLE = `has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')`
const CLASSES = `pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${NOT_OURS}`

export async function listTables(link: Link): Promise<TableListing> {
  const rows = await link.query(`
    select schema, name, kind, estimate from (
      select n.nspname as schema, c.relname as name, case when c.relkind in ('v', 'm') then 'view' else 'table' end as kind,
        case when c.relkind in ('r', 'p', 'm') and c.reltuples >= 0 then c.reltuples::bigint end as estimate,
        row_number() over (partition by n.nspname order by c.relname) as place
      from ${CLASSES} and ${READABLE} and not c.relispartition) listed
    where place <= ${MAX_TABLES + 1} order by schema, name`)
  const schemas = new Map<string, TableListing['schemas'][number]['tables'][number][]>()
  for (const [schema, name, kind, estimate] of rows) {
    const tables = schemas.get(schema ?? '') ?? []
    schemas.set(schema ?? '', tables)
    tables.push({
      name: name ?? '',
      kind: kind === 'view' ? 'view' : 'table',
      rows: estimate ? Number(estimate) : null,
    })
  }
  return {
    schemas: [...schemas].map(([name, tables]) => ({
      name,
      tables: tables.slice(0, MAX_TABLES),
      is_cut: tables.length > MAX_TABLES,
    })),
  }
}

export async function describeServer(link: Link): Promise<{ label: string; value: string }[]> {
  const [found] = await link.query(`
    select current_setting('server_version'), current_database(), current_user,
      count(*) filter (where ${READABLE}), count(*)
    from ${CLASSES}`)
  const [version, database, user, readable, all] = found ?? []
  if (readable === '0' && all !== '0') {
    throw new ConnectorError('configuration', `The user ${user} can log in, but can read none of the ${all} tables.`, {
      advice: `Have it granted: GRANT USAGE ON SCHEMA public TO "${user}"; GRANT SELECT ON ALL TABLES IN SCHEMA public TO "${user}";`,
      field: 'connection.user',
    })
  }
  return [
    { label: 'Version', value: `PostgreSQL ${(version ?? '').split(' ')[0]}` },
    { label: 'Database', value: database ?? '' },
    { label: 'Tables that can be read', value: readable ?? '0' },
  ]
}
