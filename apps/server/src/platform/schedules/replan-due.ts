import { sql } from 'kysely'
import type { SystemCtx } from '../ctx.ts'
import { findNextTime } from './next-time.ts'
import { type DueRow, moveNextAt, type ScheduleTable } from './queue-due.ts'

const TABLES: readonly ScheduleTable[] = ['ai_scheduled_questions', 'spark_schedules']
const ROWS_AT_ONCE = 500
/** Larger than the clock differences between workers, so that nothing fires twice. */
export const CLOCK_SLACK_MS = 60_000

/** Fixes next times computed while the clock was ahead. */
export async function replanDue(ctx: SystemCtx): Promise<void> {
  const now = ctx.clock.now().getTime()
  for (const table of TABLES) {
    let last = 0
    for (;;) {
      const rows = await findPlannedRows(ctx, table, { after: last, from: new Date(now + CLOCK_SLACK_MS) })
      for (const row of rows) {
        last = row.id
        const anchor = new Date(Math.min(row.created_at.getTime(), now))
        const next = findNextTime(row.schedule, { anchor, after: new Date(now + CLOCK_SLACK_MS) })
        if (next !== null && next < row.next_at) await moveNextAt(ctx.db, table, { ...row, next })
      }
      if (rows.length < ROWS_AT_ONCE) break
    }
  }
}

async function findPlannedRows(
  { db }: SystemCtx,
  table: ScheduleTable,
  { after, from }: { after: number; from: Date },
): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    select id, workspace_id, schedule, next_at, created_at from ${sql.table(table)}
     where not is_paused and next_at > ${from} and id > ${after} order by id limit ${ROWS_AT_ONCE}`.execute(db)
  return rows
}
