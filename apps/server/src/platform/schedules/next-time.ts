import { type ScheduleValue, findScheduleProblems } from '@trellis/contract/dataflows/schedules'
import { findNextDue } from '@trellis/dataflow-engine/schedules/due-times'
import { parseSchedule } from '@trellis/dataflow-engine/schedules/schedule'
import { AppError } from '../app-error.ts'

export function findNextTime(schedule: ScheduleValue, { anchor, after }: { anchor: Date; after: Date }): Date | null {
  const due = findNextDue(parseSchedule(schedule, anchor.getTime()), after.getTime())
  return due ? new Date(due.at) : null
}

export function assertSchedule(schedule: ScheduleValue): void {
  const [problem] = Object.values(findScheduleProblems(schedule))
  const message = schedule.scheduleType === '' ? 'Choose a schedule.' : problem
  if (message) throw new AppError('invalid_request', message, { source: { pointer: '/schedule' } })
}
