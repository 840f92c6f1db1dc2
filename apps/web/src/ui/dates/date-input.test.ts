import { expect, test } from 'vitest'
import { parseDateInput } from './date-input.ts'

test.each([
  ['2026-11-18', '2026-11-18'],
  [' 2026-1-8 ', '2026-01-08'],
  ['', ''],
  ['2026-06-31', undefined],
  ['2026-13-01', undefined],
  ['11/18/2026', undefined],
  ['2026-11-1', '2026-11-01'],
  ['2026-11', undefined],
  ['2026-11-18 10:00', undefined],
])('the day %j is read as %j', (text, expected) => {
  expect(parseDateInput(text, {})).toBe(expected)
})

test.each([
  ['2026-11-18', '2026-11-18T23:59'],
  ['2026-11-18 7:05', '2026-11-18T07:05'],
  ['2026-11-18T18:30', '2026-11-18T18:30'],
  ['2026-11-18 18:30:05.25', '2026-11-18T18:30:05.25'],
  ['2026-11-18 18:30:61', undefined],
  ['2026-11-18 24:00', undefined],
  ['2026-11-18 10:60', undefined],
  ['', ''],
])('the time %j is read as %j', (text, expected) => {
  expect(parseDateInput(text, { defaultTime: '23:59' })).toBe(expected)
})
