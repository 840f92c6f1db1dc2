import { expect, test } from 'vitest'
import { formatDateTime, formatRecentTime, formatRelativeTime } from './date-text.ts'

const now = new Date(2026, 2, 15, 0, 1)
const ago = (days: number) => new Date(2026, 2, 15 - days, 23, 59)

test('writes a date and time the product way', () => {
  expect(formatDateTime(new Date(2026, 0, 5, 7, 3))).toBe('2026-01-05 @ 07:03')
})

test('counts calendar days, not hours', () => {
  expect(formatRelativeTime(new Date(2026, 2, 15, 0, 0), now)).toBe('today')
  expect(formatRelativeTime(ago(1), now)).toBe('yesterday')
  expect(formatRelativeTime(ago(2), now)).toBe('2 days ago')
  expect(formatRelativeTime(ago(6), now)).toBe('6 days ago')
})

test('grows into weeks, months and years', () => {
  expect(formatRelativeTime(ago(7), now)).toBe('1 week ago')
  expect(formatRelativeTime(ago(29), now)).toBe('4 weeks ago')
  expect(formatRelativeTime(ago(30), now)).toBe('1 month ago')
  expect(formatRelativeTime(ago(364), now)).toBe('12 months ago')
  expect(formatRelativeTime(ago(365), now)).toBe('1 year ago')
  expect(formatRelativeTime(ago(800), now)).toBe('2 years ago')
})

test('a day in the future is written out', () => {
  expect(formatRelativeTime(new Date(2026, 2, 20, 9, 0), now)).toBe('2026-03-20 @ 09:00')
})

test('the last hours are told more finely', () => {
  const noon = new Date(2026, 2, 15, 12, 0)
  expect(formatRecentTime(new Date(2026, 2, 15, 11, 59, 30), noon)).toBe('just now')
  expect(formatRecentTime(new Date(2026, 2, 15, 11, 58, 30), noon)).toBe('1 minute ago')
  expect(formatRecentTime(new Date(2026, 2, 15, 9, 30), noon)).toBe('2 hours ago')
  expect(formatRecentTime(new Date(2026, 2, 14, 23, 0), noon)).toBe('yesterday')
})
