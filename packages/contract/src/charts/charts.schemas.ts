import * as z from 'zod/mini'
import { visibleName } from '../core/visible-text.ts'

export const MAX_CHART_MEASURES = 8
export const MAX_CHART_GROUPS = 200
/** Theme tokens instead of colours, so that charts are readable in light and dark mode. */
export const CHART_COLORS = [
  'chart-0',
  'chart-1',
  'chart-2',
  'chart-3',
  'chart-4',
  'chart-5',
  'chart-6',
  'chart-7',
] as const

export const ChartKind = z.enum(['line', 'bar', 'area', 'scatter', 'pie', 'big_number'])
export type ChartKind = z.infer<typeof ChartKind>
/** `none` plots values as they are; bars and slices of the same name are summed. */
export const ChartAggregate = z.enum(['none', 'count', 'count_distinct', 'sum', 'mean', 'median', 'min', 'max'])
export type ChartAggregate = z.infer<typeof ChartAggregate>
export const ChartTimeUnit = z.enum(['auto', 'none', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'])
export type ChartTimeUnit = z.infer<typeof ChartTimeUnit>
export const ChartSort = z.enum(['none', 'x_asc', 'x_desc', 'y_asc', 'y_desc'])
export type ChartSort = z.infer<typeof ChartSort>

const ColumnName = z.string().check(z.minLength(1), z.maxLength(300))
export const ChartMeasure = z.object({
  /** Null counts rows. */
  column: z._default(z.nullable(ColumnName), null),
  aggregate: z._default(ChartAggregate, 'none'),
  label: z.optional(z.string().check(z.maxLength(100), visibleName)),
  color: z.optional(z.enum(CHART_COLORS)),
})
export type ChartMeasure = z.infer<typeof ChartMeasure>

export const NumberFormat = z.object({
  style: z._default(z.enum(['number', 'compact', 'percent']), 'number'),
  decimals: z._default(z.nullable(z.int().check(z.minimum(0), z.maximum(6))), null),
  prefix: z._default(z.string().check(z.maxLength(8)), ''),
  suffix: z._default(z.string().check(z.maxLength(8)), ''),
})
export type NumberFormat = z.infer<typeof NumberFormat>

/** A chart as plain data, without code or markup, so that a model may write it. */
export const ChartSpec = z.object({
  kind: ChartKind,
  title: z._default(z.string().check(z.maxLength(200), visibleName), ''),
  x: z._default(z.nullable(ColumnName), null),
  y: z.array(ChartMeasure).check(z.minLength(1), z.maxLength(MAX_CHART_MEASURES)),
  /** One series per distinct value of this column. */
  split_by: z._default(z.nullable(ColumnName), null),
  time_unit: z._default(ChartTimeUnit, 'auto'),
  sort: z._default(ChartSort, 'none'),
  top: z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(MAX_CHART_GROUPS))), null),
  show_other: z._default(z.boolean(), true),
  is_stacked: z._default(z.boolean(), false),
  show_labels: z._default(z.boolean(), false),
  format: z._default(NumberFormat, { style: 'number', decimals: null, prefix: '', suffix: '' }),
})
export type ChartSpec = z.infer<typeof ChartSpec>
