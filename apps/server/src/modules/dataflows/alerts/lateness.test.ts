import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLateness, isUnusuallyLong } from './lateness.ts'

const MINUTE = 60_000
const usual = Array.from({ length: 20 }, (_, at) => (5 + (at % 3)) * MINUTE)

test.each([
  ['as ever', 6 * MINUTE, usual, false],
  ['a little more', 8 * MINUTE, usual, false],
  ['much more', 20 * MINUTE, usual, true],
  ['much more than too few', 20 * MINUTE, usual.slice(0, 9), false],
  ['more, but only seconds', 20_000, usual.map(() => 1000), false],
  ['as long as two before it', 20 * MINUTE, [...usual.slice(2), 20 * MINUTE, 21 * MINUTE], false],
  ['longer than all but one', 20 * MINUTE, [...usual.slice(1), 90 * MINUTE], true],
] as const)('%s', (...[, ms, before, expected]) => {
  expect(isUnusuallyLong(ms, before)).toBe(expected)
})

test('what lasts is told before what began late', () => {
  const before = usual.map((tookMs) => ({ tookMs, waitedMs: 0 }))
  expect(findLateness({ tookMs: 60 * MINUTE, waitedMs: 60 * MINUTE }, before)).toBe('lasts')
  expect(findLateness({ tookMs: MINUTE, waitedMs: 60 * MINUTE }, before)).toBe('began')
  expect(findLateness({ tookMs: MINUTE, waitedMs: 0 }, before)).toBeUndefined()
})

test('whatever came before, a run that is no longer than the middle one is not late', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000_000), { minLength: 10, maxLength: 20 }), (before) => {
      const middle = before.toSorted((a, b) => a - b)[Math.floor(before.length / 2)] ?? 0
      expect(isUnusuallyLong(middle, before)).toBe(false)
    }),
  )
})
