import type { Cluster } from '../cluster.ts'
import { toWorkspaceNames } from '../names.ts'
import { findSchemas } from '../schemas/find-schemas.ts'

export interface TableSize {
  readonly schema: string
  readonly table: string
  readonly bytes: number
}

const MAX_LISTED_TABLES = 50
const READ_TIMEOUT_MS = 30_000

export async function readTableSizes(cluster: Cluster, key: string): Promise<TableSize[]> {
  const names = toWorkspaceNames(key)
  return await cluster.withAdmin(names.database, async (client) => {
    await client.query(`set statement_timeout = ${READ_TIMEOUT_MS}`)
    const schemas = (await findSchemas(client, names)).map(({ name }) => name)
    const { rows } = await client.query<{ schema: string; table: string; bytes: string }>(
      `with sizes as (
         select n.nspname as schema, c.relname as name, coalesce(pg_total_relation_size(c.oid), 0) as bytes
           from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = any($1) and c.relkind in ('r', 'm')
       ), ranked as (
         select *, row_number() over (order by bytes desc, schema, name) as place from sizes
       )
       select schema, case when place <= ${MAX_LISTED_TABLES} then name else '' end as table, sum(bytes) as bytes
         from ranked group by 1, 2`,
      [schemas],
    )
    return rows.map(({ bytes, ...row }) => ({ ...row, bytes: Number(bytes) }))
  })
}
