import { expect, test } from 'vitest'
import { getUsageLevel, computeUsageShare } from './usage-level.ts'

test('80 % warns and 100 % is full, to the unit', () => {
  expect(getUsageLevel(computeUsageShare(79, 100))).toBe('normal')
  expect(getUsageLevel(computeUsageShare(80, 100))).toBe('warning')
  expect(getUsageLevel(computeUsageShare(99.9, 100))).toBe('warning')
  expect(getUsageLevel(computeUsageShare(100, 100))).toBe('full')
  expect(getUsageLevel(computeUsageShare(140, 100))).toBe('full')
})

test('no limit is never full, nothing allowed always is', () => {
  expect(getUsageLevel(computeUsageShare(1e9, null))).toBe('normal')
  expect(getUsageLevel(computeUsageShare(0, 0))).toBe('full')
  expect(computeUsageShare(-5, 100)).toBe(0)
})
