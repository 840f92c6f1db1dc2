import type { HistoricDateRange } from '@trellis/contract/formas/historic-date-range'
import type { FormaValues } from '@trellis/contract/formas/forma'

/** ISO dates, both included. */
export interface DayWindow {
  readonly from: string
  readonly to: string
}

const DAY_MS = 86_400_000

export const toDay = (instant: Date): string => instant.toISOString().slice(0, 10)
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
export const countDays = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)
export const latest = (a: string, b: string): string => (a > b ? a : b)
export const getEarlierDay = (a: string, b: string): string => (a < b ? a : b)

/** The same day in an earlier month, or that month's last. */
export function subtractMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 - months, 1))
  const lastDate = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return toDay(new Date(first.getTime() + (Math.min(date, lastDate) - 1) * DAY_MS))
}

export function splitWindow({ from, to }: DayWindow, stepDays: number): DayWindow[] {
  const windows: DayWindow[] = []
  for (let start = from; start <= to; start = addDays(start, stepDays)) {
    windows.push({ from: start, to: getEarlierDay(addDays(start, stepDays - 1), to) })
  }
  return windows
}

export function halveWindow({ from, to }: DayWindow): [DayWindow, DayWindow] {
  const middle = addDays(from, Math.floor(countDays(from, to) / 2))
  return [
    { from, to: middle },
    { from: addDays(middle, 1), to },
  ]
}

interface RangeRules {
  readonly today: string
  readonly oldest: string
}

export function parseRange(query: FormaValues, { today, oldest }: RangeRules): DayWindow {
  const asked = query['dates']?.['range'] as Partial<HistoricDateRange> | undefined
  const start = typeof asked?.startDate === 'string' ? asked.startDate : addDays(today, -30)
  const hasEnd = asked?.dataTimeframe === 'rangeDates' && typeof asked.endDate === 'string'
  return { from: latest(start, oldest), to: getEarlierDay(hasEnd ? (asked.endDate as string) : today, today) }
}
