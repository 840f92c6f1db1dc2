import type { SystemCtx } from '../../../platform/ctx.ts'
import { replanDue } from '../../../platform/schedules/replan-due.ts'
import type { RunBlockerLookup } from '../runner/gate.ts'
import { createWaker } from '../runner/waker.ts'
import { watchClock } from './clock-watch.ts'
import { fireTicks } from './fire-ticks.ts'
import { planTicks } from './plan-ticks.ts'
import { replanTicks } from './replan-ticks.ts'
import { findNextTick } from './ticks.repository.ts'

export interface SchedulerOptions {
  readonly ctx: SystemCtx
  readonly gate: RunBlockerLookup
  readonly onQueued: () => void
}

export interface Scheduler {
  stop(): Promise<void>
}

const POLL_MS = 1000
const RETRY_LOCKED_MS = 50

/** Looks every second, and exactly at the next due time. */
export function startScheduler({ ctx, gate, onQueued }: SchedulerOptions): Scheduler {
  const waker = createWaker()
  const stopping = new AbortController()
  const readClock = watchClock(ctx)
  let mustReplan = false
  const planAndFire = async (): Promise<number> => {
    const { mayBeBehindPlans, isSkewed } = await readClock()
    mustReplan ||= mayBeBehindPlans
    if (isSkewed) return POLL_MS
    if (mustReplan) {
      await replanTicks(ctx)
      await replanDue(ctx)
      mustReplan = false
    }
    await planTicks(ctx)
    for (;;) {
      const { remaining, queued } = await fireTicks(ctx, gate)
      if (queued > 0) onQueued()
      if (remaining === 'nothing' || stopping.signal.aborted) break
      if (remaining === 'others') return RETRY_LOCKED_MS
    }
    const now = ctx.clock.now()
    const nextTick = await findNextTick(ctx, now)
    return nextTick ? Math.max(1, Math.min(POLL_MS, nextTick.getTime() - now.getTime())) : POLL_MS
  }
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const waitMs = await planAndFire().catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'Schedules could not be evaluated; the next poll tries again.')
        return POLL_MS
      })
      if (!stopping.signal.aborted) await waker.wait(waitMs)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      waker.wake()
      await loop
    },
  }
}
