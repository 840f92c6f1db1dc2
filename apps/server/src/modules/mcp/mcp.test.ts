import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import { createSpark } from '@trellis/contract/sparks/sparks.endpoints'
import { createAccessToken } from '@trellis/contract/tokens/tokens.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { stopLiveAnswers } from '../ai/answer/live-answers.ts'

let app: TestApp
let workspace: ReadyWorkspace
let viewer: TestClient
let project: string

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
  const joined = await joinNewPerson(app, workspace.account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code, workspace_role_id: 1 }],
  })
  viewer = joined.client
  await workspace.sql('create table data.orders as select n as id, n * 2 as amount from generate_series(1, 20) n')
  const { owner } = workspace.account
  const createdResponse = await owner.call(projects.createAiProject, { params: params(), body: { name: 'Sales' } })
  project = createdResponse.data.project_trellis_code
  const place = { project_trellis_code: project, integration_trellis_code: workspace.integrationCode }
  const body = { tables: [{ schema_name: 'data', table_name: 'orders' }] }
  await owner.call(projects.updateAiProjectTables, { params: params(place), body })
})
afterAll(async () => {
  await stopLiveAnswers()
  await workspace.remove()
  await app.close()
})

const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never
const address = () => {
  const { account_trellis_code, workspace_address } = workspace.tenant
  return new URL(`${app.url}/mcp/${account_trellis_code}/${workspace_address}`)
}

async function makeToken(client: TestClient, scopes: ('read' | 'write')[]): Promise<string> {
  const createdResponse = await client.call(createAccessToken, {
    body: { name: `agent ${scopes.join()}`, scopes, days: 1 },
  })
  return createdResponse.data.secret
}

async function withAgent<T>(token: string, work: (agent: Client) => Promise<T>): Promise<T> {
  const agent = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await agent.connect(new StreamableHTTPClientTransport(address(), { requestInit }))
  try {
    return await work(agent)
  } finally {
    await agent.close()
  }
}

async function callTool(agent: Client, name: string, input: Record<string, unknown> = {}) {
  const result = await agent.callTool({ name, arguments: input })
  const [content] = result.content as { type: string; text: string }[]
  return { isError: result.isError === true, text: content?.text ?? '' }
}

test('an agent of a viewer lists, describes and queries tables, and asks the assistant', async () => {
  await withAgent(await makeToken(viewer, ['read']), async (agent) => {
    const { tools } = await agent.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['list_tables', 'run_sql', 'ask_assistant', 'read_worksheet']))
    expect(names).not.toContain('run_task_block')
    expect((await callTool(agent, 'list_tables')).text).toContain('orders')
    expect((await callTool(agent, 'describe_table', { table: 'data.orders' })).text).toContain('amount')
    const rows = await callTool(agent, 'run_sql', { sql: 'select sum(amount) from data.orders' })
    expect(JSON.parse(rows.text)).toMatchObject({ rows: [['420']], account: { role: 'tables', refusal: null } })
    const answer = await callTool(agent, 'ask_assistant', { question: 'how many orders', project })
    expect(JSON.parse(answer.text)).toMatchObject({ status: 'completed' })
    expect(answer.text).toContain('"20"')
    const origin = {
      kind: 'query',
      ...workspace.database,
      sql: 'select sum(amount) as amount from orders where id <= 3',
    }
    const spark = { project_trellis_code: project, name: 'First orders', origin }
    const createdResponse = await workspace.account.owner.call(createSpark, { params: params(), body: spark as never })
    expect((await callTool(agent, 'list_sparks')).text).toContain('First orders')
    const read = await callTool(agent, 'read_spark', { spark: createdResponse.data.spark_trellis_code })
    expect(JSON.parse(read.text)).toMatchObject({ sources: [{ columns: ['amount'], rows: [['12']] }] })
    expect((await callTool(agent, 'read_spark', { spark: 'zzzz' })).isError).toBe(true)
    expect((await callTool(agent, 'list_dataflows')).isError).toBe(false)
  })
})

test('a write is refused, and every query has a line in the audit log', async () => {
  await withAgent(await makeToken(viewer, ['read', 'write']), async (agent) => {
    for (const sql of ['delete from data.orders', 'create table data.mine as select 1', 'select * from pg_authid']) {
      expect((await callTool(agent, 'run_sql', { sql })).isError).toBe(true)
    }
    const refused = await callTool(agent, 'run_task_block', { task_block_trellis_code: 'abc' }).catch(() => ({
      isError: true,
    }))
    expect(refused.isError).toBe(true)
  })
  expect(await workspace.sql('select count(*)::text from data.orders')).toEqual([['20']])
  const { rows } = await app.database.pool.query<{ outcome: string }>(
    "select outcome from audit_lines where action = 'guardedQuery' and account_id = $1",
    [workspace.account.id],
  )
  expect(rows.filter(({ outcome }) => outcome === 'refused').length).toBeGreaterThanOrEqual(2)
})

test.each([
  ['no token', {}, 401],
  ['a session', { authorization: 'session' }, 401],
  ['another site', { origin: 'https://evil.example', authorization: 'token' }, 403],
])('%s is refused', async (_, headers: Record<string, string>, status) => {
  const token = await makeToken(viewer, ['read'])
  const sent = { ...headers, 'content-type': 'application/json' }
  if (sent['authorization' as never] === 'session') Object.assign(sent, { authorization: `Bearer ${viewer.token}` })
  if (sent['authorization' as never] === 'token') Object.assign(sent, { authorization: `Bearer ${token}` })
  const answer = await fetch(address(), { method: 'POST', headers: sent, body: '{}' })
  expect(answer.status).toBe(status)
})

test('a workspace of others looks like none', async () => {
  const other = await makeReadyWorkspace(app, { address: 'other' })
  const token = await makeToken(viewer, ['read'])
  const { account_trellis_code, workspace_address } = other.tenant
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const at = async (path: string) =>
    (await fetch(`${app.url}/mcp/${path}`, { method: 'POST', headers, body: '{}' })).status
  expect(await at(`${account_trellis_code}/${workspace_address}`)).toBe(404)
  expect(await at('zzzzzzzz/nowhere')).toBe(404)
  await other.remove()
})
