import { getWorksheet, listWorksheets as listPlaces } from '../../worksheets/worksheet-files.service.ts'
import { type AgentTool, getText } from '../agent-tool.ts'

export const listWorksheets: AgentTool = {
  name: 'list_worksheets',
  description: 'Worksheets as they are on your branches.',
  arguments: {},
  permission: 'worksheets:read',
  isWrite: false,
  run: async (ctx) => ({ worksheets: await listPlaces(ctx) }),
}

export const readWorksheet: AgentTool = {
  name: 'read_worksheet',
  description: 'The text of one worksheet.',
  arguments: { project_id: { type: 'string' }, file_id: { type: 'string' } },
  required: ['project_id', 'file_id'],
  permission: 'worksheets:read',
  isWrite: false,
  run: async (ctx, input) => {
    const place = { project_id: getText(input, 'project_id'), file_id: getText(input, 'file_id') }
    const { name, path, content } = await getWorksheet(ctx, place)
    return { name, path, content }
  },
}
