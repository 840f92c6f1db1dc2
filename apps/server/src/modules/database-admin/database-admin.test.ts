import * as firewall from '@trellis/contract/database-admin/firewall.endpoints'
import * as profiles from '@trellis/contract/database-admin/profiles.endpoints'
import * as roles from '@trellis/contract/database-admin/roles.endpoints'
import { removeMember } from '@trellis/contract/members/members.endpoints'
import { createSchema, renameSchema } from '@trellis/workspace-db/schemas/change-schemas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestAccount, VIEW, joinNewPerson, makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type LoginSecret, type ReadyWorkspace, connectAs, makeReadyWorkspace, runAs } from '../../testing/workspace.ts'
import { handleSweep } from './sweep.handler.ts'

let app: TestApp
let account: TestAccount
let database: ReadyWorkspace
let params: ReadyWorkspace['params']

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  account = await makeAccount(app)
  database = await makeReadyWorkspace(app, { account, address: 'first' })
  ;({ params } = database)
  await account.owner.call(firewall.addFirewallRule, {
    params,
    body: { integration_trellis_code: database.integrationCode, name: 'Here', cidr: '127.0.0.1' },
  })
})
afterAll(async () => {
  await database.remove()
  await app.close()
})

const integration = () => ({ integration_trellis_code: database.integrationCode })

const run = (secret: LoginSecret, text: string) => runAs(app, { database, secret }, text)
const connect = (secret: LoginSecret) => connectAs(app, database, secret)

async function makeRole(name: string, grants: { template: string; schema_name: string | null }[]) {
  const createdResponse = await account.owner.call(roles.createDatabaseRole, {
    params,
    body: { ...integration(), name, grants },
  })
  expect(createdResponse.status, createdResponse.text).toBe(200)
  return createdResponse.data
}

async function makeLogin(name: string, roleCodes: string[], more: object = {}) {
  const createdResponse = await account.owner.call(profiles.createExternalProfile, {
    params,
    body: { ...integration(), name, role_trellis_codes: roleCodes, group_trellis_codes: [], ...more },
  })
  expect(createdResponse.status, createdResponse.text).toBe(200)
  return createdResponse.data
}

describe('roles', () => {
  test('are those of the workspace at first, which can be given and not changed', async () => {
    const { data } = await account.owner.call(roles.listDatabaseRoles, { params })
    expect(data.map((role) => [role.name, role.is_built_in, role.grants])).toEqual([
      ['Workspace viewer', true, [{ template: 'reader', schema_name: null }]],
      ['Workspace editor', true, [{ template: 'writer', schema_name: null }]],
      ['Workspace admin', true, [{ template: 'admin', schema_name: null }]],
    ])
    const [viewer] = data
    const changedResponse = await account.owner.call(roles.updateDatabaseRole, {
      params,
      body: {
        ...integration(),
        role_trellis_code: viewer?.role_trellis_code,
        name: 'Mine',
        grants: [{ template: 'bi', schema_name: null }],
      },
    })
    expect(changedResponse.status).toBe(409)
    const login = await makeLogin('Viewer tool', [viewer?.role_trellis_code ?? ''])
    expect(await run(login.secret, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  test('are made, renamed with their schema, changed and deleted', async () => {
    const cluster = await app.ctx.ports.cluster.open()
    await createSchema(cluster, { key: database.key, name: 'stage' })
    const role = await makeRole('Stage readers', [{ template: 'reader', schema_name: 'stage' }])
    const path = { ...params, role_trellis_code: role.role_trellis_code }
    await renameSchema(cluster, { key: database.key, name: 'stage', newName: 'renamed stage' })
    expect((await account.owner.call(roles.getDatabaseRoleByCode, { params: path })).data.grants).toEqual([
      { template: 'reader', schema_name: 'renamed stage' },
    ])
    const again = await account.owner.call(roles.createDatabaseRole, {
      params,
      body: { ...integration(), name: 'STAGE readers', grants: [{ template: 'bi', schema_name: null }] },
    })
    expect([again.status, again.errors[0]?.source?.pointer]).toEqual([409, '/name'])
    const missingResponse = await account.owner.call(roles.createDatabaseRole, {
      params,
      body: { ...integration(), name: 'Other', grants: [{ template: 'reader', schema_name: 'nowhere' }] },
    })
    expect(missingResponse.status).toBe(404)
    const none = await account.owner.call(roles.createDatabaseRole, {
      params,
      body: { ...integration(), name: 'Other', grants: [{ template: 'reader', schema_name: null }] },
    })
    expect([none.status, none.errors[0]?.source?.pointer]).toEqual([400, '/grants/0/schema_name'])
    expect((await account.owner.call(roles.deleteDatabaseRole, { params: path })).status).toBe(200)
    expect((await account.owner.call(roles.getDatabaseRole, { params: path })).status).toBe(404)
  })

  test('of another database are not there', async () => {
    const other = { ...params, integration_trellis_code: 'other-db' }
    expect((await account.owner.call(roles.listDatabaseRoles, { params: other })).status).toBe(404)
  })

  test('two made at once both stay on the cluster', async () => {
    const made = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => makeRole(`At once ${name}`, [{ template: 'analyst', schema_name: null }])),
    )
    const login = await makeLogin(
      'At once',
      made.map((role) => role.role_trellis_code),
    )
    expect(await run(login.secret, 'show statement_timeout')).toEqual([{ statement_timeout: '5min' }])
  })
})

describe('a login for an outside tool', () => {
  test('connects with the string shown, is tested from here, and never shows its password again', async () => {
    const role = await makeRole('Readers of data', [{ template: 'reader', schema_name: 'data' }])
    const login = await makeLogin('Dashboards', [role.role_trellis_code])
    const connection = (await account.owner.call(firewall.getConnection, { params })).data
    expect(connection).toMatchObject({ host: '127.0.0.1', ssl_mode: 'disable', is_reachable_from_outside: false })
    expect(await run(login.secret, 'select current_database() as d')).toEqual([{ d: connection.database }])
    const { user_name, password } = login.secret
    const tried = await account.owner.call(firewall.testConnection, {
      params,
      body: { ...integration(), user_name, password },
    })
    expect(tried.data.works).toBe(true)
    for (const [name, secret] of [
      [user_name, 'wrong'],
      [`w_${database.key}_rw`, 'x'],
    ]) {
      const wrong = await account.owner.call(firewall.testConnection, {
        params,
        body: { ...integration(), user_name: name, password: secret },
      })
      expect(wrong.data.works).toBe(false)
    }
    const all = await account.owner.call(profiles.listExternalProfiles, { params })
    expect(all.text).not.toContain(password)
    const kept = await app.database.pool.query('select jsonb_agg(p)::text as t from database_profiles p')
    expect(JSON.stringify(kept.rows)).not.toContain(password)
    const lines = await app.database.pool.query('select jsonb_agg(a)::text as t from audit_lines a')
    expect(JSON.stringify(lines.rows)).not.toContain(password)
  })

  test('gets the connections its template calls for', async () => {
    const role = await makeRole('BI', [{ template: 'bi', schema_name: null }])
    expect((await makeLogin('BI tool', [role.role_trellis_code])).profile.connection_limit).toBe(20)
    expect(
      (await makeLogin('Small BI', [role.role_trellis_code], { connection_limit: 2 })).profile.connection_limit,
    ).toBe(2)
  })

  test('keeps working through the overlap of a rotation and not after it', async () => {
    const role = await makeRole('Rotated', [{ template: 'analyst', schema_name: null }])
    const login = await makeLogin('Rotating', [role.role_trellis_code])
    const rotate = (overlap_minutes: number) =>
      account.owner.call(profiles.rotateExternalProfile, {
        params,
        body: { ...integration(), profile_trellis_code: login.profile.profile_trellis_code, overlap_minutes },
      })
    const second = (await rotate(60)).data
    for (const secret of [login.secret, second.secret]) await run(secret, 'select 1')
    const open = await connect(login.secret)
    const ended = new Promise((resolve) => open.once('end', resolve))
    app.clock.move(61 * 60_000)
    await handleSweep(app.ctx)
    await ended
    app.clock.move(-61 * 60_000)
    await expect(run(login.secret, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    await run(second.secret, 'select 1')
    const third = (await rotate(60)).data
    const fourth = (await rotate(0)).data
    for (const secret of [second.secret, third.secret])
      await expect(run(secret, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    await run(fourth.secret, 'select 1')
    expect(fourth.profile.logins).toHaveLength(1)
  })

  test('ends with its expiry, and at once when it is deleted', async () => {
    const role = await makeRole('Expiring', [{ template: 'analyst', schema_name: null }])
    const past = await account.owner.call(profiles.createExternalProfile, {
      params,
      body: {
        ...integration(),
        name: 'Too late',
        role_trellis_codes: [],
        group_trellis_codes: [],
        expires_at: '2020-01-01T00:00:00Z',
      },
    })
    expect([past.status, past.errors[0]?.source?.pointer]).toEqual([400, '/expires_at'])
    const login = await makeLogin('Expiring', [role.role_trellis_code])
    const code = login.profile.profile_trellis_code
    const open = await connect(login.secret)
    const ended = new Promise((resolve) => open.once('end', resolve))
    const sessions = (await account.owner.call(firewall.listDatabaseSessions, { params })).data
    expect(sessions).toMatchObject([
      { user_name: login.secret.user_name, profile_name: 'Expiring', address: '127.0.0.1' },
    ])
    const removedResponse = await account.owner.call(profiles.deleteExternalProfile, {
      params: { ...params, profile_trellis_code: code },
    })
    expect(removedResponse.status).toBe(200)
    await ended
    await expect(run(login.secret, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  })

  test('can be ended session by session', async () => {
    const login = await makeLogin('Session', [])
    const open = await connect(login.secret)
    const ended = new Promise((resolve) => open.once('end', resolve))
    const [session] = (await account.owner.call(firewall.listDatabaseSessions, { params })).data
    const path = { params: { ...params, pid: session?.pid } }
    expect((await account.owner.call(firewall.endDatabaseSession, path)).status).toBe(200)
    await ended
    expect((await account.owner.call(firewall.endDatabaseSession, path)).status).toBe(404)
  })
})

describe('a plan', () => {
  test('shows the statements that then run, and no password', async () => {
    const role = { ...integration(), name: 'Planned', grants: [{ template: 'writer', schema_name: 'data' }] }
    const plan = await account.owner.call(firewall.planDatabaseChange, { params, body: { kind: 'role', role } })
    expect(plan.data.statements).toHaveLength(2)
    await makeRole('Planned', role.grants)
    const after = await account.owner.call(firewall.planDatabaseChange, {
      params,
      body: {
        kind: 'role',
        role: {
          ...role,
          role_trellis_code: (await account.owner.call(roles.listDatabaseRoles, { params })).data.at(-1)
            ?.role_trellis_code,
        },
      },
    })
    expect(after.data.statements).toEqual([])
    const profile = { ...integration(), name: 'Planned', role_trellis_codes: [], group_trellis_codes: [] }
    const shownResponse = await account.owner.call(firewall.planDatabaseChange, {
      params,
      body: { kind: 'external_profile', profile },
    })
    expect(shownResponse.data.statements.join('\n')).toContain("password '********'")
    const rules = { ...integration(), rules: [{ name: 'Office', cidr: '203.0.113.9/24' }] }
    const lines = await account.owner.call(firewall.planDatabaseChange, {
      params,
      body: { kind: 'firewall', firewall: rules },
    })
    expect(lines.data.statements).toEqual([`host w_${database.key} +trellis_external 203.0.113.0/24 scram-sha-256`])
  })
})

describe('members', () => {
  test('get a login of their own, and lose it when they leave the account', async () => {
    const person = await joinNewPerson(app, account, {
      role: VIEW,
      workspaces: [{ workspace_trellis_code: database.integrationCode.replace(/-db$/, ''), workspace_role_id: 2 }],
    })
    const { trellis_user_code } = await app.database.db
      .selectFrom('profiles')
      .select('trellis_user_code')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    const role = await makeRole('For members', [{ template: 'reader', schema_name: 'data' }])
    const body = { ...integration(), role_trellis_codes: [role.role_trellis_code], group_trellis_codes: [] }
    const createdResponse = await account.owner.call(profiles.createDatabaseProfile, {
      params,
      body: { ...body, trellis_user_code },
    })
    expect(createdResponse.data).toMatchObject({
      email: person.email,
      has_external_access: false,
      workspace_role: 'workspace_editor',
    })
    const twice = await account.owner.call(profiles.createDatabaseProfile, {
      params,
      body: { ...body, trellis_user_code },
    })
    expect(twice.status).toBe(409)
    const givenResponse = await account.owner.call(profiles.setExternalAccess, {
      params,
      body: {
        ...integration(),
        profile_trellis_code: createdResponse.data.profile_trellis_code,
        has_external_access: true,
      },
    })
    const { secret } = givenResponse.data
    if (!secret) throw new Error('No login was made.')
    await run(secret, 'select 1')
    await account.owner.call(removeMember, {
      params: { account_trellis_code: account.code },
      body: {
        account_trellis_code: account.code,
        granting_profile_id: account.ownerId,
        receiving_profile_id: person.id,
      },
    })
    await handleSweep(app.ctx)
    await expect(run(secret, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    expect((await account.owner.call(profiles.listDatabaseProfiles, { params })).data).toEqual([])
  })
})

describe('rights', () => {
  test('say who can do what, through what, and what differs from what was set', async () => {
    const role = await makeRole('Chain role', [{ template: 'writer', schema_name: 'data' }])
    const login = await makeLogin('Chained', [])
    await account.owner.call(roles.createDatabaseGroup, {
      params,
      body: {
        ...integration(),
        name: 'Chain group',
        role_trellis_codes: [role.role_trellis_code],
        profile_trellis_codes: [login.profile.profile_trellis_code],
      },
    })
    const findChainedCell = async () => {
      const { data } = await account.owner.call(firewall.getRights, { params })
      const line = data.lines.find((candidate) => candidate.name === 'Chained')
      return line?.cells.find((cell) => cell.schema_name === 'data')
    }
    const through = ['Chain group', 'Chain role']
    expect(await findChainedCell()).toEqual({
      schema_name: 'data',
      rights: [
        { right: 'connect', through: [login.secret.user_name] },
        { right: 'read', through },
        { right: 'write', through },
      ],
      has_drifted: false,
    })
    const cluster = await app.ctx.ports.cluster.open()
    const { rows } = await cluster.admin.query<{ name: string }>(
      `select m.roleid::regrole::text as name from pg_auth_members m where m.member = $1::regrole and m.set_option`,
      [login.secret.user_name],
    )
    await cluster.admin.query(`grant w_${database.key}_rule to ${rows[0]?.name}`)
    expect(await findChainedCell()).toMatchObject({ has_drifted: true })
  })

  test('answer whether a profile could do a thing from an address, and what stops it', async () => {
    const cluster = await app.ctx.ports.cluster.open()
    await cluster.withAdmin(`w_${database.key}`, (client) =>
      client.query(`set role w_${database.key}_own; create table data.asked (n int)`),
    )
    const role = await makeRole('Asked role', [{ template: 'reader', schema_name: 'data' }])
    const login = await makeLogin('Asked', [role.role_trellis_code])
    const ask = async (more: object) =>
      await account.owner.call(firewall.checkReach, {
        params,
        body: {
          ...integration(),
          profile_trellis_code: login.profile.profile_trellis_code,
          address: '127.0.0.1',
          schema_name: 'data',
          table_name: 'asked',
          action: 'read',
          ...more,
        },
      })
    expect((await ask({})).data).toMatchObject({ answer: true })
    const stopped = async (more: object) => (await ask(more)).data.steps.find((step) => !step.holds)?.label
    expect(await stopped({ action: 'write' })).toBe('Its roles allow to write the table')
    expect(await stopped({ action: 'write', table_name: null })).toBe('Its roles allow to write the tables')
    expect((await ask({ table_name: null })).data).toMatchObject({ answer: true })
    expect(await stopped({ action: 'create' })).toBe('Its roles allow creating tables')
    expect(await stopped({ address: '203.0.113.7' })).toBe('The server can be reached')
    expect(await stopped({ address: '127.0.0.2' })).toBe('The firewall allows the address')
    expect((await ask({ table_name: 'nowhere' })).status).toBe(404)
    expect((await ask({ table_name: 'a\0b' })).status).toBe(400)
    expect((await ask({ address: '1.2.3' })).status).toBe(400)
  })
})
