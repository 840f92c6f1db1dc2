import {
  createTemporaryAccount,
  restoreDeleted,
  transferOwnership,
} from '@trellis/contract/accounts/accounts.endpoints'
import { allEndpoints } from '@trellis/contract/all-endpoints'
import { getNewAccountPlans } from '@trellis/contract/billing/billing.endpoints'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import { endSession } from '@trellis/contract/identity/identity.endpoints'
import {
  acceptInvite,
  getMemberAccess,
  planMemberAccess,
  removeInvite,
  removeMember,
  resendInvite,
  updateMemberAccess,
} from '@trellis/contract/members/members.endpoints'
import { createAccessToken, revokeAccessToken } from '@trellis/contract/tokens/tokens.endpoints'
import { getWorkspace } from '@trellis/contract/workspaces/workspaces.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invite, makeAccount, makeWorkspaceRow, newPerson, type TestAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'

type Input = { params?: Record<string, string | number>; body?: unknown }

interface Case {
  endpoint: Endpoint
  /** An id of someone else, and an unknown one. */
  foreign: Input
  random: Input
}

let app: TestApp
let ours: TestAccount
const cases = new Map<string, Case>()

const NOBODY = 987_654_321

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  ours = await makeAccount(app)
  const theirs = await makeAccount(app)
  const guest = await newPerson(app)
  await invite(theirs.owner, theirs, { email: guest.email })
  const { db } = app.database
  const waiting = await db.selectFrom('account_invites').select('id').executeTakeFirstOrThrow()
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('profile_id', '=', theirs.ownerId)
    .executeTakeFirstOrThrow()
  const token = await theirs.owner.call(createAccessToken, { body: { name: 'Theirs', scopes: ['read'], days: 1 } })
  const temporary = await theirs.owner.call(createTemporaryAccount, { body: { name: 'Theirs' } })
  const workspace = await makeWorkspaceRow(app, theirs, 'theirs')
  const gone = await makeWorkspaceRow(app, theirs, 'gone')
  await db.updateTable('workspaces').set({ deleted_at: new Date() }).where('id', '=', gone.id).execute()

  const here = { account_trellis_code: ours.code }
  const add = (endpoint: Endpoint, foreign: Input, random: Input) =>
    cases.set(endpoint.id, { endpoint, foreign, random })
  const addParam = (endpoint: Endpoint, name: string, ids: { foreign: string | number; random: string | number }) =>
    add(endpoint, { params: { ...here, [name]: ids.foreign } }, { params: { ...here, [name]: ids.random } })
  addParam(getWorkspace, 'id', { foreign: workspace.code, random: 'zzzzzzzzzzzz' })
  for (const [endpoint, name] of [
    [resendInvite, 'account_invite_id'],
    [acceptInvite, 'account_invite_id'],
    [removeInvite, 'id'],
  ] as const) {
    addParam(endpoint, name, { foreign: waiting.id, random: NOBODY })
  }
  addParam(endSession, 'session_id', { foreign: session.id, random: crypto.randomUUID() })
  addParam(revokeAccessToken, 'token_id', { foreign: token.data.id, random: NOBODY })
  addParam(getNewAccountPlans, 'temporary_account_id', { foreign: temporary.data.id, random: NOBODY })
  const kind = { kind: 'workspace' }
  add(
    restoreDeleted,
    { params: { ...kind, trellis_code: gone.code } },
    { params: { ...kind, trellis_code: 'zzzzzzzzzzzz' } },
  )
  const buildGrantInput = (id: number) => ({
    params: here,
    body: { ...here, granting_profile_id: ours.ownerId, receiving_profile_id: id },
  })
  addParam(getMemberAccess, 'profile_id', { foreign: theirs.ownerId, random: NOBODY })
  for (const endpoint of [planMemberAccess, updateMemberAccess]) {
    const buildAccessInput = (profile_id: number) => ({ params: { ...here, profile_id }, body: { account_role_id: 2 } })
    add(endpoint, buildAccessInput(theirs.ownerId), buildAccessInput(NOBODY))
  }
  add(removeMember, buildGrantInput(theirs.ownerId), buildGrantInput(NOBODY))
  add(
    transferOwnership,
    { params: here, body: { receiving_profile_id: theirs.ownerId } },
    { params: here, body: { receiving_profile_id: NOBODY } },
  )
})
afterAll(async () => await app.close())

const TENANT = new Set(['account_trellis_code', 'workspace_address'])
/** Covered by tests of their modules with a real database. */
const ELSEWHERE = new Set<string>(['getMailboxMessage'])

const withoutReference = (text: string) => text.replaceAll(/"id":"[0-9a-f-]{36}"/g, '"id":""')

test('every call outside a workspace that names a thing in its path is tried here', () => {
  const namedEndpoints = allEndpoints.filter(
    (endpoint) =>
      !endpoint.path.includes(':workspace_address') &&
      [...endpoint.path.matchAll(/:(\w+)/g)].some(([, name]) => !TENANT.has(name ?? '')),
  )
  expect(namedEndpoints.map(({ id }) => id).filter((id) => !cases.has(id) && !ELSEWHERE.has(id))).toEqual([])
})

test('a thing of somebody else answers byte for byte like one that nobody has, and stays as it is', async () => {
  for (const { endpoint, foreign, random } of cases.values()) {
    const theirs = await ours.owner.call(endpoint, foreign as never)
    const nobodys = await ours.owner.call(endpoint, random as never)
    expect(theirs.status, `${endpoint.id}: ${theirs.text}`).toBe(404)
    expect(withoutReference(theirs.text), endpoint.id).toBe(withoutReference(nobodys.text))
  }
  const { db } = app.database
  expect(await db.selectFrom('account_invites').select('id').where('revoked_at', 'is not', null).execute()).toEqual([])
  expect(await db.selectFrom('workspaces').select('id').where('deleted_at', 'is not', null).execute()).toHaveLength(1)
})
