import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { proposeAction } from '../../actions/actions.service.ts'
import type { Command } from '../tools/propose-action.ts'
import { type AnswerParts, startStep } from './answer-parts.ts'
import { findLastQuery } from './answers.repository.ts'

interface CommandInput {
  readonly command: Command
  readonly conversationId: number
  readonly messageId: number
}

export async function answerCommand(
  ctx: WorkspaceCtx,
  { command, conversationId, messageId }: CommandInput,
  parts: AnswerParts,
): Promise<void> {
  const { action, name, argument, withLastQuery } = command
  if (!action) {
    parts.add({ kind: 'text', text: `There is no action “/${name}”. Write /help for those you may use.` })
    return
  }
  const step = startStep(parts, 'propose_action', 'Preparing the action')
  const sql = withLastQuery ? await findLastQuery(ctx, conversationId) : undefined
  try {
    const item = await proposeAction(ctx, { action_type: action, argument, ...(sql && { sql }) }, messageId)
    step.finish(item.summary)
    parts.add({ kind: 'action', action_id: item.action_id })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    step.finish(error.message, true)
    parts.add({ kind: 'text', text: error.message })
  }
}
