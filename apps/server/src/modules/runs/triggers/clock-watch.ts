import type { SystemCtx } from '../../../platform/ctx.ts'
import { observeClockSkew } from '../../../platform/metrics.ts'
import { readDatabaseTime } from './ticks.repository.ts'

const MIN_STEP_MS = 5000
/** Workers with a larger difference would fire schedules at different times. */
const MAX_SKEW_MS = 30_000
const DATABASE_CHECK_INTERVAL_MS = 15_000

export interface ClockReading {
  /** The clock was set back since the last look, or this is the first. */
  readonly mayBeBehindPlans: boolean
  readonly isSkewed: boolean
}

export interface MachineClocks {
  wall(): number
  monotonic(): number
}

const MACHINE_CLOCKS: MachineClocks = { wall: () => Date.now(), monotonic: () => performance.now() }

/** Detects corrections of the clock, and differences from the database's. */
export function watchClock(ctx: SystemCtx, clocks: MachineClocks = MACHINE_CLOCKS): () => Promise<ClockReading> {
  let offset: number | undefined
  let skew = 0
  let measuredAt = -Infinity
  return async () => {
    const previousOffset = offset
    offset = clocks.wall() - clocks.monotonic()
    const step = previousOffset === undefined ? 0 : offset - previousOffset
    const hasStepped = Math.abs(step) > MIN_STEP_MS
    if (hasStepped) ctx.log.warn({ seconds: Math.round(step / 1000) }, 'The clock of this machine was set.')
    if (previousOffset === undefined || hasStepped || clocks.monotonic() - measuredAt > DATABASE_CHECK_INTERVAL_MS) {
      const wasSkewed = Math.abs(skew) > MAX_SKEW_MS
      skew = await measureSkew(ctx, clocks)
      measuredAt = clocks.monotonic()
      observeClockSkew(skew / 1000)
      logSkewChange(ctx, { wasSkewed, skew })
    }
    return {
      mayBeBehindPlans: previousOffset === undefined || step < -MIN_STEP_MS,
      isSkewed: Math.abs(skew) > MAX_SKEW_MS,
    }
  }
}

async function measureSkew(ctx: SystemCtx, clocks: MachineClocks): Promise<number> {
  const sentAt = clocks.wall()
  const databaseDate = await readDatabaseTime(ctx)
  const receivedAt = clocks.wall()
  const databaseTime = databaseDate?.getTime() ?? receivedAt
  // The round trip's uncertainty counts as agreement.
  return databaseTime < sentAt ? databaseTime - sentAt : databaseTime > receivedAt ? databaseTime - receivedAt : 0
}

function logSkewChange({ log }: SystemCtx, { wasSkewed, skew }: { wasSkewed: boolean; skew: number }): void {
  const isSkewed = Math.abs(skew) > MAX_SKEW_MS
  if (isSkewed && !wasSkewed) {
    log.warn(
      { seconds: Math.round(skew / 1000) },
      'The clocks of this machine and of the database differ. Schedules wait until they agree: set the wrong one.',
    )
  } else if (wasSkewed && !isSkewed) log.info('The clocks of this machine and of the database agree again.')
}
