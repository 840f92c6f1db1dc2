import { setTimeout } from 'node:timers/promises'
import { transaction } from '@trellis/control-db/database'
import { STATE_LIMITS, findOverdue } from '@trellis/dataflow-engine/runs/deadlines'
import { LEASE_MS } from '@trellis/dataflow-engine/runs/lease'
import { formatDuration } from '@trellis/dataflow-engine/schedules/in-words'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { decideNext } from './finish.ts'
import { type RunEnd, type RunProblem, endRun, readAttempts } from './finish.repository.ts'
import type { Gate } from './gate.ts'
import type { OnEnded } from './held-run.ts'
import * as repository from './reaper.repository.ts'
import type { RunEffects } from './run-effects.ts'

const MINUTE = 60_000
const DEFAULT_ATTEMPTS = 5
const PATIENCE_MS = 5000

export interface ReapOptions {
  readonly gate: Gate
  readonly fence: RunEffects['fence']
  readonly onEnded?: OnEnded
  /** How long a round waits for one workspace's database. */
  readonly patienceMs?: number
}

/** Retries or ends abandoned runs. Every worker does it; the first one wins. */
export async function reapLostRuns(ctx: SystemCtx, options: ReapOptions): Promise<{ taken: number }> {
  let taken = 0
  const lostRuns = (await repository.findLost(ctx)).filter(({ workspace_id }) => !slow.has(workspace_id))
  const requeueAll = async (runs: readonly repository.LostRun[]) => {
    for (const run of runs) {
      const isTaken = await requeueLostRun(ctx, run, options).catch((error: unknown) => {
        // One failure must not block the others.
        ctx.log.warn({ err: error, run: run.trellis_code }, 'A lost run could not be taken up; it is tried again.')
        return false
      })
      if (isTaken) taken += 1
    }
  }
  const { patienceMs = PATIENCE_MS } = options
  const byWorkspace = Map.groupBy(lostRuns, ({ workspace_id }) => workspace_id)
  await Promise.all([...byWorkspace].map(([id, runs]) => waitAtMost(id, requeueAll(runs), patienceMs)))
  await endOverdue(ctx, options)
  for (const accountId of await repository.findBlockedAccounts(ctx)) {
    if ((await options.gate(accountId)) === null) await repository.unblockRuns(ctx, accountId)
  }
  return { taken }
}

/** Workspaces with slow databases, where user code may run in triggers: nobody else waits for them. */
const slow = new Set<number>()

async function waitAtMost(workspaceId: number, work: Promise<void>, patienceMs: number): Promise<void> {
  const patience = new AbortController()
  const late = setTimeout(patienceMs, 'late' as const, { signal: patience.signal }).catch(() => undefined)
  if ((await Promise.race([work, late])) === 'late') {
    slow.add(workspaceId)
    void work.finally(() => slow.delete(workspaceId))
  }
  patience.abort()
}

async function requeueLostRun(ctx: SystemCtx, run: repository.LostRun, options: ReapOptions): Promise<boolean> {
  const { fence, onEnded } = options
  // One transaction: a crash between taking and queueing would leave the run for another lease.
  const taken = await transaction(ctx, async (open) => {
    const epoch = await repository.claimLostRun(open, run)
    if (epoch === undefined) return undefined
    const end = await decide(open, run)
    await repository.insertLostRunLog(open, run, describeEnd(end))
    if (end.status === 'QUEUED') await endRun(open, { id: run.id, epoch }, toRunEnd(run, end))
    return { epoch, end }
  })
  if (!taken) return false
  const { epoch, end } = taken
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

const SILENT = `it gave no sign of life for ${formatDuration(LEASE_MS)}, as after a crash or without its database`

function describeEnd({ status, problem: { kind, message } }: ReapedEnd) {
  const level = status === 'QUEUED' ? ('WARNING' as const) : ('ERROR' as const)
  return { level, message: kind === 'lost' ? `${message.slice(0, -1)}: ${SILENT}.` : message }
}

interface ReapedEnd {
  status: 'FAILED' | 'EXCEPTION' | 'QUEUED'
  waitMs?: number
  problem: RunProblem
}

async function decide(ctx: Pick<SystemCtx, 'db'>, run: repository.LostRun): Promise<ReapedEnd> {
  if (run.is_cancel_wanted) return { status: 'FAILED', problem: createProblem('cancelled', 'The run was cancelled.') }
  const now = run.now.getTime()
  const limit = run.settings?.most_minutes === undefined ? {} : { runningLimitMs: run.settings.most_minutes * MINUTE }
  const overdue = findOverdue({ status: run.status, since: now - run.stands_ms, ...limit }, now)
  if (overdue?.do === 'end') return { status: overdue.status, problem: createProblem('configuration', overdue.reason) }
  const lost = { problem: 'lost' as const, hasProgressed: false }
  const { status, waitMs } = decideNext(
    [...(await readAttempts(ctx, run.id)), lost],
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

async function endOverdue(ctx: SystemCtx, { onEnded }: ReapOptions): Promise<void> {
  const shortest = Math.min(STATE_LIMITS.QUEUED ?? 0, STATE_LIMITS.SYSTEM_BLOCKED ?? 0)
  for (const run of await repository.findStuckRuns(ctx, shortest)) {
    const overdue = findOverdue({ status: run.status, since: run.since.getTime() }, run.now.getTime())
    if (overdue?.do !== 'end') continue
    const kind = run.status === 'SYSTEM_BLOCKED' ? 'blocked' : 'system'
    const end = { status: overdue.status, problem: createProblem(kind, overdue.reason) }
    if (await repository.endStuckRun(ctx, run, end)) onEnded?.(run.id, overdue.status)
  }
}
