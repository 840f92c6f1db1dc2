import type { Aggregate, Comparator } from '../read/phrase-words.ts'
import type { Metric } from '../schema/metrics.ts'
import type { Column, Table } from '../schema/model.ts'
import type { TimeRange, TimeUnit } from '../words/times.ts'

export type Expression =
  | { readonly kind: 'column'; readonly column: Column }
  | { readonly kind: 'rows'; readonly table: Table }
  | { readonly kind: 'line_value'; readonly table: Table }
  /** Aggregated by its definition: the aggregate of the measure says nothing. */
  | { readonly kind: 'metric'; readonly metric: Metric }
  | { readonly kind: 'duration'; readonly duration: Duration }

export type DurationUnit = 'minutes' | 'hours' | 'days'

/** From one date of a row to another. */
export interface Duration {
  readonly from: Column
  readonly to: Column
  readonly unit: DurationUnit
}

export interface Measure {
  readonly aggregate: Aggregate
  readonly expression: Expression
}

export type Group =
  | { readonly kind: 'column'; readonly column: Column; readonly unit: TimeUnit | null }
  /** By the rows of a table: its key and its names. */
  | { readonly kind: 'table'; readonly table: Table }

export type Filter =
  | { readonly kind: 'in'; readonly column: Column; readonly values: readonly string[]; readonly isNegated: boolean }
  | { readonly kind: 'compare'; readonly column: Column; readonly comparator: Comparator; readonly value: number }
  /** With another column of the same row. */
  | { readonly kind: 'columns'; readonly column: Column; readonly comparator: Comparator; readonly other: Column }
  | { readonly kind: 'between'; readonly column: Column; readonly low: number; readonly high: number }
  | {
      readonly kind: 'time'
      readonly column: Column
      readonly ranges: readonly TimeRange[]
      /** At no such time: also where the time is not known. */
      readonly isNegated?: boolean
    }
  | {
      readonly kind: 'duration'
      /** The date it begins with. */
      readonly column: Column
      readonly to: Column
      readonly unit: DurationUnit
      readonly comparator: Comparator
      readonly value: number
    }
  | { readonly kind: 'boolean'; readonly column: Column; readonly isTrue: boolean }
  | { readonly kind: 'null'; readonly column: Column; readonly isNull: boolean }
  | { readonly kind: 'exists'; readonly table: Table; readonly filters: readonly Filter[]; readonly isNegated: boolean }

export interface Having {
  readonly measure: Measure
  readonly comparator: Comparator | 'between'
  readonly value: number
  readonly upper: number | null
}

export interface Plan {
  readonly base: Table
  /** Columns of a list; empty when something is computed. */
  readonly columns: readonly Column[]
  readonly difference: readonly [Column, Column] | null
  readonly measures: readonly Measure[]
  /** The first measure divided by the second. */
  readonly isRatio: boolean
  readonly groups: readonly Group[]
  readonly filters: readonly Filter[]
  readonly having: readonly Having[]
  readonly order: { readonly by: Column | 'measure'; readonly isAscending: boolean } | null
  readonly limit: number | null
  /** Of each group in the total, or of the rows that meet `part` in all of them. */
  readonly share: { readonly isPercent: boolean; readonly part: readonly Filter[] } | null
  /** What is asked of the groups: nothing, how many there are, or the average of the measure over them. */
  readonly over: 'rows' | 'count' | 'average'
}

export const EMPTY_PLAN = {
  columns: [],
  difference: null,
  measures: [],
  isRatio: false,
  groups: [],
  filters: [],
  having: [],
  order: null,
  limit: null,
  share: null,
  over: 'rows',
} as const

export function getExpressionTable(expression: Expression): Table {
  if (expression.kind === 'metric') return expression.metric.base
  if (expression.kind === 'duration') return expression.duration.from.table
  return expression.kind === 'column' ? expression.column.table : expression.table
}

/** Definitions that the plan rests on. */
export const listMetrics = ({ measures, having }: Plan): Metric[] => [
  ...new Set(
    [...measures, ...having.map(({ measure }) => measure)].flatMap(({ expression }) =>
      expression.kind === 'metric' ? [expression.metric] : [],
    ),
  ),
]

export const getFilterTable = (filter: Filter): Table => (filter.kind === 'exists' ? filter.table : filter.column.table)
export const getGroupTable = (group: Group): Table => (group.kind === 'table' ? group.table : group.column.table)

export function toMeasureKey({ aggregate, expression }: Measure): string {
  switch (expression.kind) {
    case 'metric':
      return `metric:${expression.metric.code}`
    case 'duration':
      return `${aggregate}:duration:${expression.duration.from.key}:${expression.duration.to.key}`
    case 'column':
      return `${aggregate}:column:${expression.column.key}`
    default:
      return `${aggregate}:${expression.kind}:${expression.table.key}`
  }
}

export const toGroupKey = (group: Group): string =>
  group.kind === 'table' ? group.table.key : `${group.column.key}:${group.unit ?? ''}`
