import type { AnyDb } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import type Stripe from 'stripe'
import type { SystemCtx } from '../../platform/ctx.ts'
import { callProvider } from '../../platform/payments/call-provider.ts'
import { updateProvider } from './billing.jobs.ts'
import { lockCustomer } from './billing.repository.ts'
import { getCancelTime, isLive } from './plan-state.ts'
import { setUpdateDue } from './provider-updates.repository.ts'

/** Stored with the cancellation at the provider, so that a restore does not undo a person's own cancellation. */
const CANCELLED_BY = 'cancelled_by'
const DELETION = 'account-deletion'

/** Outbox: the provider is updated even if it is down now. */
export async function queueProviderUpdate(ctx: { readonly db: AnyDb }, accountId: number): Promise<void> {
  await setUpdateDue(ctx, accountId)
  await enqueue(ctx, updateProvider, { account_id: accountId })
}

async function listLive(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
  return data.filter((item) => isLive(item))
}

export async function stopRenewal(stripe: Stripe, customer: string): Promise<void> {
  await expireCheckouts(stripe, customer)
  for (const subscription of await listLive(stripe, customer)) {
    if (getCancelTime(subscription) !== null) continue
    const schedule = typeof subscription.schedule === 'string' ? subscription.schedule : subscription.schedule?.id
    // The provider refuses to cancel a subscription with a schedule.
    if (schedule !== undefined) await stripe.subscriptionSchedules.release(schedule)
    await stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: true,
      metadata: { [CANCELLED_BY]: DELETION },
    })
  }
}

export async function resumeRenewal(stripe: Stripe, customer: string): Promise<void> {
  for (const subscription of await listLive(stripe, customer)) {
    if (subscription.metadata[CANCELLED_BY] !== DELETION) continue
    await stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: false,
      metadata: { [CANCELLED_BY]: '' },
    })
  }
}

/** A checkout open in another tab must not be paid for a deleted account. */
async function expireCheckouts(stripe: Stripe, customer: string): Promise<void> {
  const { data } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })
  for (const session of data) await stripe.checkout.sessions.expire(session.id)
}

export async function endPlansNow(ctx: SystemCtx, customer: string): Promise<void> {
  await lockCustomer(ctx, customer)
  await callProvider(ctx, async (stripe) => {
    await expireCheckouts(stripe, customer)
    for (const subscription of await listLive(stripe, customer)) {
      await stripe.subscriptions.cancel(subscription.id, { prorate: false })
    }
  })
}
