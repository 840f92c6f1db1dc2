import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { Link } from '../link.ts'

interface TableName {
  readonly schema: string
  readonly table: string
}

export interface LoggedTable {
  /** REPLICA IDENTITY: columns that identify an updated or deleted row in the log. */
  readonly key: readonly string[]
  /** Generated columns are not in the log. */
  readonly generated: readonly string[]
}

const tableError = (message: string, advice: string) =>
  new ConnectorError('configuration', message, { field: 'query.table', advice })

export async function describeLogged(link: Link, { schema, table }: TableName): Promise<LoggedTable> {
  const [row] = await link.query(
    `select c.relkind, c.relpersistence, c.relreplident,
            (select coalesce(json_agg(a.attname), '[]') from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and to_jsonb(a)->>'attgenerated' in ('s', 'v')),
            coalesce(
              (select json_agg(a.attname order by k.place) from pg_index i
                cross join lateral unnest(i.indkey::int2[]) with ordinality as k (number, place)
                join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
                where i.indrelid = c.oid and k.place <= i.indnkeyatts
                  and case when c.relreplident = 'i' then i.indisreplident else i.indisprimary end), '[]')
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2`,
    [schema, table],
  )
  const [kind, persistence, identity, generated, key] = row ?? []
  const name = `${schema}.${table}`
  if (kind !== 'r' && kind !== 'p')
    throw tableError(`${name} is no table, so the log has no changes of it.`, 'Choose a table, or read it as a view.')
  if (persistence !== 'p')
    throw tableError(
      `${name} is not logged, so its changes can’t be followed.`,
      `Run at the source: ALTER TABLE ${name} SET LOGGED;`,
    )
  const columns = JSON.parse(key ?? '[]') as string[]
  if (identity === 'n' || columns.length === 0)
    throw tableError(
      `${name} has no primary key that the log could name its rows by.`,
      `Add one at the source: ALTER TABLE ${name} ADD PRIMARY KEY (…); or choose a unique index with ALTER TABLE ${name} REPLICA IDENTITY USING INDEX …;`,
    )
  return { key: columns, generated: JSON.parse(generated ?? '[]') as string[] }
}
