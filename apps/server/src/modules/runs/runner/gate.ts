import type { SystemCtx } from '../../../platform/ctx.ts'
import { isPlanUsable } from '../../billing/plan-gate.service.ts'
import { readStorage } from '../../billing/plan-usage.service.ts'

const PLAN_OVER = 'The plan of this account has ended. Runs go on by themselves once it is reactivated.'
const STORAGE_FULL = 'The database storage of the plan is full. Runs go on by themselves once there is room.'

export type Gate = (accountId: number) => Promise<string | null>

/** Checked right before a start, cached briefly so that a thousand runs ask once. */
export function createGate(ctx: SystemCtx, { freshMs = 2000 }: { freshMs?: number } = {}): Gate {
  const known = new Map<number, { until: number; answer: Promise<string | null> }>()
  return async (accountId) => {
    const now = ctx.clock.now().getTime()
    const old = known.get(accountId)
    if (old && old.until > now) return await old.answer
    if (known.size > 10_000) known.clear()
    const answer = findRunBlocker(ctx, accountId)
    known.set(accountId, { until: now + freshMs, answer })
    answer.catch(() => known.delete(accountId))
    return await answer
  }
}

async function findRunBlocker(ctx: SystemCtx, accountId: number): Promise<string | null> {
  if (!(await isPlanUsable(ctx, accountId))) return PLAN_OVER
  const { used, limit } = await readStorage(ctx, accountId)
  return limit !== null && used >= limit ? STORAGE_FULL : null
}
