import type { DueTime } from './due-times.ts'
import { iterateDueTimes, listDueTimes } from './due-times.ts'
import type { Schedule } from './schedule.ts'

export interface TimeRange {
  readonly after: number
  readonly until: number
  readonly limit: number
}

/** `doneUntil`: start of the next call, without a gap. */
export function listTimesAhead(schedule: Schedule, range: TimeRange): { times: DueTime[]; doneUntil: number } {
  const times: DueTime[] = []
  for (const due of iterateDueTimes(schedule, range.after)) {
    if (due.at > range.until) break
    if (times.length === range.limit) return { times, doneUntil: times.at(-1)?.at ?? range.after }
    times.push(due)
  }
  return { times, doneUntil: Math.max(range.after, range.until) }
}

const HOUR = 3_600_000

/**
 * The newest missed due times, oldest first. Looks back in growing steps: a schedule of every minute has half a million
 * a year.
 */
export function listNewestMissed(
  schedule: Schedule,
  { after, until, limit }: TimeRange,
): { times: DueTime[]; isCut: boolean } {
  for (let lookBackMs = HOUR; ; lookBackMs *= 4) {
    const from = Math.max(after, until - lookBackMs)
    const times = listDueTimes(schedule, from, until)
    if (from > after && times.length <= limit) continue
    return { times: times.slice(-limit), isCut: times.length > limit }
  }
}
