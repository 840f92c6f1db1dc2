import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { AdmissionLimits } from '@trellis/dataflow-engine/policies/admission'
import { HEARTBEAT_MS, LEASE_MS } from '@trellis/dataflow-engine/runs/lease'
import type { SystemCtx } from '../../../platform/ctx.ts'
import type { OnEnded } from './held-run.ts'
import { type RunningAttempt, startAttempt } from './attempt.ts'
import { claimNext } from './claim.ts'
import { releaseForgotten } from './claim.repository.ts'
import { type Gate, createGate } from './gate.ts'
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
  readonly gate?: Gate
  readonly worker?: string
  readonly graceMs?: number
  readonly onStarted?: (run: RunningAttempt['run']) => void
  readonly onEnded?: OnEnded
  readonly onForgotten?: () => void
}

export interface RunLoop {
  readonly worker: string
  wake(): void
  /** Check for cancellations now. */
  look(): void
  /** Starts nothing more; active runs are requeued once they have stopped. */
  stop(options?: { graceMs?: number }): Promise<void>
}

const POLL_MS = 1000
const BEAT_MS = 1000

const generateWorkerName = (): string => `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`

export function startRunLoop(options: RunLoopOptions): RunLoop {
  const { ctx, limits, worker = generateWorkerName(), gate = createGate(ctx) } = options
  const waker = createWaker()
  const running = new Map<number, RunningAttempt>()
  const logs = openRunLogs(ctx)
  const keeper = renewLeases(ctx, running)
  const { work, effects, graceMs = 10_000 } = options
  const deps = { ctx, work, effects, logs, writer: createRunWriter(ctx), graceMs }
  const stopping = new AbortController()
  let mayHaveForgotten = false

  const begin = (run: RunningAttempt['run']) => {
    const attempt = startAttempt(deps, run)
    running.set(run.id, attempt)
    options.onStarted?.(run)
    void attempt.done.then(({ status }) => {
      running.delete(run.id)
      mayHaveForgotten ||= status === null
      if (status !== null && status !== 'QUEUED') options.onEnded?.(run.id, status)
      waker.wake()
    })
  }
  const round = async (): Promise<boolean> => {
    if (mayHaveForgotten) {
      const released = await releaseForgotten(ctx, worker, [...running.keys()])
      mayHaveForgotten = false
      if (released > 0) options.onForgotten?.()
    }
    const free = limits.total - running.size
    if (free <= 0) return false
    const runs = await claimNext(ctx, { worker, limits, free, gate, onEnded: options.onEnded })
    for (const run of runs) begin(run)
    return runs.length > 0
  }
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const hasBegun = await round().catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'Queued runs could not be claimed; the next poll tries again.')
        mayHaveForgotten = true
        return false
      })
      if (!hasBegun) await waker.wait(POLL_MS)
    }
  })()

  return {
    worker,
    wake: () => waker.wake(),
    look: () => keeper.look(),
    stop: async ({ graceMs = 1000 } = {}) => {
      stopping.abort()
      waker.wake()
      await loop
      const all = () => [...running.values()].map(({ done }) => done)
      await waitAtMost(Promise.all(all()), graceMs)
      for (const attempt of running.values()) attempt.stop('stopping')
      await Promise.all(all())
      keeper.stop()
      await logs.stop()
    },
  }
}

async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([work, late])
  clearTimeout(timer)
}

/** One statement renews all leases and saves changed counters, at most once a second. */
function renewLeases(ctx: SystemCtx, running: ReadonlyMap<number, RunningAttempt>) {
  const renewed = new Map<number, number>()
  let beating: Promise<void> | undefined
  const beat = async (isLook: boolean) => {
    const now = performance.now()
    for (const id of renewed.keys()) if (!running.has(id)) renewed.delete(id)
    for (const id of running.keys()) if (!renewed.has(id)) renewed.set(id, now)
    const due = [...running.values()].filter(
      ({ run, meter }) => isLook || meter.isDirty() || now - (renewed.get(run.id) ?? 0) >= HEARTBEAT_MS,
    )
    const answers = await saveHeartbeats(
      ctx,
      due.map(({ run, meter }) => ({ id: run.id, epoch: run.epoch, ...meter.readSaved() })),
    )
    for (const attempt of due) {
      const answer = answers.get(attempt.run.id)
      if (!answer) attempt.stop('lost')
      else if (answer.isCancelled) attempt.stop('cancelled')
      else renewed.set(attempt.run.id, performance.now())
    }
  }
  const giveUp = (error: unknown) => {
    ctx.log.warn({ err: error }, 'Leases of runs could not be renewed; the next heartbeat tries again.')
    const now = performance.now()
    // Another worker may have taken over: continuing would be wasted.
    for (const [id, attempt] of running) if (now - (renewed.get(id) ?? now) > LEASE_MS) attempt.stop('lost')
  }
  const run = (isLook: boolean) => {
    beating ??= beat(isLook)
      .catch(giveUp)
      .finally(() => (beating = undefined))
  }
  const timer = setInterval(() => run(false), BEAT_MS)
  return {
    look: () => {
      if (!beating) return run(true)
      void beating.then(() => run(true))
    },
    stop: () => clearInterval(timer),
  }
}
