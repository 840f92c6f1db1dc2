import type { Db } from '@trellis/control-db/database'
import type { TableSize } from '@trellis/workspace-db/catalogue/table-sizes'
import { sql } from 'kysely'

type WithDb = { readonly db: Db }

/** Includes the previous hour, for runs that ended just before the full hour. */
export async function writeUsageHours({ db }: WithDb, hour: Date): Promise<void> {
  await sql`
    with hours as (select h as hour, h + interval '1 hour' as until
                     from (values (${hour}::timestamptz - interval '1 hour'), (${hour}::timestamptz)) as v (h))
    insert into usage_hours (account_id, workspace_id, hour, storage_bytes, rows_moved, run_seconds, queries, credits_spent)
    select w.account_id, w.id, hours.hour, coalesce(w.storage_bytes, 0), runs.rows_moved, runs.run_seconds,
           (select count(*) from sql_jobs j
             where j.workspace_id = w.id and j.created_at >= hours.hour and j.created_at < hours.until),
           (select coalesce(sum(amount), 0) from credit_spends s
             where s.workspace_id = w.id and s.account_id = w.account_id and s.at >= hours.hour and s.at < hours.until)
      from workspaces w cross join hours cross join lateral (
        select coalesce(sum(coalesce((r.counters ->> 'rows_written')::bigint, 0)
                          + coalesce((r.counters ->> 'rows_updated')::bigint, 0)), 0)::bigint as rows_moved,
               coalesce(sum(extract(epoch from r.finished_at - r.started_at)), 0)::bigint as run_seconds
          from task_runs r
         where r.workspace_id = w.id and not r.is_shadow and r.finished_at >= hours.hour and r.finished_at < hours.until
      ) runs
     where w.deleted_at is null and w.state = 'online' and (hours.hour = ${hour} or w.created_at < hours.until)
    on conflict (workspace_id, hour) do update
      set storage_bytes = case when excluded.hour = ${hour} then excluded.storage_bytes else usage_hours.storage_bytes end,
          rows_moved = excluded.rows_moved, run_seconds = excluded.run_seconds, queries = excluded.queries,
          credits_spent = excluded.credits_spent`.execute(db)
}

export async function findSizedWorkspaces({ db }: WithDb, hour: Date): Promise<Set<number>> {
  const rows = await db.selectFrom('table_sizes').select('workspace_id').distinct().where('hour', '=', hour).execute()
  return new Set(rows.map((row) => row.workspace_id))
}

interface SizesOf {
  readonly account_id: number
  readonly workspace_id: number
  readonly hour: Date
}

export async function writeTableSizes({ db }: WithDb, of: SizesOf, sizes: readonly TableSize[]): Promise<void> {
  if (sizes.length === 0) return
  await db
    .insertInto('table_sizes')
    .values(sizes.map(({ schema, table, bytes }) => ({ ...of, schema_name: schema, table_name: table, bytes })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Table sizes: hourly for eight days, then daily; everything for 13 months. */
export async function pruneUsage({ db }: WithDb, now: Date): Promise<void> {
  await sql`
    delete from table_sizes where hour < ${now}::timestamptz - interval '8 days'
       and (extract(hour from hour at time zone 'UTC') <> 0 or hour < ${now}::timestamptz - interval '400 days')`.execute(
    db,
  )
  await sql`delete from usage_hours where hour < ${now}::timestamptz - interval '400 days'`.execute(db)
}
