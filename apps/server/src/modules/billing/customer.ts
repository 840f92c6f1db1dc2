import type Stripe from 'stripe'
import { AppError } from '../../platform/app-error.ts'
import type { AccountCtx, BaseCtx } from '../../platform/ctx.ts'
import { callProvider } from '../../platform/payments/call-provider.ts'
import { type BillingAccount, findBillingAccount } from './billing.repository.ts'
import { currentSubscription, isLive } from './plan-state.ts'

export async function getBillingAccount(ctx: AccountCtx): Promise<BillingAccount> {
  const account = await findBillingAccount(ctx, ctx.account.id)
  if (!account) throw new AppError('not_found')
  return account
}

export async function findLiveSubscription(
  ctx: BaseCtx,
  customer: string | null,
): Promise<Stripe.Subscription | undefined> {
  if (customer === null) return undefined
  const { data } = await callProvider(ctx, (stripe) =>
    stripe.subscriptions.list({ customer, status: 'all', limit: 100 }),
  )
  const current = currentSubscription(data)
  return current && isLive(current) ? current : undefined
}
