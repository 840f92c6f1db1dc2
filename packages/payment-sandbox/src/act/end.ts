import type Stripe from 'stripe'
import type { SandboxContext } from '../sandbox-context.ts'
import { emit } from '../events.ts'
import { toId } from '../stripe-objects.ts'

export async function releaseSchedule(
  context: SandboxContext,
  subscription: Stripe.Subscription,
): Promise<Stripe.Subscription> {
  const id = toId(subscription.schedule)
  if (id === null) return subscription
  const schedule = await context.store.get('subscription_schedule', id)
  const released: Stripe.SubscriptionSchedule = {
    ...schedule,
    status: 'released',
    released_at: context.now,
    released_subscription: subscription.id,
    subscription: null,
    current_phase: null,
  }
  await context.store.put(released)
  await emit(context, 'subscription_schedule.released', released)
  return { ...subscription, schedule: null }
}

export async function endSubscription(
  context: SandboxContext,
  subscription: Stripe.Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
): Promise<Stripe.Subscription> {
  const free = await releaseSchedule(context, subscription)
  const ended: Stripe.Subscription = {
    ...free,
    status: 'canceled',
    canceled_at: free.canceled_at ?? context.now,
    ended_at: context.now,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason },
  }
  await context.store.put(ended)
  await stopCollection(context, ended)
  await emit(context, 'customer.subscription.deleted', ended)
  return ended
}

/** As at Stripe: unpaid invoices stay open, and the card is not charged again. */
async function stopCollection(context: SandboxContext, subscription: Stripe.Subscription): Promise<void> {
  const invoices = await context.store.list('invoice', {
    customer: toId(subscription.customer) ?? '',
    where: { 'parent.subscription_details.subscription': subscription.id },
  })
  for (const invoice of invoices) {
    if (invoice.status !== 'open' && invoice.status !== 'draft') continue
    await context.store.put({
      ...invoice,
      auto_advance: false,
      automatically_finalizes_at: null,
      next_payment_attempt: null,
    })
  }
}
