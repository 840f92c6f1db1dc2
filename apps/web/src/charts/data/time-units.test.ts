import { expect, test } from 'vitest'
import { findTimeUnit, formatTime, getNextUnit, parseTime, startOfUnit } from './time-units.ts'

const at = (text: string) => parseTime(text) ?? Number.NaN

test('times are read as Postgres writes them', () => {
  expect(at('2026-03-04')).toBe(Date.UTC(2026, 2, 4))
  expect(at('2026-03-04 05:06:07.891234')).toBe(Date.UTC(2026, 2, 4, 5, 6, 7, 891))
  expect(at('2026-03-04 05:06:07+02')).toBe(Date.UTC(2026, 2, 4, 3, 6, 7))
  expect(at('2026-03-04 05:06:07-03:30')).toBe(Date.UTC(2026, 2, 4, 8, 36, 7))
  expect(parseTime('infinity')).toBeNull()
  expect(parseTime('0044-03-15 BC')).toBeNull()
})

test('the unit follows from what the times have in common', () => {
  expect(findTimeUnit([at('2026-01-01'), at('2026-02-01')])).toBe('month')
  expect(findTimeUnit([at('2026-01-01'), at('2026-04-01')])).toBe('quarter')
  expect(findTimeUnit([at('2026-01-05'), at('2026-01-12')])).toBe('week')
  expect(findTimeUnit([at('2026-01-05 10:30:00')])).toBe('minute')
  expect(findTimeUnit([at('2026-01-05 10:30:01')])).toBeNull()
})

test('units begin and end as the calendar says', () => {
  expect(formatTime(startOfUnit(at('2026-05-17 12:00'), 'quarter'), 'quarter')).toBe('2026 Q2')
  expect(formatTime(startOfUnit(at('2026-11-15'), 'week'), 'week')).toBe('2026-11-09')
  expect(formatTime(getNextUnit(at('2026-01-01'), 'month'), 'month')).toBe('2026-02')
  expect(formatTime(startOfUnit(at('1969-12-31 23:00'), 'day'), 'day')).toBe('1969-12-31')
})
