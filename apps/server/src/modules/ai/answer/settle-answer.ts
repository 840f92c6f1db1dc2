import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { spendCredits } from '../../billing/credits.service.ts'
import type { MessageRow } from '../conversations.repository.ts'
import { type AnswerProgress, saveAnswer } from './answers.repository.ts'

/** Completes the answer and charges credits in one transaction; answers by rules are free. */
export async function finishAnswer(
  ctx: WorkspaceCtx,
  row: MessageRow,
  progress: AnswerProgress & { now: Date },
): Promise<{ isCancelled: boolean } | undefined> {
  const isByModel = progress.parts.some((part) => part.kind === 'engine' && part.engine === 'model')
  const amount = isByModel ? row.credits_reserved : 0
  if (amount === 0) return await saveAnswer(ctx, row, progress)
  const save = async (creditsSpent: number) =>
    await transaction(ctx, async (ctx) => {
      const saved = await saveAnswer(ctx, row, { ...progress, creditsSpent })
      if (!saved || creditsSpent === 0) return saved
      const payer = { accountId: ctx.account.id, workspaceId: ctx.workspace.id, profileId: ctx.actor.profileId }
      await spendCredits(ctx, { ...payer, amount, reason: 'answer', reference: row.trellis_code })
      return saved
    })
  return await save(amount).catch(async (error: unknown) => {
    // The plan or month ended meanwhile: the user keeps the answer.
    if (!(error instanceof AppError)) throw error
    ctx.log.warn({ err: error, message: row.trellis_code }, 'an answer could not be charged')
    return await save(0)
  })
}
