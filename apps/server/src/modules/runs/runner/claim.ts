import { transaction } from '@trellis/control-db/database'
import { type AdmissionLimits, chooseAdmitted } from '@trellis/dataflow-engine/policies/admission'
import type { SystemCtx } from '../../../platform/ctx.ts'
import * as repository from './claim.repository.ts'
import { endRun } from './finish.repository.ts'
import type { Gate } from './gate.ts'
import type { ClaimedRun, HeldRun, OnEnded } from './held-run.ts'

export interface ClaimOptions {
  readonly worker: string
  readonly limits: AdmissionLimits
  readonly free: number
  readonly gate: Gate
  readonly onEnded?: OnEnded | undefined
}

/** May leave some: it takes one per workspace at a time. */
export async function claimNext(ctx: SystemCtx, claiming: ClaimOptions): Promise<HeldRun[]> {
  if (!(await repository.hasQueued(ctx))) return []
  const claimed = await transaction(ctx, async (open) => {
    await repository.lockClaims(open)
    const { active, queued } = await repository.findDemands(open, claiming)
    const ids = chooseAdmitted(queued, active, { ...claiming.limits, free: claiming.free }).map(Number)
    return await repository.claimRuns(open, { ids, worker: claiming.worker })
  })
  try {
    return await prepare(ctx, claimed, claiming)
  } catch (error) {
    await repository.requeueRuns(ctx, claimed, 'QUEUED')
    throw error
  }
}

async function prepare(ctx: SystemCtx, claimed: readonly ClaimedRun[], claiming: ClaimOptions): Promise<HeldRun[]> {
  const runs = await repository.readHeldRuns(ctx, claimed)
  const gates = await Promise.all(runs.map(({ account_id }) => claiming.gate(account_id)))
  const over = runs.filter(({ gone }) => gone)
  const isBlocked = (at: number) => typeof gates[at] === 'string'
  const blocked = runs.filter(({ gone }, at) => !gone && isBlocked(at))
  const ready = runs.filter(({ gone }, at) => !gone && !isBlocked(at))
  await repository.requeueRuns(ctx, blocked, 'SYSTEM_BLOCKED')
  await repository.beginAttempts(ctx, ready, claiming.worker)
  for (const run of over) {
    await endGone(ctx, run)
    claiming.onEnded?.(run.id, 'FAILED')
  }
  return ready
}

const NOT_READY = 'The database of the workspace was not ready when this run should have begun.'

async function endGone(ctx: SystemCtx, run: HeldRun): Promise<void> {
  const message = run.gone === 'database' ? NOT_READY : `The ${run.gone} was deleted before this run began.`
  await endRun(ctx, run, {
    status: 'FAILED',
    problem: { kind: 'configuration', message, advice: null, subtask: null },
    counters: run.counters,
    hasProgressed: false,
    message,
  })
}
