import type { ChartTimeUnit } from '@trellis/contract/charts/charts.schemas'

export type TimeUnit = Exclude<ChartTimeUnit, 'auto' | 'none'>

const UNITS: readonly TimeUnit[] = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']
const FORM = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(?:([+-])(\d\d)(?::?(\d\d))?|Z)?)?$/
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const FIRST_MONDAY = 4 * DAY

/** Read as UTC. Null for `infinity`, years BC and other text. */
export function parseTime(text: string | null): number | null {
  const parts = text === null ? null : FORM.exec(text)
  if (!parts) return null
  const at = (part: number) => Number(parts[part] ?? 0)
  const offset = (parts[8] === '-' ? -1 : 1) * (at(9) * 60 + at(10)) * MINUTE
  const fraction = Number(`0.${parts[7] ?? '0'}`) * 1000
  const time = Date.UTC(at(1), at(2) - 1, at(3), at(4), at(5), at(6)) + Math.floor(fraction)
  return Number.isNaN(time) ? null : time - offset
}

/** The largest unit that all times are aligned to. */
export function findTimeUnit(times: readonly number[]): TimeUnit | null {
  return UNITS.findLast((unit) => times.every((time) => startOfUnit(time, unit) === time)) ?? null
}

/** The finest unit from `from` on that makes at most `max` groups. */
export function chooseTimeUnit({
  first,
  last,
  from,
  max,
}: {
  first: number
  last: number
  from: TimeUnit
  max: number
}) {
  const coarser = UNITS.slice(UNITS.indexOf(from))
  return coarser.find((unit) => (last - first) / APPROXIMATE_MS[unit] <= max) ?? 'year'
}

const APPROXIMATE_MS: Record<TimeUnit, number> = {
  minute: MINUTE,
  hour: 60 * MINUTE,
  day: DAY,
  week: 7 * DAY,
  month: 30.4 * DAY,
  quarter: 91.3 * DAY,
  year: 365 * DAY,
}

export const countUnits = (from: number, to: number, unit: TimeUnit): number => (to - from) / APPROXIMATE_MS[unit]

export function startOfUnit(time: number, unit: TimeUnit): number {
  const date = new Date(time)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  switch (unit) {
    case 'minute':
      return time - floorModulo(time, MINUTE)
    case 'hour':
      return time - floorModulo(time, 60 * MINUTE)
    case 'day':
      return time - floorModulo(time, DAY)
    case 'week':
      return time - floorModulo(time - FIRST_MONDAY, 7 * DAY)
    case 'month':
      return Date.UTC(year, month)
    case 'quarter':
      return Date.UTC(year, month - (month % 3))
    case 'year':
      return Date.UTC(year, 0)
  }
}

export function getNextUnit(time: number, unit: TimeUnit): number {
  const date = new Date(time)
  const months = { month: 1, quarter: 3, year: 12 }
  if (unit === 'month' || unit === 'quarter' || unit === 'year') {
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months[unit], 1)
  }
  return time + APPROXIMATE_MS[unit]
}

const floorModulo = (value: number, by: number): number => ((value % by) + by) % by

export function formatTime(time: number, unit: TimeUnit | null): string {
  const text = new Date(time).toISOString()
  switch (unit) {
    case 'year':
      return text.slice(0, 4)
    case 'quarter':
      return `${text.slice(0, 4)} Q${Math.floor(new Date(time).getUTCMonth() / 3) + 1}`
    case 'month':
      return text.slice(0, 7)
    case 'week':
    case 'day':
      return text.slice(0, 10)
    case 'hour':
    case 'minute':
      return `${text.slice(0, 10)} ${text.slice(11, 16)}`
    case null:
      return `${text.slice(0, 10)} ${text.slice(11, 19)}`
  }
}
