import { allEndpoints } from '@trellis/contract/all-endpoints'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import { PERMISSIONS, allows } from '@trellis/contract/core/permissions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ArbitraryInput, findValidInput } from '../../testing/arbitrary-input.ts'
import { signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { ACTORS, type World, buildWorld } from '../../testing/world.ts'

let app: TestApp
let world: World
const clients = new Map<string, TestClient>()
let isChanged = false

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  world = await buildWorld(app)
})
afterAll(async () => await app.close())

/** Only an allowed write can have changed anything. */
async function asAtFirst(): Promise<void> {
  if (isChanged) await world.reset()
  isChanged = false
}

const inputs = new Map<string, ArbitraryInput>()

function inputFor(endpoint: Endpoint, tenant: World['tenant']): ArbitraryInput {
  const found = inputs.get(endpoint.id) ?? findValidInput(endpoint, world.tenant)
  inputs.set(endpoint.id, found)
  return { ...found, params: { ...found.params, ...tenant } }
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
    await asAtFirst()
    const client = await getClient(name)
    const answer = await client.call(endpoint, inputFor(endpoint, world.tenant))
    const { scope } = PERMISSIONS[endpoint.permission]
    const isInside = scope === 'account' ? actor.accountRole !== null : actor.workspaceRole !== null
    if (!isInside) expect(answer.status).toBe(404)
    else if (!allows(endpoint.permission, actor)) expect(answer.status).toBe(403)
    else {
      isChanged = endpoint.method !== 'GET'
      expect([401, 403]).not.toContain(answer.status)
    }
    if (isInside) return
    const nowhere = await client.call(
      endpoint,
      inputFor(endpoint, { account_trellis_code: 'zzzzzzzzzzzz', workspace_address: 'zzzz' }),
    )
    expect(withoutReference(answer.text)).toBe(withoutReference(nowhere.text))
  })

  test('as everybody, once the plan is over', async () => {
    const end = { end: new Date(Date.now() - 1000) }
    const { scope } = PERMISSIONS[endpoint.permission]
    const isStopped = !endpoint.worksWhenPlanIsOver
    await world.reset(end)
    isChanged = true
    for (const actor of ACTORS) {
      const answer = await (await getClient(actor.name)).call(endpoint, inputFor(endpoint, world.tenant))
      const isInside = scope === 'account' ? actor.accountRole !== null : actor.workspaceRole !== null
      const isAllowed = isInside && allows(endpoint.permission, actor)
      if (!isInside) expect(answer.status, actor.name).toBe(404)
      else if (!isAllowed) expect(answer.status, actor.name).toBe(403)
      else if (isStopped) expect(answer.errors[0]?.code, actor.name).toBe('plan_expired')
      else expect(answer.errors[0]?.code, actor.name).not.toBe('plan_expired')
      if (isAllowed && !isStopped && endpoint.method !== 'GET') await world.reset(end)
    }
  })
})
