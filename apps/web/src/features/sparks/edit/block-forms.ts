import type { SparkBlock } from '@trellis/contract/sparks/spark-content.schemas'
import { suggestChart } from '@trellis/contract/charts/suggest-chart'
import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'

export type BlockKind = SparkBlock['kind']

export const BLOCK_NAMES: Record<BlockKind, string> = {
  heading: 'Heading',
  text: 'Text',
  filters: 'Filters',
  number: 'Number',
  chart: 'Chart',
  table: 'Table',
  funnel: 'Funnel',
  cohort: 'Cohorts',
  map: 'Map',
  metric_tree: 'Metric tree',
  checks: 'Checks',
}

interface ColumnField {
  key: string
  label: string
  isOptional?: boolean
}

export const COLUMN_FIELDS: Partial<Record<BlockKind, readonly ColumnField[]>> = {
  number: [
    { key: 'column', label: 'Number' },
    { key: 'compare_column', label: 'Compared with', isOptional: true },
  ],
  funnel: [
    { key: 'step_column', label: 'Step' },
    { key: 'value_column', label: 'Value' },
  ],
  cohort: [
    { key: 'group_column', label: 'Group' },
    { key: 'period_column', label: 'Period' },
    { key: 'value_column', label: 'Value' },
  ],
  map: [
    { key: 'latitude_column', label: 'Latitude' },
    { key: 'longitude_column', label: 'Longitude' },
    { key: 'label_column', label: 'Label', isOptional: true },
    { key: 'value_column', label: 'Value', isOptional: true },
  ],
  metric_tree: [
    { key: 'name_column', label: 'Metric' },
    { key: 'parent_column', label: 'Part of' },
    { key: 'value_column', label: 'Value' },
    { key: 'compare_column', label: 'Compared with', isOptional: true },
  ],
  checks: [
    { key: 'name_column', label: 'Check' },
    { key: 'failed_column', label: 'Failing rows' },
    { key: 'total_column', label: 'Rows' },
  ],
}

const COUNT_CHART = {
  kind: 'bar' as const,
  title: '',
  x: null,
  y: [{ column: null, aggregate: 'count' as const }],
  split_by: null,
  time_unit: 'auto' as const,
  sort: 'none' as const,
  top: null,
  show_other: true,
  is_stacked: false,
  show_labels: false,
  format: { style: 'number' as const, decimals: null, prefix: '', suffix: '' },
}

interface BlockGround {
  source: string
  columns: readonly ResultColumn[]
}

export function createBlock(kind: BlockKind, { source, columns }: BlockGround): SparkBlock {
  if (kind === 'heading') return { kind, width: 'full', text: 'Heading' }
  if (kind === 'text') return { kind, width: 'full', text: 'Text' }
  if (kind === 'filters') return { kind, width: 'full', parameters: [] }
  const from = { width: 'full' as const, source, title: '' }
  if (kind === 'table') return { kind, ...from, columns: [] }
  if (kind === 'chart') {
    const sample = columns.map(({ kind: type }) => (type === 'integer' || type === 'decimal' ? '1' : 'a'))
    return { kind, ...from, chart: suggestChart(columns, [sample, sample.map((value) => `${value}0`)]) ?? COUNT_CHART }
  }
  const fields = COLUMN_FIELDS[kind] ?? []
  const names = Object.fromEntries(
    fields.map(({ key, isOptional }, index) => [key, isOptional ? null : (columns[index]?.name ?? 'column')]),
  )
  return { kind, ...from, ...names } as SparkBlock
}

export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list]
  const [item] = next.splice(from, 1)
  if (item !== undefined) next.splice(Math.max(0, Math.min(next.length, to)), 0, item)
  return next
}
