import { type LoopTool, ToolProblem } from '@trellis/assistant/model/tool-loop'
import { ChartKind } from '@trellis/contract/charts/charts.schemas'
import { suggestChart } from '@trellis/contract/charts/suggest-chart'
import type { ModelToolContext } from './model-tool-context.ts'

export const makeChartTool = (context: ModelToolContext): LoopTool => ({
  name: 'make_chart',
  description: 'Draws the rows of the last query. The kind is chosen by the columns unless you name one.',
  parameters: { type: 'object', properties: { kind: { type: 'string', enum: ChartKind.options } } },
  run: async (input) => {
    if (!context.lastTable) throw new ToolProblem('Run a query first.')
    const chart = suggestChart(context.lastTable.columns, context.lastTable.rows)
    if (!chart) throw new ToolProblem('These rows can not be drawn.')
    const kind = ChartKind.safeParse(input['kind']).data ?? chart.kind
    context.parts.add({ kind: 'chart', chart: { ...chart, kind } })
    return 'The chart is shown.'
  },
})
