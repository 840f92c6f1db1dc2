import { expect, test } from 'vitest'
import { planNews } from './plan-news.ts'

const basic = { account_type: 'basic', status: 'active', next_plan: null, stripe_plan_end_date: null } as const
const team = { ...basic, account_type: 'team' }
const cancelled = { ...team, status: 'cancelling', stripe_plan_end_date: '2026-03-01T00:00:00Z' } as const

test.each([
  [basic, team, 'The account is on the Team plan now.'],
  [team, { ...team, next_plan: 'basic' as const }, 'The Basic plan starts when the paid period is over.'],
  [{ ...team, next_plan: 'basic' as const }, team, 'The account stays on the Team plan.'],
  [team, cancelled, 'The Team plan was cancelled. Everything works until it ends.'],
  [cancelled, team, 'The Team plan renews again.'],
  [{ ...team, status: 'past_due' as const }, team, 'The payment came through.'],
  [team, team, null],
])('what changed at the provider is confirmed: %o', (before, after, text) => {
  expect(planNews(before, after)).toBe(text)
})
