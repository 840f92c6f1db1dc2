import { STATE_LIMITS, findOverdue } from '@trellis/dataflow-engine/runs/deadlines'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { decisionOf } from './finish.ts'
import { type RunProblem, endRun, readAttempts } from './finish.repository.ts'
import { fenceRun } from './fence.ts'
import type { Gate } from './gate.ts'
import type { OnEnded } from './held-run.ts'
import * as repository from './reaper.repository.ts'

const MINUTE = 60_000
const DEFAULT_ATTEMPTS = 5

export interface Reaping {
  readonly gate: Gate
  readonly fence?: typeof fenceRun
  readonly onEnded?: OnEnded
}

/** Takes up what nobody looks after any more. Every worker does it, whoever comes first for a run. */
export async function reap(ctx: SystemCtx, options: Reaping): Promise<{ taken: number }> {
  let taken = 0
  for (const run of await repository.findLost(ctx)) {
    if (await takeUp(ctx, run, options)) taken += 1
  }
  await endOverdue(ctx, options)
  for (const accountId of await repository.findBlockedAccounts(ctx)) {
    if ((await options.gate(accountId)) === null) await repository.unblockRuns(ctx, accountId)
  }
  return { taken }
}

async function takeUp(ctx: SystemCtx, run: repository.LostRun, options: Reaping): Promise<boolean> {
  const { fence = fenceRun, onEnded } = options
  const epoch = await repository.takeLost(ctx, run)
  if (epoch === undefined) return false
  const held = { id: run.id, epoch }
  const end = await decide(ctx, run)
  // A run that ends here must leave nobody behind who could still commit; one that goes on is fenced by its next attempt.
  if (end.status !== 'QUEUED') await fence(ctx, { ...run, epoch })
  await endRun(ctx, held, { ...end, counters: run.counters, hasProgressed: false, message: end.problem.message })
  if (end.status !== 'QUEUED') onEnded?.(run.id, end.status)
  return true
}

interface ReapedEnd {
  status: 'FAILED' | 'EXCEPTION' | 'QUEUED'
  waitMs?: number
  problem: RunProblem
}

async function decide(ctx: SystemCtx, run: repository.LostRun): Promise<ReapedEnd> {
  if (run.is_cancel_wanted) return { status: 'FAILED', problem: problem('cancelled', 'The run was cancelled.') }
  const now = run.now.getTime()
  const limit = run.settings?.most_minutes === undefined ? {} : { runningLimitMs: run.settings.most_minutes * MINUTE }
  const overdue = findOverdue({ status: run.status, since: now - run.stands_ms, ...limit }, now)
  if (overdue?.do === 'end') return { status: overdue.status, problem: problem('configuration', overdue.reason) }
  const lost = { problem: 'lost' as const, hasProgressed: false }
  const { status, waitMs } = decisionOf(
    [...(await readAttempts(ctx, run.id)), lost],
    run.settings?.attempts ?? DEFAULT_ATTEMPTS,
  )
  const message = 'The worker that did this was lost.'
  return {
    status: status === 'SUCCESS' ? 'EXCEPTION' : status,
    ...(waitMs !== undefined && { waitMs }),
    problem: problem('lost', message),
  }
}

const problem = (kind: RunProblem['kind'], message: string): RunProblem => ({
  kind,
  message,
  advice: null,
  subtask: null,
})

async function endOverdue(ctx: SystemCtx, { onEnded }: Reaping): Promise<void> {
  const shortest = Math.min(STATE_LIMITS.QUEUED ?? 0, STATE_LIMITS.SYSTEM_BLOCKED ?? 0)
  for (const run of await repository.findStanding(ctx, shortest)) {
    const overdue = findOverdue({ status: run.status, since: run.since.getTime() }, run.now.getTime())
    if (overdue?.do !== 'end') continue
    const kind = run.status === 'SYSTEM_BLOCKED' ? 'blocked' : 'system'
    const end = { status: overdue.status, problem: problem(kind, overdue.reason) }
    if (await repository.endStanding(ctx, run, end)) onEnded?.(run.id, overdue.status)
  }
}
