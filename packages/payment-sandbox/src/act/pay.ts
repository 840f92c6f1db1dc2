import type Stripe from 'stripe'
import type { SandboxContext } from '../sandbox-context.ts'
import { emit } from '../events.ts'
import { isLive } from '../make/subscription.ts'
import { toId } from '../stripe-objects.ts'
import { endSubscription } from './end.ts'

const DAY = 86_400
/** Days until the next attempt after each failure; after the fourth the subscription ends. */
const RETRY_DAYS = [3, 5, 7]

export async function finalizeInvoice(context: SandboxContext, draft: Stripe.Invoice): Promise<Stripe.Invoice> {
  const customer = await context.store.get('customer', toId(draft.customer) ?? '')
  const sequence = customer.next_invoice_sequence ?? 1
  await context.store.put({ ...customer, next_invoice_sequence: sequence + 1 })
  const invoice: Stripe.Invoice = {
    ...draft,
    status: 'open',
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`,
    automatically_finalizes_at: null,
    effective_at: context.now,
    hosted_invoice_url: `${context.pagesUrl}/i/${draft.id}`,
    invoice_pdf: `${context.pagesUrl}/i/${draft.id}/print`,
    status_transitions: { ...draft.status_transitions, finalized_at: context.now },
  }
  await context.store.put(invoice)
  await emit(context, 'invoice.finalized', invoice)
  return invoice
}

/** A test card that pays only once records that it did. */
async function chargeCard(context: SandboxContext, card: Stripe.PaymentMethod): Promise<boolean> {
  const last4 = card.card?.last4
  if (last4 === '0002') return false
  if (last4 !== '0341') return true
  if (card.metadata?.['has_paid'] === 'true') return false
  await context.store.put({ ...card, metadata: { ...card.metadata, has_paid: 'true' } })
  return true
}

async function findCardFor(
  context: SandboxContext,
  invoice: Stripe.Invoice,
): Promise<Stripe.PaymentMethod | undefined> {
  const subscription = await findSubscription(context, invoice)
  const customer = await context.store.find('customer', toId(invoice.customer) ?? '')
  const id =
    toId(invoice.default_payment_method) ??
    toId(subscription?.default_payment_method) ??
    toId(customer?.invoice_settings.default_payment_method)
  return id === null ? undefined : await context.store.find('payment_method', id)
}

async function findSubscription(
  context: SandboxContext,
  invoice: Stripe.Invoice,
): Promise<Stripe.Subscription | undefined> {
  const id = toId(invoice.parent?.subscription_details?.subscription)
  return id === null ? undefined : await context.store.find('subscription', id)
}

export async function payInvoice(
  context: SandboxContext,
  invoice: Stripe.Invoice,
): Promise<{ invoice: Stripe.Invoice; isPaid: boolean }> {
  const card = await findCardFor(context, invoice)
  const isPaid = invoice.amount_due === 0 || (card !== undefined && (await chargeCard(context, card)))
  return { isPaid, invoice: isPaid ? await settle(context, invoice) : await recordPaymentFailure(context, invoice) }
}

async function settle(context: SandboxContext, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  const paid: Stripe.Invoice = {
    ...invoice,
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempted: true,
    attempt_count: invoice.attempt_count + 1,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: context.now },
  }
  await context.store.put(paid)
  await emit(context, 'invoice.paid', paid)
  await emit(context, 'invoice.payment_succeeded', paid)
  const subscription = await findSubscription(context, paid)
  if (subscription?.status === 'past_due') {
    const active: Stripe.Subscription = { ...subscription, status: 'active' }
    await context.store.put(active)
    await emit(context, 'customer.subscription.updated', active)
  }
  return paid
}

async function recordPaymentFailure(context: SandboxContext, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  const wait = RETRY_DAYS[invoice.attempt_count]
  const failed: Stripe.Invoice = {
    ...invoice,
    attempted: true,
    attempt_count: invoice.attempt_count + 1,
    next_payment_attempt: wait === undefined ? null : context.now + wait * DAY,
  }
  await context.store.put(failed)
  await emit(context, 'invoice.payment_failed', failed)
  const subscription = await findSubscription(context, failed)
  if (!subscription || !isLive(subscription)) return failed
  if (wait === undefined) {
    await endSubscription(context, subscription, 'payment_failed')
    return await closeInvoice(context, failed, 'uncollectible')
  }
  if (subscription.status !== 'past_due') {
    const late: Stripe.Subscription = { ...subscription, status: 'past_due' }
    await context.store.put(late)
    await emit(context, 'customer.subscription.updated', late)
  }
  return failed
}

export async function closeInvoice(
  context: SandboxContext,
  invoice: Stripe.Invoice,
  status: 'void' | 'uncollectible',
): Promise<Stripe.Invoice> {
  const moment = status === 'void' ? { voided_at: context.now } : { marked_uncollectible_at: context.now }
  const closed: Stripe.Invoice = {
    ...invoice,
    status,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, ...moment },
  }
  await context.store.put(closed)
  await emit(context, status === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible', closed)
  return closed
}
