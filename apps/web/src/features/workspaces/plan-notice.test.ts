import { expect, test } from 'vitest'
import { planNotice } from './plan-notice.ts'

const now = new Date('2026-03-01T12:00:00Z')
const cancelled = (end: string | null) => ({
  stripe_plan_cancelled_at: '2026-02-01T00:00:00Z',
  stripe_plan_end_date: end,
})

test('a plan that goes on is not spoken of', () => {
  expect(planNotice({ stripe_plan_cancelled_at: null, stripe_plan_end_date: '2026-02-01T00:00:00Z' }, now)).toBeNull()
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
