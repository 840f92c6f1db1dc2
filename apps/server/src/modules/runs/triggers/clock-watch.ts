import type { SystemCtx } from '../../../platform/ctx.ts'
import { observeClockSkew } from '../../../platform/metrics.ts'
import { readDatabaseTime } from './ticks.repository.ts'

const STEP_MS = 5000
/** Workers with a larger difference would fire schedules at different times. */
const MAX_SKEW_MS = 30_000
const LOOK_AT_DATABASE_MS = 15_000

export interface ClockReading {
  /** The clock was set back since the last look, or this is the first. */
  readonly mayBeBehindPlans: boolean
  readonly isSkewed: boolean
}

export interface MachineClocks {
  wall(): number
  monotonic(): number
}

const MACHINE: MachineClocks = { wall: () => Date.now(), monotonic: () => performance.now() }

/** Detects corrections of the clock, and differences from the database's. */
export function watchClock(ctx: SystemCtx, clocks: MachineClocks = MACHINE): () => Promise<ClockReading> {
  let offset: number | undefined
  let skew = 0
  let lookedAt = -Infinity
  return async () => {
    const before = offset
    offset = clocks.wall() - clocks.monotonic()
    const step = before === undefined ? 0 : offset - before
    const hasStepped = Math.abs(step) > STEP_MS
    if (hasStepped) ctx.log.warn({ seconds: Math.round(step / 1000) }, 'The clock of this machine was set.')
    if (before === undefined || hasStepped || clocks.monotonic() - lookedAt > LOOK_AT_DATABASE_MS) {
      const wasSkewed = Math.abs(skew) > MAX_SKEW_MS
      skew = await measureSkew(ctx, clocks)
      lookedAt = clocks.monotonic()
      observeClockSkew(skew / 1000)
      report(ctx, { wasSkewed, skew })
    }
    return {
      mayBeBehindPlans: before === undefined || step < -STEP_MS,
      isSkewed: Math.abs(skew) > MAX_SKEW_MS,
    }
  }
}

async function measureSkew(ctx: SystemCtx, clocks: MachineClocks): Promise<number> {
  const sent = clocks.wall()
  const time = await readDatabaseTime(ctx)
  const received = clocks.wall()
  const at = time?.getTime() ?? received
  // The round trip's uncertainty counts as agreement.
  return at < sent ? at - sent : at > received ? at - received : 0
}

function report({ log }: SystemCtx, { wasSkewed, skew }: { wasSkewed: boolean; skew: number }): void {
  const isSkewed = Math.abs(skew) > MAX_SKEW_MS
  if (isSkewed && !wasSkewed) {
    log.warn(
      { seconds: Math.round(skew / 1000) },
      'The clocks of this machine and of the database differ. Schedules wait until they agree: set the wrong one.',
    )
  } else if (wasSkewed && !isSkewed) log.info('The clocks of this machine and of the database agree again.')
}
