import { addMonths, periodEnd } from '@trellis/payment-sandbox/months'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  DAY,
  JANUARY_31,
  buyCredits,
  buyPlan,
  makeCustomer,
  moveTo,
  openPage,
  openPortalAt,
  submitPage,
} from '../../testing/payments.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { openCatalogue } from './catalogue.ts'
import { createPayments } from './payments.ts'

let app: TestApp
let stripe: Stripe

beforeAll(async () => {
  app = await startTestApp()
  stripe = await app.ctx.ports.payments.client()
})
afterAll(async () => await app.close())

const utc = (text: string) => Date.parse(`${text}Z`) / 1000
const readSubscription = async (customer: string) => {
  const { data } = await stripe.subscriptions.list({ customer, status: 'all' })
  return data[0]!
}

test('months clamp to their last day and come back from it', () => {
  expect(addMonths(utc('2026-01-31T12:00:00'), 1)).toBe(utc('2026-02-28T12:00:00'))
  expect(periodEnd(utc('2026-01-31T12:00:00'), utc('2026-02-28T12:00:00'))).toBe(utc('2026-03-31T12:00:00'))
  expect(addMonths(utc('2024-01-31T00:00:00'), 1)).toBe(utc('2024-02-29T00:00:00'))
})

describe('the API as the SDK speaks it', () => {
  test('products, prices and customers', async () => {
    const product = await stripe.products.create({ name: 'Thing', metadata: { a: '1' } })
    expect(await stripe.products.retrieve(product.id)).toMatchObject({ name: 'Thing', metadata: { a: '1' } })
    expect((await stripe.products.list()).data.map((item) => item.id)).toContain(product.id)
    const price = await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 1234,
      lookup_key: 'thing',
    })
    expect((await stripe.prices.list({ lookup_keys: ['thing'] })).data.map((item) => item.id)).toEqual([price.id])
    expect((await stripe.prices.retrieve(price.id)).unit_amount_decimal?.toString()).toBe('1234')
    const customer = await stripe.customers.create({ email: 'a@example.com', name: 'A', metadata: { x: 'y' } })
    await stripe.customers.update(customer.id, { name: 'B', metadata: { x: '', z: '1' } })
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ name: 'B', metadata: { z: '1' } })
    expect((await stripe.customers.list({ email: 'a@example.com' })).data.map((item) => item.id)).toEqual([customer.id])
    await expect(
      stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 1, lookup_key: 'thing' }),
    ).rejects.toThrow(/already uses/)
  })

  test('errors become the classes of the SDK', async () => {
    await expect(stripe.customers.retrieve('cus_none')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    })
    await expect(stripe.customers.retrieve('cus_none')).rejects.toBeInstanceOf(Stripe.errors.StripeInvalidRequestError)
    await expect(stripe.testHelpers.testClocks.create({ frozen_time: 'x' as never })).rejects.toThrow(/Invalid integer/)
    const { host, port } = (await app.ctx.ports.payments.sandbox())!
    for (const key of ['sk_test_wrong', ['sk', 'live', 'made-up'].join('_')]) {
      const other = new Stripe(key, { host, port, protocol: 'http', maxNetworkRetries: 0 })
      await expect(other.customers.list()).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
    }
  })

  test('a key is used once: the same request is replayed, another one refused', async () => {
    const options = { idempotencyKey: 'once' }
    const first = await stripe.customers.create({ email: 'once@example.com' }, options)
    const again = await stripe.customers.create({ email: 'once@example.com' }, options)
    expect(again.id).toBe(first.id)
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
    await expect(stripe.customers.create({ email: 'other@example.com' }, options)).rejects.toBeInstanceOf(
      Stripe.errors.StripeIdempotencyError,
    )
    expect((await stripe.customers.list({ email: 'once@example.com' })).data).toHaveLength(1)
    const twins = await Promise.all(
      Array.from({ length: 8 }, () =>
        stripe.customers.create({ email: 'twin@example.com' }, { idempotencyKey: 'twin' }),
      ),
    )
    expect(new Set(twins.map((twin) => twin.id)).size).toBe(1)
  })

  test('lists page forwards and backwards', async () => {
    for (let at = 0; at < 5; at += 1) await stripe.customers.create({ email: 'page@example.com', name: String(at) })
    const all = await stripe.customers.list({ email: 'page@example.com', limit: 2 }).autoPagingToArray({ limit: 100 })
    expect(all.map((item) => item.name)).toEqual(['4', '3', '2', '1', '0'])
    const newer = await stripe.customers.list({ email: 'page@example.com', limit: 2, ending_before: all[4]!.id })
    expect(newer.data.map((item) => item.name)).toEqual(['2', '1'])
    expect(newer.has_more).toBe(true)
  })

  test('invoices through all their states', async () => {
    const customer = await makeCustomer(stripe, 'states')
    const make = async () => {
      const draft = await stripe.invoices.create({ customer: customer.id })
      await stripe.invoiceItems.create({
        customer: customer.id,
        invoice: draft.id!,
        amount: 700,
        currency: 'usd',
        description: 'Work',
      })
      return await stripe.invoices.finalizeInvoice(draft.id!)
    }
    expect(await stripe.invoices.create({ customer: customer.id })).toMatchObject({
      status: 'draft',
      hosted_invoice_url: null,
    })
    const open = await make()
    expect(open).toMatchObject({ status: 'open', amount_due: 700 })
    await expect(stripe.invoices.pay(open.id!)).rejects.toBeInstanceOf(Stripe.errors.StripeCardError)
    expect(await stripe.invoices.retrieve(open.id!)).toMatchObject({ status: 'open', attempt_count: 1 })
    expect(await stripe.invoices.voidInvoice(open.id!)).toMatchObject({ status: 'void' })
    expect(await stripe.invoices.markUncollectible((await make()).id!)).toMatchObject({ status: 'uncollectible' })
    expect((await stripe.invoices.list({ customer: customer.id, status: 'void' })).data.map((item) => item.id)).toEqual(
      [open.id],
    )
    await expect(stripe.invoices.finalizeInvoice(open.id!)).rejects.toThrow(/void/)
  })

  test('webhook endpoints, events and test clocks', async () => {
    const endpoint = await stripe.webhookEndpoints.create({ url: 'http://127.0.0.1:9/x', enabled_events: ['*'] })
    expect(endpoint.secret).toMatch(/^whsec_/)
    const listed = (await stripe.webhookEndpoints.list()).data.find((candidate) => candidate.id === endpoint.id)
    expect(listed).toMatchObject({ url: 'http://127.0.0.1:9/x' })
    expect(listed).not.toHaveProperty('secret')
    for (const url of ['https://example.com/x', 'http://10.0.0.1/x', 'http://127.0.0.1.example.com/']) {
      await expect(stripe.webhookEndpoints.create({ url, enabled_events: ['*'] })).rejects.toThrow(/this machine/)
    }
    await app.database.db
      .deleteFrom('sandbox_objects' as never)
      .where('id' as never, '=', endpoint.id as never)
      .execute()
    const { data } = await stripe.events.list({ type: 'customer.created', limit: 1 })
    expect(await stripe.events.retrieve(data[0]!.id)).toMatchObject({ type: 'customer.created' })
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: JANUARY_31 })
    await expect(
      stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: JANUARY_31 + 90 * DAY }),
    ).rejects.toThrow(/two intervals/)
    await expect(stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: JANUARY_31 })).rejects.toThrow(/later/)
  })
})

describe('checkout', () => {
  test('paid: session, subscription, invoice, card; a second payment is refused', async () => {
    const customer = await makeCustomer(stripe, 'subscriber')
    const { session, paid } = await buyPlan(app, customer.id, { plan: 'basic', reference: 'ref-1' })
    expect(paid).toMatchObject({ status: 303, location: `${app.config.publicUrl}/done` })
    const expand = ['line_items', 'subscription', 'customer']
    const done = await stripe.checkout.sessions.retrieve(session.id, { expand })
    expect(done).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      amount_total: 95_000,
      client_reference_id: 'ref-1',
      url: null,
    })
    expect(done.line_items?.data[0]?.quantity).toBe(1)
    const subscription = done.subscription as Stripe.Subscription
    expect(subscription).toMatchObject({ status: 'active', cancel_at: null, test_clock: customer.clock })
    expect(subscription.items.data[0]).toMatchObject({
      current_period_end: utc('2026-02-28T12:00:00'),
      price: { lookup_key: 'trellis_basic_monthly' },
    })
    const [invoice] = (await stripe.invoices.list({ customer: customer.id })).data
    expect(invoice).toMatchObject({
      status: 'paid',
      total: 95_000,
      parent: { subscription_details: { subscription: subscription.id } },
    })
    expect((await stripe.paymentMethods.list({ customer: customer.id })).data[0]?.card?.last4).toBe('4242')
    expect((await submitPage(app, session.url!, { card: 'success' })).status).toBe(410)
    expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toHaveLength(1)
    expect(await stripe.checkout.sessions.listLineItems(session.id)).toMatchObject({ data: [{ amount_total: 95_000 }] })
  })

  test('declined: told on the page, nothing kept, another card pays', async () => {
    const customer = await makeCustomer(stripe, 'declined')
    const { session, paid } = await buyPlan(app, customer.id, { plan: 'team', card: 'declined' })
    expect(paid.status).toBe(402)
    expect(paid.html).toContain('Your card was declined. Choose another one.')
    expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([])
    expect((await stripe.invoices.list({ customer: customer.id })).data).toEqual([])
    expect((await submitPage(app, session.url!, { card: 'mastercard' })).status).toBe(303)
    expect((await readSubscription(customer.id)).status).toBe('active')
  })

  test('eight clicks at once pay once', async () => {
    const customer = await makeCustomer(stripe, 'clicks')
    const { prices } = await openCatalogue(stripe)
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer: customer.id,
      line_items: [{ price: prices.credits, quantity: 3 }],
      invoice_creation: { enabled: true },
      success_url: `${app.config.publicUrl}/done`,
    })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => submitPage(app, session.url!, { card: 'success' })),
    )
    expect(answers.map((item) => item.status).toSorted()).toEqual([303, 410, 410, 410, 410, 410, 410, 410])
    expect((await stripe.invoices.list({ customer: customer.id })).data.map((item) => item.total)).toEqual([750])
  })

  test('expired sessions can not be paid', async () => {
    const customer = await makeCustomer(stripe, 'expired')
    const { prices } = await openCatalogue(stripe)
    const about = {
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: prices.basic, quantity: 1 }],
      success_url: 'http://localhost/x',
    } as const
    const session = await stripe.checkout.sessions.create({ ...about, line_items: [...about.line_items] })
    await stripe.checkout.sessions.expire(session.id)
    expect((await submitPage(app, session.url!, { card: 'success' })).status).toBe(410)
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toThrow(/open/)
    const wrong = { ...about, line_items: [{ price: prices.credits, quantity: 1 }] }
    await expect(stripe.checkout.sessions.create(wrong)).rejects.toThrow(/recurring/)
  })
})

describe('time', () => {
  test('renewal clamps to the end of the month and its invoice is a draft for an hour', async () => {
    const customer = await makeCustomer(stripe, 'renewing')
    await buyPlan(app, customer.id, { plan: 'basic' })
    await moveTo(stripe, customer.clock, utc('2026-02-28T12:30:00'))
    const [draft] = (await stripe.invoices.list({ customer: customer.id })).data
    expect(draft).toMatchObject({ status: 'draft', billing_reason: 'subscription_cycle' })
    await moveTo(stripe, customer.clock, utc('2026-02-28T13:30:00'))
    expect((await stripe.invoices.retrieve(draft!.id!)).status).toBe('paid')
    expect((await readSubscription(customer.id)).items.data[0]?.current_period_end).toBe(utc('2026-03-31T12:00:00'))
    await moveTo(stripe, customer.clock, utc('2026-04-01T00:00:00'))
    expect((await readSubscription(customer.id)).items.data[0]?.current_period_end).toBe(utc('2026-04-30T12:00:00'))
  })

  test('a card that fails makes it past due; a new card brings it back', async () => {
    const customer = await makeCustomer(stripe, 'late')
    await buyPlan(app, customer.id, { plan: 'basic', card: 'expires' })
    await moveTo(stripe, customer.clock, utc('2026-02-28T14:00:00'))
    expect((await readSubscription(customer.id)).status).toBe('past_due')
    expect((await stripe.invoices.list({ customer: customer.id, status: 'open' })).data).toHaveLength(1)
    const portal = await openPortalAt(app, customer.id, { type: 'payment_method_update' })
    expect((await submitPage(app, portal, { do: 'card', card: 'declined' })).status).toBe(402)
    expect((await submitPage(app, portal, { do: 'card', card: 'success' })).status).toBe(303)
    expect((await readSubscription(customer.id)).status).toBe('active')
    expect((await stripe.invoices.list({ customer: customer.id, status: 'open' })).data).toEqual([])
  })

  test('four failures end it and give the invoice up', async () => {
    const customer = await makeCustomer(stripe, 'given-up')
    await buyPlan(app, customer.id, { plan: 'basic', card: 'expires' })
    await moveTo(stripe, customer.clock, utc('2026-03-20T00:00:00'))
    expect(await readSubscription(customer.id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    })
    expect((await stripe.invoices.list({ customer: customer.id, limit: 1 })).data[0]).toMatchObject({
      status: 'uncollectible',
      attempt_count: 4,
    })
  })
})

describe('portal', () => {
  test('cancel sets a date and leaves the flag; renew takes it back; the end comes on that date', async () => {
    const customer = await makeCustomer(stripe, 'leaving')
    await buyPlan(app, customer.id, { plan: 'basic' })
    const { id } = await readSubscription(customer.id)
    const cancel = await openPortalAt(app, customer.id, {
      type: 'subscription_cancel',
      subscription_cancel: { subscription: id },
    })
    expect((await openPage(app, cancel)).html).toContain('Cancel plan?')
    expect((await submitPage(app, cancel, { do: 'cancel' })).status).toBe(303)
    const end = utc('2026-02-28T12:00:00')
    expect(await readSubscription(customer.id)).toMatchObject({
      status: 'active',
      cancel_at: end,
      cancel_at_period_end: false,
      canceled_at: JANUARY_31,
    })
    const home = await openPortalAt(app, customer.id)
    expect((await openPage(app, home)).html).toContain('Ends on 2026-02-28')
    await submitPage(app, home, { do: 'renew' })
    expect(await readSubscription(customer.id)).toMatchObject({ cancel_at: null, canceled_at: null })
    await submitPage(app, home, { do: 'cancel' })
    await moveTo(stripe, customer.clock, end + DAY)
    expect(await readSubscription(customer.id)).toMatchObject({ status: 'canceled', ended_at: end })
    expect((await submitPage(app, home, { do: 'renew' })).html).toContain('The plan has ended.')
  })

  test('up at once with proration, down when the period is over', async () => {
    const customer = await makeCustomer(stripe, 'changing')
    await buyPlan(app, customer.id, { plan: 'basic' })
    const { prices } = await openCatalogue(stripe)
    const confirm = async (price: string) => {
      const { id, items } = await readSubscription(customer.id)
      const change = { subscription: id, items: [{ id: items.data[0]!.id, price, quantity: 1 }] }
      return await openPortalAt(app, customer.id, {
        type: 'subscription_update_confirm',
        subscription_update_confirm: change,
      })
    }
    await moveTo(stripe, customer.clock, JANUARY_31 + 14 * DAY)
    await submitPage(app, await confirm(prices.team), { do: 'change', price: prices.team })
    expect((await readSubscription(customer.id)).items.data[0]?.price.id).toBe(prices.team)
    const [proration] = (await stripe.invoices.list({ customer: customer.id })).data
    expect(proration).toMatchObject({ status: 'paid', total: 150_000 - 47_500, billing_reason: 'subscription_update' })
    const down = await confirm(prices.basic)
    expect((await openPage(app, down)).html).toContain('takes effect on 2026-02-28')
    await submitPage(app, down, { do: 'change', price: prices.basic })
    const { data } = await stripe.subscriptions.list({ customer: customer.id, expand: ['data.schedule'] })
    expect(data[0]?.items.data[0]?.price.id).toBe(prices.team)
    const schedule = data[0]?.schedule as Stripe.SubscriptionSchedule
    expect(schedule.phases[1]?.items[0]?.price).toBe(prices.basic)
    expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({ status: 'active' })
    await moveTo(stripe, customer.clock, utc('2026-02-28T14:00:00'))
    expect(await readSubscription(customer.id)).toMatchObject({
      schedule: null,
      items: { data: [{ price: { id: prices.basic } }] },
    })
    expect((await stripe.invoices.list({ customer: customer.id, limit: 1 })).data[0]).toMatchObject({
      total: 95_000,
      status: 'paid',
    })
  })

  test('a price that was not offered, and an address that was never made, are refused', async () => {
    const customer = await makeCustomer(stripe, 'guessing')
    await buyPlan(app, customer.id, { plan: 'team' })
    const { prices } = await openCatalogue(stripe)
    const home = await openPortalAt(app, customer.id)
    expect((await submitPage(app, home, { do: 'change', price: prices.credits })).html).toContain(
      'This plan can not be chosen here.',
    )
    expect((await openPage(app, home.replace(/bps_\w+/, 'bps_none'))).status).toBe(404)
    for (const odd of ['?change=%00', '?change=x', '?change=%F0%9F%92%B8'])
      expect((await openPage(app, `${home}${odd}`)).status, odd).toBe(404)
    expect((await submitPage(app, home, { do: 'anything' })).html).toContain('This page can not do that.')
  })

  test('changes through the API: cancel at period end, cancel at a date, cancel now, other price', async () => {
    const customer = await makeCustomer(stripe, 'by-api')
    await buyPlan(app, customer.id, { plan: 'team' })
    const { id, items } = await readSubscription(customer.id)
    expect(await stripe.subscriptions.update(id, { cancel_at_period_end: true })).toMatchObject({
      cancel_at_period_end: true,
      canceled_at: JANUARY_31,
    })
    expect(await stripe.subscriptions.update(id, { cancel_at_period_end: false })).toMatchObject({
      cancel_at_period_end: false,
      canceled_at: null,
    })
    expect(await stripe.subscriptions.update(id, { cancel_at: JANUARY_31 + DAY, metadata: { a: 'b' } })).toMatchObject({
      cancel_at: JANUARY_31 + DAY,
      metadata: { a: 'b' },
    })
    const { prices } = await openCatalogue(stripe)
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: items.data[0]!.id, price: prices.basic }],
      proration_behavior: 'none',
    })
    expect(changed.items.data[0]?.price.id).toBe(prices.basic)
    expect(await stripe.subscriptions.cancel(id)).toMatchObject({ status: 'canceled', ended_at: JANUARY_31 })
    await expect(stripe.subscriptions.update(id, { cancel_at_period_end: true })).rejects.toThrow(/canceled/)
  })
})

describe('pages', () => {
  test('say that no money moves, run no script, load nothing and escape what people wrote', async () => {
    const customer = await makeCustomer(stripe, 'x')
    await stripe.customers.update(customer.id, { name: '<img src=x onerror=alert(1)>"\'&' })
    await buyPlan(app, customer.id, { plan: 'basic' })
    await buyCredits(app, customer.id, 3)
    const [invoice] = (await stripe.invoices.list({ customer: customer.id })).data
    const { prices } = await openCatalogue(stripe)
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer: customer.id,
      line_items: [{ price: prices.credits, quantity: 1 }],
      success_url: 'http://localhost:4600/x',
    })
    const addresses = [
      session.url!,
      await openPortalAt(app, customer.id),
      invoice!.hosted_invoice_url!,
      invoice!.invoice_pdf!,
      `${app.config.publicUrl}/sandbox-pay/clock`,
    ]
    for (const address of addresses) {
      const { status, html, headers } = await openPage(app, address)
      expect(status, address).toBe(200)
      expect(html).toContain('Test mode: no real money moves')
      expect(html).not.toContain('<img')
      expect(html).not.toMatch(/<script|<[^>]* (style|on\w+)=/)
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'nonce-[\w+/=]+'; img-src 'self'; form-action 'self'/,
      )
      const nonce = /nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1]
      expect(html).toContain(`<style nonce="${nonce}">`)
    }
  })

  test('forms of other sites are refused; the clock is for this machine alone', async () => {
    const customer = await makeCustomer(stripe, 'csrf')
    await buyPlan(app, customer.id, { plan: 'basic' })
    const { pathname } = new URL(await openPortalAt(app, customer.id))
    const body = new URLSearchParams({ do: 'cancel' })
    const foreign = await fetch(`${app.url}${pathname}`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body,
      redirect: 'manual',
    })
    expect(foreign.status).toBe(403)
    expect((await readSubscription(customer.id)).cancel_at).toBeNull()
    const proxied = await fetch(`${app.url}/sandbox-pay/clock`, { headers: { 'x-forwarded-for': '203.0.113.5' } })
    expect(proxied.status).toBe(404)
  })
})

test('real keys speak to the provider: no sandbox opens, and the sandbox takes test keys alone', async () => {
  const keys = { secretKey: ['sk', 'live', 'made-up'].join('_'), webhookSecret: undefined }
  const real = createPayments({ ...app.config, stripe: keys })
  expect(real.isSandbox).toBe(false)
  expect(await real.sandbox()).toBeUndefined()
  const client = (await real.client()) as unknown as { getApiField(name: string): unknown }
  expect(client.getApiField('host')).toBe('api.stripe.com')
  const { secretKey, host } = (await app.ctx.ports.payments.sandbox())!
  expect(secretKey).toMatch(/^sk_test_/)
  expect(host).toBe('127.0.0.1')
})
