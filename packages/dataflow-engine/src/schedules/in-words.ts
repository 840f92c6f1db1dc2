import { MONTHS, WEEKDAYS } from '@trellis/contract/dataflows/schedules'
import { toWeekday, toDayNumber } from './dates.ts'
import type { DueTime, NextDueTimes } from './due-times.ts'
import type { Schedule, WallSchedule } from './schedule.ts'
import { EVERY_HOUR, EVERY_MINUTE } from './schedule.ts'

const DAYS = WEEKDAYS.map((day) => `${day[0]?.toUpperCase()}${day.slice(1)}`)
const padTwoDigits = (value: number): string => String(value).padStart(2, '0')

/** `Sunday 8 March 2026, 03:00 (UTC-04:00), because 02:30 is skipped that day` */
export function describeDueTime(due: DueTime): string {
  const local = due.at + due.offset
  const text = `${formatDate(local)}, ${formatClock(local)} (${formatOffset(due.offset)})`
  if (due.shift === 'doubled') return `${text}, the first of two`
  if (due.shift !== 'skipped') return text
  const isSameDay = toDayNumber(due.nominal) === toDayNumber(local)
  const skippedTime = isSameDay ? formatClock(due.nominal) : `${formatDate(due.nominal)}, ${formatClock(due.nominal)}`
  return `${text}, because the clocks skip ${skippedTime}`
}

export function describeEnd({ times, isAll }: NextDueTimes): string | null {
  if (!isAll) return null
  return times.length === 0
    ? 'This schedule never comes due again: no date that is still to come fits it.'
    : 'This schedule ends there: no later date fits it.'
}

export function describeSchedule(schedule: Schedule): string {
  if (schedule.kind === 'interval')
    return `Every ${formatDuration(schedule.everyMs)}, counted from when it was published`
  return [describeTimes(schedule), ...describeDates(schedule), `${schedule.zone} time`].join(', ')
}

export function formatDuration(ms: number): string {
  const units = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1000, 'second'],
  ] as const
  let remainingMs = Math.max(0, Math.round(ms / 1000)) * 1000
  const words = units.flatMap(([size, word]) => {
    const count = Math.floor(remainingMs / size)
    remainingMs -= count * size
    return count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`]
  })
  return words.slice(0, 2).join(' ') || '0 seconds'
}

export function formatOffset(offset: number): string {
  if (offset === 0) return 'UTC'
  const minutes = Math.abs(Math.round(offset / 60_000))
  return `UTC${offset < 0 ? '-' : '+'}${padTwoDigits(Math.floor(minutes / 60))}:${padTwoDigits(minutes % 60)}`
}

export function formatDate(local: number): string {
  const date = new Date(local)
  return `${DAYS[toWeekday(toDayNumber(local)) - 1]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

export const formatClock = (local: number): string => new Date(local).toISOString().slice(11, 16)

const MAX_NAMED_TIMES = 12

function describeTimes({ hours, minutes }: WallSchedule): string {
  const isAnyHour = hours.length === EVERY_HOUR.length
  if (minutes.length === EVERY_MINUTE.length) {
    return isAnyHour ? 'Every minute' : `Every minute of hour ${joinWords(hours.map(padTwoDigits))}`
  }
  if (isAnyHour) return `Every hour at minute ${joinWords(minutes.map(padTwoDigits))}`
  const times = hours.flatMap((hour) => minutes.map((minute) => `${padTwoDigits(hour)}:${padTwoDigits(minute)}`))
  if (times.length <= MAX_NAMED_TIMES) return `At ${joinWords(times)}`
  return `At minute ${joinWords(minutes.map(padTwoDigits))} of hour ${joinWords(hours.map(padTwoDigits))}`
}

function describeDates({ daysOfWeek, daysOfMonth, months, years }: WallSchedule): string[] {
  const isAnyDay = daysOfWeek === null || daysOfWeek.length === DAYS.length
  const words: string[] = []
  if (!isAnyDay) words.push(`on ${joinWords(daysOfWeek.map((day) => DAYS[day - 1] ?? ''))}`)
  else if (daysOfMonth) words.push(`on day ${joinWords(daysOfMonth.map(String))} of the month`)
  else words.push('every day')
  if (months && months.length < MONTHS.length) words.push(`in ${joinWords(months.map((at) => MONTHS[at - 1] ?? ''))}`)
  if (years) words.push(`in ${formatRanges(years)}`)
  return words
}

const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** Up to two hundred years: consecutive ones become ranges. */
function formatRanges(values: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const value of values) {
    const last = ranges.at(-1)
    if (last && last[1] === value - 1) last[1] = value
    else ranges.push([value, value])
  }
  return joinWords(ranges.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)))
}
