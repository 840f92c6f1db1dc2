export interface FlowRunMeasure {
  readonly durationMs: number
  readonly rows: number
}

export interface FlowRunComparison {
  readonly durationMs: number | null
  readonly rows: number | null
  readonly durationRatio: number | null
  readonly rowsRatio: number | null
}

interface Span {
  readonly startedAt: number | null
  readonly finishedAt: number | null
}

/** Without the time in which it stood, waiting for a decision or for somebody to retry it. */
export function measureWork(runs: readonly Span[]): number {
  const spans = runs.flatMap(({ startedAt: from, finishedAt: to }) =>
    from === null || to === null ? [] : [{ from, to }],
  )
  let [sum, coveredUntil] = [0, -Infinity]
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    sum += Math.max(0, to - Math.max(from, coveredUntil))
    coveredUntil = Math.max(coveredUntil, to)
  }
  return sum
}

export function compareFlowRun(run: FlowRunMeasure | null, earlier: readonly FlowRunMeasure[]): FlowRunComparison {
  const durationMs = findMedian(earlier.map((measure) => measure.durationMs))
  const rows = findMedian(earlier.map((measure) => measure.rows))
  return {
    durationMs,
    rows,
    durationRatio: toRatio(run?.durationMs, durationMs),
    rowsRatio: toRatio(run?.rows, rows),
  }
}

/** The upper median, so that it is a value that occurred. */
export const findMedian = (values: readonly number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null

const toRatio = (value: number | undefined, usual: number | null): number | null =>
  value === undefined || usual === null || usual === 0 ? null : value / usual
