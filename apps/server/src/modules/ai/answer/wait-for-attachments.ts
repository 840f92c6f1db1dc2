import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { countUnreadOfConversation } from '../documents/documents.repository.ts'
import { type AnswerParts, startStep } from './answer-parts.ts'
import type { QuestionInput } from './run-query.ts'

const POLL_MS = 200
const MAX_WAIT_MS = 20_000

export async function waitForAttachments(
  ctx: WorkspaceCtx,
  { conversationId, signal }: QuestionInput,
  parts: AnswerParts,
): Promise<void> {
  let unread = await countUnreadOfConversation(ctx, conversationId)
  if (unread === 0) return
  const step = startStep(parts, 'search_documents', 'Reading the attached files')
  for (let waited = 0; unread > 0 && waited < MAX_WAIT_MS; waited += POLL_MS) {
    await sleep(POLL_MS, undefined, { signal })
    unread = await countUnreadOfConversation(ctx, conversationId)
  }
  step.finish(unread > 0 ? 'Not read yet: answered without them' : null, unread > 0)
}
