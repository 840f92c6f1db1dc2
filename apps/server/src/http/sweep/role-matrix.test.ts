import { allEndpoints } from '@trellis/contract/all-endpoints'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import { PERMISSIONS, allows } from '@trellis/contract/core/permissions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ArbitraryInput, findValidInput } from '../../testing/arbitrary-input.ts'
import { signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { Answer, TestClient } from '../../testing/test-client.ts'
import { ACTORS, type World, buildWorld } from '../../testing/world.ts'

let app: TestApp
let world: World
const clients = new Map<string, TestClient>()
const OPEN = { end: null }
const OVER = { end: new Date(Date.now() - 1000) }
let plan: typeof OPEN | typeof OVER = OPEN
let isChanged = false

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  world = await buildWorld(app)
})
afterAll(async () => await app.close())

/** Only a write that was carried out can have changed anything. */
async function asAtFirst(wanted: typeof OPEN | typeof OVER): Promise<void> {
  if (isChanged || plan !== wanted) await world.reset(wanted)
  plan = wanted
  isChanged = false
}

const isCarriedOut = ({ method }: Endpoint, { status }: Answer) => method !== 'GET' && (status < 400 || status >= 500)

const inputs = new Map<string, ArbitraryInput>()

function inputFor(endpoint: Endpoint, tenant: World['tenant']): ArbitraryInput {
  const input = inputs.get(endpoint.id) ?? findValidInput(endpoint, world.tenant)
  inputs.set(endpoint.id, input)
  return { ...input, params: { ...input.params, ...tenant } }
}

async function getClient(name: string): Promise<TestClient> {
  const client = clients.get(name) ?? (await signInAs(app, world.toEmail(name)))
  clients.set(name, client)
  return client
}

const withoutReference = (text: string) => text.replaceAll(/"id":"[0-9a-f-]{36}"/g, '"id":""')

const closed = allEndpoints.filter((endpoint) => endpoint.permission !== 'public')
const tenants = closed.filter((endpoint) => PERMISSIONS[endpoint.permission].scope !== 'profile')

describe.each(closed.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test.each(['nothing', 'garbage', 'Bearer a.b.c'])('refuses a stranger (%s)', async (authorization) => {
    const headers: Record<string, string> = authorization === 'nothing' ? {} : { authorization }
    const answer = await app.client().call(endpoint, { ...inputFor(endpoint, world.tenant), headers })
    expect(answer.status).toBe(401)
  })
})

describe.each(tenants.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test.each(ACTORS.map((actor) => [actor.name, actor] as const))('as %s', async (name, actor) => {
    await asAtFirst(OPEN)
    const client = await getClient(name)
    const answer = await client.call(endpoint, inputFor(endpoint, world.tenant))
    const { scope } = PERMISSIONS[endpoint.permission]
    const isInside = scope === 'account' ? actor.accountRole !== null : actor.workspaceRole !== null
    if (!isInside) expect(answer.status).toBe(404)
    else if (!allows(endpoint.permission, actor)) expect(answer.status).toBe(403)
    else {
      isChanged = isCarriedOut(endpoint, answer)
      expect([401, 403]).not.toContain(answer.status)
    }
    if (isInside) return
    const nowhere = await client.call(
      endpoint,
      inputFor(endpoint, { account_trellis_code: 'zzzzzzzzzzzz', workspace_address: 'zzzz' }),
    )
    expect(withoutReference(answer.text)).toBe(withoutReference(nowhere.text))
  })
})

// After all others: a plan that ends makes the world anew.
test.each(tenants.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s as everybody, once the plan is over',
  async (_, endpoint) => {
    const { scope } = PERMISSIONS[endpoint.permission]
    const isStopped = !endpoint.worksWhenPlanIsOver
    for (const actor of ACTORS) {
      await asAtFirst(OVER)
      const answer = await (await getClient(actor.name)).call(endpoint, inputFor(endpoint, world.tenant))
      isChanged = isCarriedOut(endpoint, answer)
      const isInside = scope === 'account' ? actor.accountRole !== null : actor.workspaceRole !== null
      const isAllowed = isInside && allows(endpoint.permission, actor)
      if (!isInside) expect(answer.status, actor.name).toBe(404)
      else if (!isAllowed) expect(answer.status, actor.name).toBe(403)
      else if (isStopped) expect(answer.errors[0]?.code, actor.name).toBe('plan_expired')
      else expect(answer.errors[0]?.code, actor.name).not.toBe('plan_expired')
    }
  },
)
