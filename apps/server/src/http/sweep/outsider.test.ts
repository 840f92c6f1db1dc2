import { allEndpoints } from '@trellis/contract/all-endpoints'
import { type Endpoint, toEndpointUrl } from '@trellis/contract/core/endpoint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findValidInput } from '../../testing/arbitrary-input.ts'
import { signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type World, buildWorld } from '../../testing/world.ts'

let app: TestApp
let world: World
let outsider: TestClient

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  world = await buildWorld(app)
  outsider = await signInAs(app, world.toEmail('owner of another account'))
})
afterAll(async () => await app.close())

const NOWHERE = { account_trellis_code: 'zzzzzzzzzzzz', workspace_address: 'zzzz' }
const JSON_TYPE = { 'content-type': 'application/json' }

interface Variant {
  query?: string
  body?: string
  headers?: Record<string, string>
}

const QUERIES: Record<string, Variant> = {
  'no query': {},
  'a query of nonsense': { query: '?limit=-1&page=x&cursor=%00&from=never&search=%00&subtask_name=' },
}
const BODIES: Record<string, Variant> = {
  'no body': {},
  'an empty body': { body: '', headers: JSON_TYPE },
  'a body that is no JSON': { body: '{', headers: JSON_TYPE },
  'a body of another shape': { body: '[null]', headers: JSON_TYPE },
  'a body with forbidden keys': { body: '{"__proto__":{"isAdmin":true}}', headers: JSON_TYPE },
  'an unknown content type': { body: '<xml/>', headers: { 'content-type': 'text/xml' } },
  'a broken content type': { body: 'x', headers: { 'content-type': ';' } },
  bytes: { body: 'x', headers: { 'content-type': 'application/octet-stream' } },
  'a broken form': { body: 'x', headers: { 'content-type': 'multipart/form-data' } },
  'a body that is too large': { body: `"${'x'.repeat(1_100_000)}"`, headers: JSON_TYPE },
}

function buildPath(endpoint: Endpoint, params: Record<string, unknown>): string {
  return toEndpointUrl(endpoint).replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

const withoutReference = (text: string) => text.replaceAll(/"id":"[0-9a-f-]{36}"/g, '"id":""')

const tenants = allEndpoints.filter(({ path }) => path.includes(':account_trellis_code'))

test.each(tenants.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s answers an outsider as if there were no such account, whatever they send',
  async (_, endpoint) => {
    const { params } = findValidInput(endpoint, world.tenant)
    const variants = endpoint.method === 'GET' ? QUERIES : { ...QUERIES, ...BODIES }
    for (const [name, { query = '', body, headers = {} }] of Object.entries(variants)) {
      const send = (tenant: Record<string, string>) =>
        outsider.raw(`${buildPath(endpoint, { ...params, ...tenant })}${query}`, {
          method: endpoint.method,
          headers,
          ...(body !== undefined && { body }),
        })
      const foreign = await send(world.tenant)
      const missingResponse = await send(NOWHERE)
      expect(foreign.status, `${name}: ${foreign.text}`).toBe(404)
      expect(withoutReference(foreign.text), name).toBe(withoutReference(missingResponse.text))
    }
  },
)
