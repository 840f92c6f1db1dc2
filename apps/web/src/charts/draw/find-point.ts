import type { ChartData } from '../data/chart-data.ts'

export interface ActivePoint {
  readonly series: number
  readonly point: number
}

export function findNearest(points: readonly (readonly [number, number | null])[], x: number): number {
  let [low, high] = [0, points.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((points[middle]?.[0] ?? 0) < x) low = middle
    else high = middle
  }
  const distance = (at: number) => Math.abs((points[at]?.[0] ?? Number.POSITIVE_INFINITY) - x)
  return distance(low) <= distance(high) ? low : Math.max(0, high)
}

export function movePoint(
  data: ChartData,
  shown: readonly number[],
  { key, active }: { key: string; active: ActivePoint | null },
): ActivePoint | null | undefined {
  if (key === 'Escape') return null
  const first = shown[0]
  if (first === undefined) return undefined
  const series = active && shown.includes(active.series) ? active.series : first
  const points = data.series[series]?.points ?? []
  const at = active?.point ?? -1
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const index = shown.indexOf(series) + (key === 'ArrowDown' ? 1 : -1)
    const next = shown[Math.max(0, Math.min(shown.length - 1, index))] ?? series
    return { series: next, point: findNearest(data.series[next]?.points ?? [], points[Math.max(0, at)]?.[0] ?? 0) }
  }
  const point = moveAlong(key, at, points.length)
  return point === undefined ? undefined : { series, point: Math.max(0, Math.min(points.length - 1, point)) }
}

function moveAlong(key: string, at: number, count: number): number | undefined {
  const page = Math.max(1, Math.round(count / 10))
  const steps: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  }
  return steps[key]
}

/** Relative to half the shorter side. */
export const PIE_RADIUS = 0.72

export function toShares(data: ChartData, isHidden: (x: number) => boolean): number[] {
  const values = (data.series[0]?.points ?? []).map(([x, y]) => (y === null || y < 0 || isHidden(x) ? 0 : y))
  const sum = values.reduce((total, value) => total + value, 0)
  return values.map((value) => (sum === 0 ? 0 : value / sum))
}

/** `x` and `y` in radii from the centre; slices start at the top and go clockwise. */
export function findSlice(shares: readonly number[], [x, y]: readonly [number, number]): number | null {
  if (Math.hypot(x, y) > 1) return null
  const turn = (Math.atan2(x, -y) / (2 * Math.PI) + 1) % 1
  let end = 0
  const index = shares.findIndex((share) => turn < (end += share))
  return index < 0 ? null : index
}

export function findSliceMiddle(shares: readonly number[], at: number): readonly [number, number] {
  const before = shares.slice(0, at).reduce((sum, share) => sum + share, 0)
  const angle = (before + (shares[at] ?? 0) / 2) * 2 * Math.PI
  return [0.6 * Math.sin(angle), -0.6 * Math.cos(angle)]
}
