import { getAccount, listDeleted, restoreDeleted } from '@trellis/contract/accounts/accounts.endpoints'
import type { AccountTypeName } from '@trellis/contract/billing/plans'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestAccount, VIEW, joinNewPerson, makeAccount, makeWorkspaceRow } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { writePlanState } from '../billing/billing.repository.ts'
import { handleDeleteExpiredAccounts } from './delete-expired.handler.ts'

let app: TestApp

beforeAll(async () => {
  // No worker, whose schedule would interfere.
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
})
afterAll(async () => await app.close())

const makeExpired = async (days: number, type: AccountTypeName = 'team') =>
  await expire(await makeAccount(app, type), days)

async function expire(account: TestAccount, days: number) {
  const params = { account_trellis_code: account.code }
  const set = async (text: string, value: number) =>
    await app.database.pool.query(`update accounts set ${text} where id = $1`, [account.id, value])
  await set("plan_status = 'over', stripe_plan_end_date = now() - make_interval(days => $2)", days)
  return {
    ...account,
    look: async () => (await account.owner.call(getAccount, { params })).status,
    restore: async () =>
      (await account.owner.call(restoreDeleted, { params: { kind: 'account', trellis_code: account.code } })).status,
    wasWarned: async (ago: number) => await set('removal_notice_at = now() - make_interval(days => $2)', ago),
    actions: async () => {
      const { rows } = await app.database.pool.query<{ action: string }>(
        "select action from audit_lines where account_id = $1 and action like 'expired%' order by seq",
        [account.id],
      )
      return rows.map(({ action }) => action)
    },
  }
}

async function readSubjects(profileId: number): Promise<string[]> {
  const { rows } = await app.database.pool.query<{ subject: string }>(
    `select subject from mail_outbox where to_address = (select email from profiles where id = $1) and subject like '%deleted%' order by id`,
    [profileId],
  )
  return rows.map(({ subject }) => subject)
}

const run = async () => await handleDeleteExpiredAccounts(app.ctx)

test('a week before the data goes its owner and admins are told, once', async () => {
  const living = await makeAccount(app)
  const workspace = await makeWorkspaceRow(app, living, 'own')
  const admin = await joinNewPerson(app, living)
  const role = { workspace_trellis_code: workspace.code, workspace_role_id: 1 }
  const viewer = await joinNewPerson(app, living, { role: VIEW, workspaces: [role] })
  const account = await expire(living, 10)
  await run()
  expect(await account.actions()).toEqual([])
  await expire(living, 24)
  await run()
  await run()
  const notice = expect.stringMatching(/^Account \w+ will be deleted on \d{4}-\d{2}-\d{2}$/)
  expect(await readSubjects(account.ownerId)).toEqual([notice])
  expect(await readSubjects(admin.id)).toEqual([notice])
  expect(await readSubjects(viewer.id)).toEqual([])
  expect(await account.actions()).toEqual(['expiredAccountWarned'])
  expect(await account.look()).toBe(200)
})

test('thirty days after the plan ended, and a week after the notice, the account is deleted and can be restored', async () => {
  const account = await makeExpired(31)
  await run()
  await run()
  expect(await account.look(), 'never without a notice a week before').toBe(200)
  await account.wasWarned(8)
  await run()
  expect(await account.look()).toBe(404)
  expect(await account.actions()).toEqual(['expiredAccountWarned', 'expiredAccountDeleted'])
  expect((await account.owner.call(listDeleted, {})).data.map((item) => item.trellis_code)).toEqual([account.code])

  expect(await account.restore()).toBe(200)
  await run()
  expect(await account.look(), 'a restored account gets another week and another notice').toBe(200)
  expect(await account.actions()).toEqual(['expiredAccountWarned', 'expiredAccountDeleted', 'expiredAccountWarned'])
})

test('an account that was renewed, or whose plan is not sold here, stays', async () => {
  const renewed = await makeExpired(40)
  await run()
  await renewed.wasWarned(8)
  await writePlanState(app.ctx, renewed.id, {
    account_type: 'team',
    stripe_subscription_id: 'sub_new',
    stripe_plan_end_date: null,
    stripe_plan_renewal_date: new Date(Date.now() + 86_400_000),
    stripe_plan_cancelled_at: null,
    plan_status: 'active',
    next_plan: null,
  })
  const enterprise = await makeExpired(400, 'enterprise')
  const internal = await makeExpired(400, 'internal')
  await run()
  for (const account of [renewed, enterprise, internal]) expect(await account.look()).toBe(200)
  const { rows } = await app.database.pool.query('select 1 from accounts where id = $1 and removal_notice_at is null', [
    renewed.id,
  ])
  expect(rows).toHaveLength(1)
  expect(await enterprise.actions()).toEqual([])
})
