import type { DueTimes } from '@trellis/contract/runs/trigger-status.schemas'
import { type ScheduleValue, findScheduleProblems } from '@trellis/contract/dataflows/schedules'
import { type DueTime, type NextDueTimes, listNextDueTimes } from '@trellis/dataflow-engine/schedules/due-times'
import {
  describeDueTime,
  describeEnd,
  formatOffset,
  describeSchedule,
} from '@trellis/dataflow-engine/schedules/in-words'
import { type Schedule, parseSchedule } from '@trellis/dataflow-engine/schedules/schedule'
import type * as z from 'zod/mini'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'

const MAX_SHOWN_DUE_TIMES = 10

export const formatLocalTime = (at: number, offset: number): string =>
  new Date(at + offset).toISOString().slice(0, 16).replace('T', ' ')

export const toDueTime = (dueTime: DueTime) => ({
  at: new Date(dueTime.at).toISOString(),
  local: formatLocalTime(dueTime.at, dueTime.offset),
  offset: formatOffset(dueTime.offset),
  in_words: describeDueTime(dueTime),
})

export const computeNextDueTimes = (schedule: Schedule, now: number): NextDueTimes =>
  listNextDueTimes(schedule, now, MAX_SHOWN_DUE_TIMES)

export async function previewDueTimes(ctx: WorkspaceCtx, value: ScheduleValue): Promise<z.infer<typeof DueTimes>> {
  const [problem] = Object.values(findScheduleProblems(value))
  if (problem !== undefined) throw new AppError('invalid_request', problem, { source: { pointer: '/schedule' } })
  const now = ctx.clock.now().getTime()
  const schedule = parseSchedule(value, now)
  const next = computeNextDueTimes(schedule, now)
  return { in_words: `${describeSchedule(schedule)}.`, next_due: next.times.map(toDueTime), end: describeEnd(next) }
}
