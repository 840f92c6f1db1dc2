import { getFolderStructure } from '../../dataflows/dataflows.service.ts'
import type { AgentTool } from '../agent-tool.ts'

export const listDataflows: AgentTool = {
  name: 'list_dataflows',
  description: 'Dataflows and folders of the workspace.',
  arguments: {},
  permission: 'dataflows:read',
  isWrite: false,
  run: async (ctx) => await getFolderStructure(ctx),
}
