import { acceptInvite, inviteMembers, listOwnInvites } from '@trellis/contract/members/members.endpoints'
import type { AccountTypeName } from '@trellis/contract/billing/plans'
import { generateTrellisCode } from '../platform/trellis-code.ts'
import { makePerson, signInAs } from './people.ts'
import type { TestApp } from './test-app.ts'
import type { TestClient } from './test-client.ts'

export interface TestAccount {
  id: number
  code: string
  owner: TestClient
  ownerId: number
}

let people = 0

export async function newPerson(app: TestApp, name = 'person') {
  people += 1
  const email = `${name}${people}@example.com`
  const profile = await makePerson(app, email)
  return { email, id: profile.id, client: await signInAs(app, email) }
}

export async function makeAccount(app: TestApp, type: AccountTypeName = 'team'): Promise<TestAccount> {
  const owner = await newPerson(app, 'owner')
  const code = generateTrellisCode()
  const { id } = await app.database.db
    .insertInto('accounts')
    .values({ trellis_code: code, name: `Account ${code}`, account_type: type })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.database.db
    .insertInto('account_members')
    .values({ account_id: id, profile_id: owner.id, role: 'owner' })
    .execute()
  return { id, code, owner: owner.client, ownerId: owner.id }
}

export async function makeWorkspaceRow(
  app: TestApp,
  account: TestAccount,
  address: string,
): Promise<{ id: number; code: string }> {
  const code = generateTrellisCode()
  const { id } = await app.database.db
    .insertInto('workspaces')
    .values({ account_id: account.id, trellis_code: code, name: address, workspace_address: address })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, code }
}

export const ADMIN = 2
export const VIEW = 1

export async function invite(
  client: TestClient,
  account: TestAccount,
  request: { email: string; role?: number; workspaces?: object[] },
) {
  const { data, status, errors } = await client.call(inviteMembers, {
    params: { account_trellis_code: account.code },
    body: [
      { user_email: request.email, account_role_id: request.role ?? ADMIN, workspace_roles: request.workspaces ?? [] },
    ],
  })
  return { status, errors, result: data?.[request.email] }
}

export async function accept(client: TestClient, accountCode: string, inviteId: number) {
  return await client.call(acceptInvite, { params: { account_trellis_code: accountCode, account_invite_id: inviteId } })
}

export async function joinNewPerson(
  app: TestApp,
  account: TestAccount,
  given: { role?: number; workspaces?: object[] } = {},
) {
  const person = await newPerson(app, 'member')
  await invite(account.owner, account, { email: person.email, ...given })
  const { data } = await person.client.call(listOwnInvites)
  const answer = await accept(person.client, account.code, data[0]?.id ?? 0)
  if (answer.status !== 200) throw new Error(`joining failed: ${answer.text}`)
  return person
}
