import { expect, test } from 'vitest'
import { isCanceled, getPlanNotice, formatRenewal, type Plan } from './plan-notice.ts'

const now = new Date('2026-11-15T12:00:00Z')
const plan = (change: Partial<Plan> = {}): Plan => ({
  account_type: 'team',
  is_plan_managed: true,
  status: 'active',
  stripe_plan_end_date: null,
  stripe_plan_renewal_date: '2026-12-01T00:00:00Z',
  stripe_plan_cancelled_at: null,
  next_plan: null,
  days_left: null,
  ...change,
})
const ends = (at: string, change: Partial<Plan> = {}) =>
  plan({ status: 'cancelling', stripe_plan_end_date: at, stripe_plan_renewal_date: null, ...change })

test('a plan that goes on says when it renews', () => {
  expect(getPlanNotice(plan(), now)).toEqual({
    tone: 'success',
    title: 'The Team plan is active',
    text: 'Renews in 16 days.',
    action: null,
  })
})

test('a change that waits for the end of the period is told', () => {
  expect(formatRenewal(plan({ next_plan: 'basic' }), now)).toBe('Changes to Basic in 16 days')
  expect(formatRenewal(plan({ stripe_plan_renewal_date: null }), now)).toBeUndefined()
})

test('a cancelled plan counts down and can be taken back', () => {
  expect(getPlanNotice(ends('2026-11-16T12:00:00Z'), now)).toMatchObject({
    tone: 'warning',
    title: '1 day left until plan expires',
    action: 'renew',
  })
})

test('a plan whose end has come must be paid anew', () => {
  expect(getPlanNotice(ends('2026-11-15T12:00:00Z'), now)).toMatchObject({
    title: 'Plan expired',
    action: 'reactivate',
  })
  expect(getPlanNotice(plan({ status: 'over' }), now)).toMatchObject({ title: 'Plan expired', action: 'reactivate' })
})

test('a failed payment asks for another card, unless the plan is ending anyway', () => {
  expect(getPlanNotice(plan({ status: 'past_due' }), now)).toMatchObject({ tone: 'danger', action: 'pay' })
  expect(getPlanNotice(ends('2026-12-01T00:00:00Z', { status: 'past_due' }), now).action).toBe('renew')
})

test('an account looked after by a manager has nothing to renew', () => {
  const managed = plan({ account_type: 'internal', is_plan_managed: false, status: 'unmanaged' })
  expect(getPlanNotice(managed, now)).toMatchObject({
    tone: 'info',
    title: 'Your subscription is managed by your account manager',
    action: null,
  })
})

test('an end that is set means canceled', () => {
  expect([isCanceled(plan()), isCanceled(ends('2027-01-01T00:00:00Z'))]).toEqual([false, true])
})
