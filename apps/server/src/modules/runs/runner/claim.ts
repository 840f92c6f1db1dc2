import { transaction } from '@trellis/control-db/database'
import { type AdmissionLimits, chooseAdmitted } from '@trellis/dataflow-engine/policies/admission'
import type { SystemCtx } from '../../../platform/ctx.ts'
import * as repository from './claim.repository.ts'
import { endRun } from './finish.repository.ts'
import type { RunBlockerLookup } from './gate.ts'
import type { ClaimedRun, HeldRun, OnEnded } from './held-run.ts'

export interface ClaimOptions {
  readonly worker: string
  readonly limits: AdmissionLimits
  readonly free: number
  readonly gate: RunBlockerLookup
  readonly onEnded?: OnEnded | undefined
}

/** May leave some: it takes one per workspace at a time. */
export async function claimNext(ctx: SystemCtx, options: ClaimOptions): Promise<HeldRun[]> {
  if (!(await repository.hasQueued(ctx))) return []
  const claimedRuns = await transaction(ctx, async (tx) => {
    await repository.lockClaims(tx)
    const { active, queued } = await repository.findDemands(tx, options)
    const ids = chooseAdmitted(queued, active, { ...options.limits, free: options.free }).map(Number)
    return await repository.claimRuns(tx, { ids, worker: options.worker })
  })
  try {
    return await prepareClaimedRuns(ctx, claimedRuns, options)
  } catch (error) {
    await repository.requeueRuns(ctx, claimedRuns, 'QUEUED')
    throw error
  }
}

/** Begins the attempts of runs that may start; requeues those of blocked accounts, ends those whose block is gone. */
async function prepareClaimedRuns(
  ctx: SystemCtx,
  claimedRuns: readonly ClaimedRun[],
  options: ClaimOptions,
): Promise<HeldRun[]> {
  const runs = await repository.readHeldRuns(ctx, claimedRuns)
  const blockers = await Promise.all(runs.map(({ account_id }) => options.gate(account_id)))
  const orphanedRuns = runs.filter(({ gone: orphanedBy }) => orphanedBy)
  const isHeldBack = (index: number) => typeof blockers[index] === 'string'
  const blockedRuns = runs.filter(({ gone: orphanedBy }, index) => !orphanedBy && isHeldBack(index))
  const readyRuns = runs.filter(({ gone: orphanedBy }, index) => !orphanedBy && !isHeldBack(index))
  await repository.requeueRuns(ctx, blockedRuns, 'SYSTEM_BLOCKED')
  await repository.beginAttempts(ctx, readyRuns, options.worker)
  for (const run of orphanedRuns) {
    await endOrphanedRun(ctx, run)
    options.onEnded?.(run.id, 'FAILED')
  }
  return readyRuns
}

const NOT_READY = 'The database of the workspace was not ready when this run should have begun.'

async function endOrphanedRun(ctx: SystemCtx, run: HeldRun): Promise<void> {
  const message = run.gone === 'database' ? NOT_READY : `The ${run.gone} was deleted before this run began.`
  await endRun(ctx, run, {
    status: 'FAILED',
    problem: { kind: 'configuration', message, advice: null, subtask: null },
    counters: run.counters,
    hasProgressed: false,
    message,
  })
}
