import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'
import styles from './charts.module.css'
import { ChartTooltip } from './ChartTooltip.tsx'
import type { ChartData } from './data/chart-data.ts'
import { describeChart, describePoint, formatX } from './data/describe-chart.ts'
import { readChartTheme } from './draw/chart-theme.ts'
import {
  type ActivePoint,
  PIE_RADIUS,
  findNearest,
  findSlice,
  findSliceMiddle,
  movePoint,
  toShares,
} from './draw/find-point.ts'
import { createPlot, type Plot } from './draw/plot.ts'
import { toOptions } from './draw/to-options.ts'

interface ChartPlotProps {
  data: ChartData
  spec: ChartSpec
  hidden: ReadonlySet<string>
}

export default function ChartPlot({ data, spec, hidden }: ChartPlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | null>(null)
  const [active, setActive] = useState<ActivePoint | null>(null)
  const draw = useEffectEvent(() => {
    if (!box.current || !plot.current) return
    plot.current.setOption(toOptions({ data, spec, hidden, theme: readChartTheme(box.current) }), { notMerge: true })
  })
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    plot.current = createPlot(element)
    draw()
    const resize = new ResizeObserver(() => plot.current?.resize())
    resize.observe(element)
    const theme = new MutationObserver(() => draw())
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      resize.disconnect()
      theme.disconnect()
      plot.current?.dispose()
      plot.current = null
    }
  }, [])
  useEffect(() => draw(), [data, spec, hidden])
  const isPie = spec.kind === 'pie'
  const isShown = (at: number) => isPie || !hidden.has(data.series[at]?.name ?? '')
  const shown = data.series.flatMap((_, at) => (isShown(at) ? [at] : []))
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movePoint(data, shown, { key: event.key, active })
    if (next === undefined || (next === null && active === null)) return
    setActive(next)
    event.preventDefault()
    event.stopPropagation()
  }
  const point = active ? data.series[active.series]?.points[active.point] : undefined
  const place = point && plot.current ? findPlace(plot.current, { data, spec, active, shown, hidden }) : null
  return (
    <div
      role="slider"
      aria-roledescription="chart"
      aria-label={describeChart(data, spec)}
      aria-valuemin={1}
      aria-valuemax={Math.max(1, data.series[active?.series ?? 0]?.points.length ?? 1)}
      aria-valuenow={(active?.point ?? 0) + 1}
      aria-valuetext={describePoint(data, spec, active)}
      tabIndex={0}
      className={styles.plot}
      onKeyDown={onKeyDown}
      onBlur={() => setActive(null)}
      onPointerMove={(event) => {
        if (!plot.current || !box.current) return
        const { left, top } = box.current.getBoundingClientRect()
        setActive(findAt(plot.current, { data, spec, shown, hidden }, [event.clientX - left, event.clientY - top]))
      }}
      onPointerLeave={() => setActive(null)}
    >
      <div ref={box} aria-hidden className={styles.canvas} />
      {active && point && place && (
        <ChartTooltip
          data={data}
          spec={spec}
          shown={shown}
          active={active}
          place={place}
          width={plot.current?.getWidth() ?? 0}
        />
      )}
    </div>
  )
}

interface ShownChart {
  data: ChartData
  spec: ChartSpec
  shown: readonly number[]
  hidden: ReadonlySet<string>
}
const AXES = { xAxisIndex: 0, yAxisIndex: 0 }

function findPlace(
  plot: Plot,
  { data, spec, shown, hidden, active }: ShownChart & { active: ActivePoint | null },
): { left: number; top: number } | null {
  if (!active) return null
  if (spec.kind === 'pie') {
    const { center, radius } = measurePie(plot)
    const [across, down] = findSliceMiddle(toSliceShares(data, hidden), active.point)
    return { left: center[0] + across * radius, top: center[1] + down * radius }
  }
  const [x, y] = data.series[active.series]?.points[active.point] ?? [0, 0]
  const below = spec.is_stacked
    ? shown
        .filter((at) => at < active.series)
        .reduce((sum, at) => sum + (data.series[at]?.points[active.point]?.[1] ?? 0), 0)
    : 0
  const [left, top] = plot.convertToPixel(AXES, [x, (y ?? 0) + below]) as unknown as [number, number]
  return Number.isFinite(left) && Number.isFinite(top) ? { left, top } : null
}

const toSliceShares = (data: ChartData, hidden: ReadonlySet<string>) =>
  toShares(data, (x) => hidden.has(formatX(data, x)))

function measurePie(plot: Plot): { center: readonly [number, number]; radius: number } {
  const [width, height] = [plot.getWidth(), plot.getHeight()]
  return { center: [width / 2, height / 2], radius: (PIE_RADIUS * Math.min(width, height)) / 2 || 1 }
}

function findAt(plot: Plot, { data, spec, shown, hidden }: ShownChart, pixel: [number, number]): ActivePoint | null {
  const first = shown[0]
  if (spec.kind === 'pie') {
    const { center, radius } = measurePie(plot)
    const offset = [(pixel[0] - center[0]) / radius, (pixel[1] - center[1]) / radius] as const
    const point = findSlice(toSliceShares(data, hidden), offset)
    return point === null ? null : { series: 0, point }
  }
  if (first === undefined || !plot.containPixel('grid', pixel)) return null
  const [x, y] = plot.convertFromPixel(AXES, pixel) as unknown as [number, number]
  const [farX, farY] = plot.convertFromPixel(AXES, [pixel[0] + 100, pixel[1] + 100]) as unknown as [number, number]
  const scale = { x: Math.abs(farX - x) || 1, y: Math.abs(farY - y) || 1 }
  let best: (ActivePoint & { distance: number }) | null = null
  for (const series of shown) {
    const points = data.series[series]?.points ?? []
    const candidates = spec.kind === 'scatter' ? points.keys() : [findNearest(points, x)]
    for (const point of candidates) {
      const at = points[point]
      if (!at || at[1] === null) continue
      const distance = Math.hypot((at[0] - x) / scale.x, (at[1] - y) / scale.y)
      if (!best || distance < best.distance) best = { series, point, distance }
    }
  }
  return best && { series: best.series, point: best.point }
}
