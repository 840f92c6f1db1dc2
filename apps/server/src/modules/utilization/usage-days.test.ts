import { listUsageDays } from '@trellis/contract/utilization/utilization.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccount, newPerson, type TestAccount } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let own: TestAccount
let other: TestAccount

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

async function measure(account: TestAccount, days: number, credits: number): Promise<void> {
  await app.database.pool.query(
    'insert into usage_days (account_id, day, users, workspaces, storage_bytes, credits_spent) values ($1, $2, 2, 1, $3, $4)',
    [account.id, daysAgo(days), 5_000_000_000, credits],
  )
}

beforeAll(async () => {
  app = await startTestApp()
  own = await makeAccount(app)
  other = await makeAccount(app)
  for (const days of [0, 6, 7, 29, 30]) await measure(own, days, days)
  await measure(other, 1, 99)
})
afterAll(async () => await app.close())

const read = async (account: TestAccount, query: { days?: number } = {}) =>
  await account.owner.call(listUsageDays, { params: { account_trellis_code: account.code }, query })

test('the days of the period come oldest first, only those of the account', async () => {
  const { data } = await read(own, { days: 7 })
  expect(data).toEqual(
    [6, 0].map((days) => ({
      day: daysAgo(days),
      users: 2,
      workspaces: 1,
      storage_bytes: 5_000_000_000,
      credits_spent: days,
    })),
  )
  expect((await read(other)).data?.map((day) => day.credits_spent)).toEqual([99])
})

test('thirty days are the rule', async () => {
  expect((await read(own)).data?.map((day) => day.credits_spent)).toEqual([29, 7, 6, 0])
})

test('a stranger and a period beyond a year are refused', async () => {
  const stranger = await newPerson(app)
  const params = { account_trellis_code: own.code }
  expect((await stranger.client.call(listUsageDays, { params })).status).toBe(404)
  expect((await read(own, { days: 400 })).status).toBe(400)
})
