import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allEndpoints } from './all-endpoints.ts'
import { urlOf } from './core/endpoint.ts'

/** Every call of the product's specification. */
const promised = readFileSync(new URL('promised-calls.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

/** What is still to be built. The list may only get shorter. */
const STILL_TO_COME = [/\/\{workspace_address\}\/sparks\b/]

const built = new Set(
  allEndpoints.map((endpoint) => `${endpoint.method} ${urlOf(endpoint).replaceAll(/:(\w+)/g, '{$1}')}`),
)

test('every promised call is built or known to come', () => {
  const missing = promised.filter((call) => !built.has(call) && !STILL_TO_COME.some((pattern) => pattern.test(call)))
  expect(missing).toEqual([])
})

test('nothing that is built is still on the list of what is to come', () => {
  const done = promised.filter((call) => built.has(call) && STILL_TO_COME.some((pattern) => pattern.test(call)))
  expect(done).toEqual([])
})
