import { prune } from '@trellis/payment-sandbox/prune'
import { withStore } from '@trellis/payment-sandbox/store'
import { sql } from 'kysely'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buyPlan, makeCustomer, openPortalAt } from '../../testing/payments.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'

let app: TestApp
let stripe: Stripe

beforeAll(async () => {
  app = await startTestApp()
  stripe = await app.ctx.ports.payments.client()
  // Prevents automatic delivery.
  await (await app.ctx.ports.payments.sandbox())!.deliverTo('http://127.0.0.1:9/nowhere')
})
afterAll(async () => await app.close())

const forget = async (limits?: { days: number; events: number }) =>
  await withStore(app.database.pool, { isWrite: true }, (store) => prune(store, limits))
const events = async () => (await stripe.events.list({ limit: 100 })).data.map((event) => event.id)
const age = async (ids: string[], days: number) =>
  await sql`update sandbox_objects set stored_at = now() - make_interval(days => ${days}) where id = any(${ids})`.execute(
    app.database.db,
  )
const delivered = async () => await sql`delete from sandbox_deliveries`.execute(app.database.db)

test('events are forgotten after 30 days by a clock that nobody moves, and when there are too many', async () => {
  const customer = await makeCustomer(stripe, 'old')
  await buyPlan(app, customer.id, { plan: 'basic' })
  await delivered()
  const all = await events()
  expect(all.length).toBeGreaterThan(6)
  await forget()
  expect(await events()).toEqual(all)

  await age(all.slice(-2), 31)
  await forget()
  expect(await events()).toEqual(all.slice(0, -2))

  await forget({ days: 30, events: 3 })
  expect(await events()).toEqual(all.slice(0, 3))
})

test('an event that still waits to be delivered is kept, and so is everything that is not an event', async () => {
  await delivered()
  const customer = await makeCustomer(stripe, 'waiting')
  const [waiting = '', other = ''] = await events()
  await sql`insert into sandbox_deliveries (event_id, endpoint_id, next_at)
    select ${waiting}, id, now() + interval '1 hour' from sandbox_objects where kind = 'webhook_endpoint'
    on conflict do nothing`.execute(app.database.db)
  await age([waiting, other, customer.id], 90)
  await forget()
  expect(await events()).toContain(waiting)
  expect(await events()).not.toContain(other)
  expect((await stripe.customers.retrieve(customer.id)).id).toBe(customer.id)
})

test('old links to the portal are forgotten', async () => {
  const customer = await makeCustomer(stripe, 'portal')
  const url = await openPortalAt(app, customer.id)
  const count = async () =>
    (
      await sql<{ id: string }>`select id from sandbox_objects where kind = 'billing_portal.session'`.execute(
        app.database.db,
      )
    ).rows.length
  await forget()
  expect(await count()).toBe(1)
  await age([url.split('/').at(-1) ?? ''], 3)
  await forget()
  expect(await count()).toBe(0)
})
