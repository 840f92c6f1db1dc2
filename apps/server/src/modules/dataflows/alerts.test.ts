import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { renewAlertKey, testDataflowAlerts } from '@trellis/contract/dataflows/alerts.endpoints'
import { deleteBlock } from '@trellis/contract/dataflows/canvas.endpoints'
import { exportDataflow } from '@trellis/contract/dataflows/dataflow-yaml.endpoints'
import { deleteDataflow, getDataflow, updateDataflow } from '@trellis/contract/dataflows/dataflows.endpoints'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SystemCtx } from '../../platform/ctx.ts'
import { VIEW, joinNewPerson } from '../../testing/accounts.ts'
import { makePerson, signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { notifyOfChangedColumns, notifyOfDroppedSlot, notifyOfRun, notifyFailedRun } from './alerts.service.ts'
import { type WebhookPayload, handleSendWebhook, handleWatchRuns } from './alerts/alerts.handler.ts'
import { handleClearDataflows } from './clear-deleted.handler.ts'
import { type TestFlows, testFlows } from './testing/flows.ts'
import { addRun } from './testing/made-up-runs.ts'

let app: TestApp
let flows: TestFlows
const received: { body: string; signature: string }[] = []
let answer = 200

const listener = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    received.push({ body, signature: String(request.headers['x-trellis-signature']) })
    response.statusCode = answer
    response.end()
  })
})
let webhook: string

beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  webhook = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/told`
  app = await startTestApp({ settings: { TRELLIS_ALLOW_PRIVATE_HOSTS: 'on' } })
  flows = await testFlows(app)
})
afterAll(async () => {
  await flows.workspace.remove()
  await app.close()
  listener.close()
})
beforeEach(async () => {
  received.length = 0
  answer = 200
  await app.database.pool.query('delete from mail_outbox')
  await app.database.pool.query("delete from jobs.job where name like 'dataflows.%'")
})

/** Moves this ctx's clock only, so sessions stay valid. */
const later = (ms: number): SystemCtx => ({
  ...app.ctx,
  clock: { now: () => new Date(app.clock.now().getTime() + ms) },
})

const everything = { on_failure: true, on_recovery: true, on_later_than_usual: true }

async function watched(alerts: object = {}): Promise<{ flow: string; block: string }> {
  const flow = await flows.dataflow('Daily')
  const block = await flows.sql(flow, 'Orders')
  await flows.publish(block)
  const body = { alerts: { emails: ['team@example.com'], webhook_url: null, ...everything, ...alerts } }
  const changedResponse = await flows.call(updateDataflow, { params: { relative_trellis_code: flow }, body })
  expect(changedResponse.status, changedResponse.text).toBe(200)
  return { flow, block }
}

const mails = async () =>
  await app.database.db.selectFrom('mail_outbox').select(['to_address', 'subject', 'text']).orderBy('id').execute()
const subjects = async () => (await mails()).map(({ subject }) => subject)
const jobs = async () =>
  (await app.database.pool.query("select data from jobs.job where name = 'dataflows.send-webhook'")).rows as {
    data: object
  }[]

const countNotifications = async () => {
  const { rows } = await app.database.pool.query('select coalesce(sum(count), 0)::int as count from notifications')
  return (rows[0] as { count: number }).count
}

test('a failure is told once, with what went wrong and where to look', async () => {
  const { flow, block } = await watched()
  const run = await addRun(app, block, { status: 'FAILED', message: 'The column "total" is gone.' })
  await notifyOfRun(app.ctx, run.id)
  await notifyOfRun(app.ctx, run.id)
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ to_address: 'team@example.com', subject: '"Daily" failed at "Orders"' })
  expect(mail?.text).toContain('The column "total" is gone.')
  expect(mail?.text).toContain(`/dataflow/${flow}/editor/logs/${run.flowRunCode}`)
})

test('several blocks that fail in one run of the flow are one mail and one line under the bell; a retry is told of again', async () => {
  const { flow, block } = await watched()
  const others = [await flows.sql(flow, 'Clean'), await flows.sql(flow, 'Sum')]
  for (const other of others) await flows.publish(other)
  const first = await addRun(app, block, { status: 'FAILED', message: 'No.', minutesAgo: 2 })
  const { flowRunId } = first
  const failedAddedRuns = [first]
  for (const other of others)
    failedAddedRuns.push(await addRun(app, other, { status: 'FAILED', message: 'No.', flowRunId }))
  const before = await countNotifications()
  await Promise.all(failedAddedRuns.map(({ id }) => notifyOfRun(app.ctx, id)))
  for (const { id } of failedAddedRuns) await notifyFailedRun(app.ctx, id)
  expect(await subjects()).toHaveLength(1)
  expect(await countNotifications()).toBe(before + 1)
  // The order of alerts is undefined; repeated failures of one block would be throttled.
  const place = (await subjects())[0]?.includes('Clean') ? 1 : 0
  const retry = await addRun(app, others[place] as string, { status: 'FAILED', message: 'Still not.', flowRunId })
  await app.database.pool.query('update task_runs set retry_of = $1 where id = $2', [
    failedAddedRuns[place + 1]?.id,
    retry.id,
  ])
  await notifyOfRun(app.ctx, retry.id)
  expect(await subjects()).toHaveLength(2)
})

test('failures in a row are told once an hour, the first success after them at once', async () => {
  const { block } = await watched()
  const end = async (status: 'FAILED' | 'SUCCESS', ctx = app.ctx) => {
    await notifyOfRun(ctx, (await addRun(app, block, { status, message: 'No.' })).id)
    return await subjects()
  }
  expect(await end('SUCCESS')).toEqual([])
  expect(await end('FAILED')).toEqual(['"Daily" failed at "Orders"'])
  expect(await end('FAILED')).toHaveLength(1)
  expect(await end('FAILED', later(3_700_000))).toHaveLength(2)
  expect(await end('SUCCESS')).toEqual([
    '"Daily" failed at "Orders"',
    '"Daily" failed at "Orders"',
    '"Orders" in "Daily" works again',
  ])
  expect(await end('SUCCESS')).toHaveLength(3)
  expect(await end('FAILED'), 'a new failure is told again').toHaveLength(4)
})

test('a decision is asked for at once, whatever failed before; it is asked again once an hour, and what follows it is no failure', async () => {
  const { block } = await watched({ webhook_url: webhook })
  const end = async (status: 'FAILED' | 'SUCCESS', more: { decision?: object | null; retryOf?: number } = {}) => {
    const run = await addRun(app, block, { status, ...(status === 'FAILED' && { message: 'A new column.' }) })
    const { decision, retryOf = null } = more
    if (decision !== undefined) await writeQuestion(run.id, decision)
    await app.database.pool.query('update task_runs set retry_of = $1 where id = $2', [retryOf, run.id])
    await notifyOfRun(app.ctx, run.id)
    return run.id
  }
  const writeQuestion = async (id: number, decision: object | null) => {
    const question = { changes: [], can_keep: true, decision }
    await app.database.pool.query(`update task_runs set problem = problem || $1 where id = $2`, [{ question }, id])
  }
  await end('FAILED')
  const asked = await end('FAILED', { decision: null })
  const again = await end('FAILED', { decision: null })
  expect(await subjects()).toEqual(['"Daily" failed at "Orders"', '"Daily" needs a decision at "Orders"'])
  const decision = { choice: 'accept', who: 'Ada', at: new Date().toISOString() }
  for (const id of [asked, again]) await writeQuestion(id, decision)
  await notifyOfRun(app.ctx, again)
  await end('FAILED')
  expect(await subjects(), 'a failure behind a question is no repetition of it').toHaveLength(2)
  const retry = await end('FAILED', { decision: null, retryOf: asked })
  expect((await subjects()).slice(2), 'a second question is another one').toEqual([
    '"Daily" needs a decision at "Orders"',
  ])
  await writeQuestion(retry, decision)
  await end('SUCCESS', { retryOf: retry })
  const [last] = (await mails()).slice(-1)
  expect(last?.subject).toBe('"Orders" in "Daily" works again')
  expect(last?.text).toContain('after its changed columns were decided on.')

  for (const { data } of await jobs()) await handleSendWebhook(app.ctx, data as WebhookPayload)
  const sent = received.map(({ body }) => JSON.parse(body) as { task_run: { problem: object | null } })
  const waits = sent.map(({ task_run: { problem } }) => problem).filter((problem) => problem !== null)
  expect(waits, 'what was decided meanwhile waits for nobody').toMatchObject([
    { needs_decision: false },
    { needs_decision: false },
    { needs_decision: false },
  ])
})

test('nobody is told what they did not ask for, nor of what was cancelled', async () => {
  const { block } = await watched({ on_failure: false, on_recovery: false })
  await notifyOfRun(app.ctx, (await addRun(app, block, { status: 'FAILED', message: 'No.' })).id)
  await notifyOfRun(app.ctx, (await addRun(app, block, { status: 'SUCCESS' })).id)
  const other = await watched()
  const cancelled = await addRun(app, other.block, { status: 'FAILED', message: 'Stopped.' })
  await app.database.pool.query(
    `update task_runs set problem = problem || '{"kind":"cancelled"}' where id = ${cancelled.id}`,
  )
  await notifyOfRun(app.ctx, cancelled.id)
  expect(await mails()).toEqual([])
})

test('a run that lasts longer than nearly all before it is told of while it runs', async () => {
  const { block } = await watched()
  for (let at = 0; at < 12; at++) await addRun(app, block, { status: 'SUCCESS', minutesAgo: 60, tookMs: 120_000 })
  await addRun(app, block, { status: 'RUNNING', minutesAgo: 1 })
  await handleWatchRuns(app.ctx)
  expect(await mails(), 'not late yet').toEqual([])
  await handleWatchRuns(later(600_000))
  await handleWatchRuns(later(600_000))
  expect(await subjects()).toEqual(['"Orders" in "Daily" is later than usual'])
  expect((await mails())[0]?.text).toMatch(/has been running for 11 minutes/)
})

test('a run whose worker was killed before it told anybody is told of a little later', async () => {
  const { block } = await watched()
  await addRun(app, block, { status: 'FAILED', message: 'An old one.', minutesAgo: 60 })
  await handleWatchRuns(app.ctx)
  expect(await subjects(), 'what is long over stays untold').toEqual([])
  await addRun(app, block, { status: 'FAILED', message: 'A new one.' })
  await handleWatchRuns(app.ctx)
  await handleWatchRuns(app.ctx)
  expect(await subjects()).toEqual(['"Daily" failed at "Orders"'])
})

test('changed columns that a run followed are told once each, and its failure behind them too', async () => {
  const { block } = await watched({ webhook_url: webhook })
  const run = await addRun(app, block, { status: 'RUNNING' })
  const before = await countNotifications()
  const added = (name: string) => [`The source has a new column ${name} (text).`]
  await notifyOfChangedColumns(app.ctx, run.id, added('note'))
  await notifyOfChangedColumns(app.ctx, run.id, added('note'))
  expect(await subjects()).toEqual(['"Orders" in "Daily" followed changed columns'])
  await notifyOfChangedColumns(app.ctx, run.id, added('city'))
  expect((await mails()).map(({ text }) => /column (\w+)/.exec(text)?.[1])).toEqual(['note', 'city'])
  expect(await countNotifications()).toBe(before + 3)
  for (const { data } of await jobs()) await handleSendWebhook(app.ctx, data as WebhookPayload)
  const told = received.map(({ body }) => JSON.parse(body) as { message: string })
  expect(told).toHaveLength(2)
  expect(told.find(({ message }) => message === added('note')[0])).toMatchObject({
    type: 'columns_changed',
    task_run: { trellis_code: run.code, status: 'RUNNING', problem: null },
  })
  const text = `update task_runs set status = 'FAILED', finished_at = now(), problem = '{"kind":"data","message":"No.","advice":null}' where id = $1`
  await app.database.pool.query(text, [run.id])
  await handleWatchRuns(app.ctx)
  expect((await subjects()).at(-1)).toBe('"Daily" failed at "Orders"')
})

test('a dropped replication slot is told of, unless nobody wants to know of failures', async () => {
  const { flow, block } = await watched()
  await notifyOfDroppedSlot(app.ctx, block, 'Dropped the replication slot.')
  expect(await subjects(), 'of a block that never ran nothing was lost').toEqual([])
  await addRun(app, block, { status: 'SUCCESS' })
  await notifyOfDroppedSlot(app.ctx, block, 'Dropped the replication slot: the source kept too much for it.')
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ subject: '"Orders" in "Daily" lost its replication slot' })
  expect(mail?.text).toContain('the source kept too much for it.')
  expect(mail?.text).toContain(`/dataflow/${flow}/editor`)
  const other = await watched({ on_failure: false })
  await addRun(app, other.block, { status: 'SUCCESS' })
  const before = await countNotifications()
  await notifyOfDroppedSlot(app.ctx, other.block, 'Dropped the replication slot.')
  expect(await subjects()).toHaveLength(1)
  expect(await countNotifications()).toBe(before + 1)
})

test('a webhook gets a signed message by a job, and is tried again when it is not taken', async () => {
  const { flow, block } = await watched({ emails: [], webhook_url: webhook })
  const run = await addRun(app, block, { status: 'FAILED', message: 'No.' })
  await notifyOfRun(app.ctx, run.id)
  expect(await jobs()).toHaveLength(1)
  answer = 503
  const payload = { run_id: run.id, kind: 'failure' } as const
  await expect(handleSendWebhook(app.ctx, payload)).rejects.toThrow('It answered 503.')
  const sent = () =>
    app.database.db.selectFrom('sent_alerts').select('problem').where('run_id', '=', run.id).executeTakeFirst()
  expect(await sent()).toEqual({ problem: 'It answered 503.' })
  answer = 200
  await handleSendWebhook(app.ctx, payload)
  expect(await sent()).toEqual({ problem: null })
  const { body, signature } = received.at(-1) ?? { body: '', signature: '' }
  expect(JSON.parse(body)).toMatchObject({
    type: 'failure',
    dataflow: { trellis_code: flow, name: 'Daily' },
    task_block: { trellis_code: block, name: 'Orders', kind: 'Transformation' },
    task_run: { trellis_code: run.code, status: 'FAILED', problem: { message: 'No.' } },
  })
  const test = await flows.call(testDataflowAlerts, { params: { trellis_code: flow } })
  const [, at, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  const expected = createHmac('sha256', test.data.signature_key ?? '')
    .update(`${at}.${body}`)
    .digest('hex')
  expect(given).toBe(expected)
})

test('a test goes to everyone and says how it went; no more than a few in a while', async () => {
  answer = 404
  const { flow } = await watched({ emails: ['a@example.com', 'b@example.com'], webhook_url: webhook })
  const params = { trellis_code: flow }
  const first = await flows.call(testDataflowAlerts, { params })
  expect(first.data.results).toEqual([
    { to: 'a@example.com', did_succeed: true, message: 'The mail is on its way.' },
    { to: 'b@example.com', did_succeed: true, message: 'The mail is on its way.' },
    { to: webhook, did_succeed: false, message: 'It answered 404.' },
  ])
  expect(await subjects()).toEqual(['A test for "Daily"', 'A test for "Daily"'])
  const codes: (string | undefined)[] = []
  for (let at = 0; at < 10; at++) codes.push((await flows.call(testDataflowAlerts, { params })).errors[0]?.code)
  expect(codes).toContain('too_many_requests')
})

test('what messages are signed with is in the answer to a test alone, and only for those who may change the dataflow', async () => {
  const { flow, block } = await watched({ webhook_url: webhook })
  const params = { trellis_code: flow }
  const { data } = await flows.call(testDataflowAlerts, { params })
  const key = data.signature_key ?? ''
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  const run = await addRun(app, block, { status: 'FAILED', message: 'No.' })
  await notifyOfRun(app.ctx, run.id)
  await handleSendWebhook(app.ctx, { run_id: run.id, kind: 'failure' })
  const shown = [await flows.call(getDataflow, { params }), await flows.call(exportDataflow, { params })]
  expect(shown.map(({ status }) => status)).toEqual([200, 200])
  const { rows } = await app.database.pool.query<{ line: string }>(
    `select t::text as line from audit_lines t union all select t::text from mail_outbox t
      union all select t::text from sent_alerts t union all select t::text from dataflows t
      union all select t::text from idempotency_keys t`,
  )
  const everything = [
    ...shown.map(({ text }) => text),
    ...rows.map(({ line }) => line),
    ...received.map(({ body }) => body),
  ]
  expect(everything.join('\n')).not.toContain(key)
  const viewer = await joinNewPerson(app, flows.workspace.account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code: flows.workspace.integrationCode.replace(/-db$/, ''), workspace_role_id: 1 }],
  })
  const theirs = { params: { ...flows.workspace.tenant, ...params } }
  expect((await viewer.client.call(testDataflowAlerts, theirs)).status).toBe(403)
  expect((await viewer.client.call(renewAlertKey, theirs)).status).toBe(403)
})

test('a new key signs at once, is shown once, and the one before is of no use any more', async () => {
  answer = 200
  const { flow, block } = await watched({ webhook_url: webhook })
  const params = { trellis_code: flow }
  const old = (await flows.call(testDataflowAlerts, { params })).data.signature_key ?? ''
  const createdResponse = await flows.call(renewAlertKey, { params })
  expect(createdResponse.status, createdResponse.text).toBe(200)
  const key = createdResponse.data.signature_key
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  expect(key).not.toBe(old)
  const run = await addRun(app, block, { status: 'FAILED', message: 'No.' })
  await handleSendWebhook(app.ctx, { run_id: run.id, kind: 'failure' })
  const again = await flows.call(testDataflowAlerts, { params })
  expect(again.data.results).toContainEqual({ to: webhook, did_succeed: true, message: 'It was taken.' })
  expect(again.text).not.toContain('signature_key')
  for (const { body, signature } of received.slice(-2)) {
    const [, at, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
    const signed = (by: string) => createHmac('sha256', by).update(`${at}.${body}`).digest('hex')
    expect(given).toBe(signed(key))
    expect(given).not.toBe(signed(old))
  }
  const next = (await flows.call(renewAlertKey, { params })).data.signature_key
  expect(next).not.toBe(key)
  const { rows } = await app.database.pool.query<{ line: string }>(
    `select t::text as line from audit_lines t union all select t::text from dataflows t
      union all select t::text from idempotency_keys t`,
  )
  const everything = rows.map(({ line }) => line).join('\n')
  expect(everything).toContain('made a new key for the webhook')
  expect(everything).not.toContain(next)
})

test('an account sends no more mails in an hour than somebody could mean, whatever it makes', async () => {
  // The next hour too, in case it begins meanwhile.
  await app.database.pool.query(
    `insert into rate_limits (key, window_start, count)
     select 'alert-mails|' || $1, to_timestamp((floor(extract(epoch from now()) / 3600) + n) * 3600), 197 from generate_series(0, 1) n
     on conflict (key, window_start) do update set count = excluded.count`,
    [flows.workspace.account.id],
  )
  const { flow, block } = await watched({ emails: ['a@example.com', 'b@example.com'] })
  const run = await addRun(app, block, { status: 'FAILED', message: 'Buy now!' })
  await notifyOfRun(app.ctx, run.id)
  const { data } = await flows.call(testDataflowAlerts, { params: { trellis_code: flow } })
  expect(data.results.map(({ did_succeed }) => did_succeed)).toEqual([true, false])
  expect(await mails()).toHaveLength(3)
  const next = await watched({ emails: ['c@example.com'] })
  const untold = await addRun(app, next.block, { status: 'FAILED', message: 'Buy now!' })
  await notifyOfRun(app.ctx, untold.id)
  expect(await mails()).toHaveLength(3)
  const { rows } = await app.database.pool.query('select problem from sent_alerts where run_id = $1', [untold.id])
  expect(rows).toEqual([{ problem: expect.stringContaining('Too many mails') }])
})

test('who may only look does not see the address of a webhook, which is as good as a password', async () => {
  const { flow } = await watched({ webhook_url: 'https://hooks.example.com/secret' })
  const { account, id, tenant } = flows.workspace
  const viewer = await makePerson(app, 'viewer@example.com')
  const member = { account_id: account.id, profile_id: viewer.id }
  const { db } = app.database
  await db
    .insertInto('account_members')
    .values({ ...member, role: 'account_view' })
    .execute()
  await db
    .insertInto('workspace_members')
    .values({ ...member, workspace_id: id, role: 'workspace_viewer' })
    .execute()
  const looking = await signInAs(app, 'viewer@example.com')
  const params = { ...tenant, trellis_code: flow }
  for (const { status, text } of [
    await looking.call(getDataflow, { params }),
    await looking.call(exportDataflow, { params }),
  ]) {
    expect(status).toBe(200)
    expect(text).not.toContain('secret')
  }
  expect((await flows.call(getDataflow, { params })).data.alerts.webhook_url).toContain('secret')
})

test('what was deleted is kept for thirty days and then goes for good, with its runs', async () => {
  const { flow, block } = await watched()
  const run = await addRun(app, block, { status: 'SUCCESS' })
  const kept = await watched()
  await flows.call(deleteBlock, { params: { task_block_trellis_code: kept.block } })
  await flows.call(deleteDataflow, { params: { trellis_code: flow } })
  const there = async () => {
    const { db } = app.database
    const blocks = await db
      .selectFrom('task_blocks')
      .select('id')
      .where('trellis_code', 'in', [block, kept.block])
      .execute()
    const runs = await db.selectFrom('task_runs').select('id').where('id', '=', run.id).execute()
    return [blocks.length, runs.length]
  }
  await handleClearDataflows(later(29 * 86_400_000))
  expect(await there()).toEqual([2, 1])
  await handleClearDataflows(later(31 * 86_400_000))
  expect(await there()).toEqual([0, 0])
})
