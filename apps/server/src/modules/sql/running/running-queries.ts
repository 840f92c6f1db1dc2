import type { RunningQueries, RunningQuery, StopQuery } from '@trellis/contract/sql/running.schemas'
import {
  type RunningSession,
  findRunningSessions,
  stopRunningSession,
} from '@trellis/workspace-db/roles/running-sessions'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { listDatabaseLogins } from '../../database-admin/sessions.service.ts'
import { managedCode, openDatabase } from '../../../platform/workspace-database/open-database.ts'
import { findLiveJob, findTransactionHere } from '../live-jobs.ts'
import { requestCancel } from '../sql-jobs.repository.ts'
import { LOST_MS } from '../sql-limits.ts'
import { type OpenTransaction, findOpenTransactions, requestEnd } from '../transactions/transactions.repository.ts'
import { type RunningJob, findGoingJob, findGoingJobs } from './running.repository.ts'

const isAdmin = ({ workspace }: WorkspaceCtx) => workspace.role === 'workspace_admin'

export async function listRunningQueries(ctx: WorkspaceCtx): Promise<RunningQueries> {
  const aliveSince = new Date(ctx.clock.now().getTime() - LOST_MS)
  const jobs = await findGoingJobs(ctx, { aliveSince, isOfEverybody: isAdmin(ctx) })
  const code = managedCode(ctx.workspace.code)
  const database = await openDatabase(ctx, code)
  const sessions = await findRunningSessions(database.cluster, database)
  const logins = await listDatabaseLogins(ctx, code)
  const open = await findOpenTransactions(ctx)
  // Another query may use the session by now.
  const findJob = (session: RunningSession) =>
    jobs.find((job) => job.integration_code === code && job.backend_pid === session.pid)
  const nameSession = (pid: number): string => {
    const session = sessions.find((runningSession) => runningSession.pid === pid)
    const job = (session && findJob(session)) ?? open.find(({ backend_pid }) => backend_pid === pid)
    return (job && toName(job)) ?? (session?.kind === 'external' ? logins.get(session.user) : undefined) ?? 'Trellis'
  }
  const toBlockers = (session: RunningSession | undefined) =>
    (session?.blockedBy ?? []).map((pid) => ({ pid, who: nameSession(pid) }))
  const queries = jobs.map((job) => {
    const session = sessions.find((runningSession) => findJob(runningSession)?.id === job.id)
    return { ...toQuery(ctx, job), blocked_by: toBlockers(session) }
  })
  const idle = open.flatMap((transaction) => toIdleTransaction(ctx, transaction, { jobs, sessions }))
  if (!isAdmin(ctx)) return { items: [...queries, ...idle.filter(({ is_mine }) => is_mine)] }
  const others = sessions
    .filter((session) => !findJob(session) && !idle.some(({ pid }) => pid === session.pid))
    .map((session): RunningQuery => {
      const isTool = session.kind === 'external'
      return {
        pid: session.pid,
        kind: isTool ? 'tool' : 'platform',
        job_id: null,
        transaction_id: null,
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
  return { items: [...queries, ...idle, ...others] }
}

function toIdleTransaction(
  ctx: WorkspaceCtx,
  transaction: OpenTransaction,
  { jobs, sessions }: { jobs: readonly RunningJob[]; sessions: readonly RunningSession[] },
): RunningQuery[] {
  const session = sessions.find(({ pid }) => pid === transaction.backend_pid)
  if (!session || jobs.some((job) => job.backend_pid === session.pid)) return []
  return [
    {
      pid: session.pid,
      kind: 'worksheet',
      job_id: null,
      transaction_id: transaction.id,
      integration_trellis_code: transaction.integration_code,
      person: toName(transaction) ?? null,
      login: null,
      application: null,
      address: null,
      state: 'idle_in_transaction',
      since: transaction.idle_since.toISOString(),
      blocked_by: [],
      query: 'Open transaction (manual commit)',
      is_mine: transaction.profile_id === ctx.actor.profileId,
    },
  ]
}

const toName = ({ first_name, surname }: { first_name: string | null; surname: string | null }): string | undefined =>
  first_name === null ? undefined : `${first_name} ${surname ?? ''}`.trim()

const toQuery = (ctx: WorkspaceCtx, job: RunningJob): Omit<RunningQuery, 'blocked_by'> => ({
  pid: job.backend_pid,
  kind: 'worksheet',
  job_id: job.id,
  transaction_id: null,
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

const notRunningError = () => new AppError('not_found', 'This query has ended already, or it is not yours.')

export async function stopRunningQuery(ctx: WorkspaceCtx, query: StopQuery): Promise<{ done: true }> {
  const { job_id, transaction_id, pid, force } = query
  if (job_id !== undefined) return await stopJob(ctx, job_id)
  if (transaction_id !== undefined) return await stopOpenTransaction(ctx, transaction_id)
  if (pid === undefined) throw new AppError('invalid_request', 'Name the query by its job or its session.')
  if (!isAdmin(ctx)) throw notRunningError()
  ctx.http.addAuditDetail({ session: String(pid) })
  const { cluster, key } = await openDatabase(ctx, managedCode(ctx.workspace.code))
  if (!(await stopRunningSession(cluster, { key, pid, force }))) throw notRunningError()
  return { done: true }
}

async function stopJob(ctx: WorkspaceCtx, id: string): Promise<{ done: true }> {
  const job = await findGoingJob(ctx, id)
  if (!job || (job.profile_id !== ctx.actor.profileId && !isAdmin(ctx))) throw notRunningError()
  ctx.http.addAuditDetail({ query: id, person: job.profile_id === null ? '' : String(job.profile_id) })
  // A job of another process is cancelled with its next heartbeat.
  await requestCancel(ctx, id, ctx.clock.now())
  const live = findLiveJob(id)
  live?.cancel()
  await live?.finished
  return { done: true }
}

async function stopOpenTransaction(ctx: WorkspaceCtx, id: string): Promise<{ done: true }> {
  const openTransaction = (await findOpenTransactions(ctx)).find((transaction) => transaction.id === id)
  if (!openTransaction || (openTransaction.profile_id !== ctx.actor.profileId && !isAdmin(ctx))) throw notRunningError()
  ctx.http.addAuditDetail({ transaction: id, person: String(openTransaction.profile_id) })
  await requestEnd(ctx, id, 'stop')
  const live = findTransactionHere(id)
  live?.cancel()
  await live?.finished
  return { done: true }
}
