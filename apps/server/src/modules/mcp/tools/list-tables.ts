import { managedCode } from '../../../platform/workspace-database/open-database.ts'
import { listTableNames } from '../../explorer/table-names.service.ts'
import { type AgentTool, getText } from '../agent-tool.ts'

const MAX_LISTED = 500

export const listTables: AgentTool = {
  name: 'list_tables',
  description: 'Tables and views of the workspace database that you may read. `search` keeps names that contain it.',
  arguments: { search: { type: 'string' } },
  permission: 'explorer:read',
  isWrite: false,
  run: async (ctx, input) => {
    const search = getText(input, 'search').toLowerCase()
    const all = await listTableNames(ctx, managedCode(ctx.workspace.code))
    const tables = all.filter(({ schema, name }) => `${schema}.${name}`.toLowerCase().includes(search))
    return { tables: tables.slice(0, MAX_LISTED), is_cut: tables.length > MAX_LISTED }
  },
}
