import * as firewall from '@trellis/contract/database-admin/firewall.endpoints'
import * as profiles from '@trellis/contract/database-admin/profiles.endpoints'
import * as roles from '@trellis/contract/database-admin/roles.endpoints'
import { PROVISION_VERSION } from '@trellis/workspace-db/provision'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestAccount, makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type LoginSecret, type ReadyWorkspace, makeReadyWorkspace, runAs } from '../../testing/workspace.ts'
import { handleKeepTables } from './sweep.handler.ts'

let app: TestApp
let account: TestAccount
let database: ReadyWorkspace

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  account = await makeAccount(app)
  database = await makeReadyWorkspace(app, { account, address: `shop${Math.floor(Math.random() * 1e9)}` })
  await database.sql('create table data.orders (id int constraint orders_key primary key)')
})
afterAll(async () => {
  await database.remove()
  await app.close()
})

const KEYS =
  "select constraint_name::text as name from information_schema.table_constraints where table_name = 'orders'"

async function createLogin(): Promise<LoginSecret> {
  const { params, database: integration } = database
  const role = await account.owner.call(roles.createDatabaseRole, {
    params,
    body: { ...integration, name: 'BI', grants: [{ template: 'bi', schema_name: null }] },
  })
  await account.owner.call(firewall.addFirewallRule, {
    params,
    body: { ...integration, name: 'Here', cidr: '127.0.0.1' },
  })
  const createdResponse = await account.owner.call(profiles.createExternalProfile, {
    params,
    body: {
      ...integration,
      name: 'Drizzle',
      role_trellis_codes: [role.data.role_trellis_code],
      group_trellis_codes: [],
    },
  })
  return createdResponse.data.secret
}

/** Recreates the views as the previous version left them. */
async function makeOlder(): Promise<void> {
  const cluster = await app.ctx.ports.cluster.open()
  for (const view of ['table_constraints', 'constraint_column_usage']) {
    const { rows } = await cluster.admin.query<{ definition: string }>(
      `select pg_get_viewdef('information_schema.${view}'::regclass) as definition`,
    )
    await cluster.withAdmin(`w_${database.key}`, async (client) => {
      await client.query('set allow_system_table_mods = on')
      await client.query(`create or replace view information_schema.${view} as ${rows[0]?.definition}`)
    })
  }
  await app.database.pool.query('update workspaces set database_version = $1 where id = $2', [
    PROVISION_VERSION - 1,
    database.id,
  ])
}

test('a database of an earlier version is brought up to date by the worker, without a call of its workspace', async () => {
  const secret = await createLogin()
  await makeOlder()
  expect(await runAs(app, { database, secret }, KEYS)).toEqual([])
  await handleKeepTables(app.ctx)
  expect(await runAs(app, { database, secret }, KEYS)).toContainEqual({ name: 'orders_key' })
  const { rows } = await app.database.pool.query<{ database_version: number }>(
    'select database_version from workspaces where id = $1',
    [database.id],
  )
  expect(rows).toEqual([{ database_version: PROVISION_VERSION }])
})
