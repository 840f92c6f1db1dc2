import { sql } from 'kysely'
import type { SystemCtx } from '../../platform/ctx.ts'

const LOG_DAYS = 90
const TICK_DAYS = 60
/** Limits the scan: older ones were deleted on earlier days. */
const LOOK_BACK_DAYS = 120
const AT_ONCE = 500

/** In small batches, so that writers of logs are not blocked. */
export async function handlePruneRuns(ctx: SystemCtx): Promise<void> {
  const now = ctx.clock.now().getTime()
  const daysAgo = (days: number) => new Date(now - days * 86_400_000)
  const runs = await findOldRuns(ctx, daysAgo(LOG_DAYS + LOOK_BACK_DAYS), daysAgo(LOG_DAYS))
  for (let at = 0; at < runs.length; at += AT_ONCE) {
    await sql`delete from task_run_logs where run_id = any(${runs.slice(at, at + AT_ONCE)}::bigint[])`.execute(ctx.db)
  }
  const before = daysAgo(TICK_DAYS)
  await sql`
    delete from trigger_events where happened_at < ${before} and (run_id is not null or dropped is not null)`.execute(
    ctx.db,
  )
  // A due time whose event still waits is kept with it.
  await sql`
    delete from schedule_ticks t where t.nominal_at < ${before} and t.outcome is not null
       and not exists (select 1 from trigger_events e where e.tick_id = t.id)`.execute(ctx.db)
  await deleteEmptyFlowRuns(ctx, daysAgo(1))
}

/** Flow runs whose only block run moved to a newer one or was deleted. */
async function deleteEmptyFlowRuns({ db }: SystemCtx, before: Date): Promise<void> {
  await sql`
    delete from flow_runs l where l.created_at < ${before}
       and not exists (select 1 from task_runs r where r.flow_run_id = l.id)`.execute(db)
}

async function findOldRuns({ db }: SystemCtx, from: Date, to: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from task_runs where finished_at >= ${from} and finished_at < ${to}`.execute(db)
  return rows.map(({ id }) => id)
}
