import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccount, makeWorkspaceRow } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { createBudget } from './budget.ts'

let app: TestApp
let credential: { integrationId: number; accountId: number }

beforeAll(async () => {
  app = await startTestApp()
  const account = await makeAccount(app)
  const workspace = await makeWorkspaceRow(app, account, 'shop')
  const { id } = await app.database.db
    .insertInto('integrations')
    .values({
      account_id: account.id,
      workspace_id: workspace.id,
      trellis_code: 'budget',
      platform_code: 'x',
      name: 'x',
      secrets: null,
      validation: null,
      validation_started_at: null,
      validation_finished_at: null,
      problem: null,
      created_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  credential = { integrationId: id, accountId: account.id }
})
afterAll(async () => await app.close())

const never = () => new AbortController().signal
const freeAt = async () => {
  const { rows } = await app.database.pool.query<{ seconds: number }>(
    `select extract(epoch from free_at)::float8 as seconds from integration_budgets where integration_id = $1`,
    [credential.integrationId],
  )
  return rows[0]?.seconds ?? 0
}

test('whoever spends moves everybody else on', async () => {
  const rule = { requests: 1000, seconds: 1 }
  const workers = Array.from({ length: 20 }, () => createBudget(app.ctx, credential, never()))
  await Promise.all(workers.map((budget) => budget.take(1, rule)))
  const before = await freeAt()
  await createBudget(app.ctx, credential, never()).take(50, { requests: 1000, seconds: 10 })
  // 50 of 1000 in 10 seconds, spaced over the 901 that cannot burst.
  expect((await freeAt()) - before).toBeGreaterThan(0.3)
})

test('a wait ends when the work is cancelled', async () => {
  const slow = { requests: 1, seconds: 3600 }
  const leaving = new AbortController()
  const budget = createBudget(app.ctx, credential, leaving.signal)
  await budget.take(1, slow).catch(() => undefined)
  const waiting = budget.take(1, slow)
  leaving.abort()
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
})

test('nobody spends before the end of a pause, and the longest pause counts', async () => {
  const leaving = new AbortController()
  const budget = createBudget(app.ctx, credential, leaving.signal)
  await app.database.pool.query('update integration_budgets set free_at = now()')
  await budget.pauseUntil(Date.now() + 3600_000)
  await budget.pauseUntil(Date.now() + 1000)
  const waiting = budget.take(1, { requests: 1000, seconds: 1 })
  expect(await Promise.race([waiting.then(() => 'spent'), freeAt().then(() => 'waits')])).toBe('waits')
  leaving.abort()
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  await app.database.pool.query(`update integration_budgets set paused_until = null, free_at = now()`)
  await createBudget(app.ctx, credential, never()).take(1, { requests: 1000, seconds: 1 })
})
