import type { Session } from '../session.ts'
import { readObjects } from './plain-session.ts'
import type { CatalogueSchema } from './find-table.ts'

export interface SchemaSizes {
  readonly sizeBytes: number
  readonly rowsEstimate: number
  readonly largest: readonly { readonly name: string; readonly sizeBytes: number }[]
}

const MAX_LARGEST_TABLES = 10
/** Measuring takes time per table; above this, relpages is used. */
const MAX_MEASURED_TABLES = 2_000

export async function readSchemaSizes(session: Session, schema: CatalogueSchema): Promise<SchemaSizes> {
  const [sizes] = await readObjects<SchemaSizes>(
    session,
    `with holding as (
       select c.oid, c.relname, greatest(c.reltuples, 0)::bigint as rows, c.relpages, c.reltoastrelid,
              count(*) over () as tables
         from pg_class c where c.relnamespace = $1::oid and c.relkind in ('r', 'm')
     ), measured as (
       select relname as name, rows,
              case when tables <= ${MAX_MEASURED_TABLES} then coalesce(pg_total_relation_size(oid), 0)
                   else relpages::bigint * current_setting('block_size')::bigint end as bytes
         from holding
     )
     select coalesce(sum(bytes), 0)::bigint as "sizeBytes", coalesce(sum(rows), 0)::bigint as "rowsEstimate",
            coalesce((select json_agg(json_build_object('name', name, 'sizeBytes', bytes))
                        from (select name, bytes from measured order by bytes desc, name limit ${MAX_LARGEST_TABLES}) top), '[]')
              as largest
       from measured`,
    [String(schema.oid)],
  )
  return sizes ?? { sizeBytes: 0, rowsEstimate: 0, largest: [] }
}
