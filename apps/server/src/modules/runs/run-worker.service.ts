import type { AdmissionLimits } from '@trellis/dataflow-engine/policies/admission'
import type { SystemCtx } from '../../platform/ctx.ts'
import { observeRunEnd, observeRunStart } from '../../platform/metrics.ts'
import { notifyOfRun, notifyFailedRun } from '../dataflows/alerts.service.ts'
import { requeueLostUndos } from './loaded/undo-run.handler.ts'
import { createBatcher } from './runner/batcher.ts'
import { areWatched } from './runner/finish.repository.ts'
import { createRunBlockerLookup } from './runner/gate.ts'
import { listenToRuns } from './runner/listen.ts'
import { reapLostRuns } from './runner/reaper.ts'
import type { RunEffects } from './runner/run-effects.ts'
import { type RunLoopOptions, startRunLoop } from './runner/run-loop.ts'
import type { WorkTable } from './runner/run-work.ts'
import { startScheduler } from './triggers/scheduler.ts'
import { deliverSuccess } from './triggers/deliver-success.ts'
import { ALL_WORK } from './work/all-work.ts'
import { fenceRun } from './work/fence.ts'

export interface RunWorkerOptions {
  readonly ctx: SystemCtx
  /** A direct connection: LISTEN does not work through a pooler in transaction mode. */
  readonly url: string
  readonly limits: AdmissionLimits
  readonly work?: WorkTable
  readonly graceMs?: number
}

export interface RunWorker {
  stop(options?: { graceMs?: number }): Promise<void>
}

const REAP_INTERVAL_MS = 2000
const UNDO_CHECK_INTERVAL_MS = 15_000
const EFFECTS: RunEffects = { fence: fenceRun, succeed: deliverSuccess }

/** Any number of workers may run: the database assigns the work. */
export function startRunWorker(options: RunWorkerOptions): RunWorker {
  const { ctx, url } = options
  const gate = createRunBlockerLookup(ctx)
  const isWatched = createBatcher((ids: readonly number[]) => areWatched(ctx, ids))
  const publishRunStatus = async (runId: number, status: string) => {
    if (status === 'FAILED' || status === 'EXCEPTION') await notifyFailedRun(ctx, runId)
    if (await isWatched(runId)) await notifyOfRun(ctx, runId)
  }
  const onEnded = (runId: number, status: string) => {
    observeRunEnd(status)
    publishRunStatus(runId, status).catch((error: unknown) => {
      ctx.log.warn({ err: error, run: runId }, 'The end of a run could not be announced.')
    })
  }
  const onStarted = (run: { due_at: Date; attempt: number }) => {
    if (run.attempt === 1) observeRunStart((ctx.clock.now().getTime() - run.due_at.getTime()) / 1000)
  }
  const callbacks: Partial<RunLoopOptions> = { onStarted, onEnded, onLostRuns: () => reaper.begin() }
  const loop = startRunLoop({ ...options, gate, work: options.work ?? ALL_WORK, effects: EFFECTS, ...callbacks })
  const scheduler = startScheduler({ ctx, gate, onQueued: () => loop.wake() })
  const listener = listenToRuns({
    url,
    log: ctx.log,
    onMessage: (payload) => {
      if (payload === 'queued') loop.wake()
      else if (payload === 'cancel') loop.checkCancellations()
    },
  })
  const reaper = runRepeatedly(REAP_INTERVAL_MS, async () => {
    await reapLostRuns(ctx, { gate, fence: EFFECTS.fence, onEnded }).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'Runs that nobody looks after could not be looked for; it is tried again.')
    })
  })
  const undoChecker = runRepeatedly(UNDO_CHECK_INTERVAL_MS, async () => {
    await requeueLostUndos(ctx).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'Undos that nobody works on could not be looked for; it is tried again.')
    })
  })
  return {
    stop: async (stopOptions) => {
      await Promise.all([reaper.stop(), undoChecker.stop(), scheduler.stop()])
      await loop.stop(stopOptions)
      await listener.stop()
    },
  }
}

/** Runs `work` now and at intervals, never twice at once. */
function runRepeatedly(everyMs: number, work: () => Promise<void>): { begin(): void; stop(): Promise<void> } {
  let currentRun: Promise<void> | undefined
  const runNow = () => {
    currentRun ??= work().finally(() => (currentRun = undefined))
  }
  runNow()
  const timer = setInterval(runNow, everyMs)
  return {
    begin: runNow,
    stop: async () => {
      clearInterval(timer)
      await currentRun
    },
  }
}
