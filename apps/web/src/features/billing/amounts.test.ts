import { expect, test } from 'vitest'
import { formatDays, daysUntil } from './amounts.ts'

test('a day that has begun counts as one, and time that has passed as none', () => {
  const now = new Date('2026-11-15T12:00:00Z')
  expect(daysUntil('2026-11-15T12:00:01Z', now)).toBe(1)
  expect(daysUntil('2026-11-25T12:00:00Z', now)).toBe(10)
  expect(daysUntil('2026-11-15T12:00:00Z', now)).toBe(0)
  expect(daysUntil('2026-10-01T00:00:00Z', now)).toBe(0)
  expect([formatDays(0), formatDays(1), formatDays(17)]).toEqual(['0 days', '1 day', '17 days'])
})
