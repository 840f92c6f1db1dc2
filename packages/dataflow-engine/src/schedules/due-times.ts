import { DAY_MS, toDayNumber, matchesDay, findNextDay } from './dates.ts'
import type { IntervalSchedule, Schedule, WallSchedule } from './schedule.ts'
import { isEveryHour } from './schedule.ts'
import type { OffsetSpan } from './zone.ts'
import { findEndOfGap, toInstants, toLocal, listSpansAround } from './zone.ts'

export interface DueTime {
  readonly at: number
  readonly zone: string
  /** UTC offset at that time, in milliseconds. */
  readonly offset: number
  /** The local time in the rule, as if it were UTC. Differs from `at` + `offset` only when DST skips it. */
  readonly nominal: number
  /** `skipped`: the local time does not exist that day. `doubled`: it occurs twice, and this is the first. */
  readonly shift: 'skipped' | 'doubled' | null
}

export function* iterateDueTimes(schedule: Schedule, after: number): Generator<DueTime, undefined> {
  const times = schedule.kind === 'interval' ? iterateIntervalTimes(schedule, after) : iterateWallTimes(schedule, after)
  for (const due of times) if (due.at > after) yield due
}

export interface NextDueTimes {
  readonly times: readonly DueTime[]
  readonly isAll: boolean
}

export function listNextDueTimes(schedule: Schedule, after: number, count: number): NextDueTimes {
  const times: DueTime[] = []
  for (const due of iterateDueTimes(schedule, after)) {
    if (times.length === count) return { times, isAll: false }
    times.push(due)
  }
  return { times, isAll: true }
}

export function listDueTimes(schedule: Schedule, after: number, until: number): DueTime[] {
  const times: DueTime[] = []
  for (const due of iterateDueTimes(schedule, after)) {
    if (due.at > until) break
    times.push(due)
  }
  return times
}

export const findNextDue = (schedule: Schedule, after: number): DueTime | undefined =>
  iterateDueTimes(schedule, after).next().value

function* iterateIntervalTimes({ anchor, everyMs }: IntervalSchedule, after: number): Generator<DueTime, undefined> {
  for (let interval = Math.max(1, Math.floor((after - anchor) / everyMs)); ; interval++) {
    const at = anchor + interval * everyMs
    yield { at, zone: 'UTC', offset: 0, nominal: at, shift: null }
  }
}

function* iterateWallTimes(schedule: WallSchedule, after: number): Generator<DueTime, undefined> {
  const minutes = schedule.hours.flatMap((hour) => schedule.minutes.map((minute) => hour * 60 + minute))
  let heldTimes: DueTime[] = []
  // From the day before, whose skipped times may fall on this day.
  let day = findNextDay(schedule, toDayNumber(toLocal(schedule.zone, after)) - 1)
  while (day !== undefined) {
    const times = listTimesOfDay(schedule, day, { minutes, after })
    const last = heldTimes.at(-1)
    const first = times[0]
    if (last && first && last.at >= first.at) heldTimes = mergeDueTimes(heldTimes, times)
    else {
      yield* heldTimes
      heldTimes = times
    }
    // When clocks go back across midnight, the times of two days mix.
    if (!matchesDay(schedule, day + 1)) {
      yield* heldTimes
      heldTimes = []
    }
    day = findNextDay(schedule, day + 1)
  }
  yield* heldTimes
}

interface DueMinutes {
  minutes: readonly number[]
  after: number
}

function listTimesOfDay(schedule: WallSchedule, day: number, { minutes, after }: DueMinutes): DueTime[] {
  const { zone } = schedule
  const start = day * DAY_MS
  const spans = listSpansAround(zone, start)
  const [onlySpan] = spans
  const dueTimes: DueTime[] = []
  for (const minute of minutes) {
    const nominal = start + minute * 60_000
    if (onlySpan && spans.length === 1) {
      const at = nominal - onlySpan.offset
      if (at > after) dueTimes.push({ at, zone, offset: onlySpan.offset, nominal, shift: null })
      continue
    }
    for (const due of isEveryHour(schedule) ? listInstants(nominal, spans) : getFirstInstant(nominal, spans)) {
      dueTimes.push({ zone, nominal, ...due })
    }
  }
  return spans.length === 1 ? dueTimes : mergeDueTimes(dueTimes, [])
}

type LocalInstant = Pick<DueTime, 'at' | 'offset' | 'shift'>

function listInstants(nominal: number, spans: readonly OffsetSpan[]): LocalInstant[] {
  return toInstants(nominal, spans).map((at) => ({ at, offset: nominal - at, shift: null }))
}

function getFirstInstant(nominal: number, spans: readonly OffsetSpan[]): LocalInstant[] {
  const [at, second] = toInstants(nominal, spans)
  if (at !== undefined) return [{ at, offset: nominal - at, shift: second === undefined ? null : 'doubled' }]
  const endOfGap = findEndOfGap(nominal, spans)
  if (endOfGap === undefined) return []
  const span = spans.findLast(({ from }) => from <= endOfGap)
  return [{ at: endOfGap, offset: span?.offset ?? 0, shift: 'skipped' }]
}

/** Of several at one instant, keep the one that was not skipped. */
function mergeDueTimes(firstTimes: readonly DueTime[], secondTimes: readonly DueTime[]): DueTime[] {
  const isSkipped = ({ shift }: DueTime) => Number(shift === 'skipped')
  const sorted = [...firstTimes, ...secondTimes].toSorted((a, b) => a.at - b.at || isSkipped(a) - isSkipped(b))
  return sorted.filter((due, at) => due.at !== sorted[at - 1]?.at)
}
