import { setTimeout } from 'node:timers/promises'
import { transaction } from '@trellis/control-db/database'
import { STATE_LIMITS, findOverdue } from '@trellis/dataflow-engine/runs/deadlines'
import { LEASE_MS } from '@trellis/dataflow-engine/runs/lease'
import { formatDuration } from '@trellis/dataflow-engine/schedules/in-words'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { decideNextAttempt } from './finish.ts'
import { type RunEnd, type RunProblem, endRun, readAttempts } from './finish.repository.ts'
import type { RunBlockerLookup } from './gate.ts'
import type { OnEnded } from './held-run.ts'
import * as repository from './reaper.repository.ts'
import type { RunEffects } from './run-effects.ts'

const MINUTE_MS = 60_000
const DEFAULT_ATTEMPTS = 5
const MAX_WAIT_PER_WORKSPACE_MS = 5000

export interface ReapOptions {
  readonly gate: RunBlockerLookup
  readonly fence: RunEffects['fence']
  readonly onEnded?: OnEnded
  /** How long a round waits for one workspace's database. */
  readonly patienceMs?: number
}

/** Retries or ends abandoned runs. Every worker does it; the first one wins. */
export async function reapLostRuns(ctx: SystemCtx, options: ReapOptions): Promise<{ taken: number }> {
  let takenCount = 0
  const lostRuns = (await repository.findLostRuns(ctx)).filter(({ workspace_id }) => !slowWorkspaces.has(workspace_id))
  const requeueAll = async (runs: readonly repository.LostRun[]) => {
    for (const run of runs) {
      const isClaimed = await requeueLostRun(ctx, run, options).catch((error: unknown) => {
        // One failure must not block the others.
        ctx.log.warn({ err: error, run: run.trellis_code }, 'A lost run could not be taken up; it is tried again.')
        return false
      })
      if (isClaimed) takenCount += 1
    }
  }
  const { patienceMs = MAX_WAIT_PER_WORKSPACE_MS } = options
  const byWorkspace = Map.groupBy(lostRuns, ({ workspace_id }) => workspace_id)
  await Promise.all([...byWorkspace].map(([id, runs]) => waitForWorkspace(id, requeueAll(runs), patienceMs)))
  await endOverdueRuns(ctx, options)
  for (const accountId of await repository.findBlockedAccounts(ctx)) {
    if ((await options.gate(accountId)) === null) await repository.unblockRuns(ctx, accountId)
  }
  return { taken: takenCount }
}

/** Workspaces with slow databases, where user code may run in triggers: nobody else waits for them. */
const slowWorkspaces = new Set<number>()

/** After `patienceMs` the work goes on in the background, and the workspace is skipped until it ends. */
async function waitForWorkspace(workspaceId: number, work: Promise<void>, patienceMs: number): Promise<void> {
  const timerAbort = new AbortController()
  const timeout = setTimeout(patienceMs, 'late' as const, { signal: timerAbort.signal }).catch(() => undefined)
  if ((await Promise.race([work, timeout])) === 'late') {
    slowWorkspaces.add(workspaceId)
    void work.finally(() => slowWorkspaces.delete(workspaceId))
  }
  timerAbort.abort()
}

/** Claims the run, then queues its next attempt or ends it. False if another worker was faster. */
async function requeueLostRun(ctx: SystemCtx, run: repository.LostRun, options: ReapOptions): Promise<boolean> {
  const { fence, onEnded } = options
  // One transaction: a crash between taking and queueing would leave the run for another lease.
  const claimed = await transaction(ctx, async (tx) => {
    const epoch = await repository.claimLostRun(tx, run)
    if (epoch === undefined) return undefined
    const end = await decideLostRunEnd(tx, run)
    await repository.insertLostRunLog(tx, run, toLogLine(end))
    if (end.status === 'QUEUED') await endRun(tx, { id: run.id, epoch }, toRunEnd(run, end))
    return { epoch, end }
  })
  if (!claimed) return false
  const { epoch, end } = claimed
  if (end.status === 'QUEUED') return true
  // Fence before ending a run; a run that continues is fenced by its next attempt.
  await fence(ctx, { ...run, epoch })
  if (await endRun(ctx, { id: run.id, epoch }, toRunEnd(run, end))) onEnded?.(run.id, end.status)
  return true
}

const toRunEnd = (run: repository.LostRun, end: ReapedEnd): RunEnd => ({
  ...end,
  counters: run.counters,
  hasProgressed: false,
  message: end.problem.message,
})

const NO_SIGN_OF_LIFE = `it gave no sign of life for ${formatDuration(LEASE_MS)}, as after a crash or without its database`

function toLogLine({ status, problem: { kind, message } }: ReapedEnd) {
  const level = status === 'QUEUED' ? ('WARNING' as const) : ('ERROR' as const)
  return { level, message: kind === 'lost' ? `${message.slice(0, -1)}: ${NO_SIGN_OF_LIFE}.` : message }
}

interface ReapedEnd {
  status: 'FAILED' | 'EXCEPTION' | 'QUEUED'
  waitMs?: number
  problem: RunProblem
}

async function decideLostRunEnd(ctx: Pick<SystemCtx, 'db'>, run: repository.LostRun): Promise<ReapedEnd> {
  if (run.is_cancel_wanted) return { status: 'FAILED', problem: createProblem('cancelled', 'The run was cancelled.') }
  const now = run.now.getTime()
  const limit =
    run.settings?.most_minutes === undefined ? {} : { runningLimitMs: run.settings.most_minutes * MINUTE_MS }
  const overdue = findOverdue({ status: run.status, since: now - run.stands_ms, ...limit }, now)
  if (overdue?.do === 'end') return { status: overdue.status, problem: createProblem('configuration', overdue.reason) }
  const lostAttempt = { problem: 'lost' as const, hasProgressed: false }
  const { status, waitMs } = decideNextAttempt(
    [...(await readAttempts(ctx, run.id)), lostAttempt],
    run.settings?.attempts ?? DEFAULT_ATTEMPTS,
  )
  const message = 'The worker that did this was lost.'
  return {
    status: status === 'SUCCESS' ? 'EXCEPTION' : status,
    ...(waitMs !== undefined && { waitMs }),
    problem: createProblem('lost', message),
  }
}

const createProblem = (kind: RunProblem['kind'], message: string): RunProblem => ({
  kind,
  message,
  advice: null,
  subtask: null,
})

/** Ends runs that have waited in the queue, or for their plan, longer than allowed. */
async function endOverdueRuns(ctx: SystemCtx, { onEnded }: ReapOptions): Promise<void> {
  const shortestLimit = Math.min(STATE_LIMITS.QUEUED ?? 0, STATE_LIMITS.SYSTEM_BLOCKED ?? 0)
  for (const run of await repository.findStuckRuns(ctx, shortestLimit)) {
    const overdue = findOverdue({ status: run.status, since: run.since.getTime() }, run.now.getTime())
    if (overdue?.do !== 'end') continue
    const kind = run.status === 'SYSTEM_BLOCKED' ? 'blocked' : 'system'
    const end = { status: overdue.status, problem: createProblem(kind, overdue.reason) }
    if (await repository.endStuckRun(ctx, run, end)) onEnded?.(run.id, overdue.status)
  }
}
