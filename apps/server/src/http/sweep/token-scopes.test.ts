import { allEndpoints } from '@trellis/contract/all-endpoints'
import { createAccessToken } from '@trellis/contract/tokens/tokens.endpoints'
import { type Endpoint, toEndpointUrl } from '@trellis/contract/core/endpoint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findValidInput } from '../../testing/arbitrary-input.ts'
import { signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type World, buildWorld } from '../../testing/world.ts'

let app: TestApp
let world: World
/** Of a person without access, so that allowed requests find nothing. */
const clients = {} as Record<Scope, TestClient>

type Scope = 'read' | 'write' | 'run'
const SCOPES: readonly Scope[] = ['read', 'write', 'run']

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  world = await buildWorld(app)
  const owner: TestClient = await signInAs(app, world.toEmail('owner of another account'))
  for (const scope of SCOPES) {
    const { data } = await owner.call(createAccessToken, { body: { name: scope, scopes: [scope], days: 1 } })
    clients[scope] = app.client()
    clients[scope].token = data.secret
  }
})
afterAll(async () => await app.close())

/** Starting and stopping work needs its own scope. */
const RUNS = new Set([
  'executeBlock',
  'cancelTaskRun',
  'retryTaskRun',
  'executeDataflow',
  'cancelFlowRun',
  'retryFlowRun',
])

function toScope({ id, method, permission }: Endpoint): Scope {
  if (RUNS.has(id)) return 'run'
  return method === 'GET' && !permission.endsWith(':write') ? 'read' : 'write'
}

const tenants = allEndpoints.filter(({ path }) => path.includes(':account_trellis_code'))

test('every call that is about runs is there', () => {
  expect(tenants.filter(({ id }) => RUNS.has(id))).toHaveLength(RUNS.size)
})

test.each(tenants.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s takes a token of its own scope and no other',
  async (_, endpoint) => {
    const { params } = findValidInput(endpoint, world.tenant)
    const path = toEndpointUrl(endpoint).replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String((params as Record<string, unknown>)[name])),
    )
    const neededScope = toScope(endpoint)
    for (const scope of SCOPES) {
      const answer = await clients[scope].raw(path, { method: endpoint.method })
      const isRefused = answer.status === 403 && answer.text.includes(`needs the scope \\"${neededScope}\\"`)
      expect([scope, isRefused]).toEqual([scope, scope !== neededScope])
    }
  },
)
