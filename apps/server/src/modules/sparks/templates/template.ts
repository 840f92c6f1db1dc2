import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import type { SparkBlock, SparkContent, SparkParameter } from '@trellis/contract/sparks/spark-content.schemas'
import type { SparkTemplates } from '@trellis/contract/sparks/sparks.schemas'
import { quoteName } from '@trellis/sql-grammar/quote-name'
import type { DescribedTable } from '@trellis/workspace-db/catalogue/read-tables'

export type TemplateColumn = DescribedTable['columns'][number]
type TemplateDescription = SparkTemplates['templates'][number]

interface TemplateInput {
  readonly table: DescribedTable
  readonly from: string
  column(key: string): TemplateColumn | undefined
  columns(key: string): readonly TemplateColumn[]
}

interface TemplateSource {
  readonly key: string
  readonly name: string
  readonly sql: string
}

interface FilledTemplate {
  readonly sources: readonly TemplateSource[]
  readonly parameters?: readonly SparkParameter[]
  readonly blocks: readonly SparkBlock[]
}

export interface Template extends TemplateDescription {
  build(input: TemplateInput): FilledTemplate
}

const MAX_AGE_SECONDS = 300
const MAX_TITLE = 100
/** Leaves room for a suffix within 63 bytes. */
const MAX_ALIAS = 12

export const toContent = (
  { sources, parameters = [], blocks }: FilledTemplate,
  integration_trellis_code: string,
): SparkContent => ({
  sources: sources.map((source) => ({ ...source, integration_trellis_code, max_age_seconds: MAX_AGE_SECONDS })),
  parameters: [...parameters],
  body: { kind: 'blocks', blocks: [...blocks] },
})

export const name = (column: TemplateColumn) => quoteName(column.name)

export const alias = (column: TemplateColumn, taken: readonly string[]) =>
  taken.includes(column.name) ? `${column.name.slice(0, MAX_ALIAS)} value` : column.name

export const title = (text: string) =>
  [...text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').trim()].slice(0, MAX_TITLE).join('')

export const quote = (text: string) => quoteName(text)

export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

export const day = (column: TemplateColumn) => `${name(column)}::date`

const CHART: Omit<ChartSpec, 'kind' | 'y'> = {
  title: '',
  x: null,
  split_by: null,
  time_unit: 'auto',
  sort: 'none',
  top: null,
  show_other: true,
  is_stacked: false,
  show_labels: false,
  format: { style: 'number', decimals: null, prefix: '', suffix: '' },
}

export const lineChart = (
  { column, label }: { column: string; label: string },
  axes: Pick<ChartSpec, 'x' | 'split_by'>,
): ChartSpec => ({ ...CHART, ...axes, kind: 'line', y: [{ column, aggregate: 'none', label }] })
