import type Stripe from 'stripe'
import { ApiError } from '../api-error.ts'
import { type Book, withCustomerClock, newId } from '../book.ts'
import { emit } from '../events.ts'
import { type CardName, makeCustomer } from '../make/customer.ts'
import { makeInvoice } from '../make/invoice.ts'
import { toId } from '../stripe-objects.ts'
import { attachCard, chargeNow, startSubscription } from './subscribe.ts'

export async function expireSession(book: Book, session: Stripe.Checkout.Session): Promise<Stripe.Checkout.Session> {
  if (session.status !== 'open')
    throw new ApiError(400, 'Only Checkout Sessions with a status in ["open"] can be expired.')
  const expired: Stripe.Checkout.Session = { ...session, status: 'expired', url: null }
  await book.store.put(expired)
  await emit(book, 'checkout.session.expired', expired)
  return expired
}

async function findOrCreateCustomer(book: Book, session: Stripe.Checkout.Session): Promise<Stripe.Customer> {
  const id = toId(session.customer)
  if (id !== null) return await book.store.get('customer', id)
  return await book.store.put(
    makeCustomer(book, { email: session.customer_email, name: null, testClock: null, metadata: {} }),
  )
}

export async function completeSession(desk: Book, id: string, card: CardName): Promise<Stripe.Checkout.Session> {
  const session = await desk.store.get('checkout.session', id)
  const customer = await findOrCreateCustomer(desk, session)
  const book = await withCustomerClock(desk, customer)
  if (session.status !== 'open') throw new ApiError(410, 'This checkout is over.')
  if (session.expires_at <= book.now) throw new ApiError(410, 'This checkout has expired.')
  const paid =
    session.mode === 'subscription'
      ? await subscribe(book, { session, customer, card })
      : await payOnce(book, { session, customer, card })
  const complete: Stripe.Checkout.Session = {
    ...session,
    ...paid,
    customer: customer.id,
    customer_details: {
      address: null,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: customer.name ?? null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    status: 'complete',
    payment_status: 'paid',
    url: null,
  }
  await book.store.put(complete)
  await emit(book, 'checkout.session.completed', complete)
  return complete
}

interface Purchase {
  session: Stripe.Checkout.Session
  customer: Stripe.Customer
  card: CardName
}

async function subscribe(book: Book, { session, customer, card }: Purchase) {
  const line = session.line_items?.data[0]
  if (!line?.price) throw new ApiError(400, 'This checkout has nothing to subscribe to.')
  const metadata = session.metadata ?? {}
  const about = { customer, price: line.price, quantity: line.quantity ?? 1, card, metadata }
  const { subscription, invoice } = await startSubscription(book, about)
  return { subscription: subscription.id, invoice: invoice.id }
}

async function payOnce(book: Book, { session, customer, card }: Purchase) {
  const method = await attachCard(book, customer, card)
  const period = { start: book.now, end: book.now }
  const lines = (session.line_items?.data ?? []).map((line) => ({
    description: `${line.quantity} × ${line.description ?? 'Item'}`,
    amount: line.amount_total,
    quantity: line.quantity ?? 1,
    price: line.price,
    period,
  }))
  const draft = makeInvoice(book, { customer, reason: 'manual', lines, metadata: session.metadata ?? {} })
  const invoice = await chargeNow(book, { ...draft, default_payment_method: method.id })
  return { invoice: session.invoice_creation?.enabled ? invoice.id : null, payment_intent: newId('pi') }
}
