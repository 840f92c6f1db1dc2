import type { NumberFormat } from '@trellis/contract/charts/charts.schemas'
import { formatValue } from '@trellis/contract/charts/format-value'
import type { SparkBlock } from '@trellis/contract/sparks/spark-content.schemas'
import type { SparkData } from '@trellis/contract/sparks/sparks.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import type { Mail } from '../../../platform/mail/templates/layout.ts'
import { type SparkMailPart, scheduledSparkMail } from '../../../platform/mail/templates/scheduled-spark.ts'
import type { ReadSpark } from './read-spark.ts'
import { toSeries } from './to-series.ts'

const MAX_PARTS = 12
const MAX_ROWS = 15

export function toMail(ctx: WorkspaceCtx, { code, name, content, parameters, rows }: ReadSpark): Mail {
  const { publicUrl } = ctx.ports.config
  const data = new Map(rows.map((row) => [row.source, row.data]))
  const parts =
    content.body.kind === 'blocks'
      ? content.body.blocks.flatMap((block) => toPart(block, data))
      : content.sources.flatMap((source) => toTable(source.name, data.get(source.key), []))
  const chosen = Object.entries(parameters).flatMap(([key, value]) => (value === null ? [] : [[`p.${key}`, value]]))
  const query = new URLSearchParams(chosen).toString()
  const page = `${publicUrl}/${ctx.account.code}/${ctx.workspace.address}/sparks/${code}`
  const stale = rows.map((row) => row.data.stale_since).find((since) => since !== null)
  return scheduledSparkMail({
    name,
    firstName: ctx.actor.firstName,
    parts: parts.slice(0, MAX_PARTS),
    staleSince: stale ?? null,
    url: query ? `${page}?${query}` : page,
    publicUrl,
  })
}

function toPart(block: SparkBlock, rows: ReadonlyMap<string, SparkData>): SparkMailPart[] {
  switch (block.kind) {
    case 'heading':
    case 'text':
      return [{ kind: block.kind, text: block.text }]
    case 'filters':
      return []
    case 'number': {
      const data = rows.get(block.source)
      const cell = (column: string | null) =>
        data?.rows[0]?.[data.columns.findIndex((candidate) => candidate.name === column)]
      const value = toNumber(cell(block.column))
      const note = toChange(value, toNumber(cell(block.compare_column)), block.format)
      return [{ kind: 'number', title: block.title || block.column, value: formatValue(value, block.format), note }]
    }
    case 'chart': {
      const data = rows.get(block.source)
      const drawnChartSeries = data && toSeries(block.chart, data)
      if (!drawnChartSeries) return toTable(block.title, data, [])
      const { kind, places, series } = drawnChartSeries
      return [{ kind: 'chart', title: block.title, drawn: kind, places, series }]
    }
    case 'table':
      return toTable(block.title, rows.get(block.source), block.columns)
    default:
      return toTable(block.title, rows.get(block.source), [])
  }
}

function toTable(title: string, data: SparkData | undefined, columns: readonly string[]): SparkMailPart[] {
  if (!data) return []
  const shown = data.columns.flatMap(({ name }, at) => (columns.length === 0 || columns.includes(name) ? [at] : []))
  return [
    {
      kind: 'table',
      title,
      columns: data.columns.filter((_, at) => shown.includes(at)),
      rows: data.rows.slice(0, MAX_ROWS).map((row) => shown.map((at) => row[at] ?? null)),
      more: data.is_cut ? null : Math.max(0, data.rows.length - MAX_ROWS),
    },
  ]
}

function toNumber(cell: string | null | undefined): number | null {
  const value = Number(cell)
  return cell === null || cell === undefined || cell === '' || !Number.isFinite(value) ? null : value
}

function toChange(now: number | null, before: number | null, format?: NumberFormat): string {
  if (now === null || before === null || before === 0) return ''
  const share = (now - before) / Math.abs(before)
  const text = formatValue(Math.abs(share), { style: 'percent', decimals: 1, prefix: '', suffix: '' })
  return `${share < 0 ? '▼' : share > 0 ? '▲' : '='} ${text} from ${formatValue(before, format)}`
}
