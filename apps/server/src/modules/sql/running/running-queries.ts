import type { RunningQueries, RunningQuery, StopQuery } from '@trellis/contract/sql/running.schemas'
import {
  type RunningSession,
  findRunningSessions,
  stopRunningSession,
} from '@trellis/workspace-db/roles/running-sessions'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { listDatabaseLogins } from '../../database-admin/sessions.service.ts'
import { managedCode, openDatabase } from '../../explorer/database.service.ts'
import { findLiveJob } from '../live-jobs.ts'
import { requestCancel } from '../sql-jobs.repository.ts'
import { LOST_MS } from '../sql-jobs.ts'
import { type GoingJob, findGoingJob, findGoingJobs } from './running.repository.ts'

const isAdmin = ({ workspace }: WorkspaceCtx) => workspace.role === 'workspace_admin'

export async function listRunningQueries(ctx: WorkspaceCtx): Promise<RunningQueries> {
  const aliveSince = new Date(ctx.clock.now().getTime() - LOST_MS)
  const jobs = await findGoingJobs(ctx, { aliveSince, isOfEverybody: isAdmin(ctx) })
  const code = managedCode(ctx.workspace.code)
  const database = await openDatabase(ctx, code)
  const sessions = await findRunningSessions(database.cluster, database)
  const logins = await listDatabaseLogins(ctx, code)
  // A session may have been taken over by another query since the job last told its number.
  const jobOf = (session: RunningSession) =>
    jobs.find((job) => job.integration_code === code && job.backend_pid === session.pid)
  const nameSession = (pid: number): string => {
    const session = sessions.find((one) => one.pid === pid)
    const job = session && jobOf(session)
    return (job && toName(job)) ?? (session?.kind === 'external' ? logins.get(session.user) : undefined) ?? 'Trellis'
  }
  const toBlockers = (session: RunningSession | undefined) =>
    (session?.blockedBy ?? []).map((pid) => ({ pid, who: nameSession(pid) }))
  const queries = jobs.map((job) => {
    const session = sessions.find((one) => jobOf(one)?.id === job.id)
    return { ...toQuery(ctx, job), blocked_by: toBlockers(session) }
  })
  if (!isAdmin(ctx)) return { items: queries }
  const others = sessions
    .filter((session) => !jobOf(session))
    .map((session): RunningQuery => {
      const isTool = session.kind === 'external'
      return {
        pid: session.pid,
        kind: isTool ? 'tool' : 'platform',
        job_id: null,
        integration_trellis_code: code,
        person: isTool ? (logins.get(session.user) ?? null) : null,
        login: isTool ? session.user : null,
        application: isTool ? session.application || null : null,
        address: isTool ? session.address : null,
        state: session.state === 'active' ? 'running' : 'idle_in_transaction',
        since: session.since.toISOString(),
        blocked_by: toBlockers(session),
        query: session.query,
        is_mine: false,
      }
    })
  return { items: [...queries, ...others] }
}

const toName = ({ first_name, surname }: GoingJob): string | undefined =>
  first_name === null ? undefined : `${first_name} ${surname ?? ''}`.trim()

const toQuery = (ctx: WorkspaceCtx, job: GoingJob): Omit<RunningQuery, 'blocked_by'> => ({
  pid: job.backend_pid,
  kind: 'worksheet',
  job_id: job.id,
  integration_trellis_code: job.integration_code,
  person: toName(job) ?? null,
  login: null,
  application: null,
  address: null,
  state: job.status === 'queued' ? 'queued' : 'running',
  since: (job.started_at ?? job.created_at).toISOString(),
  query: job.sql,
  is_mine: job.profile_id === ctx.actor.profileId,
})

const notRunning = () => new AppError('not_found', 'This query has ended already, or it is not yours.')

export async function stopRunningQuery(ctx: WorkspaceCtx, { job_id, pid, force }: StopQuery): Promise<{ done: true }> {
  if (job_id !== undefined) return await stopJob(ctx, job_id)
  if (pid === undefined) throw new AppError('invalid_request', 'Name the query by its job or its session.')
  if (!isAdmin(ctx)) throw notRunning()
  ctx.wire.note({ session: String(pid) })
  const { cluster, key } = await openDatabase(ctx, managedCode(ctx.workspace.code))
  if (!(await stopRunningSession(cluster, { key, pid, force }))) throw notRunning()
  return { done: true }
}

async function stopJob(ctx: WorkspaceCtx, id: string): Promise<{ done: true }> {
  const job = await findGoingJob(ctx, id)
  if (!job || (job.profile_id !== ctx.actor.profileId && !isAdmin(ctx))) throw notRunning()
  ctx.wire.note({ query: id, person: job.profile_id === null ? '' : String(job.profile_id) })
  // A job of another process hears of it with its next heartbeat.
  await requestCancel(ctx, id, ctx.clock.now())
  const live = findLiveJob(id)
  live?.cancel()
  await live?.finished
  return { done: true }
}
