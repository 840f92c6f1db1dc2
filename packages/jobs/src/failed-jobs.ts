import { fromKysely } from 'pg-boss'
import type { EnqueueCtx } from './enqueue.ts'
import { SCHEMA } from './queue.ts'

export interface FailedJob {
  id: string
  job: string
  attempts: number
  error: { name: string; message: string; code?: string } | null
  createdAt: Date
  failedAt: Date
}

/** Jobs that ended without success, newest first; they are kept for 14 days. */
export async function listFailedJobs(ctx: EnqueueCtx, options: { limit?: number } = {}): Promise<FailedJob[]> {
  const { rows } = await fromKysely(ctx.db).executeSql(
    `select id, name as job, retry_count + 1 as attempts, output as error, created_on as "createdAt", completed_on as "failedAt"
     from ${SCHEMA}.job where state = 'failed' order by completed_on desc, id limit $1`,
    [options.limit ?? 100],
  )
  return rows as FailedJob[]
}

/** Puts a failed job back in its queue for one more attempt. Says whether there was such a job. */
export async function retryFailedJob(ctx: EnqueueCtx, failed: { job: string; id: string }): Promise<boolean> {
  const { rows } = await fromKysely(ctx.db).executeSql(
    `update ${SCHEMA}.job set state = 'retry', completed_on = null, start_after = now(), retry_limit = retry_count + 1
     where name = $1 and id = $2 and state = 'failed' returning id`,
    [failed.job, failed.id],
  )
  return rows.length > 0
}
