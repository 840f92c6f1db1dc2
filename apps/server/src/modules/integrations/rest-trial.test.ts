import * as calls from '@trellis/contract/integrations/integrations.endpoints'
import type { RestManifest } from '@trellis/contract/integrations/rest-manifest'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'

const SECRET = 'Planted+secret/of-this test'
let app: TestApp
let workspace: ReadyWorkspace
const seen: string[] = []
/** Echoes the request, as many APIs do. */
const api = createServer((request, response) => {
  seen.push(`${request.url} ${request.headers.authorization}`)
  response.end(JSON.stringify([{ id: 1, self: request.url, asked: request.headers }]))
})
let base = ''
let code = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(api.address() as { port: number }).port}`
  app = await startTestApp({
    settings: { TRELLIS_RATE_LIMITS: 'off', TRELLIS_ALLOWED_HOSTS: '127.0.0.1' },
  })
  workspace = await makeReadyWorkspace(app)
  const values = { source: { manifest: manifest({}) }, inputs: { key: SECRET } }
  const body = { platform_trellis_code: 'rest', name: 'Shop', values }
  const createdResponse = await call(calls.createIntegration, { body })
  code = createdResponse.data.integration_trellis_code
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
  api.close()
})

const call: TestApp['client'] extends () => infer C ? (C extends { call: infer F } ? F : never) : never = (
  endpoint,
  input = {},
) => workspace.account.owner.call(endpoint, { ...input, params: { ...workspace.tenant, ...input.params } })

function manifest({ isSecret = true, query = {}, url = base }: { isSecret?: boolean; query?: object; url?: string }) {
  return {
    version: 1,
    base_url: url,
    inputs: [{ reference: 'key', label: 'Key', is_secret: isSecret }],
    auth: { type: 'bearer', token: '{{ config.key }}' },
    streams: [{ name: 'orders', request: { path: '/orders', query: { ...query } }, records: '' }],
  } as RestManifest
}

const tryOut = async (asked: RestManifest, inputs: Record<string, string> = {}) =>
  await call(calls.tryRestSource, {
    body: { manifest: asked, stream: 'orders', integration_trellis_code: code, values: { inputs } },
  })

test('a kept secret is used and not shown, also in what comes back', async () => {
  const query = { a: '{{ config.key }}', b: '{{ config.key | base64 }}', c: '{{ config.key | encode }}' }
  const { data, text } = await tryOut(manifest({ query }))
  expect(data).toMatchObject({ problem: null, faults: [], pages: [{ response: { status: 200 } }] })
  expect(seen.at(-1)).toContain(`Bearer ${SECRET}`)
  expect(text).not.toMatch(/planted|UGxhbnRlZCtz/i)
})

test('a kept secret does not become a plain input', async () => {
  const { text } = await tryOut(manifest({ isSecret: false, query: { a: '{{ config.key }}' } }))
  expect(text).not.toMatch(/planted/i)
})

test('a secret that would not be known again is refused', async () => {
  const { data, text } = await tryOut(manifest({ query: { a: '{{ config.key | upper }}' } }))
  expect(data.faults).toMatchObject([{ message: "The filter upper can't be used on a secret." }])
  expect(text).not.toMatch(/planted/i)
})

test('a kept secret goes to no other address', async () => {
  const before = seen.length
  const elsewhere = await tryOut(manifest({ url: base.replace('127.0.0.1', 'localhost') }))
  expect(elsewhere.status).toBe(400)
  expect(seen.length).toBe(before)
})
