import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import type { ChartColumn } from '@trellis/contract/charts/suggest-chart'
import type { WorksheetChart } from '@trellis/contract/worksheets/charts.endpoints'

const hasColumns = ({ x, split_by, y }: ChartSpec, columns: readonly ChartColumn[]): boolean =>
  [x, split_by, ...y.map(({ column }) => column)].every(
    (name) => name === null || columns.some((column) => column.name === name),
  )

/** By statement number, or any chart whose columns exist: numbers shift when statements are inserted. */
export function pickChart(
  charts: readonly WorksheetChart[],
  statement: number,
  columns: readonly ChartColumn[],
): WorksheetChart | undefined {
  const byOwner = charts.toSorted((chart, other) => Number(chart.is_shared) - Number(other.is_shared))
  const fitting = byOwner.filter(({ spec }) => hasColumns(spec, columns))
  return (
    fitting.find((chart) => chart.statement === statement) ??
    fitting[0] ??
    byOwner.find((chart) => chart.statement === statement)
  )
}
