import { parseChangesQuestion } from '@trellis/assistant/engine/changes/changes-question'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import type { MessageRow } from '../conversations.repository.ts'
import { createParts, computeContentHash } from './answer-parts.ts'
import { saveAnswer } from './answers.repository.ts'
import { findContextsOfProject } from '../contexts.repository.ts'
import { type UsedModel, findModel } from '../model/model-settings.ts'
import { lookUpVerified } from '../tools/look-up-verified.ts'
import { parseCommand } from '../tools/propose-action.ts'
import { answerByModel } from './answer-by-model.ts'
import { waitForAttachments } from './wait-for-attachments.ts'
import { answerByRules } from './answer-by-rules.ts'
import type { QuestionInput } from './run-query.ts'
import { finishAnswer } from './settle-answer.ts'
import { publishAnswerChange, registerAnswer } from './live-answers.ts'

const HEARTBEAT_MS = 500
export const ANSWER_TIMEOUT_MS = 60_000

export function startAnswer(ctx: WorkspaceCtx, row: MessageRow, projectId: number): void {
  const stopping = new AbortController()
  const { promise: finished, resolve } = Promise.withResolvers<void>()
  registerAnswer(row.trellis_code, { cancel: () => stopping.abort(), finished })
  void runAnswer(ctx, row, { projectId, stopping }).then(resolve, (error: unknown) => {
    ctx.log.error({ err: error, message: row.trellis_code }, 'an answer could not be settled')
    resolve()
  })
}

async function runAnswer(
  ctx: WorkspaceCtx,
  row: MessageRow,
  { projectId, stopping }: { projectId: number; stopping: AbortController },
): Promise<void> {
  let saving = Promise.resolve()
  let isCancelled = false
  let usage = { inputTokens: 0, outputTokens: 0 }
  const save = (status: 'responding' | 'completed' | 'failed' | 'cancelled') => {
    const now = ctx.clock.now()
    const list = [...parts.list()]
    const finishedAt = status === 'responding' ? null : now
    // Sequential, so that an older state never overwrites a newer one.
    saving = saving
      .then(async () => {
        const progress = {
          status,
          parts: list,
          sha: computeContentHash(status, list),
          finishedAt,
          now,
          usage,
          creditsSpent: 0,
        }
        const wishes =
          status === 'completed' ? await finishAnswer(ctx, row, progress) : await saveAnswer(ctx, row, progress)
        publishAnswerChange(row.trellis_code)
        if (wishes && !wishes.isCancelled) return
        isCancelled ||= wishes?.isCancelled === true
        stopping.abort()
      })
      .catch((error: unknown) => {
        ctx.log.warn({ err: error, message: row.trellis_code }, 'an answer could not be saved')
      })
  }
  const parts = createParts(() => save('responding'))
  const timer = setInterval(() => save('responding'), HEARTBEAT_MS)
  const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)])
  let status: 'completed' | 'failed' | 'cancelled' = 'completed'
  try {
    const { text, choices, conversation_id: conversationId, id: messageId } = row
    const input = { text, choices, projectId, conversationId, messageId, signal }
    const model = row.engine === 'model' ? await findModelFor(ctx, input) : undefined
    const onUsage = (counted: typeof usage) => void (usage = counted)
    await waitForAttachments(ctx, input, parts)
    if (model) await answerByModel(ctx, { input, model, onUsage }, parts)
    else await answerByRules(ctx, input, parts)
  } catch (error) {
    status = stopping.signal.aborted ? 'cancelled' : 'failed'
    if (status === 'failed') parts.add({ kind: 'problem', ...describeFault(ctx, row, error) })
  } finally {
    clearInterval(timer)
  }
  await saving
  // On shutdown the answer is left to another process; only the user's cancel ends it.
  if (status === 'cancelled' && !isCancelled) return
  save(status)
  await saving
}

async function findModelFor(ctx: WorkspaceCtx, { text, projectId }: QuestionInput): Promise<UsedModel | undefined> {
  if (parseCommand(text) || parseChangesQuestion(text, ctx.clock.now())) return undefined
  if (lookUpVerified(await findContextsOfProject(ctx, projectId), text)) return undefined
  return await findModel(ctx)
}

function describeFault(ctx: WorkspaceCtx, row: MessageRow, error: unknown): { message: string; hint: string | null } {
  if (error instanceof WorkspaceDbError) return { message: error.message, hint: error.hint ?? null }
  if (error instanceof AppError) return { message: error.message, hint: null }
  ctx.log.error({ err: error, message: row.trellis_code }, 'an answer failed')
  return { message: 'Something went wrong on our side. Ask again.', hint: null }
}
