import { BarChart, LineChart, PieChart, ScatterChart } from 'echarts/charts'
import { AriaComponent, GridComponent } from 'echarts/components'
import { init, use as register, type EChartsType } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

register([BarChart, LineChart, PieChart, ScatterChart, AriaComponent, GridComponent, CanvasRenderer])

export type Plot = EChartsType

export function createPlot(element: HTMLElement): Plot {
  return init(element, null, { renderer: 'canvas' })
}
