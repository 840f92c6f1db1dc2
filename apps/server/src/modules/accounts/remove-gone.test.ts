import { deleteAccount } from '@trellis/contract/accounts/accounts.endpoints'
import { createWorkspace, getWorkspace } from '@trellis/contract/workspaces/workspaces.endpoints'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestAccount, makeAccount } from '../../testing/accounts.ts'
import { buyPlan, makeCustomer } from '../../testing/payments.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { handleProvision } from '../workspaces/provision.handler.ts'
import { handleRemoveGoneWorkspaces } from '../workspaces/remove-gone.handler.ts'
import { handleRemoveGoneAccounts } from './remove-gone.handler.ts'

let app: TestApp
let stripe: Stripe

beforeAll(async () => {
  // No worker, whose schedule would interfere.
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  stripe = await app.ctx.ports.payments.client()
})
afterAll(async () => await app.close())

async function makeFullAccount() {
  const customer = await makeCustomer(
    stripe,
    `gone${Math.random().toString(36).slice(2)}`,
    Math.floor(Date.now() / 1000),
  )
  await buyPlan(app, customer.id, { plan: 'team' })
  const account = await makeAccount(app, 'team')
  await app.database.db
    .updateTable('accounts')
    .set({ stripe_customer_id: customer.id })
    .where('id', '=', account.id)
    .execute()
  const workspaceId = await createOnline(account)
  const { id: exportId } = await app.database.db
    .insertInto('table_exports')
    .values({
      account_id: account.id,
      workspace_id: workspaceId,
      profile_id: account.ownerId,
      integration_code: 'x',
      schema_name: 'public',
      table_name: 't',
      request: '{}',
      status: 'completed',
      expires_at: new Date(Date.now() + 86_400_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const keys = [`exports/${exportId}`, `uploads/${workspaceId}/file-one/00001`]
  for (const key of keys) await app.ctx.ports.objects.put(key, Buffer.from('kept'))
  return { ...account, customer: customer.id, workspaceId, keys }
}

async function createOnline(account: TestAccount): Promise<number> {
  const params = { account_trellis_code: account.code }
  const createdResponse = await account.owner.call(createWorkspace, {
    params,
    body: { name: 'Shop', workspace_address: 'shop' },
  })
  const run = { signal: new AbortController().signal, attempt: 1, isLastAttempt: false }
  await handleProvision(app.ctx, { workspace_id: createdResponse.data.id }, run as never)
  return createdResponse.data.id
}

async function deleteLongAgo(account: TestAccount): Promise<void> {
  const answer = await account.owner.call(deleteAccount, { params: { account_trellis_code: account.code } })
  expect(answer.status, answer.text).toBe(200)
  await app.database.pool.query("update accounts set deleted_at = now() - interval '8 days' where id = $1", [
    account.id,
  ])
}

async function whatIsLeft(account: Awaited<ReturnType<typeof makeFullAccount>>, databaseKey: string) {
  const cluster = await app.ctx.ports.cluster.open()
  const databases = await cluster.admin.query('select 1 from pg_database where datname = $1', [`w_${databaseKey}`])
  const roles = await cluster.admin.query('select 1 from pg_roles where starts_with(rolname, $1)', [
    `w_${databaseKey}_`,
  ])
  const objects = await Promise.all(account.keys.map((key) => app.ctx.ports.objects.stat(key)))
  const secrets = await app.database.pool.query('select 1 from data_keys where scope = $1', [
    `workspace:${account.workspaceId}`,
  ])
  const rows = await app.database.pool.query('select 1 from accounts where id = $1', [account.id])
  const { data } = await stripe.subscriptions.list({ customer: account.customer, status: 'all' })
  return {
    databases: databases.rows.length,
    roles: roles.rows.length,
    files: objects.filter(Boolean).length,
    secrets: secrets.rows.length,
    rows: rows.rows.length,
    plan: data[0]?.status,
  }
}

const listRemovalAudit = async (scope: string) => {
  const { rows } = await app.database.pool.query<{ action: string; detail: object }>(
    "select action, detail from audit_lines where scope = $1 and action in ('accountRemoved', 'workspaceRemoved') order by seq",
    [scope],
  )
  return rows
}

async function readDatabaseKey(workspaceId: number): Promise<string> {
  const row = await app.database.db
    .selectFrom('workspaces')
    .select('database_key')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return row.database_key ?? ''
}

const NOTHING = { databases: 0, roles: 0, files: 0, secrets: 0, rows: 0, plan: 'canceled' }

test('seven days after its deletion nothing of an account is left but its trail', async () => {
  const account = await makeFullAccount()
  const key = await readDatabaseKey(account.workspaceId)
  expect(await whatIsLeft(account, key)).toMatchObject({ databases: 1, files: 2, secrets: 1, rows: 1, plan: 'active' })

  const answer = await account.owner.call(deleteAccount, { params: { account_trellis_code: account.code } })
  expect(answer.status).toBe(200)
  await handleRemoveGoneAccounts(app.ctx)
  expect(await whatIsLeft(account, key), 'it can still be restored').toMatchObject({ databases: 1, files: 2, rows: 1 })

  await app.database.pool.query("update accounts set deleted_at = now() - interval '8 days' where id = $1", [
    account.id,
  ])
  await Promise.all([handleRemoveGoneAccounts(app.ctx), handleRemoveGoneAccounts(app.ctx)])
  await handleRemoveGoneAccounts(app.ctx)
  expect(await whatIsLeft(account, key)).toEqual(NOTHING)
  const trail = await listRemovalAudit(`account:${account.id}`)
  expect(trail.map((line) => line.action)).toEqual(['workspaceRemoved', 'accountRemoved'])
  const system = (await listRemovalAudit('system')).filter((line) => JSON.stringify(line.detail).includes(account.code))
  expect(system).toMatchObject([{ action: 'accountRemoved', detail: { account: account.code } }])
})

test('a removal that broke off in the middle is finished by the next one', async () => {
  const account = await makeFullAccount()
  const key = await readDatabaseKey(account.workspaceId)
  await deleteLongAgo(account)
  const { objects } = app.ctx.ports
  const broken = async () => {
    throw new Error('the store is away')
  }
  const half = { ...app.ctx, ports: { ...app.ctx.ports, objects: { ...objects, delete: broken } } }
  await handleRemoveGoneAccounts(half)
  expect(await whatIsLeft(account, key)).toMatchObject({ databases: 0, files: 2, rows: 1 })
  await handleRemoveGoneAccounts(app.ctx)
  expect(await whatIsLeft(account, key)).toEqual(NOTHING)
  expect((await listRemovalAudit(`account:${account.id}`)).map((line) => line.action)).toEqual([
    'workspaceRemoved',
    'accountRemoved',
  ])
})

test('the data goes although the provider is down, and the account follows once its plan has ended', async () => {
  const account = await makeFullAccount()
  const key = await readDatabaseKey(account.workspaceId)
  await deleteLongAgo(account)
  const client = async () => {
    throw new Error('the provider is away')
  }
  const { payments } = app.ctx.ports
  const down = { ...app.ctx, ports: { ...app.ctx.ports, payments: { ...payments, client } } }
  await handleRemoveGoneAccounts(down)
  expect(await whatIsLeft(account, key)).toMatchObject({ databases: 0, files: 0, secrets: 0, rows: 1, plan: 'active' })
  await handleRemoveGoneAccounts(app.ctx)
  expect(await whatIsLeft(account, key)).toEqual(NOTHING)
})

test('an account whose plan ended keeps its data: nothing is removed until somebody deletes it', async () => {
  const account = await makeFullAccount()
  const MONTH_MS = 31 * 86_400_000
  await app.database.db
    .updateTable('accounts')
    .set({ stripe_plan_end_date: new Date(app.clock.now().getTime() - 1000) })
    .where('id', '=', account.id)
    .execute()
  app.clock.move(MONTH_MS)
  await handleRemoveGoneAccounts(app.ctx)
  await handleRemoveGoneWorkspaces(app.ctx)
  app.clock.move(-MONTH_MS)
  const params = { account_trellis_code: account.code, id: String(account.workspaceId) }
  const { status, data } = await account.owner.call(getWorkspace, { params })
  expect([status, data.id]).toEqual([200, account.workspaceId])
  for (const key of account.keys) expect(await app.ctx.ports.objects.stat(key)).toBeDefined()
})
