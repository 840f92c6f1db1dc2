import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import { parseNumber } from './aggregates.ts'
import { type ChartData, type ChartSource, chooseColor, findColumnAt, nameMeasure } from './chart-data.ts'
import { groupByColumn } from './rank-groups.ts'
import { MAX_DRAWN_POINTS, type Point, thinPoints } from './thin-points.ts'

const MAX_SERIES = 8

interface RawAxis {
  readonly axis: 'time' | 'number'
  read(text: string | null): number | null
}

/** One point per row, sorted by x for lines. */
export function buildRawSeries(source: ChartSource, spec: ChartSpec, { axis, read }: RawAxis): ChartData {
  const { columns, rows } = source
  const xAt = findColumnAt(columns, spec.x)
  const splitAt = findColumnAt(columns, spec.split_by)
  const splits =
    splitAt === -1 ? null : groupByColumn(source, spec, { column: splitAt, max: MAX_SERIES - 1, showOther: true })
  const found = new Map<string, Point[]>()
  let skipped = 0
  for (const row of rows) {
    const x = read(row[xAt] ?? null)
    if (x === null) {
      skipped += 1
      continue
    }
    const split = splits?.toLabel(row[splitAt] ?? null) ?? ''
    for (const measure of spec.y) {
      const name = !splits ? nameMeasure(measure) : spec.y.length === 1 ? split : `${split}: ${nameMeasure(measure)}`
      const y = parseNumber(row[findColumnAt(columns, measure.column)] ?? null)
      const points = found.get(name)
      if (points) points.push([x, y])
      else found.set(name, [[x, y]])
    }
  }
  const longest = Math.max(0, ...[...found.values()].map((points) => points.length))
  const isThinned = spec.kind !== 'scatter' && longest > MAX_DRAWN_POINTS
  const count = (value: number) => value.toLocaleString('en-GB')
  return {
    axis,
    xTitle: spec.x ?? '',
    unit: null,
    categories: [],
    series: [...found].map(([name, points], at) => ({
      name,
      color: chooseColor(at, splits ? undefined : spec.y[at]?.color),
      points:
        spec.kind === 'scatter'
          ? points.filter(([, y]) => y !== null)
          : thinPoints(points.toSorted((point, other) => point[0] - other[0])),
    })),
    notes: [
      ...(skipped > 0 ? [`${count(skipped)} rows without a value in ${spec.x} are not shown.`] : []),
      ...(isThinned ? [`Drawn from ${count(longest)} points; highest and lowest values are kept.`] : []),
    ],
    problem: null,
  }
}
