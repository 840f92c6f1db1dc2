import { type Endpoint, toEndpointUrl } from '@trellis/contract/core/endpoint'
import { createSchema, deleteSchema, getTableUsage } from '@trellis/contract/explorer/explorer.endpoints'
import { removeMember } from '@trellis/contract/members/members.endpoints'
import * as calls from '@trellis/contract/runs/runs.endpoints'
import { createAccessToken, revokeAccessToken } from '@trellis/contract/tokens/tokens.endpoints'
import { afterEach, expect, test } from 'vitest'
import { joinNewPerson } from '../../testing/accounts.ts'
import { startFlowsApp } from '../../testing/flows-app.ts'
import { ordersFrom, writeTo } from '../dataflows/testing/flows.ts'
import { type RunWorker, startRunWorker } from './run-worker.service.ts'
import type { Work } from './runner/run-work.ts'

const { app, flows } = await startFlowsApp({ stillHereMs: 40 })
const flow = await flows.dataflow('Daily')
let worker: RunWorker | undefined

afterEach(async () => {
  await worker?.stop({ graceMs: 0 })
  worker = undefined
})

const work = (does?: Work<never>) =>
  (worker = startRunWorker({
    ctx: app.ctx,
    url: app.database.url,
    limits: { total: 4, perWorkspace: 4, perCredential: 2, sessionsPerWorkspace: 50 },
    graceMs: 200,
    ...(does && { work: { Transformation: does } }),
  }))

async function execute(block: string): Promise<string> {
  const { data, text, status } = await flows.call(calls.executeBlock, {
    params: { task_block_trellis_code: block },
    body: {},
  })
  if (status !== 200) throw new Error(text)
  return data.task_run_trellis_code
}

interface RunRow {
  status: string
  problem: { kind: string; message: string } | null
  counters: Record<string, number>
}
async function ended(code: string): Promise<RunRow> {
  for (;;) {
    const { rows } = await app.database.pool.query<RunRow>(
      'select status, problem, counters from task_runs where trellis_code = $1',
      [code],
    )
    const [row] = rows
    if (row && ['SUCCESS', 'FAILED', 'EXCEPTION'].includes(row.status)) return row
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}

async function published(block: Promise<string>): Promise<string> {
  const code = await block
  const answer = await flows.publish(code)
  expect(answer.status, answer.text).toBe(200)
  return code
}

const editor = async () => {
  const code = flows.workspace.integrationCode.replace(/-db$/, '')
  const person = await joinNewPerson(app, flows.workspace.account, {
    role: 1,
    workspaces: [{ workspace_trellis_code: code, workspace_role_id: 2 }],
  })
  const { data } = await person.client.call(createAccessToken, {
    body: { name: 'Mine', scopes: ['read', 'write', 'run'], days: null },
  })
  return { ...person, tokenId: data.id, tokens: [person.client.token as string, data.secret] }
}

const fetchWith = (token: string | undefined, endpoint: Endpoint, params: Record<string, string>) => {
  const given: Record<string, string> = { ...flows.workspace.tenant, ...params }
  const path = toEndpointUrl(endpoint).replaceAll(/:(\w+)/g, (_, name: string) => given[name] ?? '')
  const body = endpoint.method === 'GET' ? {} : { body: '{}' }
  return fetch(app.url + path, {
    method: endpoint.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...body,
  })
}

test('who is no member any more hears nothing more of what they followed, by whichever token', async () => {
  const block = await published(flows.sql(flow, 'Followed'))
  const run = await execute(block)
  const member = await editor()
  const revoked = await editor()
  const open = (token: string | undefined) => [
    fetchWith(token, calls.followDataflow, { trellis_code: flow }),
    fetchWith(token, calls.followTaskRunLogs, { task_run_trellis_code: run }),
  ]
  const streams = await Promise.all([...member.tokens.flatMap(open), ...open(revoked.tokens[1])])
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  await flows.call(removeMember, {
    body: {
      account_trellis_code: flows.workspace.tenant.account_trellis_code,
      granting_profile_id: flows.workspace.account.ownerId,
      receiving_profile_id: member.id,
    },
  })
  await revoked.client.call(revokeAccessToken, { params: { token_id: revoked.tokenId } })
  const heard = await Promise.all(streams.map((stream) => stream.text()))
  expect(heard.map((text) => text.includes('"type":"over"'))).toEqual(streams.map(() => false))
  for (const token of member.tokens) {
    for (const [endpoint, params] of [
      [calls.followDataflow, { trellis_code: flow }],
      [calls.getTaskRun, { task_run_trellis_code: run }],
      [calls.executeBlock, { task_block_trellis_code: block }],
      [calls.cancelTaskRun, { task_run_trellis_code: run }],
    ] as const) {
      expect((await fetchWith(token, endpoint, params)).status, endpoint.id).toBe(404)
    }
  }
  await flows.call(calls.cancelTaskRun, { params: { task_run_trellis_code: run } })
})

test('who may only look from now on still follows, and starts nothing, by whichever token', async () => {
  const block = await published(flows.sql(flow, 'Looked at'))
  const member = await editor()
  const run = await execute(block)
  const streams = await Promise.all(
    member.tokens.map((token) => fetchWith(token, calls.followTaskRunLogs, { task_run_trellis_code: run })),
  )
  await app.database.pool.query("update workspace_members set role = 'workspace_viewer' where profile_id = $1", [
    member.id,
  ])
  for (const token of member.tokens) {
    expect((await fetchWith(token, calls.executeBlock, { task_block_trellis_code: block })).status).toBe(403)
    expect((await fetchWith(token, calls.cancelTaskRun, { task_run_trellis_code: run })).status).toBe(403)
  }
  work()
  expect(await ended(run)).toMatchObject({ status: 'SUCCESS' })
  for (const stream of streams) expect(await stream.text()).toContain('"type":"over"')
})

test('a connection or a schema that is gone since the block was published is named, and nothing is written', async () => {
  const connection = await flows.connection()
  const schema = { ...flows.workspace.database, schema_name: 'away' }
  expect((await flows.call(createSchema, { body: schema })).status).toBe(200)
  const deleted = await published(flows.source(flow, 'Deleted', ordersFrom(connection, writeTo('never_a'))))
  const write = writeTo('never_b', { schema_name: 'away' })
  const read = await published(flows.source(flow, 'Dropped', ordersFrom(await flows.connection('Others'), write)))
  const made = await published(
    flows.sql(flow, 'Made', { code: 'select 1 as id', write: writeTo('never_c', { schema_name: 'away' }) }),
  )
  const sent = await published(flows.sql(flow, 'Own', { code: 'create table away.never_d as select 1' }))
  // As if deleted while the block is being published.
  await app.database.pool.query("update integrations set state = 'ARCHIVED', secrets = null where trellis_code = $1", [
    connection,
  ])
  const { confirmation, used_by } = (await flows.call(getTableUsage, { params: schema })).data
  expect(used_by.map(({ name }) => name)).toEqual(['Dropped (Daily)', 'Made (Daily)', 'Own (Daily)'])
  const agreed = { ...schema, cascade: 'true', confirmed: confirmation }
  expect((await flows.call(deleteSchema, { query: agreed })).status).toBe(200)
  work()
  expect(await ended(await execute(deleted))).toMatchObject({
    status: 'FAILED',
    problem: { kind: 'configuration', message: expect.stringContaining('was deleted') as string },
  })
  for (const block of [read, made, sent]) {
    expect(await ended(await execute(block))).toMatchObject({
      status: 'FAILED',
      problem: { kind: 'configuration', message: expect.stringContaining('away') as string },
    })
  }
  expect(await flows.workspace.sql("select relname from pg_class where relname like 'never%'")).toEqual([])
})

test('a workspace that is deleted stops what runs in it and starts nothing that waits, and says so', async () => {
  const { pool } = app.database
  const set = (values: string) => pool.query(`update workspaces set ${values} where id = $1`, [flows.workspace.id])
  const held = "update task_runs set retry_at = now() + interval '1 hour' where trellis_code = $1"
  const free = 'update task_runs set retry_at = null where trellis_code = $1'
  const [running, waiting, unready] = [
    await execute(await published(flows.sql(flow, 'Going on'))),
    await execute(await published(flows.sql(flow, 'Waiting'))),
    await execute(await published(flows.sql(flow, 'Not ready'))),
  ]
  await pool.query(held, [waiting])
  await pool.query(held, [unready])
  const begun = Promise.withResolvers<void>()
  work(async ({ markWorking: working, signal, count }) => {
    await working()
    begun.resolve()
    while (!signal.aborted) {
      count({ rows_written: 1 })
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    throw signal.reason
  })
  await begun.promise
  try {
    await set('deleted_at = now()')
    expect(await ended(running)).toMatchObject({ status: 'FAILED', problem: { kind: 'cancelled' } })
    await pool.query(free, [waiting])
    const nothing = { status: 'FAILED', counters: {} }
    const because = (message: string) => ({ ...nothing, problem: { kind: 'configuration', message } })
    expect(await ended(waiting)).toMatchObject(because('The workspace was deleted before this run began.'))
    await set("deleted_at = null, state = 'provisioning'")
    await pool.query(free, [unready])
    expect(await ended(unready)).toMatchObject(
      because('The database of the workspace was not ready when this run should have begun.'),
    )
  } finally {
    await set("deleted_at = null, state = 'online'")
  }
})
