import { type LoopTool, ToolProblem } from '@trellis/assistant/model/tool-loop'
import type { ModelToolContext } from './model-tool-context.ts'
import { readText } from './model-tool-context.ts'

const MAX_VALUES = 20

export const describeTableTool = ({ databases }: ModelToolContext): LoopTool => ({
  name: 'describe_table',
  description: 'Columns of one table with types, comments and sample values.',
  parameters: {
    type: 'object',
    properties: { table: { type: 'string', description: 'As schema.table' } },
    required: ['table'],
  },
  run: async (input) => {
    const name = readText(input, 'table')?.toLowerCase().replaceAll('"', '')
    const describedTable = databases
      .flatMap(({ tables }) => tables)
      .find((table) => `${table.schema}.${table.name}`.toLowerCase() === name || table.name.toLowerCase() === name)
    if (!describedTable) throw new ToolProblem('There is no such table in this project.')
    const columns = describedTable.columns.map((column) => ({ ...column, values: column.values.slice(0, MAX_VALUES) }))
    return JSON.stringify({ ...describedTable, columns })
  },
})
