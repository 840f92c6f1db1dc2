import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allEndpoints } from './all-endpoints.ts'
import { toEndpointUrl } from './core/endpoint.ts'

const promised = readFileSync(new URL('promised-calls.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

test('all 234 calls of the specification are there', () => {
  const built = new Set(
    allEndpoints.map((endpoint) => `${endpoint.method} ${toEndpointUrl(endpoint).replaceAll(/:(\w+)/g, '{$1}')}`),
  )
  expect(new Set(promised).size).toBe(234)
  expect(promised.filter((call) => !built.has(call))).toEqual([])
})
