import { expect, test } from 'vitest'
import { createKnownCallers } from './known-callers.ts'

test('a caller is known at the places it belongs to, until it does not', () => {
  const knownCaller = createKnownCallers()
  knownCaller.set('shop', 'ada', true)
  expect([knownCaller.has('shop', 'ada'), knownCaller.has('shop', 'bob'), knownCaller.has('bank', 'ada')]).toEqual([
    true,
    false,
    false,
  ])
  knownCaller.set('shop', 'ada', false)
  expect(knownCaller.has('shop', 'ada')).toBe(false)
})

test('no more are kept than allowed, the latest ones', () => {
  const knownCaller = createKnownCallers(2)
  for (const caller of ['ada', 'bob', 'ada', 'cyd']) knownCaller.set('shop', caller, true)
  expect(['ada', 'bob', 'cyd'].map((caller) => knownCaller.has('shop', caller))).toEqual([true, false, true])
})
