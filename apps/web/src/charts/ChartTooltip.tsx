import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import { SeriesMark } from './SeriesMark.tsx'
import styles from './charts.module.css'
import type { ChartData } from './data/chart-data.ts'
import { formatX } from './data/describe-chart.ts'
import { formatValue } from '@trellis/contract/charts/format-value'
import { type ActivePoint, findNearest } from './draw/find-point.ts'

interface ChartTooltipProps {
  data: ChartData
  spec: ChartSpec
  shown: readonly number[]
  active: ActivePoint
  place: { left: number; top: number }
  width: number
}

const MAX_LINES = 10

export function ChartTooltip({ data, spec, shown, active, place, width }: ChartTooltipProps) {
  const x = data.series[active.series]?.points[active.point]?.[0] ?? 0
  const lines = shown.flatMap((at) => {
    const series = data.series[at]
    if (!series || (spec.kind === 'scatter' && at !== active.series)) return []
    const point = at === active.series ? active.point : findNearest(series.points, x)
    const [foundX, y] = series.points[point] ?? [Number.NaN, null]
    return foundX === x ? [{ at, name: series.name, color: series.color, y }] : []
  })
  return (
    <>
      {spec.kind !== 'pie' && <span className={styles.dot} style={{ left: place.left, top: place.top }} />}
      <div
        aria-hidden
        className={styles.tooltip}
        data-side={place.left > width / 2 ? 'left' : 'right'}
        style={{ left: place.left, top: place.top }}
      >
        <strong>{formatX(data, x)}</strong>
        {lines.slice(0, MAX_LINES).map(({ at, name, color, y }) => (
          <div key={at} className={styles.tooltipLine} data-active={at === active.series}>
            <SeriesMark kind={spec.kind} at={at} color={color} />
            <span>{name}</span>
            <b>{formatValue(y, spec.format)}</b>
          </div>
        ))}
        {lines.length > MAX_LINES && <div className={styles.tooltipLine}>and {lines.length - MAX_LINES} more</div>}
      </div>
    </>
  )
}
