import { type DataflowHealth, TABLE_FRESHNESS } from '@trellis/contract/dashboard/dashboard.schemas'
import { sql } from 'kysely'
import type { WorkspaceScope } from '../folders.repository.ts'

type Freshness = Pick<DataflowHealth, 'table_counts' | 'tables'>

const LATE_FACTOR = 2
/** Runs of a schedule never start to the second. */
const LATE_SLACK_MS = 10 * 60_000

/**
 * How fresh the tables are that published blocks write, with those to look at first. Several blocks may write one table: the
 * latest load counts. Rated by the database: thousands of tables would take longer to be read here.
 */
export async function rateTables(ctx: WorkspaceScope, now: Date, limit: number): Promise<Freshness> {
  const { rows } = await sql<{ counts: Partial<Freshness['table_counts']> | null; tables: Freshness['tables'] | null }>`
    with written as (
      select distinct on (w.table_name, w.schema_name) w.schema_name, w.table_name, f.trellis_code, f.name, f.is_paused,
             l.loaded_at, l.usual_gap_ms
        from task_blocks b join dataflows f on f.id = b.dataflow_id
        join task_block_versions v on v.block_id = b.id and v.version = b.live_version
        left join block_loads l on l.block_id = b.id,
             rows from (json_array_elements_text(v.written_schemas), json_array_elements_text(v.written_tables)) as w(schema_name, table_name)
       where b.account_id = ${ctx.account.id} and b.workspace_id = ${ctx.workspace.id}
         and b.deleted_at is null and f.deleted_at is null
       order by w.table_name, w.schema_name, l.loaded_at desc nulls last),
    rated as (
      select written.*, case
             when is_paused then 'paused'
             when loaded_at is null then 'new'
             when loaded_at + (usual_gap_ms * ${LATE_FACTOR}::int + ${LATE_SLACK_MS}::int) * interval '1 millisecond' < ${now}::timestamptz
             then 'late' else 'fresh' end as freshness
        from written),
    first as (
      select rated.* from rated
       order by array_position(${TABLE_FRESHNESS}::text[], freshness), loaded_at desc nulls last limit ${limit}),
    shown as (
      select schema_name, table_name, trellis_code as dataflow_trellis_code, name as dataflow_name, freshness,
             to_char(loaded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as loaded_at,
             round(usual_gap_ms / 1000.0)::int as usual_gap_seconds
        from first)
    select (select json_object_agg(freshness, n) from (select freshness, count(*) as n from rated group by 1) c) as counts,
           (select json_agg(shown) from shown) as tables`.execute(ctx.db)
  const [row] = rows
  return { table_counts: { late: 0, new: 0, paused: 0, fresh: 0, ...row?.counts }, tables: row?.tables ?? [] }
}
