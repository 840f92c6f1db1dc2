import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import type { BillingAccount } from './billing.repository.ts'
import { getCancelTime, currentSubscription, computePlanState } from './plan-state.ts'
import { returnAddress } from './return-address.ts'

const NOW = new Date('2026-05-10T00:00:00Z')
const seconds = (text: string) => Date.parse(text) / 1000
const END = seconds('2026-06-01T00:00:00Z')

const account: BillingAccount = {
  id: 1,
  trellis_code: 'a',
  name: 'A',
  account_type: 'basic',
  stripe_customer_id: 'cus_1',
  stripe_subscription_id: 'sub_1',
  stripe_plan_end_date: null,
  stripe_plan_renewal_date: null,
  stripe_plan_cancelled_at: null,
  plan_status: 'active',
  next_plan: null,
}

function subscription(
  change: Partial<Stripe.Subscription> = {},
  lookupKey = 'trellis_team_monthly',
): Stripe.Subscription {
  const item = { current_period_end: END, price: { id: 'price_team', lookup_key: lookupKey } }
  const base = {
    id: 'sub_1',
    status: 'active',
    created: 1,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    schedule: null,
  }
  return { ...base, items: { data: [item] }, ...change } as unknown as Stripe.Subscription
}

const state = (of: Stripe.Subscription, about: Partial<BillingAccount> = {}) =>
  computePlanState({
    account: { ...account, ...about },
    subscription: of,
    planByPrice: new Map([
      ['price_basic', 'basic'],
      ['price_team', 'team'],
    ]),
    now: NOW,
  })

test('a cancellation is a date, or the flag and the end of the period', () => {
  expect(getCancelTime(subscription())).toBeNull()
  expect(getCancelTime(subscription({ cancel_at_period_end: true }))).toEqual(new Date(END * 1000))
  expect(getCancelTime(subscription({ cancel_at: END - 60 }))).toEqual(new Date((END - 60) * 1000))
})

test('alive: renews, or ends on a date; past due keeps its place', () => {
  expect(state(subscription())).toMatchObject({
    account_type: 'team',
    plan_status: 'active',
    stripe_plan_end_date: null,
    stripe_plan_renewal_date: new Date(END * 1000),
  })
  expect(state(subscription({ cancel_at: END, canceled_at: seconds('2026-05-01') }))).toMatchObject({
    plan_status: 'cancelling',
    stripe_plan_end_date: new Date(END * 1000),
    stripe_plan_renewal_date: null,
    stripe_plan_cancelled_at: new Date('2026-05-01'),
  })
  expect(state(subscription({ status: 'past_due' }))).toMatchObject({
    plan_status: 'past_due',
    stripe_plan_end_date: null,
  })
})

test('ended or unpaid is over, now at the latest, and the end does not move when read again', () => {
  const past = seconds('2026-05-02T00:00:00Z')
  expect(state(subscription({ status: 'canceled', ended_at: past }))).toMatchObject({
    plan_status: 'over',
    stripe_plan_end_date: new Date(past * 1000),
  })
  expect(state(subscription({ status: 'unpaid' }))).toMatchObject({ plan_status: 'over', stripe_plan_end_date: NOW })
  const ahead = subscription({ status: 'canceled', ended_at: seconds('2026-09-01') })
  expect(state(ahead).stripe_plan_end_date).toEqual(NOW)
  const known = { plan_status: 'over', stripe_plan_end_date: new Date('2026-05-09') } as const
  expect(state(ahead, known).stripe_plan_end_date).toEqual(new Date('2026-05-09'))
})

test('a waiting plan is told, but not to who leaves', () => {
  const schedule = {
    id: 'sub_sched_1',
    phases: [
      { start_date: 1, items: [{ price: 'price_team' }] },
      { start_date: END, items: [{ price: 'price_basic' }] },
    ],
  }
  const waiting = { schedule: schedule as unknown as Stripe.SubscriptionSchedule }
  expect(state(subscription(waiting)).next_plan).toBe('basic')
  expect(state(subscription({ ...waiting, cancel_at: END })).next_plan).toBeNull()
})

test('an account that a manager looks after keeps its kind; an unknown price changes nothing', () => {
  expect(state(subscription(), { account_type: 'internal' }).account_type).toBe('internal')
  expect(state(subscription({}, 'something_else')).account_type).toBe('basic')
})

test('the newest living subscription counts; a first payment that failed never was one', () => {
  const one = (id: string, status: string, created: number) =>
    subscription({ id, status: status as Stripe.Subscription.Status, created })
  const all = [
    one('old', 'active', 1),
    one('new', 'active', 2),
    one('ended', 'canceled', 3),
    one('never', 'incomplete_expired', 4),
  ]
  expect(currentSubscription(all)?.id).toBe('new')
  expect(currentSubscription(all.slice(2))?.id).toBe('ended')
  expect(currentSubscription(all.slice(3))).toBeUndefined()
})

test('people come back to this product and nowhere else', () => {
  const back = (wanted: string | undefined, own = 'https://trellis.example.com') => returnAddress(own, wanted)
  expect(back(undefined)).toBe('https://trellis.example.com/workspaces')
  expect(back('/acme/settings?tab=billing#x')).toBe('https://trellis.example.com/acme/settings?tab=billing#x')
  expect(back('https://trellis.example.com/a')).toBe('https://trellis.example.com/a')
  expect(back('http://127.0.0.1:4600/a', 'http://localhost:4600')).toBe('http://localhost:4600/a')
  for (const wanted of [
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://trellis.example.com.evil.example/',
    'https://trellis.example.com@evil.example/',
    '\\\\evil.example',
    'http://localhost/x',
  ]) {
    expect(() => back(wanted), wanted).toThrow(/page of this product/)
  }
})
