import type { WorkspaceScope } from '@trellis/control-db/scoped'
import { type DataflowHealth, TABLE_FRESHNESS } from '@trellis/contract/dashboard/dashboard.schemas'
import { sql } from 'kysely'

type Freshness = Pick<DataflowHealth, 'table_counts' | 'tables'>

const LATE_FACTOR = 2
const LATE_SLACK_MS = 10 * 60_000

/** Index in `TABLE_FRESHNESS`: numbers compare faster than strings. */
const buildRank = (freshness: keyof Freshness['table_counts']) => sql.lit(TABLE_FRESHNESS.indexOf(freshness) + 1)

/**
 * The latest load counts if several blocks write a table. Rated in SQL, as thousands of tables would be slow here.
 * Loads are read in one scan: busy blocks leave many dead row versions. Blocks with one table, nearly all, avoid a
 * function call per row.
 */
export async function rateTables(ctx: WorkspaceScope, now: Date, limit: number): Promise<Freshness> {
  const isInWorkspace = (alias: string) =>
    sql`${sql.ref(`${alias}.account_id`)} = ${ctx.account.id} and ${sql.ref(`${alias}.workspace_id`)} = ${ctx.workspace.id}`
  const { rows } = await sql<{ counts: number[]; tables: Freshness['tables'] | null }>`
    with loads as materialized (
      select l.block_id, l.loaded_at, l.usual_gap_ms from block_loads l where ${isInWorkspace('l')}),
    writes as materialized (
      select f.trellis_code, f.name, f.is_paused, l.loaded_at, l.usual_gap_ms, v.written_schemas, v.written_tables
        from task_blocks b join dataflows f on f.id = b.dataflow_id
        join task_block_versions v on v.block_id = b.id and v.version = b.live_version
        left join loads l on l.block_id = b.id
       where ${isInWorkspace('b')} and ${isInWorkspace('f')} and v.account_id = ${ctx.account.id} and b.deleted_at is null and f.deleted_at is null),
    written as (
      select written_schemas ->> 0 as schema_name, written_tables ->> 0 as table_name, trellis_code, name, is_paused, loaded_at,
             usual_gap_ms
        from writes where json_array_length(written_tables) = 1
      union all
      select w.schema_name, w.table_name, trellis_code, name, is_paused, loaded_at, usual_gap_ms
        from writes, rows from (json_array_elements_text(written_schemas), json_array_elements_text(written_tables))
             as w(schema_name, table_name)
       where json_array_length(written_tables) > 1),
    rated as materialized (
      select distinct on (table_name, schema_name) schema_name, table_name, trellis_code, name, loaded_at, usual_gap_ms,
             case when is_paused then ${buildRank('paused')} when loaded_at is null then ${buildRank('new')}
                  when loaded_at < ${now}::timestamptz - (usual_gap_ms * ${LATE_FACTOR}::int + ${LATE_SLACK_MS}::int) * interval '1 millisecond'
                  then ${buildRank('late')} else ${buildRank('fresh')} end as rank
        from written order by table_name, schema_name, loaded_at desc nulls last),
    first as (select * from rated order by rank, loaded_at desc nulls last limit ${limit}),
    shown as (
      select schema_name, table_name, trellis_code as dataflow_trellis_code, name as dataflow_name,
             (${TABLE_FRESHNESS}::text[])[rank] as freshness,
             to_char(loaded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as loaded_at,
             round(usual_gap_ms / 1000.0)::int as usual_gap_seconds
        from first)
    select (select json_build_array(${sql.join(TABLE_FRESHNESS.map((name) => sql`count(*) filter (where rank = ${buildRank(name)})`))})
              from rated) as counts,
           (select json_agg(shown) from shown) as tables`.execute(ctx.db)
  const [row] = rows
  const getCount = (name: keyof Freshness['table_counts']) => row?.counts[TABLE_FRESHNESS.indexOf(name)] ?? 0
  return {
    table_counts: {
      late: getCount('late'),
      new: getCount('new'),
      paused: getCount('paused'),
      fresh: getCount('fresh'),
    },
    tables: row?.tables ?? [],
  }
}
