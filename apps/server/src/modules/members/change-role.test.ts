import { getAccount, listAccounts } from '@trellis/contract/accounts/accounts.endpoints'
import { listAudit } from '@trellis/contract/audit/audit.endpoints'
import * as firewall from '@trellis/contract/database-admin/firewall.endpoints'
import * as profiles from '@trellis/contract/database-admin/profiles.endpoints'
import * as roles from '@trellis/contract/database-admin/roles.endpoints'
import {
  getMemberAccess,
  leaveAccount,
  listInvited,
  listWorkspaceMembers,
  planMemberAccess,
  removeMember,
  updateMemberAccess,
} from '@trellis/contract/members/members.endpoints'
import { updateWorkspace } from '@trellis/contract/workspaces/workspaces.endpoints'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, type TestAccount, VIEW, joinNewPerson, makeAccount, makeWorkspaceRow } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type ReadyWorkspace, connectAs, makeReadyWorkspace, runAs } from '../../testing/workspace.ts'
import { handleSweep } from '../database-admin/sweep.handler.ts'

const VIEWER = 1
const EDITOR = 2
const WORKSPACE_ADMIN = 3

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
})
afterAll(async () => await app.close())

const at = (code: string, role: number) => ({ workspace_trellis_code: code, workspace_role_id: role })

function accessCall(client: TestClient, account: TestAccount, profile_id: number) {
  const params = { account_trellis_code: account.code, profile_id }
  return {
    get: () => client.call(getMemberAccess, { params }),
    plan: (body: object) => client.call(planMemberAccess, { params, body }),
    put: (body: object) => client.call(updateMemberAccess, { params, body }),
  }
}

test('roles change in the account and per workspace, and hold from the next call on', async () => {
  const account = await makeAccount(app)
  const first = await makeWorkspaceRow(app, account, 'first')
  const second = await makeWorkspaceRow(app, account, 'second')
  const person = await joinNewPerson(app, account, { role: VIEW, workspaces: [at(first.code, EDITOR)] })
  const access = accessCall(account.owner, account, person.id)
  const params = { account_trellis_code: account.code }
  const see = async () => {
    const { data } = await person.client.call(getAccount, { params })
    return [data.role, ...data.workspaces.map((workspace) => `${workspace.workspace_address} ${workspace.role}`)]
  }
  expect((await access.get()).data).toEqual({ account_role_id: VIEW, workspace_roles: [at(first.code, EDITOR)] })

  const both = { account_role_id: VIEW, workspace_roles: [at(first.code, VIEWER), at(second.code, WORKSPACE_ADMIN)] }
  expect(
    (await access.plan(both)).data.map((item) => [item.workspace_name, item.role_before, item.role_after]),
  ).toEqual([
    ['first', 'workspace_editor', 'workspace_viewer'],
    ['second', null, 'workspace_admin'],
  ])
  expect(await see(), 'a plan changes nothing').toEqual(['account_view', 'first workspace_editor'])
  expect((await access.put(both)).data).toEqual(both)
  expect(await see()).toEqual(['account_view', 'first workspace_viewer', 'second workspace_admin'])

  expect((await access.put({ account_role_id: ADMIN, workspace_roles: [] })).status).toBe(200)
  expect((await person.client.call(listInvited, { params })).status).toBe(200)
  await access.put({ account_role_id: VIEW, workspace_roles: [at(second.code, VIEWER)] })
  expect((await person.client.call(listInvited, { params })).status).toBe(403)
  const lost = { params: { ...params, workspace_address: 'first' } }
  expect((await person.client.call(listWorkspaceMembers, lost)).status).toBe(404)

  const { data: trail } = await account.owner.call(listAudit, { params })
  const line = JSON.stringify(trail)
  expect(line).toContain('updateMemberAccess')
  expect(line).toContain('first: editor → viewer, second: no access → admin')
})

test('nobody is left with nothing, with a role that is none or in a workspace of somebody else', async () => {
  const account = await makeAccount(app)
  const own = await makeWorkspaceRow(app, account, 'own')
  const other = await makeAccount(app)
  const foreign = await makeWorkspaceRow(app, other, 'foreign')
  const person = await joinNewPerson(app, account, { role: VIEW, workspaces: [at(own.code, EDITOR)] })
  const access = accessCall(account.owner, account, person.id)
  for (const [body, pointer] of [
    [{ account_role_id: VIEW, workspace_roles: [] }, '/workspace_roles'],
    [{ account_role_id: VIEW, workspace_roles: [at(foreign.code, VIEWER)] }, '/workspace_roles'],
    [{ account_role_id: VIEW, workspace_roles: [at(own.code, 9)] }, '/workspace_roles'],
    [{ account_role_id: 9, workspace_roles: [] }, '/account_role_id'],
  ] as const) {
    const answer = await access.put(body)
    expect([answer.status, answer.errors[0]?.source]).toEqual([400, { pointer }])
  }
  expect((await access.get()).data.workspace_roles).toEqual([at(own.code, EDITOR)])
})

test('the owner keeps their role; an admin is changed by the owner or steps down alone', async () => {
  const account = await makeAccount(app)
  const own = await makeWorkspaceRow(app, account, 'own')
  const admin = await joinNewPerson(app, account)
  const other = await joinNewPerson(app, account)
  const less = { account_role_id: VIEW, workspace_roles: [at(own.code, VIEWER)] }
  expect((await accessCall(admin.client, account, account.ownerId).put(less)).status).toBe(409)
  expect((await accessCall(account.owner, account, account.ownerId).put(less)).status).toBe(409)
  expect((await accessCall(admin.client, account, other.id).put(less)).status).toBe(403)
  expect((await accessCall(admin.client, account, admin.id).put(less)).status).toBe(200)
  expect((await accessCall(admin.client, account, admin.id).put({ account_role_id: ADMIN })).status).toBe(403)
  expect((await accessCall(account.owner, account, other.id).put(less)).status).toBe(200)
})

test('anybody leaves by themselves, with partial access too; the owner hands on first', async () => {
  const account = await makeAccount(app)
  const own = await makeWorkspaceRow(app, account, 'own')
  const partial = await joinNewPerson(app, account, { role: VIEW, workspaces: [at(own.code, VIEWER)] })
  const params = { account_trellis_code: account.code }
  const stays = await account.owner.call(leaveAccount, { params })
  expect([stays.status, stays.errors[0]?.detail]).toEqual([
    409,
    'You own this account. Hand the ownership on first, then leave.',
  ])
  expect((await partial.client.call(leaveAccount, { params })).status).toBe(200)
  expect((await partial.client.call(getAccount, { params })).status).toBe(404)
  expect((await partial.client.call(listAccounts)).data).toEqual([])
  expect(JSON.stringify((await account.owner.call(listAudit, { params })).data)).toContain('leaveAccount')
})

test('the audit log names whom a line is about', async () => {
  const account = await makeAccount(app)
  const own = await makeWorkspaceRow(app, account, 'own')
  const params = { account_trellis_code: account.code }
  const person = await joinNewPerson(app, account, { role: VIEW, workspaces: [at(own.code, VIEWER)] })
  await accessCall(account.owner, account, person.id).put({
    account_role_id: VIEW,
    workspace_roles: [at(own.code, EDITOR)],
  })
  const workspace = { params: { ...params, workspace_address: 'own' } }
  await account.owner.call(updateWorkspace, { ...workspace, body: { workspace_address: 'own', name: 'Shop' } })
  await account.owner.call(removeMember, {
    params,
    body: { account_trellis_code: account.code, granting_profile_id: account.ownerId, receiving_profile_id: person.id },
  })
  const { data: lines } = await account.owner.call(listAudit, { params })
  const find = (action: string) => lines.find((line) => line.action === action)?.detail
  expect(find('inviteMembers')).toEqual({ name: person.email })
  expect(find('inviteAccepted')).toEqual({ name: person.email })
  expect(find('updateMemberAccess')).toMatchObject({ name: 'Test Person', what: 'own: viewer → editor' })
  expect(find('updateWorkspace')).toEqual({ from: 'own', to: 'Shop' })
  expect(find('removeMember')).toEqual({ name: 'Test Person' })
})

interface Login {
  database: ReadyWorkspace
  secret: { user_name: string; password: string }
}

/** A member whose login may write by the editors' built-in role. */
async function giveLogin(account: TestAccount, database: ReadyWorkspace, personCode: string): Promise<Login> {
  const { params } = database
  const integration = { integration_trellis_code: database.integrationCode }
  await account.owner.call(firewall.addFirewallRule, { params, body: { ...integration, name: 'H', cidr: '127.0.0.1' } })
  const { data: known } = await account.owner.call(roles.listDatabaseRoles, { params })
  const editor = known.find((role) => role.name === 'Workspace editor')
  const createdResponse = await account.owner.call(profiles.createDatabaseProfile, {
    params,
    body: {
      ...integration,
      trellis_user_code: personCode,
      role_trellis_codes: [editor?.role_trellis_code],
      group_trellis_codes: [],
    },
  })
  const { data } = await account.owner.call(profiles.setExternalAccess, {
    params,
    body: {
      ...integration,
      profile_trellis_code: createdResponse.data.profile_trellis_code,
      has_external_access: true,
    },
  })
  if (!data.secret) throw new Error('No login was made.')
  return { database, secret: data.secret }
}

test('database logins follow the role at once, as the plan said', async () => {
  const account = await makeAccount(app)
  const database = await makeReadyWorkspace(app, { account, address: 'first' })
  try {
    const code = database.params.account_trellis_code
    const { data: seen } = await account.owner.call(getAccount, { params: { account_trellis_code: code } })
    const workspace = seen.workspaces[0]?.trellis_code ?? ''
    const spare = await makeWorkspaceRow(app, account, 'spare')
    const person = await joinNewPerson(app, account, { role: VIEW, workspaces: [at(workspace, EDITOR)] })
    const { data: people } = await account.owner.call(listWorkspaceMembers, { params: database.params })
    const personCode = people.find((candidate) => candidate.profile.id === person.id)?.profile.trellis_user_code ?? ''
    const login = await giveLogin(account, database, personCode)
    const open = await connectAs(app, database, login.secret)
    const canWrite = async () => {
      const text = "select pg_has_role(current_user, $1, 'member') as can"
      return (await open.query<{ can: boolean }>(text, [toWorkspaceNames(database.key).writer])).rows[0]?.can
    }
    expect(await canWrite()).toBe(true)
    const access = accessCall(account.owner, account, person.id)

    const down = { account_role_id: VIEW, workspace_roles: [at(workspace, VIEWER)] }
    expect((await access.plan(down)).data[0]?.database).toEqual({
      is_removed: false,
      logins: [login.secret.user_name],
      roles_lost: ['Workspace editor'],
      roles_gained: ['Workspace viewer'],
    })
    expect((await access.put(down)).status).toBe(200)
    const { data: stored } = await account.owner.call(profiles.listDatabaseProfiles, { params: database.params })
    const { data: known } = await account.owner.call(roles.listDatabaseRoles, { params: database.params })
    const viewer = known.find((role) => role.name === 'Workspace viewer')?.role_trellis_code
    expect(stored[0]?.role_trellis_codes).toEqual([viewer])
    expect(await runAs(app, login, 'select 1 as n')).toEqual([{ n: 1 }])
    expect(await canWrite(), 'in a session that was open before').toBe(false)

    const gone = { account_role_id: VIEW, workspace_roles: [at(spare.code, VIEWER)] }
    expect(
      (await access.plan(gone)).data.find((candidate) => candidate.role_after === null)?.database?.is_removed,
    ).toBe(true)
    expect((await access.put(gone)).status).toBe(200)
    await expect(runAs(app, login, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    await expect(open.query('select 1')).rejects.toThrow()
    await handleSweep(app.ctx)
    expect((await account.owner.call(profiles.listDatabaseProfiles, { params: database.params })).data).toEqual([])
  } finally {
    await database.remove()
  }
})
