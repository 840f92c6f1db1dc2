import type { LoopTool } from '@trellis/assistant/model/tool-loop'
import type { ModelToolContext } from './model-tool-context.ts'
import { readText } from './model-tool-context.ts'

const MAX_TABLES = 100

export const listTablesTool = ({ databases }: ModelToolContext): LoopTool => ({
  name: 'list_tables',
  description:
    'Lists the tables you may read, with their columns. With `search` only those that have one of the words.',
  parameters: { type: 'object', properties: { search: { type: 'string' } } },
  run: async (input) => {
    const words = (readText(input, 'search') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
    const found = databases.flatMap(({ integrationCode, tables }) =>
      tables
        .map((table) => ({
          database: integrationCode,
          table: `${table.schema}.${table.name}`,
          comment: table.comment,
          rows: table.rows,
          columns: table.columns.map(({ name }) => name),
        }))
        .filter((table) => {
          const text = JSON.stringify(table).toLowerCase()
          return words.length === 0 || words.some((word) => text.includes(word))
        }),
    )
    return JSON.stringify({ tables: found.slice(0, MAX_TABLES), is_cut: found.length > MAX_TABLES })
  },
})
