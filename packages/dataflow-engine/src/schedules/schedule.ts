import { readCron } from '@trellis/contract/dataflows/cron'
import type { ScheduleValue } from '@trellis/contract/dataflows/schedules'
import { WEEKDAYS, parseHours, findScheduleProblems } from '@trellis/contract/dataflows/schedules'

export interface WallSchedule {
  readonly kind: 'wall'
  readonly zone: string
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly daysOfMonth: readonly number[] | null
  readonly months: readonly number[] | null
  readonly daysOfWeek: readonly number[] | null
  readonly years: readonly number[] | null
}

/** Elapsed time since the anchor, independent of DST. */
export interface IntervalSchedule {
  readonly kind: 'interval'
  readonly anchor: number
  readonly everyMs: number
}

export type Schedule = WallSchedule | IntervalSchedule

const listNumbersBelow = (count: number): number[] => Array.from({ length: count }, (_, at) => at)
export const EVERY_MINUTE = listNumbersBelow(60)
export const EVERY_HOUR = listNumbersBelow(24)

export function parseSchedule(value: ScheduleValue, anchor: number): Schedule {
  const [problem] = Object.values(findScheduleProblems(value))
  if (problem !== undefined) throw new Error(`This schedule can't be followed: ${problem}`)
  switch (value.scheduleType) {
    case 'Cron Schedule':
      return parseCron(value.scheduleArgs.cronExpression, value.scheduleArgs.timeStandard)
    case 'Interval Schedule': {
      const { hourInterval, minutesInterval } = value.scheduleArgs
      return { kind: 'interval', anchor, everyMs: ((hourInterval ?? 0) * 60 + (minutesInterval ?? 0)) * 60_000 }
    }
    case 'List Schedule': {
      const { timezone, timeList, weekdays } = value.scheduleArgs
      const daysOfWeek = WEEKDAYS.flatMap((day, at) => (weekdays.includes(day) ? [at + 1] : []))
      const remainingFields = { minutes: [0], daysOfMonth: null, months: null, years: null }
      return { kind: 'wall', zone: timezone, hours: parseHours(timeList), daysOfWeek, ...remainingFields }
    }
    case '':
      throw new Error('No schedule was chosen')
  }
}

export function parseCron(text: string, zone: string): WallSchedule {
  const { expression, problem } = readCron(text)
  if (problem !== null) throw new Error(problem)
  return {
    kind: 'wall',
    zone,
    minutes: expression.minute ?? EVERY_MINUTE,
    hours: expression.hour ?? EVERY_HOUR,
    daysOfMonth: expression.dayOfMonth,
    months: expression.month,
    daysOfWeek: expression.dayOfWeek,
    years: expression.year,
  }
}

/** Such a rule repeats within the hour: at DST changes it follows elapsed hours. */
export const isEveryHour = ({ hours }: WallSchedule): boolean => hours.length === EVERY_HOUR.length
