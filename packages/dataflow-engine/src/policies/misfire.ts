import type { MisfirePolicy } from '@trellis/contract/dataflows/dataflow-words'
import type { TickOutcome } from './tick-outcome.ts'

const DEFAULT_GRACE_MS = 60_000
/** A week of downtime means 10,000 missed due times for a schedule of every minute. */
export const MAX_CATCH_UP_RUNS = 100

export interface MissedTimes {
  readonly due: readonly number[]
  readonly now: number
  readonly policy: MisfirePolicy
  readonly graceMs?: number
}

export interface MisfireDecision {
  readonly run: readonly number[]
  readonly drop: readonly { readonly at: number; readonly outcome: TickOutcome }[]
}

/** Due times within the grace period always run; the policy applies to older ones. */
export function decideMisfires({ due, now, policy, graceMs = DEFAULT_GRACE_MS }: MissedTimes): MisfireDecision {
  const times = [...new Set(due)].toSorted((a, b) => a - b)
  const lateTimes = times.filter((dueTime) => now - dueTime > graceMs)
  const onTime = times.filter((dueTime) => now - dueTime <= graceMs)
  const keptTimes = selectTimesToRun(lateTimes, policy, onTime.length > 0)
  const outcome = ({ all: 'missed_too_many', latest: 'missed_older', none: 'missed_late' } as const)[policy]
  return {
    run: [...keptTimes, ...onTime],
    drop: lateTimes.slice(0, lateTimes.length - keptTimes.length).map((dueTime) => ({ at: dueTime, outcome })),
  }
}

function selectTimesToRun(lateTimes: readonly number[], policy: MisfirePolicy, hasNewer: boolean): readonly number[] {
  if (policy === 'all') return lateTimes.slice(-MAX_CATCH_UP_RUNS)
  return policy === 'latest' && !hasNewer ? lateTimes.slice(-1) : []
}
