import type Stripe from 'stripe'
import { badParam, cardDeclinedError } from '../api-error.ts'
import { type SandboxContext, forCustomer } from '../sandbox-context.ts'
import { emit } from '../events.ts'
import { toPlan } from '../make/catalogue.ts'
import { type CardName, makeCard } from '../make/customer.ts'
import { type LineInput, makeInvoice } from '../make/invoice.ts'
import { isLive, getItem, makeSchedule, makeSubscription, withItem } from '../make/subscription.ts'
import { periodEnd } from '../months.ts'
import { toId } from '../stripe-objects.ts'
import { releaseSchedule } from './end.ts'
import { finalizeInvoice, payInvoice } from './pay.ts'

const HOUR = 3600

export async function attachCard(
  context: SandboxContext,
  customer: Stripe.Customer,
  name: CardName,
): Promise<Stripe.PaymentMethod> {
  const card = await context.store.put(makeCard(context, customer, name))
  await emit(context, 'payment_method.attached', card)
  return card
}

async function readProductName(context: SandboxContext, price: Stripe.Price): Promise<string> {
  const product = await context.store.find('product', toId(price.product) ?? '')
  return product?.name ?? price.nickname ?? price.id
}

async function periodLine(context: SandboxContext, subscription: Stripe.Subscription): Promise<LineInput> {
  const { price, quantity = 1, current_period_start: start, current_period_end: end } = getItem(subscription)
  const description = `${quantity} × ${await readProductName(context, price)} (at ${formatDollars(price.unit_amount ?? 0)} / month)`
  return { description, amount: (price.unit_amount ?? 0) * quantity, quantity, price, period: { start, end } }
}

const formatDollars = (cents: number) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

/** Throws if the card is declined; nothing is saved then. */
export async function startSubscription(
  context: SandboxContext,
  about: {
    customer: Stripe.Customer
    price: Stripe.Price
    quantity: number
    card: CardName
    metadata: Record<string, string>
  },
): Promise<{ subscription: Stripe.Subscription; invoice: Stripe.Invoice }> {
  const card = await attachCard(context, about.customer, about.card)
  const made = makeSubscription(context, { ...about, customer: about.customer.id, paymentMethod: card.id })
  const lines = [await periodLine(context, made)]
  const draft = makeInvoice(context, {
    customer: about.customer,
    reason: 'subscription_create',
    lines,
    subscription: made,
  })
  const subscription = await context.store.put({ ...made, latest_invoice: draft.id })
  await emit(context, 'customer.subscription.created', subscription)
  const invoice = await chargeNow(context, draft)
  return { subscription, invoice }
}

export async function chargeNow(context: SandboxContext, draft: Stripe.Invoice): Promise<Stripe.Invoice> {
  await context.store.put(draft)
  await emit(context, 'invoice.created', draft)
  const { invoice, isPaid } = await payInvoice(context, await finalizeInvoice(context, draft))
  if (!isPaid) throw cardDeclinedError()
  return invoice
}

async function saveUpdate(context: SandboxContext, subscription: Stripe.Subscription): Promise<Stripe.Subscription> {
  await context.store.put(subscription)
  await emit(context, 'customer.subscription.updated', subscription)
  return subscription
}

/** Like the hosted portal: sets `cancel_at` and leaves `cancel_at_period_end` false. */
export async function cancelAtEnd(
  context: SandboxContext,
  subscription: Stripe.Subscription,
): Promise<Stripe.Subscription> {
  const free = await releaseSchedule(context, subscription)
  return await saveUpdate(context, {
    ...free,
    cancel_at: getItem(free).current_period_end,
    canceled_at: context.now,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: 'cancellation_requested' },
  })
}

export async function revertCancellation(
  context: SandboxContext,
  subscription: Stripe.Subscription,
): Promise<Stripe.Subscription> {
  return await saveUpdate(context, {
    ...subscription,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  })
}

export type Proration = 'always_invoice' | 'none'

export async function changePrice(
  context: SandboxContext,
  subscription: Stripe.Subscription,
  change: { price: Stripe.Price; proration: Proration },
): Promise<Stripe.Subscription> {
  if (!isLive(subscription)) throw badParam('subscription', 'A subscription that has ended can not be changed.')
  const free = await releaseSchedule(context, subscription)
  const changed = withItem(free, { price: change.price, plan: toPlan(change.price) })
  if (change.proration === 'none') return await saveUpdate(context, changed)
  const { customer } = await forCustomer(context, toId(free.customer) ?? '')
  const lines = await prorationLines(context, { from: getItem(free), to: change.price })
  const draft = makeInvoice(context, { customer, reason: 'subscription_update', lines, subscription: changed })
  await saveUpdate(context, { ...changed, latest_invoice: draft.id })
  await chargeNow(context, draft)
  return await context.store.get('subscription', changed.id)
}

async function prorationLines(
  context: SandboxContext,
  change: { from: Stripe.SubscriptionItem; to: Stripe.Price },
): Promise<LineInput[]> {
  const { price, current_period_start: start, current_period_end: end } = change.from
  const part = Math.max(0, Math.min(1, (end - context.now) / (end - start)))
  const period = { start: context.now, end }
  const line = async (of: Stripe.Price, sign: 1 | -1): Promise<LineInput> => ({
    description: `${sign < 0 ? 'Unused' : 'Remaining'} time on ${await readProductName(context, of)}`,
    amount: sign * Math.round((of.unit_amount ?? 0) * part),
    quantity: 1,
    price: of,
    period,
    isProration: true,
  })
  return [await line(price, -1), await line(change.to, 1)]
}

export async function changePriceAtEnd(
  context: SandboxContext,
  subscription: Stripe.Subscription,
  price: Stripe.Price,
): Promise<Stripe.Subscription> {
  const free = await releaseSchedule(context, subscription)
  const schedule = await context.store.put(makeSchedule(context, { subscription: free, price }))
  await emit(context, 'subscription_schedule.created', schedule)
  return await saveUpdate(context, { ...free, schedule: schedule.id })
}

/** Applies a scheduled price; the new invoice is a draft for an hour. */
export async function renewSubscription(context: SandboxContext, subscription: Stripe.Subscription): Promise<void> {
  const next = await applySchedule(context, subscription)
  const start = getItem(next).current_period_end
  const end = periodEnd(next.billing_cycle_anchor, start)
  const renewed = withItem(next, { current_period_start: start, current_period_end: end })
  const { customer } = await forCustomer(context, toId(renewed.customer) ?? '')
  const lines = [await periodLine(context, renewed)]
  const finalizesAt = context.now + HOUR
  const draft = makeInvoice(context, {
    customer,
    reason: 'subscription_cycle',
    lines,
    subscription: renewed,
    finalizesAt,
  })
  await context.store.put(draft)
  await saveUpdate(context, { ...renewed, latest_invoice: draft.id })
  await emit(context, 'invoice.created', draft)
}

async function applySchedule(context: SandboxContext, subscription: Stripe.Subscription): Promise<Stripe.Subscription> {
  const id = toId(subscription.schedule)
  if (id === null) return subscription
  const schedule = await context.store.get('subscription_schedule', id)
  const priceId = toId(schedule.phases[1]?.items[0]?.price)
  const free = await releaseSchedule(context, subscription)
  if (priceId === null) return free
  const price = await context.store.get('price', priceId)
  return withItem(free, { price, plan: toPlan(price) })
}

export async function updateCard(context: SandboxContext, customer: Stripe.Customer, name: CardName): Promise<void> {
  const card = await attachCard(context, customer, name)
  const changed: Stripe.Customer = {
    ...customer,
    invoice_settings: { ...customer.invoice_settings, default_payment_method: card.id },
  }
  await context.store.put(changed)
  await emit(context, 'customer.updated', changed)
  for (const subscription of await context.store.list('subscription', { customer: customer.id })) {
    if (isLive(subscription)) await saveUpdate(context, { ...subscription, default_payment_method: card.id })
  }
  for (const invoice of await context.store.list('invoice', { customer: customer.id, where: { status: 'open' } })) {
    await payInvoice(context, invoice)
  }
}
