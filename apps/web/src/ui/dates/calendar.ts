/** Days are texts as `2026-11-15`: they have no time zone and compare as they are. */
const DAY_MS = 86_400_000
const DAYS_OF_WEEK = 7
const WEEKS_SHOWN = 6

const toDay = (at: Date): string => at.toISOString().slice(0, 10)
const toUtc = (day: string): Date => new Date(`${day}T00:00:00Z`)

export const addDays = (day: string, count: number): string => toDay(new Date(toUtc(day).getTime() + count * DAY_MS))

/** The same day of another month, or its last one: a month after 31 January is 28 February. */
export function addMonths(day: string, count: number): string {
  const at = toUtc(day)
  const first = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + count, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return addDays(toDay(first), Math.min(at.getUTCDate(), last) - 1)
}

/** Monday is 0. */
export const getWeekday = (day: string): number => (toUtc(day).getUTCDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK

/** Six weeks, whatever the month: the panel keeps its height. */
export function listWeeks(month: string): string[][] {
  const first = `${month.slice(0, 7)}-01`
  const start = addDays(first, -getWeekday(first))
  return Array.from({ length: WEEKS_SHOWN }, (_, week) =>
    Array.from({ length: DAYS_OF_WEEK }, (_, at) => addDays(start, week * DAYS_OF_WEEK + at)),
  )
}

export interface DayLimits {
  readonly min?: string | undefined
  readonly max?: string | undefined
}

export const isWithin = (day: string, { min, max }: DayLimits): boolean => !(min && day < min) && !(max && day > max)

export function clampDay(day: string, { min, max }: DayLimits): string {
  if (max && day > max) return max
  return min && day < min ? min : day
}

const KEY_STEPS: Record<string, (day: string) => string> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -DAYS_OF_WEEK),
  ArrowDown: (day) => addDays(day, DAYS_OF_WEEK),
  Home: (day) => addDays(day, -getWeekday(day)),
  End: (day) => addDays(day, DAYS_OF_WEEK - 1 - getWeekday(day)),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
}

export const findDayByKey = (key: string, day: string): string | undefined => KEY_STEPS[key]?.(day)
