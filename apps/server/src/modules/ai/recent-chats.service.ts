import type { Dashboard } from '@trellis/contract/dashboard/dashboard.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { findRecentConversations } from './conversations.repository.ts'

export async function listRecentChats(ctx: WorkspaceCtx): Promise<Dashboard['recent_chats']> {
  return (await findRecentConversations(ctx)).map(({ trellis_code, name, updated_at }) => ({
    conversation_trellis_code: trellis_code,
    name,
    updated_at: updated_at.toISOString(),
  }))
}
