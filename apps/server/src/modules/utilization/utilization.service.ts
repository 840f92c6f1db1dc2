import type { Usage } from '@trellis/contract/billing/billing.schemas'
import { type PlanUsage, limitsOf } from '@trellis/contract/billing/plans'
import type { AnyDb } from '@trellis/control-db/database'
import { namesOf } from '@trellis/workspace-db/names'
import type { AccountCtx, BaseCtx, ProfileCtx } from '../../platform/ctx.ts'
import { getPayer, nextMonthStart, readCredits } from '../billing/credits.service.ts'
import { assertPlanRuns } from '../billing/plan-gate.service.ts'
import { type Measured, findLimitsOf, readCounts, writeSizes } from './utilization.repository.ts'

const FRESH_MS = 5 * 60_000

type MeasuringCtx = BaseCtx & { readonly db: AnyDb }

/** Sizes as Postgres counts them: tables, indexes and what dead rows still hold. */
export async function measureStorage(ctx: MeasuringCtx, workspaces: readonly Measured[]): Promise<void> {
  if (workspaces.length === 0) return
  const cluster = await ctx.ports.cluster.open()
  const byName = new Map(workspaces.map((workspace) => [namesOf(workspace.database_key).database, workspace.id]))
  const { rows } = await cluster.admin.query<{ name: string; bytes: string }>(
    'select datname as name, pg_database_size(oid) as bytes from pg_database where datname = any($1)',
    [[...byName.keys()]],
  )
  const sizes = rows.flatMap(({ name, bytes }) => {
    const id = byName.get(name)
    return id === undefined ? [] : [{ id, bytes: Number(bytes) }]
  })
  await writeSizes(ctx, sizes, ctx.clock.now())
}

/** What the account uses of what plans limit. Sizes are at most five minutes old, unless the cluster can't be asked. */
export async function readPlanUsage(ctx: MeasuringCtx, accountId: number): Promise<PlanUsage> {
  const now = ctx.clock.now()
  const times = { now, since: new Date(now.getTime() - FRESH_MS) }
  const { unmeasured, ...counts } = await readCounts(ctx, accountId, times)
  if (unmeasured.length === 0) return counts
  try {
    await measureStorage(ctx, unmeasured)
  } catch (error) {
    ctx.log.warn({ accountId, err: error }, 'The storage in use could not be measured; the last figure is used.')
    return counts
  }
  const { seats, workspaces, storage } = await readCounts(ctx, accountId, times)
  return { seats, workspaces, storage }
}

/** For work that goes on while the plan may end: throws when it has. */
export async function readStorage(
  ctx: MeasuringCtx,
  accountId: number,
): Promise<{ used: number; limit: number | null }> {
  const account = await getPayer(ctx, accountId)
  assertPlanRuns(account, ctx.clock.now())
  const { storage: used } = await readPlanUsage(ctx, accountId)
  return { used, limit: limitsOf(account.account_type).storage }
}

export async function getUsage(ctx: AccountCtx): Promise<Usage> {
  const { id, type, planEnd } = ctx.account
  const account = { id, account_type: type, stripe_plan_end_date: planEnd }
  const limits = limitsOf(type)
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
    credits_renew_at: nextMonthStart(ctx.clock.now()).toISOString(),
  }
}

export async function listAccountLimits(ctx: ProfileCtx) {
  const rows = await findLimitsOf(ctx, ctx.actor.profileId)
  return rows.map((row) => ({
    account_trellis_code: row.trellis_code,
    workspaces: row.workspaces,
    workspaces_limit: limitsOf(row.account_type).workspaces,
  }))
}
