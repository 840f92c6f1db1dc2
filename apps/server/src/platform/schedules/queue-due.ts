import type { ScheduleValue } from '@trellis/contract/dataflows/schedules'
import { type Db, transaction } from '@trellis/control-db/database'
import { sql } from 'kysely'
import type { SystemCtx } from '../ctx.ts'
import { findNextTime } from './next-time.ts'

const MAX_DUE = 200

export interface DueRow {
  readonly id: number
  readonly workspace_id: number
  readonly schedule: ScheduleValue
  readonly next_at: Date
  readonly created_at: Date
}

export type ScheduleTable = 'ai_scheduled_questions' | 'spark_schedules'

/** Advancing the next time claims the row and commits with the job, so that no run is lost or doubled. */
export async function queueDue(
  ctx: SystemCtx,
  table: ScheduleTable,
  queue: (ctx: SystemCtx, row: DueRow) => Promise<void>,
): Promise<void> {
  const now = ctx.clock.now()
  for (const row of await findDueRows(ctx.db, table, now)) {
    const next = findNextTime(row.schedule, { anchor: row.created_at, after: now })
    await transaction(ctx, async (ctx) => {
      if (await moveNextAt(ctx.db, table, { ...row, next })) await queue(ctx, row)
    })
  }
}

async function findDueRows(db: Db, table: ScheduleTable, now: Date): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    select id, workspace_id, schedule, next_at, created_at from ${sql.table(table)}
     where not is_paused and next_at <= ${now} order by next_at limit ${MAX_DUE}`.execute(db)
  return rows
}

/** False if another worker was first. Compares milliseconds, since Dates have no microseconds. */
export async function moveNextAt(
  db: Db,
  table: ScheduleTable,
  { id, next_at, next }: { id: number; next_at: Date; next: Date | null },
): Promise<boolean> {
  const { rows } = await sql`
    update ${sql.table(table)} set next_at = ${next}
     where id = ${id} and date_trunc('milliseconds', next_at) = ${next_at} returning id`.execute(db)
  return rows.length > 0
}
