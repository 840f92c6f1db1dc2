import { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import * as z from 'zod/mini'
import { buildChartData } from '../../apps/web/src/charts/data/build-chart-data.ts'
import { createPlot } from '../../apps/web/src/charts/draw/plot.ts'
import { toOptions } from '../../apps/web/src/charts/draw/to-options.ts'

const SIZE = { width: 900, height: 420 }
const COLORS = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`chart-${at}`, '#5a5edd']))
const THEME = {
  text: '#17191f',
  muted: '#4c5058',
  line: '#dde0e4',
  surface: '#ffffff',
  font: 'sans-serif',
  colors: COLORS as Record<`chart-${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}`, string>,
}
const COLUMNS = [
  { name: 'x', kind: 'integer' as const },
  { name: 'y', kind: 'decimal' as const },
]

const createRows = (count: number) =>
  Array.from({ length: count }, (_, at) => [String(at), String(Math.sin(at / 500) * 100 + ((at * 7919) % 20))])

function drawOurs(kind: 'line' | 'scatter', rows: string[][]): number {
  const box = document.createElement('div')
  Object.assign(box.style, { width: `${SIZE.width}px`, height: `${SIZE.height}px` })
  document.body.append(box)
  const spec = z.parse(ChartSpec, { kind, x: 'x', y: [{ column: 'y' }] })
  const start = performance.now()
  const data = buildChartData({ columns: COLUMNS, rows }, spec)
  const plot = createPlot(box)
  plot.setOption(toOptions({ data, spec, theme: THEME, hidden: new Set() }))
  plot.getZr().flush()
  box.querySelector('canvas')?.getContext('2d')?.getImageData(0, 0, 1, 1)
  const took = performance.now() - start
  plot.dispose()
  box.remove()
  return took
}

/** The minimum for any library: one path, or one square per point. */
function drawBare(kind: 'line' | 'scatter', rows: string[][]): number {
  const canvas = Object.assign(document.createElement('canvas'), SIZE)
  document.body.append(canvas)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('There is no canvas')
  const start = performance.now()
  context.beginPath()
  for (const [x, y] of rows) {
    const [left, top] = [(Number(x) / rows.length) * SIZE.width, SIZE.height / 2 - Number(y)]
    if (kind === 'line') context.lineTo(left, top)
    else context.fillRect(left, top, 3, 3)
  }
  if (kind === 'line') context.stroke()
  context.getImageData(0, 0, 1, 1)
  const took = performance.now() - start
  canvas.remove()
  return took
}

Object.assign(window, { chartBench: { createRows, drawOurs, drawBare } })
