import type { SaveSparkScheduleRequest, SparkSchedule } from '@trellis/contract/sparks/spark-schedules.schemas'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { assertSchedule, findNextTime } from '../../../platform/schedules/next-time.ts'
import { readValues } from '../content/parameter-values.ts'
import { getSparkRow, getVersionRow } from '../versions.ts'
import { type ScheduleRow, deleteSchedule, findSchedule, saveSchedule } from './schedules.repository.ts'

const toSchedule = ({ next_at, last_sent_at, created_at, ...row }: ScheduleRow): SparkSchedule => ({
  ...row,
  next_at: row.is_paused ? null : (next_at?.toISOString() ?? null),
  last_sent_at: last_sent_at?.toISOString() ?? null,
  created_at: created_at.toISOString(),
})

export async function getSparkSchedule(ctx: WorkspaceCtx, code: string): Promise<{ schedule: SparkSchedule | null }> {
  const spark = await getSparkRow(ctx, code)
  const row = await findSchedule(ctx, spark.id)
  return { schedule: row ? toSchedule(row) : null }
}

export async function saveSparkSchedule(
  ctx: WorkspaceCtx,
  code: string,
  body: SaveSparkScheduleRequest,
): Promise<SparkSchedule> {
  assertSchedule(body.schedule)
  const spark = await getSparkRow(ctx, code)
  readValues((await getVersionRow(ctx, spark, spark.shown_code)).content.parameters, body.parameters)
  const now = ctx.clock.now()
  const before = await findSchedule(ctx, spark.id)
  const next_at = findNextTime(body.schedule, { anchor: before?.created_at ?? now, after: now })
  await saveSchedule(ctx, spark.id, { ...body, next_at, now })
  ctx.http.addAuditDetail({ spark: spark.name })
  return toSchedule((await findSchedule(ctx, spark.id)) as ScheduleRow)
}

export async function deleteSparkSchedule(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  const spark = await getSparkRow(ctx, code)
  if (!(await deleteSchedule(ctx, spark.id))) {
    throw new AppError('not_found', 'There is nothing at this address, or you have no access to it.')
  }
  return { done: true }
}
