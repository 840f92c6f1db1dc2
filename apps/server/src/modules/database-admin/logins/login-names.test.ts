import * as firewall from '@trellis/contract/database-admin/firewall.endpoints'
import * as profiles from '@trellis/contract/database-admin/profiles.endpoints'
import * as roles from '@trellis/contract/database-admin/roles.endpoints'
import { updateWorkspace } from '@trellis/contract/workspaces/workspaces.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestAccount, makeAccount } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type LoginSecret, type ReadyWorkspace, makeReadyWorkspace, runAs } from '../../../testing/workspace.ts'
import { handleKeepTables, handleSweep } from '../sweep.handler.ts'

// Names are unique per cluster, which test files share.
const address = `shop${Math.floor(Math.random() * 1e9)}`

let app: TestApp
let account: TestAccount
let database: ReadyWorkspace
let params: ReadyWorkspace['params']
let bi: string

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  account = await makeAccount(app)
  database = await makeReadyWorkspace(app, { account, address })
  ;({ params } = database)
  const body = { ...integration(), name: 'BI', grants: [{ template: 'bi', schema_name: null }] }
  bi = (await account.owner.call(roles.createDatabaseRole, { params, body })).data.role_trellis_code
  await account.owner.call(firewall.addFirewallRule, {
    params,
    body: { ...integration(), name: 'Here', cidr: '127.0.0.1' },
  })
})
afterAll(async () => {
  await database.remove()
  await app.close()
})

const integration = () => ({ integration_trellis_code: database.integrationCode })
const make = (name: string, more: object = {}) =>
  account.owner.call(profiles.createExternalProfile, {
    params,
    body: { ...integration(), name, role_trellis_codes: [bi], group_trellis_codes: [], ...more },
  })
const suggest = async (more: object) =>
  (
    await account.owner.call(profiles.suggestLoginName, {
      params,
      body: { ...integration(), role_trellis_codes: [bi], group_trellis_codes: [], ...more },
    })
  ).data.login_name
const run = (secret: LoginSecret, text = 'select session_user::text as who') => runAs(app, { database, secret }, text)

test('a login is called by its workspace, role and name, shown before it is made', async () => {
  expect(await suggest({ name: 'Anna' })).toBe(`${address}_bi_anna`)
  const { secret } = (await make('Anna')).data
  expect(secret.user_name).toBe(`${address}_bi_anna`)
  expect(await run(secret)).toEqual([{ who: secret.user_name }])
  expect(await suggest({ name: 'Anna!' })).toBe(`${address}_bi_anna_2`)
  const tried = await account.owner.call(firewall.testConnection, { params, body: { ...integration(), ...secret } })
  expect(tried.data).toMatchObject({ works: true })
})

test('a name can be chosen; one that is taken, reserved or no name is refused at its field', async () => {
  const chosen = `${address}_metabase`
  expect((await make('Metabase', { login_name: chosen })).data.secret.user_name).toBe(chosen)
  const refusals = [
    [chosen, 409],
    [`w_${database.key}_own`, 400],
    ['trellis_app', 400],
    ['pg_monitor', 400],
    ['current_user', 400],
    ['anna', 400],
    [`${chosen}__b`, 400],
    ['shop_"x"', 400],
  ] as const
  for (const [at, [login_name, status]] of refusals.entries()) {
    const refusedResponse = await make(`Refused ${at}`, { login_name })
    expect([login_name, refusedResponse.status, refusedResponse.errors[0]?.source?.pointer]).toEqual([
      login_name,
      status,
      '/login_name',
    ])
  }
})

test('names chosen at the same moment differ, in this workspace and in another account', async () => {
  const other = await makeReadyWorkspace(app, { address })
  const elsewhere = other.account.owner.call(profiles.createExternalProfile, {
    params: other.params,
    body: {
      integration_trellis_code: other.integrationCode,
      name: 'Same',
      role_trellis_codes: [],
      group_trellis_codes: [],
    },
  })
  const here = ['Same', 'Same-', 'Same --'].map((name) => make(name, { role_trellis_codes: [] }))
  const made = await Promise.all([elsewhere, ...here])
  expect(made.map((response) => response.status)).toEqual([200, 200, 200, 200])
  const names = made.map((response) => response.data.secret.user_name)
  expect(new Set(names).size).toBe(4)
  expect(names.every((name) => name.startsWith(`${address}_same`))).toBe(true)
  const theirs = made[0]?.data.secret
  if (!theirs) throw new Error('No login was made.')
  const tried = await account.owner.call(firewall.testConnection, { params, body: { ...integration(), ...theirs } })
  expect(tried.data).toMatchObject({ works: false, message: 'This is no login of this database.' })
  await other.remove()
  const cluster = await app.ctx.ports.cluster.open()
  const left = await cluster.admin.query('select from pg_roles where rolname = $1', [theirs.user_name])
  expect(left.rowCount).toBe(0)
})

test('the name stays through a rotation, a sweep and a rename of the workspace', async () => {
  const { secret, profile } = (await make('Stays')).data
  const { profile_trellis_code } = profile
  const rotated = (
    await account.owner.call(profiles.rotateExternalProfile, {
      params,
      body: { ...integration(), profile_trellis_code, overlap_minutes: 60 },
    })
  ).data.secret
  expect(rotated.user_name).toBe(`${secret.user_name}__b`)
  const renamedResponse = await account.owner.call(updateWorkspace, { params, body: { name: 'Another name' } })
  expect(renamedResponse.status, renamedResponse.text).toBe(200)
  await handleSweep(app.ctx)
  await handleKeepTables(app.ctx)
  for (const item of [secret, rotated]) expect(await run(item)).toEqual([{ who: item.user_name }])
})

test('a login from before names could be chosen goes on under its own', async () => {
  const { secret, profile } = (await make('Older')).data
  const { rows } = await app.database.pool.query<{ slug: string }>(
    'update database_profiles set login_name = null where trellis_code = $1 returning slug',
    [profile.profile_trellis_code],
  )
  const older = { ...secret, user_name: `w_${database.key}_p_${rows[0]?.slug}_a` }
  const cluster = await app.ctx.ports.cluster.open()
  await cluster.admin.query(`alter role ${secret.user_name} rename to ${older.user_name}`)
  await handleSweep(app.ctx)
  await handleKeepTables(app.ctx)
  expect(await run(older)).toEqual([{ who: older.user_name }])
  const body = { ...integration(), profile_trellis_code: profile.profile_trellis_code, overlap_minutes: 60 }
  const rotated = (await account.owner.call(profiles.rotateExternalProfile, { params, body })).data.secret
  expect(rotated.user_name).toBe(`w_${database.key}_p_${rows[0]?.slug}_b`)
  for (const item of [older, rotated]) expect(await run(item)).toEqual([{ who: item.user_name }])
})

test('a person gets a login with their first name', async () => {
  const { rows } = await app.database.pool.query<{ code: string; first: string }>(
    'select trellis_user_code as code, first_name as first from profiles where id = $1',
    [account.ownerId],
  )
  const body = { ...integration(), role_trellis_codes: [bi], group_trellis_codes: [] }
  const createdResponse = await account.owner.call(profiles.createDatabaseProfile, {
    params,
    body: { ...body, trellis_user_code: rows[0]?.code },
  })
  const { profile_trellis_code } = createdResponse.data
  const expected = `${address}_bi_${rows[0]?.first.toLowerCase()}`
  expect(await suggest({ profile_trellis_code })).toBe(expected)
  // A rule for a profile without a login.
  await account.owner.call(firewall.setFirewall, {
    params,
    body: {
      ...integration(),
      rules: [{ name: 'One', cidr: '127.0.0.1', profile_trellis_code }],
      accepts_lock_out: true,
    },
  })
  const givenResponse = await account.owner.call(profiles.setExternalAccess, {
    params,
    body: { ...integration(), profile_trellis_code, has_external_access: true },
  })
  const { secret } = givenResponse.data
  if (!secret) throw new Error('No login was made.')
  expect(secret.user_name).toBe(expected)
  expect(await run(secret)).toEqual([{ who: expected }])
})
