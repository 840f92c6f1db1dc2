import { toFormulaSafe } from '@trellis/contract/core/formula-safe'
import type { UsagePoint, WorkspaceUtilization } from '@trellis/contract/utilization/utilization.endpoints'
import { formatBytes } from '../../ui/data/amounts.ts'
import { copyText } from '../../ui/grid/copy-text.ts'
import type { DayPoint } from './day-series.ts'

type Measure = Exclude<keyof UsagePoint, 'at'>

const HOUR: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }

export function toPoints({ unit, points }: WorkspaceUtilization, measure: Measure): DayPoint[] {
  return points.map(({ at, ...point }) => ({
    day: at,
    value: point[measure],
    label: unit === 'day' ? at.slice(0, 10) : new Date(at).toLocaleString('en-US', { ...HOUR, hour12: false }),
  }))
}

export function describeForecast({ used_bytes, limit_bytes, forecast }: WorkspaceUtilization['storage']): string {
  if (limit_bytes === null) return 'The plan of this account has no limit for storage.'
  const now = `All workspaces together use ${formatBytes(used_bytes)} of ${formatBytes(limit_bytes)}.`
  if (used_bytes >= limit_bytes) return `${now} The plan is full: delete tables or choose a larger plan.`
  if (forecast === null) return `${now} A forecast appears after the first day.`
  if (forecast.bytes_per_day <= 0) return `${now} It does not grow at the moment.`
  const growth = `${now} It grows by ${formatBytes(forecast.bytes_per_day)} a day`
  return forecast.full_on === null
    ? `${growth} and would not be full in ten years.`
    : `${growth} and would be full on ${forecast.full_on}.`
}

const MEASURES = ['storage_bytes', 'rows_moved', 'run_seconds', 'queries', 'credits_spent'] as const

export function toUsageCsv({ points, schemas, tables, people, projects }: WorkspaceUtilization): string {
  type Line = [at: string, measure: string, name: string, value: number]
  const line = (...[measuredAt, measure, name, value]: Line) => [
    measuredAt,
    measure,
    toFormulaSafe(name),
    String(value),
  ]
  const last = points.at(-1)?.at ?? ''
  const rows = [
    ...points.flatMap((point) => MEASURES.map((measure) => line(point.at, measure, '', point[measure]))),
    ...schemas.flatMap((schema) =>
      schema.points.map(({ at, bytes }) => line(at, 'schema_bytes', schema.schema_name, bytes)),
    ),
    ...tables.map((table) =>
      line(last, 'table_bytes', [table.schema_name, table.table_name ?? '*'].join('.'), table.bytes),
    ),
    ...people.flatMap(({ name, queries, credits_spent }) => [
      line(last, 'queries_by_person', name, queries),
      line(last, 'credits_by_person', name, credits_spent),
    ]),
    ...projects.map(({ name, credits_spent }) => line(last, 'credits_by_project', name, credits_spent)),
  ]
  const columns = ['at', 'measure', 'name', 'value'].map((title) => ({ key: title, title }))
  return `${copyText('csv', { columns, rows })}\r\n`
}
