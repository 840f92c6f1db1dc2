import * as z from 'zod/mini'
import { REQUIRED } from '../formas/forma-rules.ts'
import { findCronProblem } from './cron.ts'

export const SCHEDULE_TYPES = ['Cron Schedule', 'Interval Schedule', 'List Schedule'] as const
export type ScheduleType = (typeof SCHEDULE_TYPES)[number]

/** Choices of the form. Dataflow files may use any IANA zone. */
export const TIMEZONE_OPTIONS = [
  'UTC',
  'America/New_York',
  'America/Chicago',
  'America/North_Dakota/Center',
  'America/North_Dakota/New_Salem',
  'America/Denver',
  'America/Los_Angeles',
] as const
export const INTERVAL_HOURS = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const
export const INTERVAL_MINUTES = [0, 10, 20, 30, 40, 50] as const
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof WEEKDAYS)[number]
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

export const RUN_AT_REQUIRED_MESSAGE = 'This field is required'
const RUN_AT_MESSAGE = 'Must be a comma-separated list of numbers between 0 and 23'
const RUN_AT_REPEAT_MESSAGE = 'Values must not repeat'
const INTERVAL_MESSAGE = 'At least one interval must be selected'
export const WEEKDAYS_MESSAGE = 'Select at least one day'
const TIMEZONE_MESSAGE = 'This time zone is not known. Use a name such as Europe/Berlin.'
const INTERVAL_HOURS_MESSAGE = 'Hours must be between 0 and 8'
const INTERVAL_MINUTES_MESSAGE = 'Minutes must be 0, 10, 20, 30, 40 or 50'
const CRON_LENGTH = 500

const ShortText = z.string().check(z.maxLength(200))
const CronArgs = z.object({ cronExpression: z.string().check(z.maxLength(CRON_LENGTH)), timeStandard: ShortText })
const IntervalArgs = z.object({ hourInterval: z.nullable(z.int()), minutesInterval: z.nullable(z.int()) })
const ListArgs = z.object({
  timezone: ShortText,
  timeList: ShortText,
  weekdays: z.array(z.enum(WEEKDAYS)).check(z.maxLength(7)),
})

/** Form state: fields that are not filled in are empty, null or an empty list. */
export const ScheduleValue = z.discriminatedUnion('scheduleType', [
  z.object({ scheduleType: z.literal(''), scheduleArgs: z.object({}) }),
  z.object({ scheduleType: z.literal('Cron Schedule'), scheduleArgs: CronArgs }),
  z.object({ scheduleType: z.literal('Interval Schedule'), scheduleArgs: IntervalArgs }),
  z.object({ scheduleType: z.literal('List Schedule'), scheduleArgs: ListArgs }),
])
export type ScheduleValue = z.infer<typeof ScheduleValue>

const EMPTY: Record<ScheduleType | '', ScheduleValue> = {
  '': { scheduleType: '', scheduleArgs: {} },
  'Cron Schedule': { scheduleType: 'Cron Schedule', scheduleArgs: { cronExpression: '', timeStandard: '' } },
  'Interval Schedule': {
    scheduleType: 'Interval Schedule',
    scheduleArgs: { hourInterval: null, minutesInterval: null },
  },
  'List Schedule': { scheduleType: 'List Schedule', scheduleArgs: { timezone: '', timeList: '', weekdays: [] } },
}

/** A copy: forms change its arguments in place. */
export const emptySchedule = (type: ScheduleType | ''): ScheduleValue => structuredClone(EMPTY[type])

/** Error messages by field. */
export function findScheduleProblems(value: ScheduleValue): Record<string, string> {
  const problems: Record<string, string | null> = {}
  if (value.scheduleType === '') problems['scheduleType'] = REQUIRED
  else if (value.scheduleType === 'Cron Schedule') {
    const { cronExpression, timeStandard } = value.scheduleArgs
    problems['cronExpression'] = cronExpression.trim() === '' ? REQUIRED : findCronProblem(cronExpression)
    problems['timeStandard'] = findTimezoneProblem(timeStandard)
  } else if (value.scheduleType === 'Interval Schedule') {
    const { hourInterval, minutesInterval } = value.scheduleArgs
    const isZero = hourInterval === 0 && minutesInterval === 0
    problems['hourInterval'] = isZero
      ? INTERVAL_MESSAGE
      : findChoiceProblem(hourInterval, INTERVAL_HOURS, INTERVAL_HOURS_MESSAGE)
    problems['minutesInterval'] = isZero
      ? INTERVAL_MESSAGE
      : findChoiceProblem(minutesInterval, INTERVAL_MINUTES, INTERVAL_MINUTES_MESSAGE)
  } else {
    const { timezone, timeList, weekdays } = value.scheduleArgs
    problems['timezone'] = findTimezoneProblem(timezone)
    problems['timeList'] = findTimeListProblem(timeList)
    problems['weekdays'] = weekdays.length === 0 ? WEEKDAYS_MESSAGE : null
  }
  return Object.fromEntries(Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== null))
}

export function findTimeListProblem(text: string): string | null {
  if (text.trim() === '') return RUN_AT_REQUIRED_MESSAGE
  const words = text.split(',').map((word) => word.trim())
  if (!words.every((word) => /^\d{1,2}$/.test(word) && Number(word) <= 23)) return RUN_AT_MESSAGE
  return new Set(words.map(Number)).size < words.length ? RUN_AT_REPEAT_MESSAGE : null
}

/** Expects a validated list. */
export const parseHours = (timeList: string): number[] =>
  timeList
    .split(',')
    .map(Number)
    .toSorted((a, b) => a - b)

function isKnownZone(zone: string): boolean {
  // Only newer runtimes accept offsets such as +02:00, and they have no daylight saving: require a place.
  if (!/^[A-Za-z]/.test(zone)) return false
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const hasAllWeekdays = (weekdays: readonly Weekday[]): boolean => new Set(weekdays).size === WEEKDAYS.length

export const toggleAllWeekdays = (weekdays: readonly Weekday[]): Weekday[] =>
  hasAllWeekdays(weekdays) ? [] : [...WEEKDAYS]

export const toggleWeekday = (weekdays: readonly Weekday[], day: Weekday): Weekday[] =>
  WEEKDAYS.filter((weekday) => (weekday === day ? !weekdays.includes(day) : weekdays.includes(weekday)))

function findTimezoneProblem(zone: string): string | null {
  if (zone.trim() === '') return REQUIRED
  return isKnownZone(zone) ? null : TIMEZONE_MESSAGE
}

function findChoiceProblem(value: number | null, choices: readonly number[], message: string): string | null {
  if (value === null) return REQUIRED
  return choices.includes(value) ? null : message
}
