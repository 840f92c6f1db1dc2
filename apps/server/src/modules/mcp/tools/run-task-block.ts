import { executeBlock } from '../../runs/runs.service.ts'
import { type AgentTool, getText } from '../agent-tool.ts'

export const runTaskBlock: AgentTool = {
  name: 'run_task_block',
  description: 'Starts a run of a published task block of a dataflow.',
  arguments: { task_block_trellis_code: { type: 'string' } },
  required: ['task_block_trellis_code'],
  permission: 'dataflows:write',
  isWrite: true,
  run: async (ctx, input) => await executeBlock(ctx, getText(input, 'task_block_trellis_code'), { is_shadow: false }),
}
