import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import type { SparkData } from '@trellis/contract/sparks/sparks.schemas'

const MAX_SERIES = 6
const MAX_PLACES = 400
const MAX_BARS = 40

export interface ChartSeries {
  readonly kind: 'line' | 'bar'
  readonly places: readonly string[]
  readonly series: readonly { readonly label: string; readonly values: readonly (number | null)[] }[]
}

const DRAWN: Readonly<Partial<Record<ChartSpec['kind'], ChartSeries['kind']>>> = {
  line: 'line',
  area: 'line',
  bar: 'bar',
  pie: 'bar',
}

export function toSeries(chart: ChartSpec, data: SparkData): ChartSeries | undefined {
  const kind = DRAWN[chart.kind]
  const x = data.columns.findIndex((column) => column.name === chart.x)
  const isSimple = chart.y.every(({ aggregate }) => aggregate === 'none' || aggregate === 'sum')
  if (!kind || x < 0 || !isSimple) return undefined
  const places = [...new Set(data.rows.map((row) => row[x] ?? ''))]
  const sums = sumByPlace(chart, data, x)
  if (sums.size === 0 || places.length > (kind === 'line' ? MAX_PLACES : MAX_BARS)) return undefined
  const series = [...sums].slice(0, MAX_SERIES).map(([label, own]) => ({
    label,
    values: places.map((place) => own.get(place) ?? null),
  }))
  return { kind, places, series }
}

function sumByPlace({ y, split_by }: ChartSpec, { columns, rows }: SparkData, x: number) {
  const find = (name: string | null) => columns.findIndex((column) => column.name === name)
  const split = find(split_by)
  const sums = new Map<string, Map<string, number>>()
  for (const { column, label = column ?? '' } of y) {
    const at = find(column)
    for (const row of rows) {
      const cell = row[at] ?? null
      const value = Number(cell)
      if (cell === null || !Number.isFinite(value)) continue
      const group = split >= 0 ? (row[split] ?? '(none)') : label
      const name = split >= 0 && y.length > 1 ? `${group} ${label}` : group
      const own = sums.get(name) ?? new Map<string, number>()
      const place = row[x] ?? ''
      sums.set(name, own.set(place, (own.get(place) ?? 0) + value))
    }
  }
  return sums
}
