import { beforeEach, expect, test } from 'vitest'
import { dismissExpiry, formatExpiry, isExpiryDismissed } from './plan-expiry.ts'
import { planNotice } from './plan-notice.ts'

const now = new Date('2026-03-01T12:00:00Z')
const cancelled = (end: string | null) => ({
  account_type: 'team' as const,
  stripe_plan_cancelled_at: '2026-02-01T00:00:00Z',
  stripe_plan_end_date: end,
})

beforeEach(() => sessionStorage.clear())

test('a plan that goes on is not spoken of', () => {
  expect(planNotice({ ...cancelled('2026-04-01T00:00:00Z'), stripe_plan_cancelled_at: null }, now)).toBeNull()
  expect(planNotice(cancelled(null), now)).toBeNull()
})

test('a cancelled plan counts its days down', () => {
  expect(planNotice(cancelled('2026-03-11T12:00:00Z'), now)?.text).toBe('10 days left until plan expires')
  expect(planNotice(cancelled('2026-03-01T12:00:01Z'), now)).toEqual({
    isExpired: false,
    text: '1 day left until plan expires',
  })
})

test('it has expired from the very moment of its end', () => {
  expect(planNotice(cancelled('2026-03-01T12:00:00Z'), now)).toEqual({ isExpired: true, text: 'Plan expired' })
})

test('accounts an account manager looks after never expire', () => {
  expect(planNotice({ ...cancelled('2026-02-01T00:00:00Z'), account_type: 'internal' }, now)).toBeNull()
})

test('the bar on workspace pages speaks only of an end still to come', () => {
  expect(formatExpiry('2026-03-04T12:00:00Z', now)).toBe('3 days left until plan expires')
  expect(formatExpiry('2026-03-01T12:00:00Z', now)).toBeNull()
  expect(formatExpiry(null, now)).toBeNull()
})

test('it is dismissed for one workspace, not for its neighbour', () => {
  dismissExpiry('acme/main')
  expect(isExpiryDismissed('acme/main')).toBe(true)
  expect(isExpiryDismissed('acme/other')).toBe(false)
})
