import { expect, test } from 'vitest'
import { deletionNotice, type DeletionPlan, formatRetention } from './deletion-notice.ts'

const now = new Date('2026-03-01T12:00:00Z')
const plan = (more: Partial<DeletionPlan> = {}): DeletionPlan => ({
  account_type: 'basic',
  stripe_plan_end_date: null,
  stripe_plan_renewal_date: '2026-03-11T12:00:00Z',
  ...more,
})
const read = (givenDeletionPlan: DeletionPlan) => {
  const { before, days, after, more, restore } = deletionNotice(givenDeletionPlan, now)
  return { subscription: `${before}${days} days${after}`, more, restore }
}

test('a day that has begun counts as one, and nothing to renew is 0', () => {
  const days = (stripe_plan_renewal_date: string | null) => deletionNotice(plan({ stripe_plan_renewal_date }), now).days
  expect(days('2026-03-01T12:00:01Z')).toBe(1)
  expect(days('2026-03-11T12:00:00Z')).toBe(10)
  expect(days(null)).toBe(0)
  expect(days('2026-02-01T00:00:00Z')).toBe(0)
})

test('a running plan is not renewed; restoring continues it', () => {
  expect(read(plan())).toEqual({
    subscription:
      'The subscription stays active for the 10 days that remain until its renewal, and is not renewed: nothing more is charged. What is paid is not refunded.',
    more: [],
    restore:
      'As the owner you can restore the account for 7 days. The subscription then renews as before. After that the data is gone and the subscription ends at once.',
  })
})

test('a plan that was cancelled before stays cancelled', () => {
  const cancelled = plan({ stripe_plan_renewal_date: null, stripe_plan_end_date: '2026-03-04T12:00:00Z' })
  expect(read(cancelled).subscription).toContain('for the 3 days that remain and then ends. It was cancelled before')
  expect(read(cancelled).restore).toContain('The plan stays cancelled.')
})

test('a plan that is over, and one that a manager looks after, have no days left', () => {
  const endedDeletionPlan = plan({ stripe_plan_end_date: '2026-02-04T12:00:00Z' })
  expect(read(endedDeletionPlan).subscription).toBe('The plan has ended: 0 days remain, and nothing more is charged.')
  expect(read(plan({ account_type: 'internal' })).subscription).toMatch(/^0 days remain until a renewal/)
})

test('an unpaid invoice and a change that waits are told', () => {
  expect(read(plan({ status: 'past_due', next_plan: 'basic' })).more).toEqual([
    'The invoice that could not be paid stays open and may still be charged.',
    'The change to Basic at the end of the period is called off.',
  ])
})

test('without a plan the data is kept for 30 days; an end by agreement says nothing', () => {
  const ended = (stripe_plan_end_date: string) => plan({ stripe_plan_end_date, stripe_plan_renewal_date: null })
  expect(formatRetention(ended('2026-02-28T12:00:00Z'), now)).toBe(
    'The data is kept until 2026-03-30, then the account is deleted.',
  )
  expect(formatRetention(ended('2026-01-01T12:00:00Z'), now)).toBe(
    'The data was kept for 30 days. The account is deleted 7 days after the notice by mail.',
  )
  expect(formatRetention({ ...ended('2026-01-01T12:00:00Z'), account_type: 'enterprise' }, now)).toBe('')
})
