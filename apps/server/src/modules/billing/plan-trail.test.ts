import { expect, test } from 'vitest'
import type { BillingAccount, PlanState } from './billing.repository.ts'
import { planTrail } from './plan-trail.ts'

const at = (text: string) => new Date(`${text}T00:00:00Z`)
const before = (more: Partial<BillingAccount> = {}): BillingAccount => ({
  id: 1,
  trellis_code: 'a',
  name: 'A',
  account_type: 'basic',
  stripe_customer_id: 'cus_1',
  stripe_subscription_id: 'sub_1',
  stripe_plan_end_date: null,
  stripe_plan_renewal_date: at('2026-02-01'),
  stripe_plan_cancelled_at: null,
  plan_status: 'active',
  next_plan: null,
  ...more,
})
const after = (more: Partial<PlanState> = {}): PlanState => ({ ...before(), ...more })
const read = (was: BillingAccount, is: PlanState) =>
  planTrail(was, is).map((line) => [line.action, line.outcome, line.detail])

test('nothing new writes nothing, nor does an account without a plan of ours', () => {
  expect(read(before(), after())).toEqual([])
  const inside = { account_type: 'internal' } as const
  expect(read(before(inside), after({ ...inside, plan_status: 'over' }))).toEqual([])
})

test('chosen, changed, renewed, cancelled, resumed and ended', () => {
  const first = before({ stripe_subscription_id: null, stripe_plan_renewal_date: null })
  expect(read(first, after())).toEqual([['planChosen', 'done', { plan: 'basic' }]])
  expect(read(before(), after({ account_type: 'team' }))).toEqual([
    ['planChanged', 'done', { from: 'basic', to: 'team' }],
  ])
  expect(read(before(), after({ stripe_plan_renewal_date: at('2026-03-01') }))).toEqual([
    ['planRenewed', 'done', { plan: 'basic', until: '2026-03-01' }],
  ])
  const cancelled = { plan_status: 'cancelling', stripe_plan_end_date: at('2026-02-01') } as const
  const none = { stripe_plan_renewal_date: null }
  expect(read(before(), after({ ...cancelled, ...none }))).toEqual([
    ['planCancelled', 'done', { plan: 'basic', ends: '2026-02-01' }],
  ])
  expect(read(before({ ...cancelled, ...none }), after())).toEqual([['planResumed', 'done', { plan: 'basic' }]])
  const over = { plan_status: 'over', stripe_plan_end_date: at('2026-02-01'), ...none } as const
  expect(read(before({ ...cancelled, ...none }), after(over))).toEqual([
    ['planEnded', 'done', { plan: 'basic', on: '2026-02-01' }],
  ])
  expect(read(before(over), after(over))).toEqual([])
  expect(read(before(over), after({ account_type: 'team', stripe_subscription_id: 'sub_2' }))).toEqual([
    ['planChosen', 'done', { plan: 'team' }],
  ])
})

test('a payment that fails and comes later', () => {
  expect(read(before(), after({ plan_status: 'past_due' }))).toEqual([['paymentFailed', 'failed', { plan: 'basic' }]])
  expect(read(before({ plan_status: 'past_due' }), after({ plan_status: 'past_due' }))).toEqual([])
  expect(read(before({ plan_status: 'past_due' }), after())).toEqual([['paymentReceived', 'done', { plan: 'basic' }]])
})

test('a smaller plan that waits, is called off, or takes over', () => {
  const team = { account_type: 'team' } as const
  const waiting = { ...team, next_plan: 'basic' } as const
  expect(read(before(team), after(waiting))).toEqual([
    ['planChangeScheduled', 'done', { to: 'basic', on: '2026-02-01' }],
  ])
  expect(read(before(waiting), after(team))).toEqual([['planChangeCalledOff', 'done', { to: 'basic' }]])
  expect(read(before(waiting), after({ stripe_plan_renewal_date: at('2026-03-01') }))).toEqual([
    ['planChanged', 'done', { from: 'team', to: 'basic' }],
    ['planRenewed', 'done', { plan: 'basic', until: '2026-03-01' }],
  ])
})
