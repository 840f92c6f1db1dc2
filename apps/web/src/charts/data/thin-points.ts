/** Null is a gap. */
export type Point = readonly [x: number, y: number | null]

/** More points than screens have pixels. */
export const MAX_DRAWN_POINTS = 5000

/** Downsampling: keeps each range's minimum and maximum, all gaps, the first and the last point. */
export function thinPoints(points: readonly Point[], max: number = MAX_DRAWN_POINTS): readonly Point[] {
  if (points.length <= max) return points
  const size = points.length / Math.floor((max - 2) / 3)
  const keptPoints: Point[] = []
  const keep = (point: Point | undefined) => {
    if (point && keptPoints.at(-1) !== point) keptPoints.push(point)
  }
  keep(points[0])
  for (let start = 0; start < points.length; start += size) {
    const range = points.slice(Math.floor(start), Math.floor(start + size))
    const gap = range.find(([, y]) => y === null)
    const [low, high] = findExtremes(range)
    for (const point of [low, high, gap].toSorted((one, other) => (one?.[0] ?? 0) - (other?.[0] ?? 0))) keep(point)
  }
  keep(points.at(-1))
  return keptPoints
}

function findExtremes(points: readonly Point[]): [Point | undefined, Point | undefined] {
  let low: Point | undefined
  let high: Point | undefined
  for (const point of points) {
    const y = point[1]
    if (y === null) continue
    if (!low || y < (low[1] ?? y)) low = point
    if (!high || y > (high[1] ?? y)) high = point
  }
  return [low, high]
}
