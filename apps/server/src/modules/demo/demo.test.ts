import { listAccounts } from '@trellis/contract/accounts/accounts.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { ensureDemo } from './demo.service.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ hasWorker: true })
})
afterAll(async () => await app.close())

test('the first start makes a sign-in with a workspace; later ones only name it', async () => {
  const first = await ensureDemo(app.ctx)
  expect(first?.password).toMatch(/^[A-Z][a-z]+-[a-z]+-\d{4}$/)
  const again = await ensureDemo(app.ctx)
  expect(again).toEqual({ email: first?.email })
  const client = await signInAs(app, first?.email ?? '', first?.password)
  for (let tries = 0; tries < 200; tries += 1) {
    const [account] = (await client.call(listAccounts)).data
    expect(account).toMatchObject({ name: 'Demo', account_type: 'internal', role: 'owner' })
    if (account?.workspaces.length === 1) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the workspace never came online')
})
