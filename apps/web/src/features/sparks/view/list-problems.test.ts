import { expect, test } from 'vitest'
import { listProblems } from './list-problems.ts'

const SINCE = '2026-05-01T08:00:00.000Z'
const LATER = '2026-05-02T08:00:00.000Z'
const GONE = 'column "amount" does not exist'
const fresh = { stale_since: null, problem: null }
const stale = { stale_since: LATER, problem: GONE }
const known = { stale_since: SINCE, problems: [{ source: 'orders', message: GONE }] }
const none = { stale_since: null, problems: [] }

test('what was found before is told until the rows have come, and then what they tell', () => {
  expect(listProblems(known, {})).toEqual({ since: SINCE, messages: [GONE] })
  expect(listProblems(known, { orders: fresh })).toBeNull()
  expect(listProblems(known, { orders: stale })).toEqual({ since: LATER, messages: [GONE] })
})

test('rows that went stale while the page is open are told at once, each problem once', () => {
  expect(listProblems(none, { orders: fresh })).toBeNull()
  expect(listProblems(none, { orders: stale, days: stale })).toEqual({ since: LATER, messages: [GONE] })
})
