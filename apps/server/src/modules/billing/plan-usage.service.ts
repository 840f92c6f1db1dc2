import type { Usage } from '@trellis/contract/billing/billing.schemas'
import { getPlanLimits } from '@trellis/contract/billing/plans'
import type { AccountCtx } from '../../platform/ctx.ts'
import { type MeasuringCtx, readPlanUsage } from '../utilization/utilization.service.ts'
import { getPayer, getNextMonthStart, readCredits } from './credits.service.ts'
import { assertPlanRuns } from './plan-gate.service.ts'

export async function readStorage(
  ctx: MeasuringCtx,
  accountId: number,
): Promise<{ used: number; limit: number | null }> {
  const account = await getPayer(ctx, accountId)
  assertPlanRuns(account, ctx.clock.now())
  const { storage: used } = await readPlanUsage(ctx, accountId)
  return { used, limit: getPlanLimits(account.account_type).storage }
}

export async function getUsage(ctx: AccountCtx): Promise<Usage> {
  const { id, type, planEnd } = ctx.account
  const account = { id, account_type: type, stripe_plan_end_date: planEnd }
  const limits = getPlanLimits(type)
  const usage = await readPlanUsage(ctx, id)
  const credits = await readCredits(ctx, account)
  return {
    users: usage.seats,
    users_limit: limits.seats,
    workspaces: usage.workspaces,
    workspaces_limit: limits.workspaces,
    trellis_current_month_ai_tokens_available: credits.month.available,
    trellis_current_month_ai_tokens_remaining: credits.month.remaining,
    trellis_purchased_ai_tokens_available: credits.purchased.available,
    trellis_purchased_ai_tokens_remaining: credits.purchased.remaining,
    trellis_free_ai_tokens_available: credits.free.available,
    trellis_free_ai_tokens_remaining: credits.free.remaining,
    trellis_managed_database_storage_available: limits.storage,
    trellis_managed_database_storage_used: usage.storage,
    credits_renew_at: getNextMonthStart(ctx.clock.now()).toISOString(),
  }
}
