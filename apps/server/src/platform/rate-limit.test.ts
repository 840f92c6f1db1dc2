import { login } from '@trellis/contract/identity/identity.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../testing/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.close())

test('one e-mail is tried ten times, however often and in whatever spelling it is sent', async () => {
  const tries = Array.from({ length: 30 }, (_, index) => {
    const email = index % 2 ? 'target@example.com' : 'TARGET@example.com'
    return app.client().call(login, { body: { email, password: 'Wr0ng!pass' } })
  })
  const answers = await Promise.all(tries)
  expect(answers.filter((answer) => answer.errors[0]?.code === 'credentials_wrong')).toHaveLength(10)
  const refused = answers.find((answer) => answer.status === 429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused?.errors[0]?.detail).toMatch(/^Too many tries\. Wait \d+ (seconds|minutes) and try again\.$/)
})
