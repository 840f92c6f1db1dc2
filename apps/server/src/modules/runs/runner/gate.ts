import type { SystemCtx } from '../../../platform/ctx.ts'
import { isPlanUsable } from '../../billing/plan-gate.service.ts'
import { readStorage } from '../../billing/plan-usage.service.ts'

const PLAN_OVER = 'The plan of this account has ended. Runs go on by themselves once it is reactivated.'
const STORAGE_FULL = 'The database storage of the plan is full. Runs go on by themselves once there is room.'

export type RunBlockerLookup = (accountId: number) => Promise<string | null>

/** Returns why runs of an account may not start, or null. Cached briefly, so that a thousand runs ask once. */
export function createRunBlockerLookup(
  ctx: SystemCtx,
  { freshMs: maxAgeMs = 2000 }: { freshMs?: number } = {},
): RunBlockerLookup {
  const answersByAccount = new Map<number, { until: number; answer: Promise<string | null> }>()
  return async (accountId) => {
    const now = ctx.clock.now().getTime()
    const cachedAnswer = answersByAccount.get(accountId)
    if (cachedAnswer && cachedAnswer.until > now) return await cachedAnswer.answer
    if (answersByAccount.size > 10_000) answersByAccount.clear()
    const answer = findRunBlocker(ctx, accountId)
    answersByAccount.set(accountId, { until: now + maxAgeMs, answer })
    answer.catch(() => answersByAccount.delete(accountId))
    return await answer
  }
}

async function findRunBlocker(ctx: SystemCtx, accountId: number): Promise<string | null> {
  if (!(await isPlanUsable(ctx, accountId))) return PLAN_OVER
  const { used, limit } = await readStorage(ctx, accountId)
  return limit !== null && used >= limit ? STORAGE_FULL : null
}
