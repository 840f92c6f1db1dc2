import type Stripe from 'stripe'
import type { Book } from '../book.ts'
import { emit } from '../events.ts'
import { isLive } from '../make/subscription.ts'
import { toId } from '../stripe-objects.ts'
import { endSubscription } from './end.ts'

const DAY = 86_400
/** Days until the next attempt after each failure; after the fourth the subscription ends. */
const RETRY_DAYS = [3, 5, 7]

export async function finalizeInvoice(book: Book, draft: Stripe.Invoice): Promise<Stripe.Invoice> {
  const customer = await book.store.get('customer', toId(draft.customer) ?? '')
  const sequence = customer.next_invoice_sequence ?? 1
  await book.store.put({ ...customer, next_invoice_sequence: sequence + 1 })
  const invoice: Stripe.Invoice = {
    ...draft,
    status: 'open',
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`,
    automatically_finalizes_at: null,
    effective_at: book.now,
    hosted_invoice_url: `${book.pagesUrl}/i/${draft.id}`,
    invoice_pdf: `${book.pagesUrl}/i/${draft.id}/print`,
    status_transitions: { ...draft.status_transitions, finalized_at: book.now },
  }
  await book.store.put(invoice)
  await emit(book, 'invoice.finalized', invoice)
  return invoice
}

/** A test card that pays only once records that it did. */
async function takeFrom(book: Book, card: Stripe.PaymentMethod): Promise<boolean> {
  const last4 = card.card?.last4
  if (last4 === '0002') return false
  if (last4 !== '0341') return true
  if (card.metadata?.['has_paid'] === 'true') return false
  await book.store.put({ ...card, metadata: { ...card.metadata, has_paid: 'true' } })
  return true
}

async function cardFor(book: Book, invoice: Stripe.Invoice): Promise<Stripe.PaymentMethod | undefined> {
  const subscription = await findSubscription(book, invoice)
  const customer = await book.store.find('customer', toId(invoice.customer) ?? '')
  const id =
    toId(invoice.default_payment_method) ??
    toId(subscription?.default_payment_method) ??
    toId(customer?.invoice_settings.default_payment_method)
  return id === null ? undefined : await book.store.find('payment_method', id)
}

async function findSubscription(book: Book, invoice: Stripe.Invoice): Promise<Stripe.Subscription | undefined> {
  const id = toId(invoice.parent?.subscription_details?.subscription)
  return id === null ? undefined : await book.store.find('subscription', id)
}

export async function payInvoice(
  book: Book,
  invoice: Stripe.Invoice,
): Promise<{ invoice: Stripe.Invoice; isPaid: boolean }> {
  const card = await cardFor(book, invoice)
  const isPaid = invoice.amount_due === 0 || (card !== undefined && (await takeFrom(book, card)))
  return { isPaid, invoice: isPaid ? await settle(book, invoice) : await noteFailure(book, invoice) }
}

async function settle(book: Book, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  const paid: Stripe.Invoice = {
    ...invoice,
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempted: true,
    attempt_count: invoice.attempt_count + 1,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: book.now },
  }
  await book.store.put(paid)
  await emit(book, 'invoice.paid', paid)
  await emit(book, 'invoice.payment_succeeded', paid)
  const subscription = await findSubscription(book, paid)
  if (subscription?.status === 'past_due') {
    const active: Stripe.Subscription = { ...subscription, status: 'active' }
    await book.store.put(active)
    await emit(book, 'customer.subscription.updated', active)
  }
  return paid
}

async function noteFailure(book: Book, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  const wait = RETRY_DAYS[invoice.attempt_count]
  const failed: Stripe.Invoice = {
    ...invoice,
    attempted: true,
    attempt_count: invoice.attempt_count + 1,
    next_payment_attempt: wait === undefined ? null : book.now + wait * DAY,
  }
  await book.store.put(failed)
  await emit(book, 'invoice.payment_failed', failed)
  const subscription = await findSubscription(book, failed)
  if (!subscription || !isLive(subscription)) return failed
  if (wait === undefined) {
    await endSubscription(book, subscription, 'payment_failed')
    return await closeInvoice(book, failed, 'uncollectible')
  }
  if (subscription.status !== 'past_due') {
    const late: Stripe.Subscription = { ...subscription, status: 'past_due' }
    await book.store.put(late)
    await emit(book, 'customer.subscription.updated', late)
  }
  return failed
}

export async function closeInvoice(
  book: Book,
  invoice: Stripe.Invoice,
  status: 'void' | 'uncollectible',
): Promise<Stripe.Invoice> {
  const moment = status === 'void' ? { voided_at: book.now } : { marked_uncollectible_at: book.now }
  const closed: Stripe.Invoice = {
    ...invoice,
    status,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, ...moment },
  }
  await book.store.put(closed)
  await emit(book, status === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible', closed)
  return closed
}
