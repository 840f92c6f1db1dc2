const MIN_SAMPLES = 10
export const TIMINGS_COMPARED = 20
const MIN_DIFFERENCE_MS = 60_000
const FACTOR = 1.5

export interface Timing {
  readonly waitedMs: number
  readonly tookMs: number
}

export function isUnusuallyLong(ms: number, earlierMs: readonly number[]): boolean {
  if (earlierMs.length < MIN_SAMPLES) return false
  const sorted = earlierMs.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  const nearlyLongest = sorted.at(-2) ?? 0
  return ms > nearlyLongest && ms > median * FACTOR && ms - median >= MIN_DIFFERENCE_MS
}

export function findLateness(run: Timing, before: readonly Timing[]): 'began' | 'lasts' | undefined {
  if (
    isUnusuallyLong(
      run.tookMs,
      before.map(({ tookMs }) => tookMs),
    )
  )
    return 'lasts'
  if (
    isUnusuallyLong(
      run.waitedMs,
      before.map(({ waitedMs }) => waitedMs),
    )
  )
    return 'began'
  return undefined
}
