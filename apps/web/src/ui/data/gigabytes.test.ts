import { expect, test } from 'vitest'
import { formatGigabytes, roundGigabytes } from './gigabytes.ts'

test('storage is told in gigabytes of 1,073,741,824 bytes with two decimals', () => {
  expect(formatGigabytes(53_687_091_200)).toBe('50.00 GB')
  expect(formatGigabytes(1_073_741_824 * 1234.567)).toBe('1,234.57 GB')
  expect(formatGigabytes(0)).toBe('0.00 GB')
})

test('an amount that is whole by nature has no decimals', () => {
  expect(roundGigabytes(214_748_364_800)).toBe('200 GB')
})
