import { type AccountTypeName, isPlanOver, getPlanLimits } from '@trellis/contract/billing/plans'
import { type AnyDb, transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import { findBillingAccount } from './billing.repository.ts'
import {
  type Balance,
  type CreditKind,
  type Spend,
  insertGrant,
  lockOpenGrants,
  raiseGrant,
  readBalances,
  sumSpent,
  spendGrant,
} from './credits.repository.ts'
import { assertPlanRuns } from './plan-gate.service.ts'

export interface CreditsCtx {
  readonly db: AnyDb
  readonly clock: Clock
}

export const monthStart = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
export const getNextMonthStart = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))

interface Payer {
  id: number
  account_type: AccountTypeName
  stripe_plan_end_date: Date | null
}

export async function getPayer(ctx: CreditsCtx, accountId: number): Promise<Payer> {
  const account = await findBillingAccount(ctx, accountId)
  if (!account) throw new AppError('not_found', 'This account no longer exists.')
  return account
}

/** Per member and calendar month (UTC); none after the plan's end. */
export async function grantMonth(ctx: CreditsCtx, account: Payer): Promise<void> {
  const now = ctx.clock.now()
  if (isPlanOver(account, now)) return
  const validFrom = monthStart(now)
  await raiseGrant(ctx, account.id, {
    kind: 'month',
    perMember: getPlanLimits(account.account_type).creditsPerUser,
    reason: 'month',
    reference: validFrom.toISOString().slice(0, 7),
    validFrom,
    validUntil: getNextMonthStart(now),
  })
}

/** Purchased credits do not expire. Idempotent per checkout; false if granted before. */
export async function grantPurchased(
  ctx: CreditsCtx,
  accountId: number,
  bought: { checkoutId: string; credits: number; at: Date },
): Promise<boolean> {
  return await insertGrant(ctx, accountId, {
    kind: 'purchased',
    amount: bought.credits,
    reason: 'checkout',
    reference: bought.checkoutId,
    validFrom: bought.at < ctx.clock.now() ? bought.at : ctx.clock.now(),
    validUntil: null,
  })
}

/** Locks the grants until the transaction ends, so that concurrent prompts cannot overspend. */
export async function assertCreditsFor(
  ctx: CreditsCtx,
  { accountId, amount, countReserved }: { accountId: number; amount: number; countReserved: () => Promise<number> },
): Promise<void> {
  const payer = await getPayer(ctx, accountId)
  await grantMonth(ctx, payer)
  const grants = await lockOpenGrants(ctx, accountId, ctx.clock.now())
  const left = grants.reduce((sum, grant) => sum + grant.left, 0) - (await countReserved())
  if (left < amount) {
    throw new AppError(
      'credits_used_up',
      'There are not enough credits left for this. Buy credits or upgrade the plan.',
    )
  }
}

/** Spends free, then monthly, then purchased credits, all or nothing. Idempotent by reason and reference. */
export async function spendCredits(ctx: CreditsCtx, spend: Spend & { amount: number }): Promise<{ spent: number }> {
  if (!Number.isInteger(spend.amount) || spend.amount < 1) throw new Error('Credits are spent in whole numbers from 1.')
  return await transaction(ctx, async (ctx) => {
    const payer = await getPayer(ctx, spend.accountId)
    await grantMonth(ctx, payer)
    const now = ctx.clock.now()
    const grants = await lockOpenGrants(ctx, spend.accountId, now)
    const before = await sumSpent(ctx, spend)
    if (before > 0) return { spent: before }
    assertPlanRuns(payer, now)
    if (grants.reduce((sum, grant) => sum + grant.left, 0) < spend.amount) {
      throw new AppError(
        'credits_used_up',
        'There are not enough credits left for this. Buy credits or upgrade the plan.',
      )
    }
    let missing = spend.amount
    for (const grant of grants) {
      const amount = Math.min(missing, grant.left)
      if (amount > 0) await spendGrant(ctx, spend, { grantId: grant.id, amount, at: now })
      missing -= amount
    }
    return { spent: spend.amount }
  })
}

export type CreditBalances = Record<CreditKind, Omit<Balance, 'kind'>>

export async function readCredits(ctx: CreditsCtx, account: Payer): Promise<CreditBalances> {
  await grantMonth(ctx, account)
  const now = ctx.clock.now()
  const rows = await readBalances(ctx, account.id, { now, monthStart: monthStart(now) })
  const of = (kind: CreditKind) => rows.find((row) => row.kind === kind) ?? { available: 0, remaining: 0 }
  return { free: of('free'), month: of('month'), purchased: of('purchased') }
}
