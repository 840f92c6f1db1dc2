import { expect, test } from 'vitest'
import { usageLevel, usageShare } from './usage-level.ts'

test('80 % warns and 100 % is full, to the unit', () => {
  expect(usageLevel(usageShare(79, 100))).toBe('normal')
  expect(usageLevel(usageShare(80, 100))).toBe('warning')
  expect(usageLevel(usageShare(99.9, 100))).toBe('warning')
  expect(usageLevel(usageShare(100, 100))).toBe('full')
  expect(usageLevel(usageShare(140, 100))).toBe('full')
})

test('no limit is never full, nothing allowed always is', () => {
  expect(usageLevel(usageShare(1e9, null))).toBe('normal')
  expect(usageLevel(usageShare(0, 0))).toBe('full')
  expect(usageShare(-5, 100)).toBe(0)
})
