import { WEEKDAYS, type ScheduleValue, type Weekday } from '@trellis/contract/dataflows/schedules'

export const FREQUENCIES = ['hourly', 'daily', 'weekdays', 'weekly'] as const
export type Frequency = (typeof FREQUENCIES)[number]

export interface ScheduleDraft {
  frequency: Frequency
  hour: number
  weekday: Weekday
  timezone: string
}

export const getOwnZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

export const createFirstDraft = (): ScheduleDraft => ({
  frequency: 'weekly',
  hour: 8,
  weekday: 'monday',
  timezone: getOwnZone(),
})

export function toDraft(schedule: ScheduleValue): ScheduleDraft | null {
  if (schedule.scheduleType === 'Interval Schedule') {
    return describeSchedule(schedule) === 'Every hour' ? { ...createFirstDraft(), frequency: 'hourly' } : null
  }
  if (schedule.scheduleType !== 'List Schedule') return null
  const { timezone, timeList, weekdays } = schedule.scheduleArgs
  const drafts = (['daily', 'weekdays', 'weekly'] as const).map((frequency) => ({
    frequency,
    hour: Number(timeList),
    weekday: weekdays[0] ?? 'monday',
    timezone,
  }))
  return drafts.find((draft) => describeSchedule(toSchedule(draft)) === describeSchedule(schedule)) ?? null
}

const WORKDAYS = WEEKDAYS.slice(0, 5)

export function toSchedule({ frequency, hour, weekday, timezone }: ScheduleDraft): ScheduleValue {
  if (frequency === 'hourly') {
    return { scheduleType: 'Interval Schedule', scheduleArgs: { hourInterval: 1, minutesInterval: 0 } }
  }
  const weekdays = { daily: [...WEEKDAYS], weekdays: WORKDAYS, weekly: [weekday] }[frequency]
  return { scheduleType: 'List Schedule', scheduleArgs: { timezone, timeList: String(hour), weekdays } }
}

export const toDayName = (day: string): string => `${day.slice(0, 1).toUpperCase()}${day.slice(1)}`
export const toHourText = (hour: number | string): string => `${String(hour).trim().padStart(2, '0')}:00`

export function describeSchedule(schedule: ScheduleValue): string {
  switch (schedule.scheduleType) {
    case '':
      return 'No schedule'
    case 'Cron Schedule': {
      const { cronExpression, timeStandard } = schedule.scheduleArgs
      return `Cron ${cronExpression} (${timeStandard})`
    }
    case 'Interval Schedule':
      return describeInterval(schedule.scheduleArgs.hourInterval ?? 0, schedule.scheduleArgs.minutesInterval ?? 0)
    case 'List Schedule': {
      const { timezone, timeList, weekdays } = schedule.scheduleArgs
      const hours = timeList.split(',').map((hour) => toHourText(hour))
      return `${describeDays(weekdays)} at ${hours.join(', ')} (${timezone.replaceAll('_', ' ')})`
    }
  }
}

function describeInterval(hours: number, minutes: number): string {
  if (hours === 1 && minutes === 0) return 'Every hour'
  const parts = [hours > 0 && `${hours} h`, minutes > 0 && `${minutes} min`].filter((part) => part !== false)
  return `Every ${parts.join(' ')}`
}

function describeDays(days: readonly Weekday[]): string {
  if (days.length === WEEKDAYS.length) return 'Every day'
  if (days.length === WORKDAYS.length && WORKDAYS.every((day) => days.includes(day))) return 'Monday to Friday'
  return `Every ${days.map((day) => toDayName(day)).join(', ')}`
}
