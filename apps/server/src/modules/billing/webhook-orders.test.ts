import fc from 'fast-check'
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
import { handlePollEvents, handleReconcile, handleWorkEvent, recordEvent } from './inbox.service.ts'

let app: TestApp
let stripe: Stripe

beforeAll(async () => {
  app = await startTestApp()
  stripe = await app.ctx.ports.payments.client()
  // What happens reaches the product only as this test hands it over.
  const { sandbox } = app.ctx.ports.payments
  await (await sandbox())!.deliverTo('http://127.0.0.1:9/nowhere')
})
afterAll(async () => await app.close())

interface History {
  name: string
  account: number
  customer: string
  events: Stripe.Event[]
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

async function stateOf(account: number) {
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
  await handleWorkEvent(app.ctx, { event_id: event.id })
}

interface Life {
  id: string
  clock: string
  now: number
}

const portal = async (life: Life, form: Record<string, string>) => {
  const { status } = await submitPage(app, await openPortalAt(app, life.id), form)
  if (status !== 303) throw new Error(`the portal answered ${status}`)
}
const change = async (life: Life, plan: 'basic' | 'team') => {
  const { prices } = await openCatalogue(stripe)
  await portal(life, { do: 'change', price: prices[plan] })
}
const pass = async (life: Life, days: number) => {
  life.now += days * DAY
  await moveTo(stripe, life.clock, life.now)
}

const LIVES: Record<string, (life: Life) => Promise<void>> = {
  renewed: async (life) => {
    await buyPlan(app, life.id, { plan: 'basic' })
    await pass(life, 40)
  },
  'bought credits twice': async (life) => {
    await buyPlan(app, life.id, { plan: 'basic' })
    await buyCredits(app, life.id, 3)
    await buyCredits(app, life.id, 999)
  },
  'up and cancelled': async (life) => {
    await buyPlan(app, life.id, { plan: 'basic' })
    await pass(life, 5)
    await change(life, 'team')
    await portal(life, { do: 'cancel' })
  },
  'going down': async (life) => {
    await buyPlan(app, life.id, { plan: 'team' })
    await change(life, 'basic')
  },
  'gone down': async (life) => {
    await buyPlan(app, life.id, { plan: 'team' })
    await change(life, 'basic')
    await pass(life, 35)
  },
  'past due': async (life) => {
    await buyPlan(app, life.id, { plan: 'basic', card: 'expires' })
    await pass(life, 30)
  },
  recovered: async (life) => {
    await buyPlan(app, life.id, { plan: 'basic', card: 'expires' })
    await pass(life, 30)
    await portal(life, { do: 'card', card: 'mastercard' })
  },
  'given up': async (life) => {
    await buyPlan(app, life.id, { plan: 'basic', card: 'expires' })
    await pass(life, 60)
  },
  'ended and back': async (life) => {
    await buyPlan(app, life.id, { plan: 'basic' })
    await buyCredits(app, life.id, 1)
    await portal(life, { do: 'cancel' })
    await pass(life, 31)
    await buyPlan(app, life.id, { plan: 'team' })
  },
  'cancelled, renewed, cancelled': async (life) => {
    await buyPlan(app, life.id, { plan: 'team' })
    await portal(life, { do: 'cancel' })
    await portal(life, { do: 'renew' })
    await portal(life, { do: 'cancel' })
  },
}

async function live(name: string): Promise<History> {
  const customer = await makeCustomer(stripe, name.replaceAll(/\W/g, '-'))
  const account = await makeAccount(app, { code: `a${customer.id.slice(4, 12)}`.toLowerCase(), customer: customer.id })
  await LIVES[name]?.({ ...customer, now: JANUARY_31 })
  const all = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 })
  const isTheirs = (event: Stripe.Event) => {
    const object = event.data.object as { id?: string; customer?: string }
    return object.customer === customer.id || object.id === customer.id
  }
  const events = all.filter((event) => isTheirs(event)).toReversed()
  const history = { name, account, customer: customer.id, events }
  for (const event of events) await take(event)
  return { ...history, reference: await stateOf(account) }
}

describe('events in any order', () => {
  test('1,000 orders with repeats and losses end in the state of the orderly one', async () => {
    const histories: History[] = []
    for (const name of Object.keys(LIVES)) histories.push(await live(name))
    expect(histories.map(({ reference }) => (reference as { plan: { plan_status: string } }).plan.plan_status)).toEqual(
      ['active', 'active', 'cancelling', 'active', 'active', 'past_due', 'active', 'over', 'active', 'cancelling'],
    )
    const order = fc.record({
      picks: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      isAtOnce: fc.boolean(),
    })
    // Histories are apart from each other, so they take their hundred orders side by side.
    await Promise.all(
      histories.map(async (history) => {
        await fc.assert(
          fc.asyncProperty(order, async ({ picks, isAtOnce }) => {
            await forget(history)
            const events = picks.map((pick) => history.events[pick % history.events.length]!)
            if (isAtOnce) await Promise.all(events.map((event) => take(event)))
            else for (const event of events) await take(event)
            expect(await stateOf(history.account), history.name).toEqual(history.reference)
          }),
          { numRuns: 100 },
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
        const customer = await makeCustomer(stripe, 'moving')
        const life = { ...customer, now: JANUARY_31 }
        const account = await makeAccount(app, {
          code: `m${customer.id.slice(4, 14)}`.toLowerCase(),
          customer: customer.id,
        })
        await buyPlan(app, life.id, { plan: 'basic' })
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
        for (const { id } of open) await handleWorkEvent(app.ctx, { event_id: id })
        const [subscription] = (await stripe.subscriptions.list({ customer: life.id, status: 'all' })).data
        const { plan: state, credits } = await stateOf(account)
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
    expect(await stateOf(history.account)).toEqual(history.reference)
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
  else if (step === 'credits') await buyCredits(app, life.id, 1)
  else if (isLive && step === 'renew') await portal(life, { do: 'renew' })
  else if (isLive && subscription.cancel_at === null && step === 'cancel') await portal(life, { do: 'cancel' })
  else if (isLive && subscription.cancel_at === null && step !== 'renew')
    await change(life, step === 'up' ? 'team' : 'basic')
}
