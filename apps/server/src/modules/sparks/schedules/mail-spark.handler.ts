import { createHash } from 'node:crypto'
import { isPlanOver } from '@trellis/contract/billing/plans'
import { enqueue } from '@trellis/jobs/enqueue'
import type { JobRun } from '@trellis/jobs/attempt'
import { AppError } from '../../../platform/app-error.ts'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { queueMail } from '../../../platform/mail/queue-mail.ts'
import { toPersonCtx } from '../../../platform/person-ctx.ts'
import { queueDue } from '../../../platform/schedules/queue-due.ts'
import { mailSpark } from '../sparks.jobs.ts'
import { readSpark } from './read-spark.ts'
import { findScheduleToSend, finishScheduledRun } from './schedules.repository.ts'
import { toMail } from './to-mail.ts'

export async function handleQueueSparkMails(ctx: SystemCtx): Promise<void> {
  await queueDue(ctx, 'spark_schedules', async (ctx, { id, workspace_id }) => {
    await enqueue(ctx, mailSpark, { schedule_id: id }, { group: String(workspace_id) })
  })
}

export async function handleMailSpark(
  ctx: SystemCtx,
  { schedule_id }: { schedule_id: number },
  run: JobRun,
): Promise<void> {
  const schedule = await findScheduleToSend(ctx.db, schedule_id)
  if (!schedule) return
  const last_sent_at = ctx.clock.now()
  const fail = async (problem: string) =>
    await finishScheduledRun(ctx.db, schedule.id, { last_sent_at, last_outcome: 'failed', last_problem: problem })
  const person = toPersonCtx(ctx, schedule, run.signal)
  if (!person) return await fail('Its person has no access to this workspace any more.')
  if (isPlanOver(schedule, last_sent_at)) return await fail('The plan of this account has ended.')
  try {
    const spark = await readSpark(person, schedule.spark_code, schedule.parameters)
    const last_rows = createHash('sha256')
      .update(JSON.stringify(spark.rows.map((row) => row.data.rows)))
      .digest('hex')
    const end = { last_sent_at, last_problem: null }
    if (schedule.only_if_changed && last_rows === schedule.last_rows) {
      return await finishScheduledRun(ctx.db, schedule.id, { ...end, last_outcome: 'unchanged' })
    }
    await queueMail(ctx, { to: schedule.email, mail: toMail(person, spark) })
    await finishScheduledRun(ctx.db, schedule.id, { ...end, last_outcome: 'mailed', last_rows })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await fail(error.message)
  }
}
