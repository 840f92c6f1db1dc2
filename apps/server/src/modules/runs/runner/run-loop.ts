import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { AdmissionLimits } from '@trellis/dataflow-engine/policies/admission'
import { HEARTBEAT_MS, LEASE_MS } from '@trellis/dataflow-engine/runs/lease'
import type { SystemCtx } from '../../../platform/ctx.ts'
import type { OnEnded } from './held-run.ts'
import { type RunningAttempt, startAttempt } from './attempt.ts'
import { claimNext } from './claim.ts'
import { releaseUnknownRuns } from './claim.repository.ts'
import { type RunBlockerLookup, createRunBlockerLookup } from './gate.ts'
import { saveHeartbeats } from './heartbeat.repository.ts'
import type { RunEffects } from './run-effects.ts'
import { openRunLogs } from './run-log.ts'
import type { WorkTable } from './run-work.ts'
import { createRunWriter } from './run-writer.ts'
import { createWaker } from './waker.ts'

export interface RunLoopOptions {
  readonly ctx: SystemCtx
  readonly work: WorkTable
  readonly effects: RunEffects
  readonly limits: AdmissionLimits
  readonly gate?: RunBlockerLookup
  readonly worker?: string
  readonly graceMs?: number
  readonly onStarted?: (run: RunningAttempt['run']) => void
  readonly onEnded?: OnEnded
  readonly onLostRuns?: () => void
}

export interface RunLoop {
  readonly worker: string
  wake(): void
  /** Check for cancellations now. */
  checkCancellations(): void
  /** Starts nothing more; active runs are requeued once they have stopped. */
  stop(options?: { graceMs?: number }): Promise<void>
}

const POLL_MS = 1000
const BEAT_INTERVAL_MS = 1000

const generateWorkerName = (): string => `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`

export function startRunLoop(options: RunLoopOptions): RunLoop {
  const { ctx, limits, worker = generateWorkerName(), gate = createRunBlockerLookup(ctx) } = options
  const waker = createWaker()
  const running = new Map<number, RunningAttempt>()
  const logs = openRunLogs(ctx)
  const leaseKeeper = startLeaseKeeper(ctx, running)
  const { work, effects, graceMs = 10_000 } = options
  const deps = { ctx, work, effects, logs, writer: createRunWriter(ctx), graceMs }
  const stopping = new AbortController()
  let mayHoldUnknownRuns = false

  const startRun = (run: RunningAttempt['run']) => {
    const attempt = startAttempt(deps, run)
    running.set(run.id, attempt)
    options.onStarted?.(run)
    void attempt.done.then(({ status }) => {
      running.delete(run.id)
      mayHoldUnknownRuns ||= status === null
      if (status !== null && status !== 'QUEUED') options.onEnded?.(run.id, status)
      waker.wake()
    })
  }
  const claimAndStart = async (): Promise<boolean> => {
    if (mayHoldUnknownRuns) {
      const released = await releaseUnknownRuns(ctx, worker, [...running.keys()])
      mayHoldUnknownRuns = false
      if (released > 0) options.onLostRuns?.()
    }
    const free = limits.total - running.size
    if (free <= 0) return false
    const runs = await claimNext(ctx, { worker, limits, free, gate, onEnded: options.onEnded })
    for (const run of runs) startRun(run)
    return runs.length > 0
  }
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const hasBegun = await claimAndStart().catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'Queued runs could not be claimed; the next poll tries again.')
        mayHoldUnknownRuns = true
        return false
      })
      if (!hasBegun) await waker.wait(POLL_MS)
    }
  })()

  return {
    worker,
    wake: () => waker.wake(),
    checkCancellations: () => leaseKeeper.look(),
    stop: async ({ graceMs = 1000 } = {}) => {
      stopping.abort()
      waker.wake()
      await loop
      const listEnds = () => [...running.values()].map(({ done }) => done)
      await waitAtMost(Promise.all(listEnds()), graceMs)
      for (const attempt of running.values()) attempt.stop('stopping')
      await Promise.all(listEnds())
      leaseKeeper.stop()
      await logs.stop()
    },
  }
}

async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([work, timeout])
  clearTimeout(timer)
}

/** One statement renews all leases and saves changed counters, at most once a second. */
function startLeaseKeeper(ctx: SystemCtx, running: ReadonlyMap<number, RunningAttempt>) {
  const renewedAt = new Map<number, number>()
  let currentBeat: Promise<void> | undefined
  const saveBeat = async (isForced: boolean) => {
    const now = performance.now()
    for (const id of renewedAt.keys()) if (!running.has(id)) renewedAt.delete(id)
    for (const id of running.keys()) if (!renewedAt.has(id)) renewedAt.set(id, now)
    const dueAttempts = [...running.values()].filter(
      ({ run, meter }) => isForced || meter.isDirty() || now - (renewedAt.get(run.id) ?? 0) >= HEARTBEAT_MS,
    )
    const answersByRun = await saveHeartbeats(
      ctx,
      dueAttempts.map(({ run, meter }) => ({ id: run.id, epoch: run.epoch, ...meter.readSaved() })),
    )
    for (const attempt of dueAttempts) {
      const answer = answersByRun.get(attempt.run.id)
      if (!answer) attempt.stop('lost')
      else if (answer.isCancelled) attempt.stop('cancelled')
      else renewedAt.set(attempt.run.id, performance.now())
    }
  }
  const onBeatFailed = (error: unknown) => {
    ctx.log.warn({ err: error }, 'Leases of runs could not be renewed; the next heartbeat tries again.')
    const now = performance.now()
    // Another worker may have taken over: continuing would be wasted.
    for (const [id, attempt] of running) if (now - (renewedAt.get(id) ?? now) > LEASE_MS) attempt.stop('lost')
  }
  const runBeat = (isForced: boolean) => {
    currentBeat ??= saveBeat(isForced)
      .catch(onBeatFailed)
      .finally(() => (currentBeat = undefined))
  }
  const timer = setInterval(() => runBeat(false), BEAT_INTERVAL_MS)
  return {
    look: () => {
      if (!currentBeat) return runBeat(true)
      void currentBeat.then(() => runBeat(true))
    },
    stop: () => clearInterval(timer),
  }
}
