import { listAudit } from '@trellis/contract/audit/audit.endpoints'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import { exportDataflow } from '@trellis/contract/dataflows/dataflow-yaml.endpoints'
import { getFlowRun, listFlowRuns } from '@trellis/contract/runs/flow-runs.endpoints'
import * as calls from '@trellis/contract/runs/inbound-webhooks.endpoints'
import { listTaskRuns } from '@trellis/contract/runs/runs.endpoints'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestAccount, VIEW, joinNewPerson, makeAccount, makeWorkspaceRow } from '../../../testing/accounts.ts'
import { type TestFlow, makeBlock, makeFlow, triggerOn } from '../../../testing/dataflows.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { startRunWorker } from '../run-worker.service.ts'

let app: TestApp
let account: TestAccount
let workspaceCode: string
let place: { accountId: number; workspaceId: number }
let tenant: { account_trellis_code: string; workspace_address: string }

beforeAll(async () => {
  app = await startTestApp()
  account = await makeAccount(app)
  const workspace = await makeWorkspaceRow(app, account, 'shop')
  await app.database.pool.query("update workspaces set state = 'online' where id = $1", [workspace.id])
  tenant = { account_trellis_code: account.code, workspace_address: 'shop' }
  workspaceCode = workspace.code
  place = { accountId: account.id, workspaceId: workspace.id }
})
afterAll(async () => await app.close())

const params = (flow: TestFlow) => ({ ...tenant, trellis_code: flow.code })

async function makeAddress(flow: TestFlow): Promise<string> {
  const createdResponse = await account.owner.call(calls.createInboundWebhook, { params: params(flow) })
  if (createdResponse.status !== 200) throw new Error(createdResponse.text)
  return new URL(createdResponse.data.url).pathname
}

async function makePublished(): Promise<{ flow: TestFlow; path: string }> {
  const flow = await makeFlow(app, place)
  await makeBlock(app, flow)
  return { flow, path: await makeAddress(flow) }
}

interface Started {
  flow_run_trellis_code: string
  url: string
}
async function send(path: string, init: RequestInit = {}) {
  const answer = await app.client().raw(path, { method: 'POST', ...init })
  return { ...answer, data: answer.data as Started }
}
const withKey = (key: string): RequestInit => ({ headers: { 'idempotency-key': key } })

async function listCodes(flow: TestFlow): Promise<string[]> {
  const { data } = await account.owner.call(listFlowRuns, { params: params(flow), query: { limit: 100 } })
  return data.flow_runs.map(({ flow_run_trellis_code }) => flow_run_trellis_code)
}

test('a call runs the whole flow, as nobody in particular', async () => {
  const flow = await makeFlow(app, place)
  const first = await makeBlock(app, flow)
  await makeBlock(app, flow, { trigger: triggerOn('Or', { after: [first] }) })
  const path = await makeAddress(flow)
  const limits = { total: 4, perWorkspace: 4, perCredential: 2, sessionsPerWorkspace: 50 }
  const worker = startRunWorker({
    ctx: app.ctx,
    url: app.database.url,
    limits,
    work: { Transformation: async () => undefined },
    graceMs: 200,
  })
  const answer = await send(path)
  expect(answer.status).toBe(202)
  const { flow_run_trellis_code: code, url } = answer.data
  expect(url).toBe(`${app.config.publicUrl}/${account.code}/shop/dataflow/${flow.code}/editor/logs/${code}`)
  const look = async () =>
    (await account.owner.call(getFlowRun, { params: { ...tenant, flow_run_trellis_code: code } })).data
  let run = await look()
  while (run.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 20))
    run = await look()
  }
  await worker.stop({ graceMs: 0 })
  expect(run).toMatchObject({
    state: 'succeeded',
    cause: 'inbound_webhook',
    who: null,
    because: 'Started by a call to its webhook URL.',
    progress: { done: 2, total: 2 },
    runs: [{ started_by: 'inbound_webhook', who: null }, { started_by: 'activity' }],
  })
  const query = { started_by: 'inbound_webhook' as const }
  expect((await account.owner.call(listTaskRuns, { params: params(flow), query })).data.runs).toHaveLength(1)
  const { data } = await account.owner.call(calls.getInboundWebhook, { params: params(flow) })
  expect(data.webhook?.last_call?.flow_run_trellis_code).toBe(code)
})

test('the secret is shown once, is stored as a hash, and ends when it is rotated or removed', async () => {
  const { flow, path } = await makePublished()
  const secret = path.split('/').at(-1) ?? ''
  expect(secret).toMatch(/^trl_hook_[\w-]{43}$/)
  const seenResponse = await account.owner.call(calls.getInboundWebhook, { params: params(flow) })
  expect(seenResponse.text).not.toContain(secret)
  const { rows } = await app.database.pool.query('select * from inbound_webhooks where dataflow_id = $1', [flow.id])
  expect(JSON.stringify(rows)).not.toContain(secret)
  expect((await account.owner.call(calls.createInboundWebhook, { params: params(flow) })).status).toBe(409)

  const rotated = await account.owner.call(calls.rotateInboundWebhook, { params: params(flow) })
  const next = new URL(rotated.data.url).pathname
  expect(next).not.toBe(path)
  expect(rotated.data.rotated_at).not.toBeNull()
  expect((await send(path)).status).toBe(404)
  expect((await send(next)).status).toBe(202)

  expect((await account.owner.call(calls.deleteInboundWebhook, { params: params(flow) })).status).toBe(200)
  expect((await send(next)).status).toBe(404)
  expect((await account.owner.call(calls.deleteInboundWebhook, { params: params(flow) })).status).toBe(404)
  expect((await account.owner.call(calls.rotateInboundWebhook, { params: params(flow) })).status).toBe(404)
  await makeAddress(flow)
  const freshResponse = await account.owner.call(calls.getInboundWebhook, { params: params(flow) })
  expect(freshResponse.data.webhook?.last_call).toBeNull()

  const audit = await account.owner.call(listAudit, { params: { account_trellis_code: account.code } })
  for (const what of ['made a webhook URL for', 'replaced the secret in', 'removed the webhook URL of']) {
    expect(audit.text).toContain(what)
  }
  expect(audit.text).not.toContain('trl_hook_')
})

test('whoever does not know the secret gets the same answer whether there is an address or not', async () => {
  const { flow, path } = await makePublished()
  const [, hooks, code] = path.split('/')
  const nowhere = await send(`/${hooks}/zzzzzzzzzzzz/x`)
  const same = (text: string) => text.replaceAll(/"id":"[0-9a-f-]{36}"/g, '')
  const bodies = [undefined, '{', 'x'.repeat(100_000)]
  for (const secret of ['x', `${path.split('/').at(-1)}x`, '%00', 'trl_hook_']) {
    for (const body of bodies) {
      const answer = await send(`/${hooks}/${code}/${secret}`, body === undefined ? {} : { body })
      expect(answer.status).toBe(404)
      expect(same(answer.text)).toBe(same(nowhere.text))
    }
  }
  for (const other of ['%00', '%C3%84', '%EF%BF%BF', code?.toUpperCase()]) {
    const answer = await send(`/${hooks}/${other}/x`)
    expect([answer.status, same(answer.text)], other).toEqual([404, same(nowhere.text)])
  }
  expect(await listCodes(flow)).toEqual([])
})

test('other methods are refused alike, whether there is an address or not', async () => {
  const { flow, path } = await makePublished()
  const same = (text: string) => text.replaceAll(/"id":"[0-9a-f-]{36}"/g, '')
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const there = await send(path, { method })
    const nowhere = await send('/hooks/zzzzzzzzzzzz/x', { method })
    expect([there.status, there.headers.get('allow')], method).toEqual([405, 'POST'])
    expect(same(there.text), method).toBe(same(nowhere.text))
    expect([nowhere.status, nowhere.headers.get('allow')], method).toEqual([405, 'POST'])
  }
  expect((await send(path, { method: 'PUT', body: 'x'.repeat(100_000) })).status).toBe(405)
  expect(await listCodes(flow)).toEqual([])
})

test('the body is not read as anything; one that is too large is refused', async () => {
  const { flow, path } = await makePublished()
  const json = { 'content-type': 'application/json' }
  expect((await send(path, { body: '{ no JSON', headers: json })).status).toBe(202)
  expect(
    (await send(path, { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } })).status,
  ).toBe(202)
  expect((await send(path, { body: 'x', headers: { 'content-type': ';' } })).status).toBe(202)
  expect((await send(path, { headers: { origin: 'https://elsewhere.example' } })).status).toBe(202)
  expect(await send(path, { body: 'x'.repeat(65 * 1024) })).toMatchObject({ status: 413 })
  expect(await listCodes(flow)).toHaveLength(4)
})

test('repeats with one Idempotency-Key start one run, however many come at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.constantFrom('a', 'b', 'c')), { minLength: 1, maxLength: 20 }),
      async (keys) => {
        const { flow, path } = await makePublished()
        const answers = await Promise.all(keys.map(async (key) => await send(path, key === null ? {} : withKey(key))))
        expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 202))
        const codes = answers.map(({ data }) => data.flow_run_trellis_code)
        const ofKeys = Map.groupBy(keys.keys(), (at) => keys[at] ?? `none ${at}`)
        for (const [, ats] of ofKeys) {
          expect(new Set(ats.map((at) => codes[at])).size).toBe(1)
          const replays = ats.filter((at) => answers[at]?.headers.get('idempotency-replayed') === 'true')
          expect(replays).toHaveLength(ats.length - 1)
        }
        expect((await listCodes(flow)).toSorted()).toEqual([...new Set(codes)].toSorted())
        expect(new Set(codes).size).toBe(ofKeys.size)
      },
    ),
    { numRuns: 8 },
  )
})

test('a key counts for its own address only, and with any body', async () => {
  const [one, other] = [await makePublished(), await makePublished()]
  const first = await send(one.path, { ...withKey('k'), body: '1' })
  const again = await send(one.path, { ...withKey('k'), body: '2' })
  const elsewhere = await send(other.path, withKey('k'))
  expect(again.data).toEqual(first.data)
  expect(elsewhere.data.flow_run_trellis_code).not.toBe(first.data.flow_run_trellis_code)
  expect(await send(one.path, withKey('two words'))).toMatchObject({
    status: 400,
    errors: [{ code: 'idempotency_key_invalid' }],
  })
})

test('what can not run says what to do, and a refused key may be sent again', async () => {
  const flow = await makeFlow(app, place)
  const path = await makeAddress(flow)
  const empty = await send(path, withKey('k'))
  expect(empty).toMatchObject({
    status: 409,
    errors: [{ code: 'block_incomplete', detail: 'Nothing in this dataflow was published. Publish a block first.' }],
  })
  await makeBlock(app, flow)
  expect((await send(path, withKey('k'))).status).toBe(202)

  const set = async (text: string) => await app.database.pool.query(text)
  await set(`update dataflows set is_paused = true where id = ${flow.id}`)
  expect(await send(path)).toMatchObject({ status: 409, errors: [{ code: 'conflict' }] })
  await set(`update dataflows set is_paused = false, deleted_at = now() where id = ${flow.id}`)
  expect((await send(path)).status).toBe(404)
  await set(`update dataflows set deleted_at = null where id = ${flow.id}`)
  expect((await send(path)).status).toBe(202)

  await set(`update accounts set stripe_plan_end_date = now() - interval '1 day' where id = ${account.id}`)
  expect(await send(path)).toMatchObject({ status: 402, errors: [{ code: 'plan_expired' }] })
  await set(`update accounts set stripe_plan_end_date = null where id = ${account.id}`)
  await set(`update workspaces set state = 'provisioning' where id = ${place.workspaceId}`)
  expect((await send(path)).status).toBe(404)
  await set(`update workspaces set deleted_at = now() where id = ${place.workspaceId}`)
  expect((await send(path)).status).toBe(404)
  await set(`update workspaces set deleted_at = null, state = 'online' where id = ${place.workspaceId}`)
  await set(`update accounts set deleted_at = now() where id = ${account.id}`)
  expect((await send(path)).status).toBe(404)
  await set(`update accounts set deleted_at = null where id = ${account.id}`)
  expect(await listCodes(flow)).toHaveLength(2)
})

test('an address takes so many calls a minute, and others are not held up by it', async () => {
  const [busy, other] = [await makePublished(), await makePublished()]
  const answers = await Promise.all(Array.from({ length: 130 }, async () => await send(busy.path, withKey('same'))))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await listCodes(busy.flow)).toHaveLength(1)
  expect((await send(other.path)).status).toBe(202)
})

test('whoever tries addresses is refused after so many misses, and a right call is not held up by them', async () => {
  const { path } = await makePublished()
  const misses = "from rate_limits where key like 'webhook|miss|%'"
  await app.database.pool.query(`delete ${misses}`)
  const paths = Array.from({ length: 260 }, (_, at) => (at % 2 === 0 ? `${path}x` : `/hooks/nowhere${at}/x`))
  const answers = await Promise.all(paths.map(async (address) => await send(address)))
  const refused = answers.filter(({ status }) => status === 429)
  // The calls may span two windows.
  const { rows } = await app.database.pool.query(`select sum(least(count, 120))::int as let_through ${misses}`)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(rows[0].let_through)
  expect(refused).toHaveLength(paths.length - rows[0].let_through)
  expect(refused.length).toBeGreaterThan(0)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await send(path)).status).toBe(202)
  await app.database.pool.query(`delete ${misses}`)
})

test('a viewer sees that there is an address, and changes nothing', async () => {
  const { flow } = await makePublished()
  const workspaces = [{ workspace_trellis_code: workspaceCode, workspace_role_id: 1 }]
  const viewer = await joinNewPerson(app, account, { role: VIEW, workspaces })
  const seenResponse = await viewer.client.call(calls.getInboundWebhook, { params: params(flow) })
  expect(seenResponse.data.webhook).toMatchObject({ last_call: null })
  expect(seenResponse.text).not.toContain('trl_hook_')
  const writes: readonly Endpoint[] = [
    calls.createInboundWebhook,
    calls.rotateInboundWebhook,
    calls.deleteInboundWebhook,
  ]
  for (const endpoint of writes) {
    expect((await viewer.client.call(endpoint, { params: params(flow) })).status).toBe(403)
  }
})

test('a file of the dataflow holds no address', async () => {
  const { flow, path } = await makePublished()
  const file = await account.owner.call(exportDataflow, { params: params(flow) })
  expect(file.status).toBe(200)
  for (const part of path.split('/').filter(Boolean)) expect(file.text).not.toContain(part)
})
