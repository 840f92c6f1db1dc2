import { listOwnInvites, removeInvite, removeMember } from '@trellis/contract/members/members.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  VIEW,
  accept,
  invite,
  joinNewPerson,
  makeAccount,
  makeWorkspaceRow,
  newPerson,
} from '../../testing/accounts.ts'
import { makePerson, signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
})
afterAll(async () => await app.close())

const countMembers = async (accountId: number) =>
  (
    await app.database.db
      .selectFrom('account_members')
      .select('profile_id')
      .where('account_id', '=', accountId)
      .execute()
  ).length

async function invited(email?: string) {
  const account = await makeAccount(app)
  const person = await newPerson(app, 'invitee')
  await invite(account.owner, account, { email: email ?? person.email })
  const row = await app.database.db
    .selectFrom('account_invites')
    .select('id')
    .where('account_id', '=', account.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return { account, person, inviteId: row.id }
}

test('somebody else can not use it', async () => {
  const { account, inviteId } = await invited()
  const stranger = await newPerson(app)
  expect((await accept(stranger.client, account.code, inviteId)).status).toBe(404)
  expect(
    (await stranger.client.call(removeInvite, { params: { account_trellis_code: account.code, id: inviteId } })).status,
  ).toBe(404)
  expect(await countMembers(account.id)).toBe(1)
})

test('it does not open another account', async () => {
  const { person, inviteId } = await invited()
  const other = await makeAccount(app)
  expect((await accept(person.client, other.code, inviteId)).status).toBe(404)
  expect(await countMembers(other.id)).toBe(1)
})

test('it works once, and not again after being removed', async () => {
  const { account, person, inviteId } = await invited()
  expect((await accept(person.client, account.code, inviteId)).status).toBe(200)
  await account.owner.call(removeMember, {
    params: { account_trellis_code: account.code },
    body: { account_trellis_code: account.code, granting_profile_id: account.ownerId, receiving_profile_id: person.id },
  })
  expect((await accept(person.client, account.code, inviteId)).errors[0]?.code).toBe('invite_over')
  expect(await countMembers(account.id)).toBe(1)
})

test('not after it was taken back', async () => {
  const { account, person, inviteId } = await invited()
  await account.owner.call(removeInvite, { params: { account_trellis_code: account.code, id: inviteId } })
  expect((await accept(person.client, account.code, inviteId)).errors[0]?.code).toBe('invite_over')
  expect((await person.client.call(listOwnInvites)).data).toEqual([])
})

test('not after it has expired', async () => {
  const { account, person, inviteId } = await invited()
  await app.database.pool.query("update account_invites set expires_at = now() - interval '1 second' where id = $1", [
    inviteId,
  ])
  expect((await accept(person.client, account.code, inviteId)).errors[0]?.code).toBe('invite_over')
})

test('not when whoever sent it was removed or may no longer invite', async () => {
  const account = await makeAccount(app)
  const workspace = await makeWorkspaceRow(app, account, 'first')
  const admin = await joinNewPerson(app, account)
  for (const change of [
    `update account_members set role = 'account_view' where profile_id = ${admin.id}`,
    `delete from account_members where profile_id = ${admin.id}`,
  ]) {
    await app.database.pool.query(
      "insert into account_members values ($1, $2, 'account_admin') on conflict (account_id, profile_id) do update set role = 'account_admin'",
      [account.id, admin.id],
    )
    const person = await newPerson(app)
    await invite(admin.client, account, {
      email: person.email,
      role: VIEW,
      workspaces: [{ workspace_trellis_code: workspace.code, workspace_role_id: 1 }],
    })
    const [waiting] = (await person.client.call(listOwnInvites)).data
    await app.database.pool.query(change)
    expect((await accept(person.client, account.code, waiting?.id ?? 0)).errors[0]?.code).toBe('invite_over')
  }
})

test('the case of letters is no way around or past it', async () => {
  const { account, inviteId } = await invited('CaseD@example.com')
  await makePerson(app, 'cased@example.com')
  const same = await signInAs(app, 'cased@example.com')
  expect((await invite(account.owner, account, { email: 'cased@EXAMPLE.com' })).result?.status).toBe(false)
  expect((await accept(same, account.code, inviteId)).status).toBe(200)
})

test.each(['plus+tag@example.com', 'plus@example.com.evil.com'])(
  'a look-alike address is another person (%s)',
  async (email) => {
    const { account, inviteId } = await invited('plus@example.com')
    await makePerson(app, email)
    const other = await signInAs(app, email)
    expect((await accept(other, account.code, inviteId)).status).toBe(404)
  },
)

test('a role, workspace or account in the body that is not theirs to give joins nobody', async () => {
  const account = await makeAccount(app)
  const other = await makeAccount(app)
  const foreign = await makeWorkspaceRow(app, other, 'theirs')
  const person = await newPerson(app)
  const asked = await invite(account.owner, account, {
    email: person.email,
    role: VIEW,
    workspaces: [{ workspace_trellis_code: foreign.code, workspace_role_id: 3 }],
  })
  expect(asked.result).toEqual({ status: false, message: 'A workspace or role in the invite does not exist.' })
  expect((await invite(account.owner, account, { email: person.email, role: 99 })).result?.status).toBe(false)
  const viewer = await joinNewPerson(app, account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code: (await makeWorkspaceRow(app, account, 'mine')).code, workspace_role_id: 3 }],
  })
  expect((await invite(viewer.client, account, { email: person.email })).status).toBe(403)
})

test('an access that was given in a workspace since deleted is given no more', async () => {
  const account = await makeAccount(app)
  const [gone, kept] = [await makeWorkspaceRow(app, account, 'gone'), await makeWorkspaceRow(app, account, 'kept')]
  const person = await newPerson(app)
  await invite(account.owner, account, {
    email: person.email,
    role: VIEW,
    workspaces: [gone, kept].map(({ code }) => ({ workspace_trellis_code: code, workspace_role_id: 1 })),
  })
  await app.database.pool.query('update workspaces set deleted_at = now() where id = $1', [gone.id])
  const [waiting] = (await person.client.call(listOwnInvites)).data
  expect((await accept(person.client, account.code, waiting?.id ?? 0)).status).toBe(200)
  const roles = await app.database.db
    .selectFrom('workspace_members')
    .select('workspace_id')
    .where('profile_id', '=', person.id)
    .execute()
  expect(roles).toEqual([{ workspace_id: kept.id }])
})
