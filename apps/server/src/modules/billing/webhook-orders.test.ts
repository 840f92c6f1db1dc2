import fc from 'fast-check'
import { sql } from 'kysely'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCatalogue } from '../../platform/payments/catalogue.ts'
import {
  DAY,
  JANUARY_31,
  buyCredits,
  buyPlan,
  makeAccount,
  makeCustomer,
  moveTo,
  openPortalAt,
  submitPage,
} from '../../testing/payments.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { handlePollEvents, handleReconcile, handlePaymentEvent, recordEvent } from './inbox.service.ts'
import { syncCustomer } from './sync-customer.ts'

/** `TRELLIS_FUZZ_RUNS=100` tries a thousand. */
const ORDERS = Number(process.env['TRELLIS_FUZZ_RUNS'] ?? 30)

let app: TestApp
let stripe: Stripe

beforeAll(async () => {
  app = await startTestApp()
  stripe = await app.ctx.ports.payments.client()
  // Only this test delivers events.
  const { sandbox } = app.ctx.ports.payments
  await (await sandbox())!.deliverTo('http://127.0.0.1:9/nowhere')
})
afterAll(async () => await app.close())

interface History {
  name: string
  account: number
  customer: string
  events: Stripe.Event[]
  /** Number of events at the end of each stage. */
  stages: number[]
  reference: unknown
}

const columns = [
  'account_type',
  'stripe_subscription_id',
  'plan_status',
  'next_plan',
  'stripe_plan_end_date',
  'stripe_plan_renewal_date',
  'stripe_plan_cancelled_at',
] as const

async function readBillingState(account: number) {
  const plan = await app.database.db.selectFrom('accounts').select(columns).where('id', '=', account).executeTakeFirst()
  const credits = await app.database.db
    .selectFrom('credit_grants')
    .select(['kind', 'amount', 'spent', 'reason', 'reference'])
    .where('account_id', '=', account)
    .orderBy('reference')
    .execute()
  return { plan, credits }
}

async function forget({ account, customer }: Pick<History, 'account' | 'customer'>): Promise<void> {
  await app.database.db.deleteFrom('billing_events').where('customer_id', '=', customer).execute()
  await app.database.db.deleteFrom('credit_grants').where('account_id', '=', account).execute()
  await app.database.db
    .updateTable('accounts')
    .set({
      account_type: 'basic',
      stripe_subscription_id: null,
      plan_status: 'active',
      next_plan: null,
      stripe_plan_end_date: null,
      stripe_plan_renewal_date: null,
      stripe_plan_cancelled_at: null,
    })
    .where('id', '=', account)
    .execute()
}

const take = async (event: Stripe.Event) => {
  await recordEvent(app.ctx, event)
  await handlePaymentEvent(app.ctx, { event_id: event.id })
}

interface Life {
  id: string
  clock: string
  now: number
  stages: number[]
}

const begin = async (name: string): Promise<Life> => ({
  ...(await makeCustomer(stripe, name)),
  now: JANUARY_31,
  stages: [],
})

async function listEvents(customer: string): Promise<Stripe.Event[]> {
  const { rows } = await sql<{ body: Stripe.Event }>`select body from sandbox_objects
    where kind = 'event' and ${customer} in (body #>> '{data,object,customer}', body #>> '{data,object,id}')
    order by seq`.execute(app.database.db)
  return rows.map((row) => row.body)
}

const READ_BY_SYNC = sql`('subscription', 'subscription_schedule', 'checkout.session')`

/** A snapshot to rewind to. */
async function mark(life: Life): Promise<void> {
  const kind = `stage ${life.stages.length}`
  await sql`insert into sandbox_objects (id, kind, customer_id, body)
    select ${kind}::text || id, ${kind}, customer_id, body from sandbox_objects
     where customer_id = ${life.id} and kind in ${READ_BY_SYNC}`.execute(app.database.db)
  life.stages.push((await listEvents(life.id)).length)
}

/** Hides everything after that stage. */
async function rewind({ customer }: Pick<History, 'customer'>, stage: number): Promise<void> {
  const hidden = `later:${customer}`
  await sql`update sandbox_objects o
      set body = coalesce(s.body, o.body), customer_id = case when s.id is null then ${hidden} else ${customer} end
     from sandbox_objects k left join sandbox_objects s on s.id = ${`stage ${stage}`}::text || k.id
    where o.id = k.id and k.kind in ${READ_BY_SYNC} and k.customer_id in (${customer}, ${hidden})`.execute(
    app.database.db,
  )
}

const portal = async (life: Life, form: Record<string, string>) => {
  const { status } = await submitPage(app, await openPortalAt(app, life.id), form)
  if (status !== 303) throw new Error(`the portal answered ${status}`)
  await mark(life)
}
const subscribe = async (life: Life, about: Parameters<typeof buyPlan>[2]) => {
  await buyPlan(app, life.id, about)
  await mark(life)
}
const buy = async (life: Life, packs: number) => {
  await buyCredits(app, life.id, packs)
  await mark(life)
}
const change = async (life: Life, plan: 'basic' | 'team') => {
  const { prices } = await openCatalogue(stripe)
  await portal(life, { do: 'change', price: prices[plan] })
}
const pass = async (life: Life, days: number) => {
  life.now += days * DAY
  await moveTo(stripe, life.clock, life.now)
  await mark(life)
}

const LIVES: Record<string, (life: Life) => Promise<void>> = {
  renewed: async (life) => {
    await subscribe(life, { plan: 'basic' })
    await pass(life, 40)
  },
  'bought credits twice': async (life) => {
    await subscribe(life, { plan: 'basic' })
    await buy(life, 3)
    await buy(life, 999)
  },
  'up and cancelled': async (life) => {
    await subscribe(life, { plan: 'basic' })
    await pass(life, 5)
    await change(life, 'team')
    await portal(life, { do: 'cancel' })
  },
  'going down': async (life) => {
    await subscribe(life, { plan: 'team' })
    await change(life, 'basic')
  },
  'gone down': async (life) => {
    await subscribe(life, { plan: 'team' })
    await change(life, 'basic')
    await pass(life, 35)
  },
  'past due': async (life) => {
    await subscribe(life, { plan: 'basic', card: 'expires' })
    await pass(life, 30)
  },
  recovered: async (life) => {
    await subscribe(life, { plan: 'basic', card: 'expires' })
    await pass(life, 30)
    await portal(life, { do: 'card', card: 'mastercard' })
  },
  'given up': async (life) => {
    await subscribe(life, { plan: 'basic', card: 'expires' })
    await pass(life, 60)
  },
  'ended and back': async (life) => {
    await subscribe(life, { plan: 'basic' })
    await buy(life, 1)
    await portal(life, { do: 'cancel' })
    await pass(life, 31)
    await subscribe(life, { plan: 'team' })
  },
  'cancelled, renewed, cancelled': async (life) => {
    await subscribe(life, { plan: 'team' })
    await portal(life, { do: 'cancel' })
    await portal(life, { do: 'renew' })
    await portal(life, { do: 'cancel' })
  },
}

async function live(name: string): Promise<History> {
  const life = await begin(name.replaceAll(/\W/g, '-'))
  const customer = life.id
  const account = await makeAccount(app, { code: `a${customer.slice(4, 12)}`.toLowerCase(), customer })
  await LIVES[name]?.(life)
  const events = await listEvents(customer)
  for (const event of events) await take(event)
  return { name, account, customer, events, stages: life.stages, reference: await readBillingState(account) }
}

interface Telling {
  event: number
  /** In stages, modulo. */
  delay: number
}

/** Delivered in this order, not before the event's stage; undelivered events are lost. */
async function tell({ events, stages, ...about }: History, tellings: readonly Telling[]): Promise<void> {
  const last = stages.length - 1
  const due: Stripe.Event[][] = stages.map(() => [])
  for (const { event, delay } of tellings) {
    const born = stages.findIndex((count) => event < count)
    due[born + (delay % (last - born + 1))]?.push(events[event]!)
  }
  for (const [stage, told] of due.entries()) {
    if (told.length === 0) continue
    await rewind(about, stage)
    for (const event of told) await recordEvent(app.ctx, event)
    await Promise.all(told.map((event) => handlePaymentEvent(app.ctx, { event_id: event.id })))
  }
  await rewind(about, last)
  // Without new events, polling or the nightly reconciliation must find the change.
  const before = due.slice(0, last).flat()
  if (due[last]?.every((event) => before.includes(event))) await syncCustomer(app.ctx, about.customer)
}

describe('events in any order', () => {
  test('orders with repeats and losses end in the state of the orderly one', async () => {
    const histories: History[] = []
    for (const name of Object.keys(LIVES)) histories.push(await live(name))
    expect(histories.map(({ reference }) => (reference as { plan: { plan_status: string } }).plan.plan_status)).toEqual(
      ['active', 'active', 'cancelling', 'active', 'active', 'past_due', 'active', 'over', 'active', 'cancelling'],
    )
    // Histories are independent.
    await Promise.all(
      histories.map(async (history) => {
        const { length } = history.events
        const telling = fc.record({ event: fc.nat(length - 1), delay: fc.nat(history.stages.length - 1) })
        // About a third is lost, and a quarter delivered repeatedly.
        const orders = fc.array(telling, { minLength: 0, maxLength: Math.ceil(length * 1.5), size: 'max' })
        await fc.assert(
          fc.asyncProperty(orders, async (order) => {
            await forget(history)
            await tell(history, order)
            expect(await readBillingState(history.account), history.name).toEqual(history.reference)
          }),
          { numRuns: ORDERS },
        )
      }),
    )
  }, 600_000)

  test('events that come while the provider moves on: late, twice or never, the net below catches the rest', async () => {
    const steps = fc.array(
      fc.record({
        step: fc.constantFrom('cancel', 'renew', 'up', 'down', 'credits', 'week', 'month'),
        told: fc.array(fc.nat(), { maxLength: 3 }),
      }),
      {
        minLength: 2,
        maxLength: 5,
      },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const life = await begin('moving')
        const account = await makeAccount(app, { code: `m${life.id.slice(4, 14)}`.toLowerCase(), customer: life.id })
        await subscribe(life, { plan: 'basic' })
        let bought = 0
        for (const { step, told } of plan) {
          await doStep(life, step)
          if (step === 'credits') bought += 100
          const { data } = await stripe.events.list({ limit: 20 })
          await Promise.all(told.map((pick) => take(data[pick % data.length]!)))
        }
        await handlePollEvents(app.ctx)
        const open = await app.database.db
          .selectFrom('billing_events')
          .select('id')
          .where('worked_at', 'is', null)
          .execute()
        for (const { id } of open) await handlePaymentEvent(app.ctx, { event_id: id })
        const [subscription] = (await stripe.subscriptions.list({ customer: life.id, status: 'all' })).data
        const { plan: state, credits } = await readBillingState(account)
        const end = subscription!.cancel_at ?? subscription!.ended_at
        expect(state).toMatchObject({
          account_type: subscription!.items.data[0]?.price.lookup_key === 'trellis_team_monthly' ? 'team' : 'basic',
          plan_status: subscription!.status === 'canceled' ? 'over' : end === null ? 'active' : 'cancelling',
          stripe_plan_end_date: end === null ? null : new Date(end * 1000),
        })
        expect(credits.reduce((sum, grant) => sum + grant.amount, 0)).toBe(bought)
      }),
      { numRuns: 8 },
    )
  }, 300_000)

  test('nothing told at all: the nightly look finds it', async () => {
    const history = await live('ended and back')
    await forget(history)
    await handleReconcile(app.ctx)
    expect(await readBillingState(history.account)).toEqual(history.reference)
  })

  test('a second poll brings nothing new', async () => {
    await handlePollEvents(app.ctx)
    const count = async () => (await app.database.db.selectFrom('billing_events').select('id').execute()).length
    const before = await count()
    await handlePollEvents(app.ctx)
    expect(await count()).toBe(before)
    await app.database.db.updateTable('billing_cursor').set({ value: 'evt_forgotten' }).execute()
    await handlePollEvents(app.ctx)
    expect(await count()).toBeGreaterThanOrEqual(before)
  })
})

async function doStep(life: Life, step: string): Promise<void> {
  const [subscription] = (await stripe.subscriptions.list({ customer: life.id, status: 'all' })).data
  const isLive = subscription?.status === 'active'
  if (step === 'week') await pass(life, 7)
  else if (step === 'month') await pass(life, 30)
  else if (step === 'credits') await buy(life, 1)
  else if (isLive && step === 'renew') await portal(life, { do: 'renew' })
  else if (isLive && subscription.cancel_at === null && step === 'cancel') await portal(life, { do: 'cancel' })
  else if (isLive && subscription.cancel_at === null && step !== 'renew')
    await change(life, step === 'up' ? 'team' : 'basic')
}
