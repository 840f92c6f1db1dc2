import { expect, test } from 'vitest'
import { daysUntilRenewal } from './renewal-days.ts'

const now = new Date('2026-03-01T12:00:00Z')

test('a day that has begun counts as one', () => {
  expect(daysUntilRenewal('2026-03-01T12:00:01Z', now)).toBe(1)
  expect(daysUntilRenewal('2026-03-11T12:00:00Z', now)).toBe(10)
})

test('nothing to renew, or long past, is 0', () => {
  expect(daysUntilRenewal(null, now)).toBe(0)
  expect(daysUntilRenewal('2026-02-01T00:00:00Z', now)).toBe(0)
})
