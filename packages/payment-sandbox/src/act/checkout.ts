import type Stripe from 'stripe'
import { ApiError } from '../api-error.ts'
import { type SandboxContext, withCustomerClock, createId } from '../sandbox-context.ts'
import { emit } from '../events.ts'
import { type CardName, makeCustomer } from '../make/customer.ts'
import { makeInvoice } from '../make/invoice.ts'
import { toId } from '../stripe-objects.ts'
import { attachCard, chargeNow, startSubscription } from './subscribe.ts'

export async function expireSession(
  context: SandboxContext,
  session: Stripe.Checkout.Session,
): Promise<Stripe.Checkout.Session> {
  if (session.status !== 'open')
    throw new ApiError(400, 'Only Checkout Sessions with a status in ["open"] can be expired.')
  const expired: Stripe.Checkout.Session = { ...session, status: 'expired', url: null }
  await context.store.put(expired)
  await emit(context, 'checkout.session.expired', expired)
  return expired
}

async function findOrCreateCustomer(
  context: SandboxContext,
  session: Stripe.Checkout.Session,
): Promise<Stripe.Customer> {
  const id = toId(session.customer)
  if (id !== null) return await context.store.get('customer', id)
  return await context.store.put(
    makeCustomer(context, { email: session.customer_email, name: null, testClock: null, metadata: {} }),
  )
}

export async function completeSession(
  base: SandboxContext,
  id: string,
  card: CardName,
): Promise<Stripe.Checkout.Session> {
  const session = await base.store.get('checkout.session', id)
  const customer = await findOrCreateCustomer(base, session)
  const context = await withCustomerClock(base, customer)
  if (session.status !== 'open') throw new ApiError(410, 'This checkout is over.')
  if (session.expires_at <= context.now) throw new ApiError(410, 'This checkout has expired.')
  const paid =
    session.mode === 'subscription'
      ? await subscribe(context, { session, customer, card })
      : await payOnce(context, { session, customer, card })
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
  await context.store.put(complete)
  await emit(context, 'checkout.session.completed', complete)
  return complete
}

interface Purchase {
  session: Stripe.Checkout.Session
  customer: Stripe.Customer
  card: CardName
}

async function subscribe(context: SandboxContext, { session, customer, card }: Purchase) {
  const line = session.line_items?.data[0]
  if (!line?.price) throw new ApiError(400, 'This checkout has nothing to subscribe to.')
  const metadata = session.metadata ?? {}
  const about = { customer, price: line.price, quantity: line.quantity ?? 1, card, metadata }
  const { subscription, invoice } = await startSubscription(context, about)
  return { subscription: subscription.id, invoice: invoice.id }
}

async function payOnce(context: SandboxContext, { session, customer, card }: Purchase) {
  const method = await attachCard(context, customer, card)
  const period = { start: context.now, end: context.now }
  const lines = (session.line_items?.data ?? []).map((line) => ({
    description: `${line.quantity} × ${line.description ?? 'Item'}`,
    amount: line.amount_total,
    quantity: line.quantity ?? 1,
    price: line.price,
    period,
  }))
  const draft = makeInvoice(context, { customer, reason: 'manual', lines, metadata: session.metadata ?? {} })
  const invoice = await chargeNow(context, { ...draft, default_payment_method: method.id })
  return { invoice: session.invoice_creation?.enabled ? invoice.id : null, payment_intent: createId('pi') }
}
