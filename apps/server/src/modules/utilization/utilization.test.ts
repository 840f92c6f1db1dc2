import { toWorkspaceNames, generateWorkspaceKey } from '@trellis/workspace-db/names'
import { provisionWorkspaceDatabase } from '@trellis/workspace-db/provision'
import { removeWorkspaceDatabase } from '@trellis/workspace-db/remove'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccount } from '../../testing/payments.ts'
import { makePerson } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { spendCredits } from '../billing/credits.service.ts'
import { handleMeasureUsage } from './measure-usage.handler.ts'
import { readStorage } from '../billing/plan-usage.service.ts'
import { readPlanUsage } from './utilization.service.ts'

const MIB = 1024 * 1024

let app: TestApp
let account: number
let key: string

beforeAll(async () => {
  app = await startTestApp()
  account = await makeAccount(app, { code: 'measured', type: 'team' })
  const person = await makePerson(app, 'measured@example.com')
  await app.database.db
    .insertInto('account_members')
    .values({ account_id: account, profile_id: person.id, role: 'owner' })
    .execute()
  key = generateWorkspaceKey()
  await provisionWorkspaceDatabase(await app.ctx.ports.cluster.open(), { key })
  await app.database.db
    .insertInto('workspaces')
    .values({
      account_id: account,
      trellis_code: 'mw',
      name: 'M',
      workspace_address: 'm',
      state: 'online',
      database_key: key,
    })
    .execute()
})
afterAll(async () => {
  await removeWorkspaceDatabase(await app.ctx.ports.cluster.open(), { key })
  await app.close()
})

const grow = async () => {
  const cluster = await app.ctx.ports.cluster.open()
  await cluster.withAdmin(toWorkspaceNames(key).database, async (client) => {
    await client.query(
      `create table if not exists public.big as select repeat(md5(n::text), 64) as text from generate_series(1, 1) n`,
    )
    await client.query(
      `insert into public.big select (select string_agg(md5(random()::text), '') from generate_series(1, 200) where n = n) from generate_series(1, 1000) n`,
    )
  })
}

test('storage is what Postgres says, read again when it is five minutes old, and kept for the day', async () => {
  const first = await readPlanUsage(app.ctx, account)
  expect(first).toMatchObject({ seats: 1, workspaces: 1 })
  expect(first.storage).toBeGreaterThan(5 * MIB)
  await grow()
  expect((await readPlanUsage(app.ctx, account)).storage).toBe(first.storage)
  app.clock.move(5 * 60_000 + 1)
  const later = await readPlanUsage(app.ctx, account)
  expect(later.storage).toBeGreaterThan(first.storage + 2 * MIB)

  await spendCredits(app.ctx, {
    accountId: account,
    workspaceId: null,
    profileId: null,
    amount: 3,
    reason: 'prompt',
    reference: 'one',
  })
  await handleMeasureUsage(app.ctx)
  await handleMeasureUsage(app.ctx)
  // Autovacuum may have grown the database since.
  const { storage } = await readPlanUsage(app.ctx, account)
  expect(storage).toBeGreaterThanOrEqual(later.storage)
  const { rows } =
    await sql`select users, workspaces, storage_bytes, credits_spent from usage_days where account_id = ${account}`.execute(
      app.database.db,
    )
  expect(rows).toEqual([{ users: 1, workspaces: 1, storage_bytes: storage, credits_spent: 3 }])
})

test('seats count open invites, not those that are over; deleted workspaces count no more', async () => {
  const invite = async (email: string, change: Record<string, unknown>) => {
    const { profile_id } = await app.database.db
      .selectFrom('account_members')
      .select('profile_id')
      .where('account_id', '=', account)
      .executeTakeFirstOrThrow()
    const row = {
      account_id: account,
      email,
      account_role: 'account_view' as const,
      invited_by: profile_id,
      expires_at: new Date(app.clock.now().getTime() + 60_000),
      ...change,
    }
    await app.database.db.insertInto('account_invites').values(row).execute()
  }
  await invite('open@example.com', {})
  await invite('late@example.com', { expires_at: new Date(0) })
  await invite('no@example.com', { declined_at: new Date() })
  await invite('gone@example.com', { revoked_at: new Date() })
  await app.database.db
    .insertInto('workspaces')
    .values({
      account_id: account,
      trellis_code: 'dw',
      name: 'D',
      workspace_address: 'd',
      deleted_at: new Date(),
      storage_bytes: 1_000_000_000,
    })
    .execute()
  const usage = await readPlanUsage(app.ctx, account)
  expect(usage).toMatchObject({ seats: 2, workspaces: 1 })
  expect(usage.storage).toBeLessThan(500 * MIB)
})

test('what is in use and the limit of the plan, for work that goes on; kinds without a limit have none', async () => {
  const GIB = 2 ** 30
  const make = async (code: string, type: 'basic' | 'internal', bytes: number) => {
    const id = await makeAccount(app, { code, type })
    const row = { account_id: id, trellis_code: `${code}-w`, name: code, workspace_address: 'w', storage_bytes: bytes }
    await app.database.db.insertInto('workspaces').values(row).execute()
    return id
  }
  const full = await make('nearly-full', 'basic', 49 * GIB)
  expect(await readStorage(app.ctx, full)).toEqual({ used: 49 * GIB, limit: 50 * GIB })
  const ours = await make('ours-alone', 'internal', 900 * GIB)
  expect(await readStorage(app.ctx, ours)).toEqual({ used: 900 * GIB, limit: null })
  const ended = { stripe_plan_end_date: new Date(Date.now() - 1000) }
  await app.database.db.updateTable('accounts').set(ended).where('id', '=', full).execute()
  await expect(readStorage(app.ctx, full)).rejects.toMatchObject({ code: 'plan_expired' })
})
