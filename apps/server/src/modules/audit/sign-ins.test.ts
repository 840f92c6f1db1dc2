import { listAudit } from '@trellis/contract/audit/audit.endpoints'
import { login } from '@trellis/contract/identity/identity.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinNewPerson, makeAccount } from '../../testing/accounts.ts'
import { signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { handleCopySignIn } from './copy-sign-in.handler.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
})
afterAll(async () => await app.close())

/** Runs each job twice, as after a worker's death. */
async function copyAll(): Promise<void> {
  const { rows } = await app.database.pool.query<{ data: { scope: string; seq: number } }>(
    "select data from jobs.job where name = 'audit.copy-sign-in' order by created_on",
  )
  for (const { data } of [...rows, ...rows]) await handleCopySignIn(app.ctx, data)
}

test('sign-ins and failed ones of members stand in the log of the account, once, from the day they joined', async () => {
  const account = await makeAccount(app)
  const other = await makeAccount(app)
  const member = await joinNewPerson(app, account)
  await signInAs(app, member.email)
  const failedResponse = await app.client().call(login, { body: { email: member.email, password: 'Wrong-Horse-7' } })
  expect(failedResponse.status).toBe(401)
  const unknownResponse = await app
    .client()
    .call(login, { body: { email: 'no@example.com', password: 'Wrong-Horse-7' } })
  expect(unknownResponse.status).toBe(401)
  await copyAll()
  const read = async (testAccount: typeof account) =>
    (
      await testAccount.owner.call(listAudit, {
        params: { account_trellis_code: testAccount.code },
        query: { action: 'signIn' },
      })
    ).data.map((line) => [line.who?.email, line.outcome, line.detail['reason']])
  const lines = await read(account)
  expect(lines.filter(([email]) => email === member.email)).toEqual([
    [member.email, 'refused', 'wrong e-mail or password'],
    [member.email, 'done', undefined],
  ])
  expect((await read(other)).flat()).not.toContain(member.email)
})
