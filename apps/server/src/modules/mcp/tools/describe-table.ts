import { readTables } from '@trellis/workspace-db/catalogue/read-tables'
import { AppError } from '../../../platform/app-error.ts'
import { withProjectSession } from '../../ai/tools/project-session.service.ts'
import { type AgentTool, getText } from '../agent-tool.ts'
import { listVisibleTables } from '../visible-tables.ts'

export const describeTable: AgentTool = {
  name: 'describe_table',
  description: 'Columns of one table with types, comments, keys and sample values.',
  arguments: {
    table: { type: 'string', description: 'As schema.table' },
    project: { type: 'string', description: 'Code of an AI project' },
  },
  required: ['table'],
  permission: 'explorer:read',
  isWrite: false,
  run: async (ctx, input) => {
    const { integrationCode, tables } = await listVisibleTables(ctx, getText(input, 'project'))
    const name = getText(input, 'table').toLowerCase()
    const projectTables = tables.filter(
      ({ schema_name, table_name }) =>
        `${schema_name}.${table_name}`.toLowerCase() === name || table_name.toLowerCase() === name,
    )
    const [table] = projectTables
    if (!table) throw new AppError('not_found', 'There is no such table, or you have no access to it.')
    const place = { integrationCode, tables: projectTables, signal: ctx.http.signal }
    return await withProjectSession(ctx, place, async ({ session }) => {
      const [describedTable] = await readTables(session, [{ schema: table.schema_name, name: table.table_name }])
      return describedTable
    })
  },
}
