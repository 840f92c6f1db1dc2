import { updateAccount } from '@trellis/contract/accounts/accounts.endpoints'
import { exportTable } from '@trellis/contract/explorer/rows.endpoints'
import { listOwnInvites, resendInvite } from '@trellis/contract/members/members.endpoints'
import {
  listNotifications,
  readNotifications,
  updateDigest,
} from '@trellis/contract/notifications/notifications.endpoints'
import { updateWorkspace } from '@trellis/contract/workspaces/workspaces.endpoints'
import { updateProfile } from '@trellis/contract/profile/profile.endpoints'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { invite, joinNewPerson, newPerson } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { handleNotifyLowCredits } from '../billing/low-credits.handler.ts'
import { notifyFailedRun } from '../dataflows/alerts.service.ts'
import { type TestFlows, testFlows } from '../dataflows/testing/flows.ts'
import { addRun } from '../dataflows/testing/made-up-runs.ts'
import { handleExport } from '../explorer/export.handler.ts'
import { handleMeasureUsage } from '../utilization/measure-usage.handler.ts'
import { handleSendDigests } from './send-digests.handler.ts'

const GIB = 1024 ** 3

let app: TestApp
let flows: TestFlows
let owner: TestClient

beforeAll(async () => {
  app = await startTestApp()
  flows = await testFlows(app)
  owner = flows.workspace.account.owner
  await flows.workspace.sql('create table data.things (id int)')
})
afterAll(async () => {
  await flows.workspace.remove()
  await app.close()
})
beforeEach(async () => {
  await app.database.pool.query('delete from notifications')
  await app.database.pool.query('delete from mail_outbox')
})

const read = async (client: TestClient) => (await client.call(listNotifications)).data

async function failRun(): Promise<void> {
  const flow = await flows.dataflow('Daily')
  const block = await flows.sql(flow, 'Orders')
  await flows.publish(block)
  for (const message of ['First.', 'Second.']) {
    await notifyFailedRun(app.ctx, (await addRun(app, block, { status: 'FAILED', message })).id)
  }
}

test('a failed run is under the bell of who looks after the dataflow, once until it is read', async () => {
  await failRun()
  const { items, unread } = await read(owner)
  expect(unread).toBe(1)
  expect(items).toMatchObject([
    { kind: 'run_failed', title: '"Daily" failed at "Orders"', detail: 'Second.', count: 2, is_read: false },
  ])
  expect(items[0]?.path).toMatch(/^\/[^/].*\/editor\/logs\/[a-z0-9]+$/)
  await owner.call(readNotifications, { body: { ids: [items[0]?.id ?? 0] } })
  expect(await read(owner)).toMatchObject({ unread: 0, items: [{ is_read: true }] })
})

test('nobody reads or marks what is of somebody else', async () => {
  await failRun()
  const { client } = await newPerson(app)
  expect((await read(client)).items).toEqual([])
  const [line] = (await read(owner)).items
  await client.call(readNotifications, { body: { ids: [line?.id ?? 0] } })
  await client.call(readNotifications, { body: {} })
  expect((await read(owner)).unread).toBe(1)
})

test('one who left the account sees nothing of it any more', async () => {
  const { client, id } = await joinNewPerson(app, flows.workspace.account)
  await failRun()
  await app.database.pool.query("update notifications set profile_id = $1 where kind = 'run_failed'", [id])
  expect((await read(client)).unread).toBe(1)
  await app.database.pool.query('delete from account_members where profile_id = $1', [id])
  expect((await read(client)).items).toEqual([])
})

test('an invite is shown to somebody who has a profile', async () => {
  const { client, email } = await newPerson(app)
  await invite(owner, flows.workspace.account, { email })
  expect((await read(client)).items).toMatchObject([
    { kind: 'invited', path: '/profile/invites', title: expect.stringContaining('invited you to') },
  ])
})

test('an export that has ended is shown to who started it', async () => {
  const params = { ...flows.workspace.params, schema_name: 'data', table_name: 'things' }
  const started = await owner.call(exportTable, { params, query: { full_export: 'true' }, body: { format: 'csv' } })
  const run = { signal: new AbortController().signal, isLastAttempt: true } as never
  await handleExport(app.ctx, { export_id: started.data.job_id }, run)
  expect((await read(owner)).items).toMatchObject([
    { kind: 'export_finished', title: 'The export of data.things is ready' },
  ])
})

test('admins hear once a month that the storage of the plan is nearly full', async () => {
  await app.database.pool.query(
    `insert into workspaces (account_id, trellis_code, name, workspace_address, storage_bytes)
     values ($1, 'big', 'Big', 'big', $2)`,
    [flows.workspace.account.id, 10_000 * GIB],
  )
  await handleMeasureUsage(app.ctx)
  await handleMeasureUsage(app.ctx)
  await app.database.pool.query("delete from workspaces where trellis_code = 'big'")
  expect((await read(owner)).items).toMatchObject([
    { kind: 'storage', count: 1, title: expect.not.stringContaining('{account}') },
  ])
})

test('admins hear once a month that credits are nearly used up, and once that they are', async () => {
  const { id } = flows.workspace.account
  const spend = async (left: number) => {
    await app.database.pool.query(
      `with granted as (
         insert into credit_grants (account_id, kind, amount, spent, reason, reference, valid_from)
         values ($1, 'purchased', 1000000000, 1000000000 - $2::int, 'checkout', 'test', $3::timestamptz - interval '1 minute')
         on conflict (account_id, reason, reference) do update set spent = excluded.spent returning id),
       others as (update credit_grants set spent = amount where account_id = $1 and reference <> 'test' and $2::int = 0)
       insert into credit_spends (account_id, grant_id, amount, reason, reference, at)
       select $1, id, 1, 'test', 'left ' || $2::text, $3 from granted`,
      [id, left, app.clock.now()],
    )
    await handleNotifyLowCredits(app.ctx)
    await handleNotifyLowCredits(app.ctx)
    const items = (await read(owner)).items.filter(({ kind }) => kind === 'credits')
    return items.map(({ title, count }) => `${count}: ${title}`).toSorted()
  }
  const nearly = expect.stringMatching(/^1: The AI credits of [^{]+ are nearly used up$/)
  expect(await spend(500_000_000)).toEqual([])
  expect(await spend(50_000_000)).toEqual([nearly])
  expect(await spend(0)).toEqual([nearly, expect.stringMatching(/^1: The AI credits of [^{]+ are used up$/)])
})

test('what is unread is mailed once to those who chose a digest', async () => {
  const mails = async () =>
    (await app.database.pool.query('select to_address, subject, text from mail_outbox order by id')).rows
  await failRun()
  await handleSendDigests(app.ctx)
  expect(await mails()).toEqual([])
  await owner.call(updateDigest, { body: { digest: 'daily' } })
  expect((await read(owner)).digest).toBe('daily')
  await handleSendDigests(app.ctx)
  await handleSendDigests(app.ctx)
  const sent = await mails()
  expect(sent).toMatchObject([{ subject: '1 unread notification' }])
  expect(sent[0].text).toContain('"Daily" failed at "Orders" (2 times). Second.')
})

test('mails and notifications after a rename have the new names of account and person', async () => {
  const { account } = flows.workspace
  const params = { account_trellis_code: account.code }
  const renameTo = async (name: string) =>
    expect((await owner.call(updateAccount, { params, body: { ...params, name } })).status).toBe(200)
  const { client, email } = await newPerson(app)
  await client.call(updateDigest, { body: { digest: 'daily' } })
  await renameTo('Old Shop')
  await invite(owner, account, { email })
  await renameTo('New Shop')
  await owner.call(updateProfile, { body: { firstName: 'Grace', surname: 'Hopper' } })
  const [open] = (await client.call(listOwnInvites)).data
  await owner.call(resendInvite, { params: { ...params, account_invite_id: open?.id ?? 0 } })
  await handleSendDigests(app.ctx)
  const { rows } = await app.database.pool.query<{ subject: string; text: string }>(
    'select subject, text from mail_outbox where to_address = $1 order by id',
    [email],
  )
  expect(rows).toHaveLength(3)
  const [, again, digest] = rows
  expect(again?.subject).toBe('Grace Hopper invites you to New Shop on Trellis')
  expect(digest?.text).toContain('Grace Hopper invited you to New Shop')
  expect(`${again?.text}${digest?.text}`).not.toContain('Old Shop')
  expect((await read(client)).items).toMatchObject([{ title: 'Grace Hopper invited you to New Shop' }])
})

test('a renamed workspace leaves no old name in bell and digest, and their links stay', async () => {
  const { params } = flows.workspace
  const renameTo = async (name: string) =>
    expect((await owner.call(updateWorkspace, { params, body: { name } })).status).toBe(200)
  await owner.call(updateDigest, { body: { digest: 'daily' } })
  await renameTo('Old Harbour')
  await failRun()
  const [before] = (await read(owner)).items
  await renameTo('New Harbour')
  await handleSendDigests(app.ctx)
  const [line] = (await read(owner)).items
  expect(line).toEqual(before)
  expect(line?.path).toContain(`/${params.workspace_address}/`)
  const { rows } = await app.database.pool.query<{ subject: string; text: string }>(
    'select subject, text from mail_outbox order by id',
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify([line, rows])).not.toContain('Old Harbour')
})

test('a weekly digest goes out on Mondays', async () => {
  await owner.call(updateDigest, { body: { digest: 'weekly' } })
  await failRun()
  const on = (day: string) => ({ ...app.ctx, clock: { now: () => new Date(`${day}T06:10:00Z`) } })
  const count = async () => (await app.database.pool.query('select id from mail_outbox')).rowCount
  await handleSendDigests(on('2026-11-17'))
  expect(await count()).toBe(0)
  await handleSendDigests(on('2026-11-23'))
  expect(await count()).toBe(1)
})
