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

export function compareFlowRun(run: FlowRunMeasure | null, earlier: readonly FlowRunMeasure[]): FlowRunComparison {
  const durationMs = findMedian(earlier.map((one) => one.durationMs))
  const rows = findMedian(earlier.map((one) => one.rows))
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
