import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import type { EChartsCoreOption } from 'echarts/core'
import type { ChartData, ChartSeries } from '../data/chart-data.ts'
import { formatX } from '../data/describe-chart.ts'
import { formatValue } from '@trellis/contract/charts/format-value'
import type { ChartTheme } from './chart-theme.ts'
import { PIE_RADIUS } from './find-point.ts'
import { DASHES, DECALS, pickStyle, SYMBOLS } from './series-styles.ts'

/** Above this ECharts draws points in batches, without individual styles. */
const LARGE = 3000
const MAX_LABELLED_POINTS = 200

export interface ChartDrawing {
  readonly data: ChartData
  readonly spec: ChartSpec
  readonly theme: ChartTheme
  readonly hidden: ReadonlySet<string>
}

export function toOptions({ data, spec, theme, hidden }: ChartDrawing): EChartsCoreOption {
  const shared = {
    animation: false,
    textStyle: { fontFamily: theme.font, color: theme.text },
    aria: { enabled: true, label: { enabled: false }, decal: { show: true, decals: toDecals(theme) } },
  }
  if (spec.kind === 'pie') return { ...shared, series: [toPie({ data, spec, theme, hidden })] }
  const isCategory = data.axis === 'category'
  const axisLabel = { color: theme.muted, fontSize: 11, hideOverlap: true }
  return {
    ...shared,
    grid: { left: 8, right: 24, top: 20, bottom: data.xTitle === '' ? 8 : 26, containLabel: true },
    xAxis: {
      type: isCategory ? 'category' : data.axis === 'time' ? 'time' : 'value',
      ...(isCategory && { data: [...data.categories] }),
      ...(data.axis === 'number' && { scale: true }),
      ...(data.axis === 'time' && spec.kind !== 'scatter' && { boundaryGap: [0, 0] }),
      name: data.xTitle,
      nameLocation: 'middle',
      nameGap: 30,
      nameTextStyle: { color: theme.muted, fontSize: 11 },
      axisLabel: { ...axisLabel, ...(isCategory && { overflow: 'truncate', width: 90 }) },
      axisLine: { lineStyle: { color: theme.line } },
      axisTick: { show: false },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'value',
      axisLabel: { ...axisLabel, formatter: (value: number) => formatValue(value, toAxisFormat(spec)) },
      splitLine: { lineStyle: { color: theme.line } },
    },
    useUTC: true,
    // Hidden series keep their index, so that colours of the others stay.
    series: data.series.map((series, at) => toSeries({ data, spec, theme, hidden }, series, at)),
  }
}

const toAxisFormat = ({ format }: ChartSpec) =>
  format.style === 'number' && format.decimals === null ? { ...format, style: 'compact' as const } : format

const toDecals = (theme: ChartTheme) => DECALS.map((decal) => ({ ...decal, color: withAlpha(theme.surface, 0.55) }))

function withAlpha(hex: string, alpha: number): string {
  const value = Number.parseInt(hex.replace('#', ''), 16)
  return `rgba(${(value >> 16) & 255}, ${(value >> 8) & 255}, ${value & 255}, ${alpha})`
}

function toSeries({ spec, theme, hidden }: ChartDrawing, { name, color, points }: ChartSeries, at: number) {
  const drawnPoints = hidden.has(name) ? [] : points
  const isScatter = spec.kind === 'scatter'
  const isLine = spec.kind === 'line' || spec.kind === 'area'
  const paint = theme.colors[color]
  return {
    name,
    type: isLine ? 'line' : isScatter ? 'scatter' : 'bar',
    data: drawnPoints.map(([x, y]) => [x, y]),
    itemStyle: { color: paint, ...(isScatter && { opacity: points.length > LARGE ? 0.5 : 0.8 }) },
    ...(isLine && {
      lineStyle: { color: paint, width: 2, type: pickStyle(DASHES, at) },
      symbol: pickStyle(SYMBOLS, at),
      symbolSize: 5,
      showSymbol: points.length <= 60,
      connectNulls: false,
    }),
    ...(spec.kind === 'area' && { areaStyle: { color: paint, opacity: 0.22 } }),
    ...(isScatter && {
      symbol: pickStyle(SYMBOLS, at),
      symbolSize: points.length > LARGE ? 3 : 7,
      large: true,
      largeThreshold: LARGE,
    }),
    ...(spec.is_stacked && !isScatter && { stack: 'all' }),
    ...(spec.kind === 'bar' && { barMaxWidth: 64 }),
    ...(spec.show_labels &&
      points.length <= MAX_LABELLED_POINTS && {
        label: {
          show: true,
          position: spec.kind === 'bar' && spec.is_stacked ? 'inside' : 'top',
          color: theme.text,
          textBorderColor: theme.surface,
          textBorderWidth: 2,
          fontSize: 11,
          formatter: ({ value }: { value: [number, number | null] }) => formatValue(value[1], spec.format),
        },
        labelLayout: { hideOverlap: true },
      }),
    emphasis: { disabled: true },
  }
}

function toPie({ data, spec, theme, hidden }: ChartDrawing) {
  const points = data.series[0]?.points ?? []
  const colors = Object.values(theme.colors)
  return {
    type: 'pie',
    radius: ['0%', `${PIE_RADIUS * 100}%`],
    center: ['50%', '50%'],
    data: points.flatMap(([x, y], at) => {
      const name = formatX(data, x)
      // A pie cannot show negative values.
      if (y === null || y < 0 || hidden.has(name)) return []
      return [
        {
          name,
          value: y,
          itemStyle: {
            color: pickStyle(colors, at),
            borderColor: theme.surface,
            borderWidth: 2,
            decal: { ...pickStyle(DECALS, at), color: withAlpha(theme.surface, 0.55) },
          },
        },
      ]
    }),
    label: {
      color: theme.text,
      fontSize: 11,
      formatter: ({ name, value, percent }: { name: string; value: number; percent: number }) =>
        spec.show_labels ? `${name}: ${formatValue(value, spec.format)} (${Math.round(percent)} %)` : name,
    },
    labelLine: { lineStyle: { color: theme.line } },
    emphasis: { scaleSize: 4 },
  }
}
