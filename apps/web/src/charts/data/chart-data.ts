import { CHART_COLORS, type ChartSpec } from '@trellis/contract/charts/charts.schemas'
import type { ChartColumn, ChartRows } from '@trellis/contract/charts/suggest-chart'
import type { Point } from './thin-points.ts'
import type { TimeUnit } from './time-units.ts'

export interface ChartSeries {
  readonly name: string
  readonly color: (typeof CHART_COLORS)[number]
  /** On a category axis `x` is the index of the category. */
  readonly points: readonly Point[]
}

export interface ChartData {
  readonly axis: 'category' | 'time' | 'number'
  readonly xTitle: string
  readonly unit: TimeUnit | null
  readonly categories: readonly string[]
  readonly series: readonly ChartSeries[]
  readonly notes: readonly string[]
  readonly problem: string | null
}

export interface ChartSource {
  readonly columns: readonly ChartColumn[]
  readonly rows: ChartRows
}

export const EMPTY_LABEL = '(empty)'
export const OTHER_LABEL = 'Other'

export function toProblem(problem: string): ChartData {
  return { axis: 'category', xTitle: '', unit: null, categories: [], series: [], notes: [], problem }
}

export const findColumnAt = (columns: readonly ChartColumn[], name: string | null): number =>
  name === null ? -1 : columns.findIndex((column) => column.name === name)

export function findMissingColumn({ columns }: ChartSource, spec: ChartSpec): string | undefined {
  const names = [spec.x, spec.split_by, ...spec.y.map(({ column }) => column)]
  return names.find((name) => name !== null && findColumnAt(columns, name) === -1) ?? undefined
}

const AGGREGATE_WORDS = {
  none: '',
  sum: 'Sum of ',
  mean: 'Mean of ',
  median: 'Median of ',
  min: 'Lowest ',
  max: 'Highest ',
  count: 'Count of ',
  count_distinct: 'Distinct ',
} as const

export function nameMeasure({ column, aggregate, label }: ChartSpec['y'][number]): string {
  if (label !== undefined && label !== '') return label
  return column === null ? 'Rows' : `${AGGREGATE_WORDS[aggregate]}${column}`
}

export const chooseColor = (at: number, own?: (typeof CHART_COLORS)[number]): (typeof CHART_COLORS)[number] =>
  own ?? CHART_COLORS[at % CHART_COLORS.length] ?? 'chart-0'
