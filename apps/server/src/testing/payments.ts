import { addMonths } from '@trellis/payment-sandbox/months'
import type Stripe from 'stripe'
import { openCatalogue } from '../platform/payments/catalogue.ts'
import type { TestApp } from './test-app.ts'

export const DAY = 86_400
export const JANUARY_31 = Date.UTC(2026, 0, 31, 12) / 1000

export type Card = 'success' | 'mastercard' | 'expires' | 'declined'

export async function submitPage(app: TestApp, address: string, form: Record<string, string>) {
  const { pathname, search } = new URL(address)
  const response = await fetch(`${app.url}${pathname}${search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
  return { status: response.status, location: response.headers.get('location'), html: await response.text() }
}

export async function openPage(app: TestApp, address: string) {
  const { pathname, search } = new URL(address)
  const response = await fetch(`${app.url}${pathname}${search}`)
  return { status: response.status, headers: response.headers, html: await response.text() }
}

export async function makeCustomer(stripe: Stripe, name: string, start = JANUARY_31) {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const customer = await stripe.customers.create({ name, email: `${name}@example.com`, test_clock: clock.id })
  return { clock: clock.id, id: customer.id }
}

export async function moveTo(stripe: Stripe, clockId: string, seconds: number): Promise<void> {
  for (;;) {
    const clock = await stripe.testHelpers.testClocks.retrieve(clockId)
    if (clock.frozen_time >= seconds) return
    const next = Math.min(seconds, addMonths(clock.frozen_time, 1))
    await stripe.testHelpers.testClocks.advance(clockId, { frozen_time: next })
    while ((await stripe.testHelpers.testClocks.retrieve(clockId)).status === 'advancing') {
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

export async function buyPlan(
  app: TestApp,
  customer: string,
  about: { plan: 'basic' | 'team'; card?: Card; reference?: string },
) {
  const stripe = await app.ctx.ports.payments.client()
  const { prices } = await openCatalogue(stripe)
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: prices[about.plan], quantity: 1 }],
    success_url: `${app.config.publicUrl}/done`,
    cancel_url: `${app.config.publicUrl}/back`,
    ...(about.reference ? { client_reference_id: about.reference } : {}),
  })
  const paid = await submitPage(app, session.url ?? '', { card: about.card ?? 'success' })
  return { session, paid }
}

export async function buyCredits(app: TestApp, customer: string, packs: number) {
  const stripe = await app.ctx.ports.payments.client()
  const { prices } = await openCatalogue(stripe)
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    customer,
    line_items: [{ price: prices.credits, quantity: packs }],
    invoice_creation: { enabled: true },
    success_url: `${app.config.publicUrl}/done`,
  })
  return { session, paid: await submitPage(app, session.url ?? '', { card: 'success' }) }
}

export async function openPortalAt(
  app: TestApp,
  customer: string,
  flow?: Stripe.BillingPortal.SessionCreateParams.FlowData,
) {
  const stripe = await app.ctx.ports.payments.client()
  const { portal } = await openCatalogue(stripe)
  const session = await stripe.billingPortal.sessions.create({
    customer,
    configuration: portal,
    return_url: `${app.config.publicUrl}/back`,
    ...(flow ? { flow_data: flow } : {}),
  })
  return session.url
}

export async function makeAccount(
  app: TestApp,
  about: { code: string; customer?: string; type?: 'basic' | 'team' | 'internal' },
) {
  const { id } = await app.database.db
    .insertInto('accounts')
    .values({
      trellis_code: about.code,
      name: about.code,
      account_type: about.type ?? 'basic',
      stripe_customer_id: about.customer ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
