const MIN_SAMPLES = 10
export const TIMINGS_COMPARED = 20
const MIN_DIFFERENCE_MS = 60_000
const MIN_FACTOR = 1.5

export interface Timing {
  readonly waitedMs: number
  readonly tookMs: number
}

export function isUnusuallyLong(ms: number, earlierMs: readonly number[]): boolean {
  if (earlierMs.length < MIN_SAMPLES) return false
  const sortedMs = earlierMs.toSorted((a, b) => a - b)
  const median = sortedMs[Math.floor(sortedMs.length / 2)] ?? 0
  const nearlyLongest = sortedMs.at(-2) ?? 0
  return ms > nearlyLongest && ms > median * MIN_FACTOR && ms - median >= MIN_DIFFERENCE_MS
}

export function findLateness(run: Timing, earlierRuns: readonly Timing[]): 'began' | 'lasts' | undefined {
  if (
    isUnusuallyLong(
      run.tookMs,
      earlierRuns.map(({ tookMs }) => tookMs),
    )
  )
    return 'lasts'
  if (
    isUnusuallyLong(
      run.waitedMs,
      earlierRuns.map(({ waitedMs }) => waitedMs),
    )
  )
    return 'began'
  return undefined
}
