const FEWEST_BEFORE = 10
export const LOOKED_AT = 20
const LEAST_MS = 60_000
const FACTOR = 1.5

export interface Timing {
  readonly waitedMs: number
  readonly tookMs: number
}

export function isLonger(ms: number, before: readonly number[]): boolean {
  if (before.length < FEWEST_BEFORE) return false
  const sorted = before.toSorted((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
  const nearlyLongest = sorted.at(-2) ?? 0
  return ms > nearlyLongest && ms > middle * FACTOR && ms - middle >= LEAST_MS
}

export function findLateness(run: Timing, before: readonly Timing[]): 'began' | 'lasts' | undefined {
  if (
    isLonger(
      run.tookMs,
      before.map(({ tookMs }) => tookMs),
    )
  )
    return 'lasts'
  if (
    isLonger(
      run.waitedMs,
      before.map(({ waitedMs }) => waitedMs),
    )
  )
    return 'began'
  return undefined
}
