import { LegendComponent, TitleComponent } from 'echarts/components'
import { init, use as register } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import './plot.ts'
import { type ChartDrawing, toOptions } from './to-options.ts'

register([LegendComponent, SVGRenderer, TitleComponent])

export type PictureType = 'png' | 'svg'

interface Size {
  readonly width: number
  readonly height: number
}

export async function exportChart(drawing: ChartDrawing, { width, height }: Size, type: PictureType): Promise<Blob> {
  if (type === 'svg') {
    const plot = init(null, null, { renderer: 'svg', ssr: true, width, height: height + HEADER })
    plot.setOption(toPicture(drawing))
    const text = plot.renderToSVGString()
    plot.dispose()
    return new Blob([text], { type: 'image/svg+xml' })
  }
  const element = document.createElement('div')
  const plot = init(element, null, { renderer: 'canvas', width, height: height + HEADER, devicePixelRatio: 2 })
  plot.setOption(toPicture(drawing))
  const canvas = plot.renderToCanvas({ pixelRatio: 2, backgroundColor: drawing.theme.surface })
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  plot.dispose()
  if (!blob) throw new Error('The browser made no picture')
  return blob
}

const HEADER = 56

function toPicture(drawing: ChartDrawing) {
  const { data, spec, theme } = drawing
  const options = toOptions(drawing)
  const isLegendShown = spec.kind !== 'pie' && data.series.length > 1
  return {
    ...options,
    backgroundColor: theme.surface,
    ...(spec.title !== '' && {
      title: { text: spec.title, left: 12, top: 8, textStyle: { color: theme.text, fontSize: 15, fontWeight: 600 } },
    }),
    ...(isLegendShown && { legend: { top: 32, left: 12, textStyle: { color: theme.muted, fontSize: 11 } } }),
    ...('grid' in options && { grid: { ...(options['grid'] as object), top: 20 + HEADER } }),
  }
}
