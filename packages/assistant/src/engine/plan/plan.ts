import type { Aggregate, Comparator } from '../read/phrase-words.ts'
import type { Metric } from '../schema/metrics.ts'
import type { Column, Table } from '../schema/model.ts'
import type { TimeRange, TimeUnit } from '../words/times.ts'

export type Expression =
  | { readonly kind: 'column'; readonly column: Column }
  | { readonly kind: 'rows'; readonly table: Table }
  | { readonly kind: 'line_value'; readonly table: Table }
  /** The definition contains its aggregate; `aggregate` of the measure is ignored. */
  | { readonly kind: 'metric'; readonly metric: Metric }
  | { readonly kind: 'duration'; readonly duration: Duration }

export type DurationUnit = 'minutes' | 'hours' | 'days'

/** The time between two dates of a row. */
export interface Duration {
  readonly from: Column
  readonly to: Column
  readonly unit: DurationUnit
}

/** An aggregate of an expression, such as sum of price. */
export interface Measure {
  readonly aggregate: Aggregate
  readonly expression: Expression
}

export type Group =
  | { readonly kind: 'column'; readonly column: Column; readonly unit: TimeUnit | null }
  | { readonly kind: 'table'; readonly table: Table }

export type Filter =
  | { readonly kind: 'in'; readonly column: Column; readonly values: readonly string[]; readonly isNegated: boolean }
  | { readonly kind: 'compare'; readonly column: Column; readonly comparator: Comparator; readonly value: number }
  | { readonly kind: 'columns'; readonly column: Column; readonly comparator: Comparator; readonly other: Column }
  | { readonly kind: 'between'; readonly column: Column; readonly low: number; readonly high: number }
  | {
      readonly kind: 'time'
      readonly column: Column
      readonly ranges: readonly TimeRange[]
      /** NOT in these ranges; matches NULL too. */
      readonly isNegated?: boolean
    }
  | {
      readonly kind: 'duration'
      readonly column: Column
      readonly to: Column
      readonly unit: DurationUnit
      readonly comparator: Comparator
      readonly value: number
    }
  | { readonly kind: 'boolean'; readonly column: Column; readonly isTrue: boolean }
  | { readonly kind: 'null'; readonly column: Column; readonly isNull: boolean }
  | { readonly kind: 'exists'; readonly table: Table; readonly filters: readonly Filter[]; readonly isNegated: boolean }

/** HAVING: "customers with more than 5 orders". */
export interface GroupCondition {
  readonly measure: Measure
  readonly comparator: Comparator | 'between'
  readonly value: number
  readonly upper: number | null
}

/** What a question asks for, independent of SQL: one query over a base table and what can be joined to it. */
export interface Plan {
  readonly base: Table
  readonly columns: readonly Column[]
  readonly difference: readonly [Column, Column] | null
  readonly measures: readonly Measure[]
  readonly isRatio: boolean
  readonly groups: readonly Group[]
  readonly filters: readonly Filter[]
  readonly groupConditions: readonly GroupCondition[]
  readonly order: { readonly by: Column | 'measure'; readonly isAscending: boolean } | null
  readonly limit: number | null
  /** Of each group in the total, or of rows matching `part` in all rows. */
  readonly share: { readonly isPercent: boolean; readonly part: readonly Filter[] } | null
  /** What to compute over the groups: nothing, their number, or the average of the measure. */
  readonly groupSummary: 'rows' | 'count' | 'average'
}

export const EMPTY_PLAN = {
  columns: [],
  difference: null,
  measures: [],
  isRatio: false,
  groups: [],
  filters: [],
  groupConditions: [],
  order: null,
  limit: null,
  share: null,
  groupSummary: 'rows',
} as const

export function findTableOfExpression(expression: Expression): Table {
  if (expression.kind === 'metric') return expression.metric.base
  if (expression.kind === 'duration') return expression.duration.from.table
  return expression.kind === 'column' ? expression.column.table : expression.table
}

export const listMetrics = ({ measures, groupConditions }: Plan): Metric[] => [
  ...new Set(
    [...measures, ...groupConditions.map(({ measure }) => measure)].flatMap(({ expression }) =>
      expression.kind === 'metric' ? [expression.metric] : [],
    ),
  ),
]

export const findTableOfFilter = (filter: Filter): Table =>
  filter.kind === 'exists' ? filter.table : filter.column.table
export const findTableOfGroup = (group: Group): Table => (group.kind === 'table' ? group.table : group.column.table)

/** Identifies a measure in choices. */
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

/** Identifies a group in choices. */
export const toGroupKey = (group: Group): string =>
  group.kind === 'table' ? group.table.key : `${group.column.key}:${group.unit ?? ''}`
