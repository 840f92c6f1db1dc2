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

export type ResultTask =
  | { readonly op: 'order'; readonly filters: ColumnFilters; readonly sort: Sort | null }
  | { readonly op: 'stats'; readonly filters: ColumnFilters; readonly column: number }
  | { readonly op: 'pivot'; readonly filters: ColumnFilters; readonly pivot: PivotSpec }
  | { readonly op: 'chart'; readonly spec: ChartSpec }

export interface TaskAnswers {
  order: readonly number[]
  stats: ColumnStats
  pivot: Pivot
  chart: ChartData
}

export interface TaskSource {
  readonly columns: readonly ResultColumn[]
  readonly rows: ResultRows
}

export function runResultTask({ columns, rows }: TaskSource, task: ResultTask): TaskAnswers[ResultTask['op']] {
  if (task.op === 'chart') return buildChartData({ columns, rows }, task.spec)
  const among = filterRows(rows, columns, task.filters)
  switch (task.op) {
    case 'order': {
      const { sort } = task
      if (!sort) return among
      const column = Number(sort.key)
      return sortRows(rows, { column, direction: sort.direction, kind: columns[column]?.kind ?? 'text' }, among)
    }
    case 'stats':
      return computeColumnStats(rows, { column: task.column, kind: columns[task.column]?.kind ?? 'text', among })
    case 'pivot':
      return pivotRows(rows, among, task.pivot)
  }
}
