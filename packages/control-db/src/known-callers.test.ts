import { expect, test } from 'vitest'
import { createKnownCallers } from './known-callers.ts'

test('a caller is known at the places it belongs to, until it does not', () => {
  const known = createKnownCallers()
  known.set('shop', 'ada', true)
  expect([known.has('shop', 'ada'), known.has('shop', 'bob'), known.has('bank', 'ada')]).toEqual([true, false, false])
  known.set('shop', 'ada', false)
  expect(known.has('shop', 'ada')).toBe(false)
})

test('no more are kept than allowed, the latest ones', () => {
  const known = createKnownCallers(2)
  for (const caller of ['ada', 'bob', 'ada', 'cyd']) known.set('shop', caller, true)
  expect(['ada', 'bob', 'cyd'].map((caller) => known.has('shop', caller))).toEqual([true, false, true])
})
