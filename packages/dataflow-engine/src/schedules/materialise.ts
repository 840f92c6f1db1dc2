import type { DueTime } from './due-times.ts'
import { dueTimes, dueTimesUntil } from './due-times.ts'
import type { Schedule } from './schedule.ts'

export interface Stretch {
  /** Up to here due times are rows already. */
  readonly after: number
  readonly until: number
  readonly limit: number
}

/** The next due times to store. `doneUntil` is where the following stretch begins: nothing between is left out. */
export function timesAhead(schedule: Schedule, stretch: Stretch): { times: DueTime[]; doneUntil: number } {
  const times: DueTime[] = []
  for (const due of dueTimes(schedule, stretch.after)) {
    if (due.at > stretch.until) break
    if (times.length === stretch.limit) return { times, doneUntil: times.at(-1)?.at ?? stretch.after }
    times.push(due)
  }
  return { times, doneUntil: Math.max(stretch.after, stretch.until) }
}

const HOUR = 3_600_000

/**
 * The newest due times of a stretch nobody looked after, oldest first; `isCut` when there were more. Looks back in growing
 * steps: a rule of every minute has half a million in a year.
 */
export function newestMissed(
  schedule: Schedule,
  { after, until, limit }: Stretch,
): { times: DueTime[]; isCut: boolean } {
  for (let back = HOUR; ; back *= 4) {
    const from = Math.max(after, until - back)
    const times = dueTimesUntil(schedule, from, until)
    if (from > after && times.length <= limit) continue
    return { times: times.slice(-limit), isCut: times.length > limit }
  }
}
