import { deleteAccount } from '@trellis/contract/accounts/accounts.endpoints'
import { getPlanChangeLink, getPlanDetails, getRenewalPlans } from '@trellis/contract/billing/billing.endpoints'
import { createDataflow, getFolderStructure } from '@trellis/contract/dataflows/dataflows.endpoints'
import { exportTable } from '@trellis/contract/explorer/rows.endpoints'
import { acceptInvite, listOwnInvites } from '@trellis/contract/members/members.endpoints'
import { deleteWorkspace, updateWorkspace } from '@trellis/contract/workspaces/workspaces.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invite, makeAccount, makeWorkspaceRow, newPerson } from '../../testing/accounts.ts'
import { submitPage } from '../../testing/payments.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { grantPurchased, spendCredits } from './credits.service.ts'
import { assertPlanUsable, isPlanUsable } from './plan-gate.service.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
})
afterAll(async () => await app.close())

const END = new Date('2026-11-10T08:00:00Z')
const at = (ms: number) => ({ ...app.ctx, clock: { now: () => new Date(END.getTime() + ms) } })
const endAt = async (id: number, end: Date | null) =>
  await app.database.db.updateTable('accounts').set({ stripe_plan_end_date: end }).where('id', '=', id).execute()

test('the gate closes in the moment the plan ends and opens when it runs again', async () => {
  const { id } = await makeAccount(app)
  expect(await isPlanUsable(at(0), id)).toBe(true)
  await endAt(id, END)
  expect([await isPlanUsable(at(-1), id), await isPlanUsable(at(0), id), await isPlanUsable(at(1), id)]).toEqual([
    true,
    false,
    false,
  ])
  await expect(assertPlanUsable(at(0), id)).rejects.toMatchObject({ code: 'plan_expired', status: 402 })
  await endAt(id, null)
  await expect(assertPlanUsable(at(0), id)).resolves.toBeUndefined()
})

test.each(['internal', 'testing', 'experimental_user', 'enterprise_trellis'] as const)(
  'an account of the kind %s has no plan that could end',
  async (type) => {
    const { id } = await makeAccount(app, type)
    await endAt(id, END)
    expect(await isPlanUsable(at(1), id)).toBe(true)
  },
)

test('an account that is deleted or was never there has no work done', async () => {
  const { id } = await makeAccount(app)
  await app.database.db.updateTable('accounts').set({ deleted_at: END }).where('id', '=', id).execute()
  expect(await isPlanUsable(at(1), id)).toBe(false)
  expect(await isPlanUsable(at(1), 999_999_999)).toBe(false)
})

test('credits that were bought wait until the plan runs again; what was spent before stays spent', async () => {
  const { id } = await makeAccount(app)
  await grantPurchased(at(-1000), id, { checkoutId: 'cs_kept', credits: 300, at: END })
  const spend = (reference: string, ms: number) =>
    spendCredits(at(ms), { accountId: id, workspaceId: null, profileId: null, amount: 5, reason: 'prompt', reference })
  await spend('before', -500)
  await endAt(id, END)
  await expect(spend('after', 1)).rejects.toMatchObject({ code: 'plan_expired' })
  expect(await spend('before', 1)).toEqual({ spent: 5 })
  await endAt(id, null)
  expect(await spend('after', 1)).toEqual({ spent: 5 })
})

test('nobody joins while the plan is over, and the invite is good again afterwards', async () => {
  const account = await makeAccount(app)
  const person = await newPerson(app)
  await invite(account.owner, account, { email: person.email })
  const [waiting] = (await person.client.call(listOwnInvites)).data
  const params = { account_trellis_code: account.code, account_invite_id: waiting?.id ?? 0 }
  await endAt(account.id, new Date(Date.now() - 1000))
  expect((await person.client.call(acceptInvite, { params })).errors[0]?.code).toBe('plan_expired')
  await endAt(account.id, null)
  expect((await person.client.call(acceptInvite, { params })).status).toBe(200)
})

test('an expired account with two workspaces gets Basic once it has decided which one to keep', async () => {
  const account = await makeAccount(app, 'team')
  const params = { account_trellis_code: account.code }
  await makeWorkspaceRow(app, account, 'first')
  await makeWorkspaceRow(app, account, 'second')
  await endAt(account.id, new Date(Date.now() - 1000))
  const plans = async () => (await account.owner.call(getRenewalPlans, { params })).data.plans
  expect(await plans()).toMatchObject({ basic: null, team: expect.stringContaining('/sandbox-pay/') })
  const change = await account.owner.call(getPlanChangeLink, { params, query: { plan: 'basic' } })
  expect(change.errors[0]?.code).toBe('plan_too_small')

  const second = { params, query: { workspace_address: 'second' } }
  expect((await account.owner.call(deleteWorkspace, second)).status).toBe(200)
  await submitPage(app, (await plans()).basic ?? '', { card: 'success' })
  const plan = (await account.owner.call(getPlanDetails, { params })).data
  expect(plan).toMatchObject({ account_type: 'basic', status: 'active' })
})

test('while the plan is over data can be read, exported and deleted; loads and changes wait', async () => {
  const account = await makeAccount(app, 'team')
  const { code } = await makeWorkspaceRow(app, account, 'data')
  await endAt(account.id, new Date(Date.now() - 1000))
  const params = { account_trellis_code: account.code, workspace_address: 'data' }
  const nowhere = { integration_trellis_code: `${code}-db`, schema_name: 'public', table_name: 't' }
  const getErrorCode = async (answer: Promise<{ errors: { code: string }[] }>) => (await answer).errors?.[0]?.code
  expect(await getErrorCode(account.owner.call(getFolderStructure, { params }))).toBeUndefined()
  const stopped = account.owner.call(createDataflow, { params, body: { name: 'New' } })
  expect(await getErrorCode(stopped)).toBe('plan_expired')
  const exported = account.owner.call(exportTable, { params: { ...params, ...nowhere }, body: { format: 'csv' } })
  expect(await getErrorCode(exported), 'it gets to the database, which this row has none of').toBe('unavailable')
  expect((await account.owner.call(deleteAccount, { params })).status).toBe(200)
})

test('the API checks the same: a change in a workspace is refused while the plan is over', async () => {
  const account = await makeAccount(app)
  await makeWorkspaceRow(app, account, 'first')
  const params = { account_trellis_code: account.code, workspace_address: 'first' }
  const rename = async () =>
    (await account.owner.call(updateWorkspace, { params, body: { name: 'Renamed', workspace_address: 'first' } }))
      .status
  await endAt(account.id, new Date(Date.now() - 1000))
  expect(await rename()).toBe(402)
  await endAt(account.id, null)
  expect(await rename()).toBe(200)
})
