import type { Feedback, MessageStatus } from '@trellis/contract/ai/ai.schemas'
import type { MessagePart } from '@trellis/contract/ai/message-parts.schemas'
import { type AccountScope, insertScoped, scoped, updateScoped } from '@trellis/control-db/scoped'

export interface AnswerProgress {
  readonly status: MessageStatus
  readonly parts: readonly MessagePart[]
  readonly sha: string
  readonly finishedAt: Date | null
  readonly creditsSpent: number
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
}

const GOING = ['creating', 'responding'] as const

/** Fenced by the attempt: a process presumed dead must not overwrite its successor's answer. */
export async function saveAnswer(
  scope: AccountScope,
  { id, attempt }: { id: number; attempt: number },
  { now, ...progress }: AnswerProgress & { now: Date },
): Promise<{ isCancelled: boolean } | undefined> {
  const row = await updateScoped(scope, 'ai_messages')
    .set({
      status: progress.status,
      parts: JSON.stringify(progress.parts),
      sha: progress.sha,
      finished_at: progress.finishedAt,
      credits_spent: progress.creditsSpent,
      input_tokens: progress.usage.inputTokens,
      output_tokens: progress.usage.outputTokens,
      heartbeat_at: now,
    })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', 'in', GOING)
    .returning('cancel_requested_at')
    .executeTakeFirst()
  return row && { isCancelled: row.cancel_requested_at !== null }
}

/** Takes over an answer without heartbeat; undefined if another process was faster. */
export async function claimAnswer(
  scope: AccountScope,
  { id, attempt }: { id: number; attempt: number },
  { now, aliveSince }: { now: Date; aliveSince: Date },
): Promise<boolean> {
  const row = await updateScoped(scope, 'ai_messages')
    .set({ attempt: attempt + 1, heartbeat_at: now })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', 'in', GOING)
    .where('heartbeat_at', '<=', aliveSince)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function requestCancel(scope: AccountScope, id: number, now: Date): Promise<void> {
  await updateScoped(scope, 'ai_messages')
    .set({ cancel_requested_at: now })
    .where('id', '=', id)
    .where('status', 'in', GOING)
    .execute()
}

export async function findFeedback(scope: AccountScope, messageId: number): Promise<Feedback | undefined> {
  const row = await scoped(scope, 'ai_feedback')
    .select(['rating', 'reasons', 'comment'])
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  return row as Feedback | undefined
}

export async function saveFeedback(
  scope: AccountScope,
  messageId: number,
  { now, ...feedback }: Feedback & { now: Date },
): Promise<void> {
  const values = {
    rating: feedback.rating,
    reasons: JSON.stringify(feedback.reasons),
    comment: feedback.comment,
    updated_at: now,
  }
  await insertScoped(scope, 'ai_feedback', { ...values, message_id: messageId })
    .onConflict((conflict) => conflict.column('message_id').doUpdateSet(values))
    .execute()
}

export async function findLastQuery(scope: AccountScope, conversationId: number): Promise<string | undefined> {
  const rows = await scoped(scope, 'ai_messages')
    .select('parts')
    .where('conversation_id', '=', conversationId)
    .where('role', '=', 'assistant')
    .where('status', '=', 'completed')
    .orderBy('id', 'desc')
    .limit(10)
    .execute()
  for (const { parts } of rows) {
    const found = (parts as readonly MessagePart[]).findLast((part) => part.kind === 'sql')
    if (found) return found.sql
  }
  return undefined
}
