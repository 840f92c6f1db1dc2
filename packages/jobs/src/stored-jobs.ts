import { fromKysely } from 'pg-boss'
import type { EnqueueCtx } from './enqueue.ts'
import { SCHEMA } from './queue.ts'

export interface StoredJob {
  id: string
  job: string
  state: 'waiting' | 'running' | 'failed'
  attempts: number
  error: { name: string; message: string; code?: string } | null
  createdAt: Date
  endedAt: Date | null
}

interface ListOptions {
  onlyFailed?: boolean
  id?: string | undefined
  limit?: number | undefined
}

export async function listJobs(ctx: EnqueueCtx, options: ListOptions = {}): Promise<StoredJob[]> {
  const { rows } = await fromKysely(ctx.db).executeSql(
    `select id, name as job, retry_count + 1 as attempts, output as error, created_on as "createdAt",
            completed_on as "endedAt",
            case state when 'failed' then 'failed' when 'active' then 'running' else 'waiting' end as state
       from ${SCHEMA}.job
      where state in ('failed', 'active', 'retry', 'created') and (not $1 or state = 'failed')
        and ($2::text is null or id::text = $2)
      order by coalesce(completed_on, created_on) desc, id limit $3`,
    [options.onlyFailed ?? false, options.id ?? null, options.limit ?? 100],
  )
  return rows as StoredJob[]
}

export async function retryFailedJob(ctx: EnqueueCtx, failed: { job: string; id: string }): Promise<boolean> {
  const { rows } = await fromKysely(ctx.db).executeSql(
    `update ${SCHEMA}.job set state = 'retry', completed_on = null, start_after = now(), retry_limit = retry_count + 1
     where name = $1 and id = $2 and state = 'failed' returning id`,
    [failed.job, failed.id],
  )
  return rows.length > 0
}
