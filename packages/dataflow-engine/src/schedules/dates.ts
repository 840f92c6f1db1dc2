import { LAST_YEAR } from '@trellis/contract/dataflows/cron'
import type { WallSchedule } from './schedule.ts'

export const DAY_MS = 86_400_000

export const toDayNumber = (local: number): number => Math.floor(local / DAY_MS)
export const toWeekday = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1

type DateRule = Pick<WallSchedule, 'daysOfMonth' | 'months' | 'daysOfWeek' | 'years'>

const includesOrAny = (values: readonly number[] | null, value: number): boolean =>
  values === null || values.includes(value)

export function matchesDay(rule: DateRule, day: number): boolean {
  const date = new Date(day * DAY_MS)
  return (
    includesOrAny(rule.years, date.getUTCFullYear()) &&
    includesOrAny(rule.months, date.getUTCMonth() + 1) &&
    includesOrAny(rule.daysOfMonth, date.getUTCDate()) &&
    includesOrAny(rule.daysOfWeek, toWeekday(day))
  )
}

/** Skips whole months and years, so that rare dates are cheap. */
export function findNextDay(rule: DateRule, from: number): number | undefined {
  let day = from
  for (;;) {
    const date = new Date(day * DAY_MS)
    const year = date.getUTCFullYear()
    if (year > LAST_YEAR) return undefined
    const month = date.getUTCMonth()
    if (!includesOrAny(rule.years, year)) {
      const laterYear = rule.years?.find((allowedYear) => allowedYear > year)
      if (laterYear === undefined) return undefined
      day = Date.UTC(laterYear, 0, 1) / DAY_MS
    } else if (!includesOrAny(rule.months, month + 1)) day = Date.UTC(year, month + 1, 1) / DAY_MS
    else if (matchesDay(rule, day)) return day
    else day++
  }
}
