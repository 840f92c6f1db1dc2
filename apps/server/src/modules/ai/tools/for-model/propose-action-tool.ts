import { type LoopTool, ToolProblem } from '@trellis/assistant/model/tool-loop'
import { ActionType } from '@trellis/contract/actions/actions.schemas'
import { AppError } from '../../../../platform/app-error.ts'
import { proposeAction } from '../../../actions/actions.service.ts'
import type { ModelToolContext } from './model-tool-context.ts'
import { readText } from './model-tool-context.ts'

const MAX_PROPOSED = 5

export function proposeActionTool({ ctx, parts, messageId, projectCode }: ModelToolContext): LoopTool {
  let proposed = 0
  return {
    name: 'propose_action',
    description: 'Proposes an action to the person. Nothing happens before they accept it.',
    parameters: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: ActionType.options },
        argument: { type: 'string', description: 'A table as schema.table, the name of a worksheet, …' },
        sql: { type: 'string', description: 'Text of a new worksheet' },
      },
      required: ['action'],
    },
    run: async (input) => {
      const action_type = ActionType.safeParse(input['action']).data
      if (!action_type) throw new ToolProblem('There is no such action.')
      if (++proposed > MAX_PROPOSED) throw new ToolProblem('Enough actions were proposed.')
      const sql = readText(input, 'sql')?.slice(0, 50_000)
      const argument = (readText(input, 'argument') ?? '').slice(0, 500)
      try {
        const request = { action_type, argument, ai_project_id: projectCode, ...(sql !== undefined && { sql }) }
        const { action_id, summary } = await proposeAction(ctx, request, messageId)
        parts.add({ kind: 'action', action_id })
        return `Proposed to the person: ${summary}`
      } catch (error) {
        throw error instanceof AppError ? new ToolProblem(error.message) : error
      }
    },
  }
}
