import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'

type WithDb = { readonly db: Db }

export async function findRunsFinishedBetween({ db }: WithDb, from: Date, to: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from task_runs where finished_at >= ${from} and finished_at < ${to}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function deleteLogs({ db }: WithDb, runIds: readonly number[]): Promise<void> {
  await sql`delete from task_run_logs where run_id = any(${runIds}::bigint[])`.execute(db)
}

export async function deleteUsedEvents({ db }: WithDb, before: Date): Promise<void> {
  await sql`
    delete from trigger_events where happened_at < ${before} and (run_id is not null or dropped is not null)`.execute(
    db,
  )
}

/** A due time whose event still waits is kept with it. */
export async function deleteEndedTicks({ db }: WithDb, before: Date): Promise<void> {
  await sql`
    delete from schedule_ticks t where t.nominal_at < ${before} and t.outcome is not null
       and not exists (select 1 from trigger_events e where e.tick_id = t.id)`.execute(db)
}

/** Flow runs whose only block run moved to a newer one or was deleted. */
export async function deleteEmptyFlowRuns({ db }: WithDb, before: Date): Promise<void> {
  await sql`
    delete from flow_runs l where l.created_at < ${before}
       and not exists (select 1 from task_runs r where r.flow_run_id = l.id)`.execute(db)
}
