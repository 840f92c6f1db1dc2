import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import { buildChartData } from '../../../../charts/data/build-chart-data.ts'
import type { ChartData } from '../../../../charts/data/chart-data.ts'
import type { Sort } from '../../../../ui/data/table-view.ts'
import type { ResultRows } from '../../sql.queries.ts'
import { type ColumnStats, computeColumnStats } from './column-stats.ts'
import { type ColumnFilters, filterRows } from './filter-rows.ts'
import { type Pivot, pivotRows, type PivotSpec } from './pivot-rows.ts'
import { sortRows } from './sort-rows.ts'

export type ResultComputation =
  | { readonly op: 'order'; readonly filters: ColumnFilters; readonly sort: Sort | null }
  | { readonly op: 'stats'; readonly filters: ColumnFilters; readonly column: number }
  | { readonly op: 'pivot'; readonly filters: ColumnFilters; readonly pivot: PivotSpec }
  | { readonly op: 'chart'; readonly spec: ChartSpec }

export interface ComputationResults {
  order: readonly number[]
  stats: ColumnStats
  pivot: Pivot
  chart: ChartData
}

export interface LoadedResult {
  readonly columns: readonly ResultColumn[]
  readonly rows: ResultRows
}

export function computeResult(
  { columns, rows }: LoadedResult,
  computation: ResultComputation,
): ComputationResults[ResultComputation['op']] {
  if (computation.op === 'chart') return buildChartData({ columns, rows }, computation.spec)
  const matchingRows = filterRows(rows, columns, computation.filters)
  switch (computation.op) {
    case 'order': {
      const { sort } = computation
      if (!sort) return matchingRows
      const column = Number(sort.key)
      return sortRows(rows, { column, direction: sort.direction, kind: columns[column]?.kind ?? 'text' }, matchingRows)
    }
    case 'stats':
      return computeColumnStats(rows, {
        column: computation.column,
        kind: columns[computation.column]?.kind ?? 'text',
        among: matchingRows,
      })
    case 'pivot':
      return pivotRows(rows, matchingRows, computation.pivot)
  }
}
