import type Stripe from 'stripe'
import type { Book } from '../book.ts'
import { emit } from '../events.ts'
import { toId } from '../stripe-objects.ts'

export async function releaseSchedule(book: Book, subscription: Stripe.Subscription): Promise<Stripe.Subscription> {
  const id = toId(subscription.schedule)
  if (id === null) return subscription
  const schedule = await book.store.get('subscription_schedule', id)
  const released: Stripe.SubscriptionSchedule = {
    ...schedule,
    status: 'released',
    released_at: book.now,
    released_subscription: subscription.id,
    subscription: null,
    current_phase: null,
  }
  await book.store.put(released)
  await emit(book, 'subscription_schedule.released', released)
  return { ...subscription, schedule: null }
}

export async function endSubscription(
  book: Book,
  subscription: Stripe.Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
): Promise<Stripe.Subscription> {
  const free = await releaseSchedule(book, subscription)
  const ended: Stripe.Subscription = {
    ...free,
    status: 'canceled',
    canceled_at: free.canceled_at ?? book.now,
    ended_at: book.now,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason },
  }
  await book.store.put(ended)
  await stopCollection(book, ended)
  await emit(book, 'customer.subscription.deleted', ended)
  return ended
}

/** As at Stripe: unpaid invoices stay open, and the card is not charged again. */
async function stopCollection(book: Book, subscription: Stripe.Subscription): Promise<void> {
  const invoices = await book.store.list('invoice', {
    customer: toId(subscription.customer) ?? '',
    where: { 'parent.subscription_details.subscription': subscription.id },
  })
  for (const invoice of invoices) {
    if (invoice.status !== 'open' && invoice.status !== 'draft') continue
    await book.store.put({
      ...invoice,
      auto_advance: false,
      automatically_finalizes_at: null,
      next_payment_attempt: null,
    })
  }
}
