import type { UsageDay } from '@trellis/contract/utilization/utilization.endpoints'

export const PERIODS = [1, 7, 30, 90] as const
export type Period = (typeof PERIODS)[number]

const USUAL: Period = 30

export function parsePeriod(text: string | null): Period {
  return PERIODS.find((days) => String(days) === text) ?? USUAL
}

export interface DayPoint {
  day: string
  value: number
  label?: string | undefined
}

type Measure = Exclude<keyof UsageDay, 'day'>

export function toSeries(days: readonly UsageDay[], measure: Measure): DayPoint[] {
  return days.map((day) => ({ day: day.day, value: day[measure] }))
}

/** Rounds up with headroom, so that the axis reads 200 rather than 187. */
export function roundTop(values: readonly number[], unit = 1): number {
  const highest = (Math.max(0, ...values) / unit) * 1.05
  if (highest <= 1) return unit
  const step = 10 ** Math.floor(Math.log10(highest))
  return [1, 2, 2.5, 5, 10].map((times) => times * step * unit).find((top) => top >= highest * unit) ?? highest * unit
}

export interface Point {
  x: number
  y: number
}

/** By date, so that a missing day leaves a gap. */
export function toPositions(points: readonly DayPoint[], top: number): Point[] {
  const times = points.map(({ day }) => Date.parse(day))
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const span = last - first
  return points.map(({ value }, index) => ({
    x: span === 0 ? 0.5 : ((times[index] ?? first) - first) / span,
    y: Math.min(1, Math.max(0, value / top)),
  }))
}

export function findNearest(places: readonly Point[], x: number): number {
  let best = 0
  for (const [index, point] of places.entries()) {
    if (Math.abs(point.x - x) < Math.abs((places[best]?.x ?? 0) - x)) best = index
  }
  return best
}

export function linePath(places: readonly Point[], { width, height }: { width: number; height: number }): string {
  return places
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x * width)} ${round((1 - y) * height)}`)
    .join(' ')
}

export function areaPath(places: readonly Point[], size: { width: number; height: number }): string {
  const [first, last] = [places[0], places.at(-1)]
  if (!first || !last) return ''
  return `${linePath(places, size)} L${round(last.x * size.width)} ${size.height} L${round(first.x * size.width)} ${size.height} Z`
}

const round = (value: number) => Math.round(value * 100) / 100

export const labelPoint = ({ label, day }: DayPoint): string => label ?? day

export function formatSummary(points: readonly DayPoint[], format: (value: number) => string): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return 'Nothing measured yet.'
  const highest = points.reduce((best, point) => (point.value > best.value ? point : best), first)
  return `From ${labelPoint(first)} to ${labelPoint(last)}: ${format(last.value)} at the end, at most ${format(highest.value)} on ${labelPoint(highest)}.`
}
