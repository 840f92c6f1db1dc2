import { getAccount, transferOwnership } from '@trellis/contract/accounts/accounts.endpoints'
import {
  inviteMembers,
  listInvited,
  listMembers,
  listOwnInvites,
  listWorkspaceMembers,
  removeInvite,
  removeMember,
  resendInvite,
} from '@trellis/contract/members/members.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ADMIN,
  VIEW,
  accept,
  invite,
  joinNewPerson,
  makeAccount,
  makeWorkspaceRow,
  newPerson,
} from '../../testing/accounts.ts'
import { readMail } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ hasWorker: true, settings: { TRELLIS_RATE_LIMITS: 'off' } })
})
afterAll(async () => await app.close())

const remove = (client: TestClient, account: { code: string; ownerId: number }, id: number) =>
  client.call(removeMember, {
    params: { account_trellis_code: account.code },
    body: { account_trellis_code: account.code, granting_profile_id: account.ownerId, receiving_profile_id: id },
  })

test('an invite arrives by mail, is accepted, and gives just what it promised', async () => {
  const account = await makeAccount(app)
  const first = await makeWorkspaceRow(app, account, 'first')
  await makeWorkspaceRow(app, account, 'second')
  const person = await newPerson(app)
  const sent = await invite(account.owner, account, {
    email: person.email,
    role: VIEW,
    workspaces: [{ workspace_trellis_code: first.code, workspace_role_id: 2 }],
  })
  expect(sent.result).toEqual({ status: true, message: 'Invite Sent' })
  expect((await readMail(app, person.email)).text).toContain('/login?next=/profile/invites&email=')
  const [waiting] = (await person.client.call(listOwnInvites)).data
  expect(waiting).toMatchObject({
    has_accepted: false,
    has_expired: false,
    profile_email: person.email,
    account_role_id: VIEW,
  })
  expect((await accept(person.client, account.code, waiting?.id ?? 0)).status).toBe(200)
  const seenResponse = await person.client.call(getAccount, { params: { account_trellis_code: account.code } })
  expect(seenResponse.data.workspaces.map((workspace) => [workspace.workspace_address, workspace.role])).toEqual([
    ['first', 'workspace_editor'],
  ])
  const inside = await person.client.call(listWorkspaceMembers, {
    params: { account_trellis_code: account.code, workspace_address: 'first' },
  })
  expect(inside.data.map((member) => member.role).toSorted()).toEqual(['workspace_admin', 'workspace_editor'])
  const outside = await person.client.call(listWorkspaceMembers, {
    params: { account_trellis_code: account.code, workspace_address: 'second' },
  })
  expect(outside.status).toBe(404)
})

test('each e-mail gets its own answer', async () => {
  const account = await makeAccount(app)
  const member = await joinNewPerson(app, account)
  const open = await newPerson(app)
  await invite(account.owner, account, { email: open.email })
  const emails = [member.email, open.email, 'fresh@example.com', 'FRESH@example.com', 'nowhere@example.com']
  const { data } = await account.owner.call(inviteMembers, {
    params: { account_trellis_code: account.code },
    body: emails.map((user_email) => ({
      user_email,
      account_role_id: user_email.startsWith('nowhere') ? VIEW : ADMIN,
      workspace_roles: [],
    })),
  })
  expect(data).toEqual({
    [member.email]: { status: false, message: 'This person is a member already.' },
    [open.email]: {
      status: false,
      message: 'An invite to this address is open already. Resend it from the list of members.',
    },
    'fresh@example.com': { status: true, message: 'Invite Sent' },
    'nowhere@example.com': { status: false, message: 'Give access to at least one workspace.' },
  })
})

test('members and open invites share the seats, however many ask at once', async () => {
  const account = await makeAccount(app, 'basic')
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => invite(account.owner, account, { email: `seat${index}@example.com` })),
  )
  expect(answers.filter((answer) => answer.result?.status)).toHaveLength(4)
  expect(answers.find((answer) => !answer.result?.status)?.result?.message).toBe('Users limit reached')
})

test('20 accepts of one invite join once', async () => {
  const account = await makeAccount(app)
  const person = await newPerson(app)
  await invite(account.owner, account, { email: person.email })
  const [waiting] = (await person.client.call(listOwnInvites)).data
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => accept(person.client, account.code, waiting?.id ?? 0)),
  )
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  const { data } = await account.owner.call(listMembers, { params: { account_trellis_code: account.code } })
  expect(data.filter((member) => member.profile.email === person.email)).toHaveLength(1)
})

test('removal holds from the next request on', async () => {
  const account = await makeAccount(app)
  const person = await joinNewPerson(app, account)
  expect((await person.client.call(listMembers, { params: { account_trellis_code: account.code } })).status).toBe(200)
  expect((await remove(account.owner, account, person.id)).status).toBe(200)
  expect((await person.client.call(listMembers, { params: { account_trellis_code: account.code } })).status).toBe(404)
  expect((await remove(account.owner, account, person.id)).status).toBe(404)
})

test('the owner stays, and only the owner removes an admin', async () => {
  const account = await makeAccount(app)
  const admin = await joinNewPerson(app, account)
  const other = await joinNewPerson(app, account)
  expect((await remove(admin.client, account, account.ownerId)).status).toBe(403)
  expect((await remove(admin.client, account, other.id)).status).toBe(403)
  expect((await remove(admin.client, account, admin.id)).status, 'leaving').toBe(200)
  expect((await remove(account.owner, account, other.id)).status).toBe(200)
})

test('ownership is handed on whole', async () => {
  const account = await makeAccount(app)
  const heir = await joinNewPerson(app, account)
  const params = { account_trellis_code: account.code }
  const stranger = await newPerson(app)
  expect(
    (await account.owner.call(transferOwnership, { params, body: { receiving_profile_id: stranger.id } })).status,
  ).toBe(404)
  expect((await heir.client.call(transferOwnership, { params, body: { receiving_profile_id: heir.id } })).status).toBe(
    403,
  )
  expect(
    (await account.owner.call(transferOwnership, { params, body: { receiving_profile_id: heir.id } })).status,
  ).toBe(200)
  const { data } = await heir.client.call(listMembers, { params })
  expect(data.filter((member) => member.is_owner).map((member) => member.profile.id)).toEqual([heir.id])
  expect((await account.owner.call(getAccount, { params })).data.role).toBe('account_admin')
})

test('declining and taking back close an invite; resending renews it', async () => {
  const account = await makeAccount(app)
  const params = { account_trellis_code: account.code }
  const person = await newPerson(app)
  await invite(account.owner, account, { email: person.email })
  const [first] = (await account.owner.call(listInvited, { params })).data
  await app.database.pool.query("update account_invites set expires_at = now() - interval '1 day' where id = $1", [
    first?.id,
  ])
  expect((await accept(person.client, account.code, first?.id ?? 0)).errors[0]?.code).toBe('invite_over')
  expect((await account.owner.call(resendInvite, { params: { ...params, account_invite_id: first?.id } })).status).toBe(
    200,
  )
  expect((await person.client.call(removeInvite, { params: { ...params, id: first?.id } })).status).toBe(200)
  expect((await accept(person.client, account.code, first?.id ?? 0)).errors[0]?.code).toBe('invite_over')
  const [declined] = (await account.owner.call(listInvited, { params })).data
  expect(declined?.has_declined).toBe(true)
})
