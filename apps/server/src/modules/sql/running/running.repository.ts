import { scoped } from '@trellis/control-db/scoped'
import type { PersonScope } from '../sql-jobs.repository.ts'

export interface RunningJob {
  readonly id: string
  readonly profile_id: number | null
  readonly integration_code: string
  readonly sql: string
  readonly status: string
  readonly backend_pid: number | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly first_name: string | null
  readonly surname: string | null
}

const MAX_LISTED = 500

const selectRunningJobs = (ctx: PersonScope) =>
  scoped(ctx, 'sql_jobs')
    .leftJoin('profiles', 'profiles.id', 'sql_jobs.profile_id')
    .select([
      'sql_jobs.id',
      'sql_jobs.profile_id',
      'sql_jobs.integration_code',
      'sql_jobs.sql',
      'sql_jobs.status',
      'sql_jobs.backend_pid',
      'sql_jobs.created_at',
      'sql_jobs.started_at',
      'profiles.first_name',
      'profiles.surname',
    ])
    .where('sql_jobs.workspace_id', '=', ctx.workspace.id)
    .where('sql_jobs.status', 'in', ['queued', 'running'])

export async function findGoingJobs(
  ctx: PersonScope,
  { aliveSince, isOfEverybody }: { aliveSince: Date; isOfEverybody: boolean },
): Promise<RunningJob[]> {
  let query = selectRunningJobs(ctx)
    .where('sql_jobs.heartbeat_at', '>', aliveSince)
    .orderBy('sql_jobs.created_at')
    .limit(MAX_LISTED)
  if (!isOfEverybody) query = query.where('sql_jobs.profile_id', '=', ctx.actor.profileId)
  return await query.execute()
}

export async function findGoingJob(ctx: PersonScope, id: string): Promise<RunningJob | undefined> {
  return await selectRunningJobs(ctx).where('sql_jobs.id', '=', id).executeTakeFirst()
}
