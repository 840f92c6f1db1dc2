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
let owner: TestClient

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  world = await buildWorld(app)
  owner = await signInAs(app, world.toEmail('owner'))
})
afterAll(async () => await app.close())

const named = ({ path }: Endpoint) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')

test.each(
  allEndpoints.filter((endpoint) => named(endpoint).length > 0).map((endpoint) => [endpoint.id, endpoint] as const),
)('%s: NUL in any part of the path is a thing that does not exist', async (_, endpoint) => {
  const { params } = findValidInput(endpoint, world.tenant)
  for (const hostile of named(endpoint)) {
    for (const value of ['%00', 'a%00b', `${encodeURIComponent(String(params[hostile]))}%00`]) {
      const path = toEndpointUrl(endpoint).replaceAll(/:(\w+)/g, (_, name: string) =>
        name === hostile ? value : encodeURIComponent(String(params[name])),
      )
      const answer = await owner.raw(path, { method: endpoint.method })
      expect(answer.status, `${hostile}: ${answer.text}`).toBe(404)
    }
  }
})

test.each(
  allEndpoints.filter((endpoint) => endpoint.query !== undefined).map((endpoint) => [endpoint.id, endpoint] as const),
)('%s: NUL in the query names the parameter', async (_, endpoint) => {
  const input = findValidInput(endpoint, world.tenant)
  const answer = await owner.call(endpoint, { ...input, query: { ...input.query, hostile: 'a\0b' } })
  expect(answer.status, answer.text).toBe(400)
  expect(answer.errors[0]?.source).toEqual({ parameter: 'hostile' })
})

test.each(
  allEndpoints.filter((endpoint) => endpoint.body !== undefined).map((endpoint) => [endpoint.id, endpoint] as const),
)('%s: NUL or half a surrogate pair anywhere in the body is named by its place', async (_, endpoint) => {
  const input = findValidInput(endpoint, world.tenant)
  for (const text of ['a\0b', '\ud800']) {
    const isList = Array.isArray(input.body)
    const body = isList ? [{ hostile: text }] : { ...(input.body as object), hostile: [{ deep: text }] }
    const answer = await owner.call(endpoint, { ...input, body })
    expect(answer.status, answer.text).toBe(400)
    expect(answer.errors[0]?.source).toEqual({ pointer: isList ? '/0/hostile' : '/hostile/0/deep' })
  }
})

test('a body of brackets alone is refused like any other', async () => {
  const body = `{"email":${'['.repeat(400_000)}${']'.repeat(400_000)}}`
  const answer = await owner.raw('/auth/login', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(400)
})
