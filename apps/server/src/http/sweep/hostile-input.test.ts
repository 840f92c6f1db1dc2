import { allEndpoints } from '@trellis/contract/all-endpoints'
import { ERRORS } from '@trellis/contract/core/errors'
import { getIdentity } from '@trellis/contract/identity/identity.endpoints'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../platform/logger.ts'
import { hostileInput, shapedInput } from '../../testing/arbitrary-input.ts'
import { makePerson, signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { Answer, TestClient } from '../../testing/test-client.ts'

const RUNS = Number(process.env['TRELLIS_FUZZ_RUNS'] ?? 10)
/** Overlaps database waits with CPU work. */
const AT_ONCE = 10
const LEAKS = /\bat .*\.(ts|js):\d+|SQLSTATE|pg_catalog|node_modules|ECONN|syntax error at/

let app: TestApp
let client: TestClient

/** A 500 response names no cause, the log does. */
let lastLogged = ''
const log = createLogger({ level: 'error', role: 'test', destination: { write: (line) => void (lastLogged = line) } })

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' }, log })
})
afterAll(async () => await app.close())

let people = 0

/** Some inputs change the password or end the session. */
async function beSignedIn(): Promise<void> {
  if (people > 0 && (await client.call(getIdentity)).status === 200) return
  people += 1
  const email = `person-${people}@example.com`
  await makePerson(app, email)
  client = await signInAs(app, email)
}

function checkAnswer(answer: Answer): void {
  expect(answer.status, `${answer.text.slice(0, 500)} ${lastLogged.slice(0, 2000)}`).toBeLessThan(500)
  expect(answer.text).not.toMatch(LEAKS)
  if (answer.status < 400) return
  expect(answer.text.length).toBeLessThan(64_000)
  expect(Object.keys(ERRORS), answer.text.slice(0, 300)).toContain(answer.errors[0]?.code)
  expect(answer.errors[0]?.detail).toMatch(/\S/)
  expect(answer.errors[0]?.id).toBe(answer.headers.get('x-request-id'))
}

for (const endpoint of allEndpoints) {
  for (const [kind, make] of [
    ['shaped', shapedInput],
    ['hostile', hostileInput],
  ] as const) {
    test(`${endpoint.id} never fails on ${kind} input`, async () => {
      await beSignedIn()
      await fc.assert(
        fc.asyncProperty(fc.array(make(endpoint), { minLength: AT_ONCE, maxLength: AT_ONCE }), async (inputs) => {
          for (const answer of await Promise.all(inputs.map((input) => client.call(endpoint, input))))
            checkAnswer(answer)
        }),
        { numRuns: Math.ceil(RUNS / AT_ONCE), endOnFailure: false },
      )
    })
  }
}

test('bodies that are no JSON, too large or of another kind are refused', async () => {
  const post = (body: string, type = 'application/json') =>
    client.raw('/auth/login', { method: 'POST', body, headers: { 'content-type': type } })
  expect((await post('{')).errors[0]?.code).toBe('invalid_request')
  expect((await post('')).errors[0]?.code).toBe('invalid_request')
  expect((await post('{"__proto__":{"isAdmin":true}}')).errors[0]?.code).toBe('invalid_request')
  expect((await post(`"${'x'.repeat(1_100_000)}"`)).errors[0]?.code).toBe('body_too_large')
  expect((await post('<login/>', 'text/xml')).errors[0]?.code).toBe('media_type_unsupported')
  expect((await client.raw('/api/nothing-here')).status).toBe(404)
  expect((await client.raw('/auth/login', { method: 'PUT' })).status).toBe(404)
})
