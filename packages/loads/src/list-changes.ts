import { readObjects } from '@trellis/workspace-db/catalogue/plain-session'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import type { TableName } from './target.ts'

export interface TableChanges extends TableName {
  readonly loads: number
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly rejected: number
  readonly lastLoad: string
  readonly source: string
}

/** By receipts. Replace counts the difference in rows to the previous load. */
export async function listChanges(
  session: Session,
  tables: readonly TableName[],
  since: Date,
): Promise<readonly TableChanges[]> {
  return await readObjects<TableChanges>(
    session,
    `with all_loads as (
       select r.*, coalesce(lag(r.rows) over (partition by r.schema_name, r.table_name order by r.finished_at, r.load_id), 0) as before
         from ${LOADS_SCHEMA}.receipts r
         join json_to_recordset($1::json) t(schema text, "table" text)
           on t.schema = r.schema_name and t."table" = r.table_name
        where r.is_done or (r.rows > 0 and r.mode <> 'replace')),
     counted as (
       select *, case mode when 'undo' then 0 when 'replace' then greatest(rows - before, 0) else rows - rows_updated end as added,
              case mode when 'undo' then rows when 'replace' then greatest(before - rows, 0) else 0 end as removed
         from all_loads where finished_at >= $2::timestamptz)
     select schema_name as schema, table_name as "table", count(*) as loads, sum(added) as added,
            sum(rows_updated) as changed, sum(removed) as removed, sum(quarantined) as rejected,
            to_char(max(finished_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastLoad",
            (array_agg(source order by finished_at desc, load_id))[1] as source
       from counted group by 1, 2 order by max(finished_at) desc, 1, 2`,
    [JSON.stringify(tables), since.toISOString()],
  )
}
