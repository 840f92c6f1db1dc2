import { expect, test } from 'vitest'
import { dateTimeText, recentText, relativeText } from './date-text.ts'

const now = new Date(2026, 2, 15, 0, 1)
const ago = (days: number) => new Date(2026, 2, 15 - days, 23, 59)

test('writes a date and time the product way', () => {
  expect(dateTimeText(new Date(2026, 0, 5, 7, 3))).toBe('2026-01-05 @ 07:03')
})

test('counts calendar days, not hours', () => {
  expect(relativeText(new Date(2026, 2, 15, 0, 0), now)).toBe('today')
  expect(relativeText(ago(1), now)).toBe('yesterday')
  expect(relativeText(ago(2), now)).toBe('2 days ago')
  expect(relativeText(ago(6), now)).toBe('6 days ago')
})

test('grows into weeks, months and years', () => {
  expect(relativeText(ago(7), now)).toBe('1 week ago')
  expect(relativeText(ago(29), now)).toBe('4 weeks ago')
  expect(relativeText(ago(30), now)).toBe('1 month ago')
  expect(relativeText(ago(364), now)).toBe('12 months ago')
  expect(relativeText(ago(365), now)).toBe('1 year ago')
  expect(relativeText(ago(800), now)).toBe('2 years ago')
})

test('a day in the future is written out', () => {
  expect(relativeText(new Date(2026, 2, 20, 9, 0), now)).toBe('2026-03-20 @ 09:00')
})

test('the last hours are told more finely', () => {
  const noon = new Date(2026, 2, 15, 12, 0)
  expect(recentText(new Date(2026, 2, 15, 11, 59, 30), noon)).toBe('just now')
  expect(recentText(new Date(2026, 2, 15, 11, 58, 30), noon)).toBe('1 minute ago')
  expect(recentText(new Date(2026, 2, 15, 9, 30), noon)).toBe('2 hours ago')
  expect(recentText(new Date(2026, 2, 14, 23, 0), noon)).toBe('yesterday')
})
