import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type ConversationRow, findConversation } from './conversations.repository.ts'

export const UNNAMED = 'New conversation'

export async function getConversationRow(ctx: WorkspaceCtx, code: string): Promise<ConversationRow> {
  const row = await findConversation(ctx, code)
  if (!row) throw new AppError('not_found', 'There is nothing at this address, or you have no access to it.')
  return row
}
