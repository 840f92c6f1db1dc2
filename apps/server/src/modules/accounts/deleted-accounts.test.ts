import {
  deleteAccount,
  listDeleted,
  restoreDeleted,
  updateAccount,
} from '@trellis/contract/accounts/accounts.endpoints'
import { addMonths } from '@trellis/payment-sandbox/months'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCatalogue } from '../../platform/payments/catalogue.ts'
import { makeAccount } from '../../testing/accounts.ts'
import { DAY, JANUARY_31, buyPlan, makeCustomer, moveTo, openPortalAt, submitPage } from '../../testing/payments.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { queueProviderUpdate } from '../billing/deleted-account.service.ts'
import { handleRetryProviderUpdates, handleUpdateProvider } from '../billing/update-provider.handler.ts'
import { syncCustomer } from '../billing/sync-customer.ts'

let app: TestApp
let stripe: Stripe
let count = 0

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  stripe = await app.ctx.ports.payments.client()
  await (await app.ctx.ports.payments.sandbox())!.deliverTo('http://127.0.0.1:9/nowhere')
})
afterAll(async () => await app.close())

async function makePaidAccount(plan: 'basic' | 'team' = 'basic') {
  count += 1
  const customer = await makeCustomer(stripe, `deleted${count}`)
  await buyPlan(app, customer.id, { plan })
  const account = await makeAccount(app, plan)
  await app.database.db
    .updateTable('accounts')
    .set({ stripe_customer_id: customer.id })
    .where('id', '=', account.id)
    .execute()
  await syncCustomer(app.ctx, customer.id)
  const params = { account_trellis_code: account.code }
  return {
    ...account,
    customer,
    remove: async () => expect((await account.owner.call(deleteAccount, { params })).status).toBe(200),
    restore: async () =>
      (await account.owner.call(restoreDeleted, { params: { kind: 'account', trellis_code: account.code } })).status,
    tell: () => handleUpdateProvider(app.ctx, { account_id: account.id }),
    subscription: async () => (await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data[0]!,
    paid: async () =>
      (await stripe.invoices.list({ customer: customer.id, limit: 100 })).data.map((item) => item.status),
    row: async () =>
      await app.database.db.selectFrom('accounts').selectAll().where('id', '=', account.id).executeTakeFirst(),
  }
}

const fiveWeeks = addMonths(JANUARY_31, 1) + 5 * DAY

test('a deleted account keeps its plan for the days that are paid and is not charged again', async () => {
  const account = await makePaidAccount()
  await account.remove()
  await account.tell()
  expect(await account.subscription()).toMatchObject({ status: 'active', cancel_at_period_end: true })
  await moveTo(stripe, account.customer.clock, fiveWeeks)
  expect((await account.subscription()).status).toBe('canceled')
  expect(await account.paid()).toEqual(['paid'])
})

test('restoring takes back the cancellation of the deletion', async () => {
  const account = await makePaidAccount()
  await account.remove()
  await account.tell()
  expect(await account.row()).toMatchObject({ plan_status: 'cancelling', provider_update_due_at: null })
  expect(await account.restore()).toBe(200)
  await account.tell()
  expect(await account.row()).toMatchObject({ plan_status: 'active', stripe_plan_end_date: null })
  await moveTo(stripe, account.customer.clock, fiveWeeks)
  expect(await account.paid()).toEqual(['paid', 'paid'])
})

test('a plan that was cancelled before the deletion stays cancelled after a restore', async () => {
  const account = await makePaidAccount()
  await submitPage(app, await openPortalAt(app, account.customer.id), { do: 'cancel' })
  await account.remove()
  await account.tell()
  expect(await account.restore()).toBe(200)
  await account.tell()
  expect(await account.row()).toMatchObject({ plan_status: 'cancelling' })
  await moveTo(stripe, account.customer.clock, fiveWeeks)
  expect((await account.subscription()).status).toBe('canceled')
  expect(await account.paid()).toEqual(['paid'])
})

test('deleted and restored before the provider was told, nothing changes there', async () => {
  const account = await makePaidAccount()
  await account.remove()
  expect(await account.restore()).toBe(200)
  await account.tell()
  expect(await account.subscription()).toMatchObject({ status: 'active', cancel_at_period_end: false })
  expect((await account.row())?.provider_update_due_at).toBeNull()
})

test('a smaller plan that waits for the end of the period does not keep the plan alive', async () => {
  const account = await makePaidAccount('team')
  const subscription = await account.subscription()
  const { prices } = await openCatalogue(stripe)
  const item = subscription.items.data[0]!
  const portal = await openPortalAt(app, account.customer.id, {
    type: 'subscription_update_confirm',
    subscription_update_confirm: {
      subscription: subscription.id,
      items: [{ id: item.id, price: prices.basic, quantity: 1 }],
    },
  })
  await submitPage(app, portal, { do: 'change', price: prices.basic })
  expect((await account.subscription()).schedule).not.toBeNull()
  await account.remove()
  await account.tell()
  expect(await account.subscription()).toMatchObject({ schedule: null, cancel_at_period_end: true })
  await moveTo(stripe, account.customer.clock, fiveWeeks)
  expect(await account.paid()).toEqual(['paid'])
})

test('a checkout left open in another tab can not be paid for a deleted account', async () => {
  const account = await makePaidAccount()
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    customer: account.customer.id,
    line_items: [{ price: (await openCatalogue(stripe)).prices.credits, quantity: 1 }],
    success_url: `${app.config.publicUrl}/done`,
  })
  await account.remove()
  await account.tell()
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired')
})

test('a provider that is down loses no cancellation: it stays due and is tried again', async () => {
  const account = await makePaidAccount()
  await account.remove()
  const { payments } = app.ctx.ports
  const away = new Stripe('sk_test_away', { host: '127.0.0.1', port: 9, protocol: 'http', maxNetworkRetries: 0 })
  const down = { ...app.ctx, ports: { ...app.ctx.ports, payments: { ...payments, client: async () => away } } }
  await expect(handleUpdateProvider(down, { account_id: account.id })).rejects.toMatchObject({
    code: 'payments_unavailable',
  })
  expect((await account.row())?.provider_update_due_at).not.toBeNull()
  expect((await account.subscription()).cancel_at_period_end).toBe(false)

  await app.database.pool.query(
    "update accounts set provider_update_due_at = provider_update_due_at - interval '1 hour' where id = $1",
    [account.id],
  )
  await app.database.pool.query("delete from jobs.job where name = 'billing.update-provider'")
  await handleRetryProviderUpdates(app.ctx)
  const { rows } = await app.database.pool.query<{ data: { account_id: number } }>(
    "select data from jobs.job where name = 'billing.update-provider'",
  )
  expect(rows.map((row) => row.data.account_id)).toContain(account.id)
  await account.tell()
  expect((await account.subscription()).cancel_at_period_end).toBe(true)
})

test('an update that the provider refuses for good is given up, told to the operator, and not tried for ever', async () => {
  const account = await makePaidAccount()
  const gone = { stripe_customer_id: 'cus_gone' }
  await app.database.db.updateTable('accounts').set(gone).where('id', '=', account.id).execute()
  await queueProviderUpdate(app.ctx, account.id)
  await expect(account.tell()).rejects.toMatchObject({ name: 'GiveUp' })
  expect((await account.row())?.provider_update_due_at).toBeNull()
  await app.database.pool.query("delete from jobs.job where name = 'billing.update-provider'")
  await handleRetryProviderUpdates(app.ctx)
  const { rows } = await app.database.pool.query<{ data: { account_id: number } }>(
    "select data from jobs.job where name = 'billing.update-provider'",
  )
  expect(rows.map((row) => row.data.account_id)).not.toContain(account.id)
})

test('a new name of the account reaches the payment provider', async () => {
  const account = await makePaidAccount()
  const params = { account_trellis_code: account.code }
  const body = { account_trellis_code: account.code, name: 'Corner bakery' }
  expect((await account.owner.call(updateAccount, { params, body })).status).toBe(200)
  await account.tell()
  expect(await stripe.customers.retrieve(account.customer.id)).toMatchObject({ name: 'Corner bakery' })
  expect((await account.row())?.provider_update_due_at).toBeNull()
})

test('what is due to be removed can not be restored any more', async () => {
  const account = await makePaidAccount()
  await account.remove()
  expect((await account.owner.call(listDeleted)).data).toHaveLength(1)
  await app.database.pool.query('update accounts set removal_started_at = now() where id = $1', [account.id])
  expect((await account.owner.call(listDeleted)).data).toEqual([])
  expect(await account.restore()).toBe(404)
})
