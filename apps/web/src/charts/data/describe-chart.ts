import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import type { ChartData, ChartSeries } from './chart-data.ts'
import { formatValue } from '@trellis/contract/charts/format-value'
import { formatTime } from './time-units.ts'

const KIND_WORDS: Record<ChartSpec['kind'], string> = {
  line: 'Line chart',
  bar: 'Bar chart',
  area: 'Area chart',
  scatter: 'Scatter chart',
  pie: 'Pie chart',
  big_number: 'Number',
}
const MAX_NAMED_SERIES = 4

export function formatX(data: ChartData, x: number): string {
  if (data.axis === 'category') return data.categories[x] ?? ''
  return data.axis === 'time' ? formatTime(x, data.unit) : formatValue(x)
}

export function describeChart(data: ChartData, spec: ChartSpec): string {
  if (data.problem !== null) return data.problem
  const title = spec.title === '' ? '' : ` "${spec.title}"`
  const over = data.xTitle === '' ? '' : ` by ${data.xTitle}`
  const names = data.series.map(({ name }) => name)
  const what = `${KIND_WORDS[spec.kind]}${title}: ${names.slice(0, MAX_NAMED_SERIES).join(', ')}${names.length > MAX_NAMED_SERIES ? ` and ${names.length - MAX_NAMED_SERIES} more` : ''}${over}.`
  if (spec.kind === 'big_number') {
    return `${what} ${data.series.map(({ name, points }) => `${name}: ${formatValue(points[0]?.[1] ?? null, spec.format)}`).join(', ')}.`
  }
  return [what, ...data.series.slice(0, MAX_NAMED_SERIES).map((series) => describeSeries(data, series, spec))].join(' ')
}

function describeSeries(data: ChartData, { name, points }: ChartSeries, spec: ChartSpec): string {
  let low: readonly [number, number | null] | undefined
  let high: readonly [number, number | null] | undefined
  for (const point of points) {
    if (point[1] === null) continue
    if (!low || point[1] < (low[1] ?? 0)) low = point
    if (!high || point[1] > (high[1] ?? 0)) high = point
  }
  if (!low || !high) return `${name} has no values.`
  const at = (point: readonly [number, number | null]) =>
    `${formatValue(point[1], spec.format)} at ${formatX(data, point[0])}`
  return `${name}: ${points.length.toLocaleString('en-GB')} points, lowest ${at(low)}, highest ${at(high)}.`
}

export function describePoint(
  data: ChartData,
  spec: ChartSpec,
  active: { series: number; point: number } | null,
): string {
  const series = active ? data.series[active.series] : undefined
  const point = active ? series?.points[active.point] : undefined
  if (!active || !series || !point) return 'Arrow keys walk through the points.'
  const value = formatValue(point[1], spec.format)
  return `${series.name}, ${formatX(data, point[0])}: ${value}. Point ${active.point + 1} of ${series.points.length}.`
}

interface ChartTableRow {
  readonly x: string
  readonly values: readonly (number | null)[]
}

export function listTableRows(data: ChartData): ChartTableRow[] {
  const lines = new Map<string, (number | null)[]>()
  const order: { key: string; x: number }[] = []
  for (const [at, { points }] of data.series.entries()) {
    const seen = new Map<number, number>()
    for (const [x, y] of points) {
      const repeat = seen.get(x) ?? 0
      seen.set(x, repeat + 1)
      const key = `${x} ${repeat}`
      let line = lines.get(key)
      if (!line) {
        line = data.series.map(() => null)
        lines.set(key, line)
        order.push({ key, x })
      }
      line[at] = y
    }
  }
  return order
    .toSorted((item, other) => item.x - other.x)
    .map(({ key, x }) => ({ x: formatX(data, x), values: lines.get(key) ?? [] }))
}
