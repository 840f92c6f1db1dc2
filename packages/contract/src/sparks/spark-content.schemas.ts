import * as z from 'zod/mini'
import { ChartSpec, NumberFormat } from '../charts/charts.schemas.ts'
import { visibleName, visibleText } from '../core/visible-text.ts'
import { IntegrationCode } from '../explorer/explorer.schemas.ts'

export const MAX_SPARK_SOURCES = 20
export const MAX_SPARK_PARAMETERS = 12
export const MAX_SPARK_BLOCKS = 60
const MAX_SPARK_CODE = 200_000
const MAX_SOURCE_AGE_SECONDS = 86_400

/** Identifier in SQL (`:name`), in blocks and in code. */
const Key = z.string().check(z.regex(/^[a-z][a-z0-9_]{0,39}$/, 'Use small letters, digits and underscores'))
const Label = z.string().check(z.trim(), z.maxLength(120), visibleName)
const ColumnName = z.string().check(z.minLength(1), z.maxLength(300))

/** Runs through the SQL guard over the project's tables, with the viewer's permissions. */
export const SparkSource = z.object({
  key: Key,
  name: Label,
  integration_trellis_code: IntegrationCode,
  sql: z.string().check(z.minLength(1, 'Write the SQL.'), z.maxLength(50_000)),
  /** Cache time: younger rows are shown without a query. */
  max_age_seconds: z._default(z.int().check(z.minimum(0), z.maximum(MAX_SOURCE_AGE_SECONDS)), 300),
})
export type SparkSource = z.infer<typeof SparkSource>

/** Set by viewers; used as `:key` in SQL. */
export const SparkParameter = z.object({
  key: Key,
  label: Label,
  type: z.enum(['text', 'integer', 'numeric', 'boolean', 'date']),
  /** Null is SQL NULL: the query decides what "all" means, such as `:country::text is null or country = :country`. */
  initial: z._default(z.nullable(z.string().check(z.maxLength(1000))), null),
  /** A source whose first column holds the options (a second column their labels). Null: free text. */
  options_from: z._default(z.nullable(Key), null),
})
export type SparkParameter = z.infer<typeof SparkParameter>

const width = { width: z._default(z.enum(['full', 'half', 'third', 'quarter']), 'full') }
const from = { ...width, source: Key, title: z._default(Label, '') }

const HeadingBlock = z.object({ kind: z.literal('heading'), ...width, text: Label })
/** Markdown without HTML, images or external links. */
const TextBlock = z.object({
  kind: z.literal('text'),
  ...width,
  text: z.string().check(z.maxLength(5000), visibleText),
})
const FiltersBlock = z.object({ kind: z.literal('filters'), ...width, parameters: z._default(z.array(Key), []) })
const NumberBlock = z.object({
  kind: z.literal('number'),
  ...from,
  column: ColumnName,
  compare_column: z._default(z.nullable(ColumnName), null),
  format: z.optional(NumberFormat),
})
const ChartBlock = z.object({ kind: z.literal('chart'), ...from, chart: ChartSpec })
const TableBlock = z.object({
  kind: z.literal('table'),
  ...from,
  columns: z._default(z.array(ColumnName), []),
})
const FunnelBlock = z.object({ kind: z.literal('funnel'), ...from, step_column: ColumnName, value_column: ColumnName })
/** One row per cohort and period; shown as percentages of period 0. */
const CohortBlock = z.object({
  kind: z.literal('cohort'),
  ...from,
  group_column: ColumnName,
  period_column: ColumnName,
  value_column: ColumnName,
})
const MapBlock = z.object({
  kind: z.literal('map'),
  ...from,
  latitude_column: ColumnName,
  longitude_column: ColumnName,
  label_column: z._default(z.nullable(ColumnName), null),
  value_column: z._default(z.nullable(ColumnName), null),
})
/** One row per metric; `parent_column` names its parent metric. */
const MetricTreeBlock = z.object({
  kind: z.literal('metric_tree'),
  ...from,
  name_column: ColumnName,
  parent_column: ColumnName,
  value_column: ColumnName,
  compare_column: z._default(z.nullable(ColumnName), null),
})
/** One row per check: name, failing rows, total rows. */
const ChecksBlock = z.object({
  kind: z.literal('checks'),
  ...from,
  name_column: ColumnName,
  failed_column: ColumnName,
  total_column: ColumnName,
})

export const SparkBlock = z.discriminatedUnion('kind', [
  HeadingBlock,
  TextBlock,
  FiltersBlock,
  NumberBlock,
  ChartBlock,
  TableBlock,
  FunnelBlock,
  CohortBlock,
  MapBlock,
  MetricTreeBlock,
  ChecksBlock,
])
export type SparkBlock = z.infer<typeof SparkBlock>

/** `code` is JavaScript with the frame's components; it has no network and no access to the page. */
const SparkBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('blocks'), blocks: z.array(SparkBlock).check(z.maxLength(MAX_SPARK_BLOCKS)) }),
  z.object({ kind: z.literal('code'), code: z.string().check(z.maxLength(MAX_SPARK_CODE)) }),
])
export type SparkBody = z.infer<typeof SparkBody>

export const SparkContent = z.object({
  sources: z.array(SparkSource).check(z.maxLength(MAX_SPARK_SOURCES)),
  parameters: z._default(z.array(SparkParameter).check(z.maxLength(MAX_SPARK_PARAMETERS)), []),
  body: SparkBody,
})
export type SparkContent = z.infer<typeof SparkContent>
