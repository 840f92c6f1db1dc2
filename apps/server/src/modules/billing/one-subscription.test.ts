import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCatalogue } from '../../platform/payments/catalogue.ts'
import { DAY, JANUARY_31, makeAccount, makeCustomer, moveTo, openPage, submitPage } from '../../testing/payments.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { syncCustomer } from './sync-customer.ts'

let app: TestApp
let stripe: Stripe

beforeAll(async () => {
  app = await startTestApp()
  stripe = await app.ctx.ports.payments.client()
})
afterAll(async () => await app.close())

async function openCheckout(customer: string, plan: 'basic' | 'team') {
  const { prices } = await openCatalogue(stripe)
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: prices[plan], quantity: 1 }],
    success_url: `${app.config.publicUrl}/done`,
    cancel_url: `${app.config.publicUrl}/back`,
  })
  return session.url ?? ''
}

const pay = async (address: string) => await submitPage(app, address, { card: 'success' })
const listActiveSubscriptions = async (customer: string) =>
  (await stripe.subscriptions.list({ customer, status: 'all' })).data.filter((item) => item.status === 'active')
const listPlanAudit = async (account: number) =>
  await app.database.db
    .selectFrom('audit_lines')
    .select(['action', 'detail'])
    .where('account_id', '=', account)
    .where('action', '=', 'duplicatePlanEnded')
    .execute()

test('two checkouts paid in the same second leave one plan; the other is ended, refunded and written down', async () => {
  const customer = await makeCustomer(stripe, 'twice')
  const account = await makeAccount(app, { code: 'twice', customer: customer.id })
  const tabs = [await openCheckout(customer.id, 'team'), await openCheckout(customer.id, 'basic')]
  await Promise.all(tabs.map((tab) => pay(tab)))
  expect(await listActiveSubscriptions(customer.id)).toHaveLength(2)

  await Promise.all(Array.from({ length: 5 }, () => syncCustomer(app.ctx, customer.id)))
  const live = await listActiveSubscriptions(customer.id)
  expect(live.map((item) => item.items.data[0]?.price.unit_amount)).toEqual([300_000])
  const { data: notes } = await stripe.creditNotes.list({ customer: customer.id })
  expect(notes.map(({ amount, reason }) => ({ amount, reason }))).toEqual([{ amount: 95_000, reason: 'duplicate' }])
  const invoices = await stripe.invoices.list({ customer: customer.id })
  const refunded = invoices.data.find((invoice) => invoice.total === 95_000)
  expect(refunded?.post_payment_credit_notes_amount).toBe(95_000)
  expect((await openPage(app, refunded?.hosted_invoice_url ?? '')).html).toMatch(/Refunded<\/span><span>\$950\.00/)
  expect(
    await app.database.db
      .selectFrom('accounts')
      .select(['account_type', 'plan_status', 'stripe_subscription_id'])
      .where('id', '=', account)
      .executeTakeFirst(),
  ).toEqual({ account_type: 'team', plan_status: 'active', stripe_subscription_id: live[0]?.id })
  expect(await listPlanAudit(account)).toEqual([
    { action: 'duplicatePlanEnded', detail: { plan: 'basic', kept_plan: 'team', refunded_dollars: 950 } },
  ])
})

test('a plan bought while an older one ran takes its place; the unused part comes back', async () => {
  const customer = await makeCustomer(stripe, 'later')
  const account = await makeAccount(app, { code: 'later', customer: customer.id })
  await pay(await openCheckout(customer.id, 'team'))
  await moveTo(stripe, customer.clock, JANUARY_31 + 14 * DAY)
  await pay(await openCheckout(customer.id, 'basic'))
  await syncCustomer(app.ctx, customer.id)
  expect(
    (await listActiveSubscriptions(customer.id)).map(
      (activeSubscription) => activeSubscription.items.data[0]?.price.unit_amount,
    ),
  ).toEqual([95_000])
  const { data: notes } = await stripe.creditNotes.list({ customer: customer.id })
  expect(notes.map(({ amount }) => amount)).toEqual([150_000])
  expect((await listPlanAudit(account)).map(({ detail }) => detail)).toEqual([
    { plan: 'team', kept_plan: 'basic', refunded_dollars: 1500 },
  ])
})

test('a refund that was given before the end came is not given again', async () => {
  const customer = await makeCustomer(stripe, 'halfway')
  const account = await makeAccount(app, { code: 'halfway', customer: customer.id })
  for (const tab of [await openCheckout(customer.id, 'team'), await openCheckout(customer.id, 'basic')]) await pay(tab)
  const { data } = await stripe.invoices.list({ customer: customer.id })
  const invoice = data.find((candidate) => candidate.total === 95_000)?.id ?? ''
  await stripe.creditNotes.create({ invoice, amount: 95_000, refund_amount: 95_000, reason: 'duplicate' })
  await syncCustomer(app.ctx, customer.id)
  expect(await listActiveSubscriptions(customer.id)).toHaveLength(1)
  expect((await stripe.creditNotes.list({ customer: customer.id })).data).toHaveLength(1)
  expect(await listPlanAudit(account)).toHaveLength(1)
})

test('what is no plan of ours is left alone', async () => {
  const customer = await makeCustomer(stripe, 'other')
  await makeAccount(app, { code: 'other', customer: customer.id })
  const product = await stripe.products.create({ name: 'Support by phone' })
  const price = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 100,
    recurring: { interval: 'month' },
  })
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: `${app.config.publicUrl}/done`,
  })
  await pay(await openCheckout(customer.id, 'basic'))
  // The newer subscription counts, and must not end the plan.
  await moveTo(stripe, customer.clock, JANUARY_31 + 60)
  await pay(session.url ?? '')
  await syncCustomer(app.ctx, customer.id)
  expect(await listActiveSubscriptions(customer.id)).toHaveLength(2)
})
