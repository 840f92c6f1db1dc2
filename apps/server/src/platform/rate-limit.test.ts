import { login, loginAlias } from '@trellis/contract/identity/identity.endpoints'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { toNetworkPrefix } from './rate-limit.ts'
import { type TestApp, startTestApp } from '../testing/test-app.ts'

/** Retries if the attempts span two windows. */
async function inOneWindow<Answers>(tryOut: (app: TestApp) => Promise<Answers>): Promise<Answers> {
  for (;;) {
    const app = await startTestApp()
    try {
      const answers = await tryOut(app)
      const split = await sql`select key from rate_limits group by key having count(*) > 1`.execute(app.database.db)
      if (split.rows.length === 0) return answers
    } finally {
      await app.close()
    }
  }
}

test('one e-mail is tried ten times, however often and in whatever spelling it is sent', async () => {
  const answers = await inOneWindow((app) =>
    Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const email = index % 2 ? 'target@example.com' : 'TARGET@example.com'
        return app.client().call(login, { body: { email, password: 'Wr0ng!pass' } })
      }),
    ),
  )
  expect(answers.filter((answer) => answer.errors[0]?.code === 'credentials_wrong')).toHaveLength(10)
  const refusedResponse = answers.find((answer) => answer.status === 429)
  expect(Number(refusedResponse?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refusedResponse?.errors[0]?.detail).toMatch(/^Too many tries\. Wait \d+ (seconds|minutes) and try again\.$/)
})

test('two addresses of one call share its allowance', async () => {
  const body = { email: 'shared@example.com', password: 'Wr0ng!pass' }
  const answers = await inOneWindow(async (app) => {
    const all = []
    for (let round = 0; round < 8; round += 1) {
      all.push(await app.client().call(login, { body }), await app.client().call(loginAlias, { body }))
    }
    return all
  })
  expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10)
})

test('nonsense counts too', async () => {
  const answers = await inOneWindow((app) =>
    Promise.all(Array.from({ length: 70 }, () => app.client().call(login, { body: { email: 1 } }))),
  )
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(10)
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', toNetworkPrefix('2001:db8:1:2::1')],
  ['<script>', 'unknown'],
])('%s counts as %s', (ip, counted) => {
  expect(toNetworkPrefix(ip)).toBe(counted)
})
