import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../testing/test-app.ts'

let plain: TestApp
let secure: TestApp

beforeAll(async () => {
  plain = await startTestApp()
  secure = await startTestApp({ settings: { TRELLIS_PUBLIC_URL: 'https://trellis.example.com' } })
})
afterAll(async () => {
  await plain.close()
  await secure.close()
})

const EXPECTED = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

test.each(['/auth/sso', '/api/account', '/api/nothing', '/healthz', '/openapi.json', '/dataflow.schema.json'])(
  '%s carries the headers of the house',
  async (path) => {
    const { headers } = await plain.client().raw(path)
    for (const [name, value] of Object.entries(EXPECTED)) expect(headers.get(name), name).toBe(value)
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  },
)

test('answers of the API are never kept and never a page', async () => {
  const { headers } = await plain.client().raw('/api/account')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-security-policy')).toContain('sandbox')
})

test('https is remembered where it is used', async () => {
  expect((await plain.client().raw('/healthz')).headers.get('strict-transport-security')).toBeNull()
  expect((await secure.client().raw('/healthz')).headers.get('strict-transport-security')).toMatch(/max-age=31536000/)
})
