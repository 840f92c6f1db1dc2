import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import * as chats from '@trellis/contract/ai/conversations.endpoints'
import { createSchema } from '@trellis/contract/explorer/explorer.endpoints'
import * as calls from '@trellis/contract/sparks/sparks.endpoints'
import type { SparkOrigin } from '@trellis/contract/sparks/sparks.schemas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinNewPerson } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { stopLiveAnswers } from '../../ai/answer/live-answers.ts'
import { type FakeModel, type FakeTurn, startFakeModel } from '../../ai/testing/fake-model.ts'
import { grantPurchased } from '../../billing/credits.service.ts'
import { DEMO_SPARKS } from '../../demo/demo-sparks.ts'
import { SAMPLE_SCHEMA, SAMPLE_TABLES, listSampleStatements } from '@trellis/workspace-db/samples/shop'

/** Includes creating a year of sample data. */
const FILL_TIMEOUT_MS = 300_000

let app: TestApp
let workspace: ReadyWorkspace
let owner: TestClient
let project: string
let model: FakeModel
let script: (at: number, body: string) => FakeTurn = () => ({ text: '' })
let turn = 0

const STRANGE = [
  `create table shop.stores as select n as id, 'Store ' || n as name, 47 + n / 10.0 as latitude, 8 + n as longitude, n * 10 as size
     from generate_series(1, 12) n`,
  `create table shop."Odd ""names"" :unit" as select n as "order", n * 1.5 as "period", n as "value_1", date '2026-01-01' + n as "day",
     'x' || n % 3 as "it's, a; --category", n % 2 = 0 as "last_day" from generate_series(1, 90) n`,
]
const ODD = 'Odd "names" :unit'

beforeAll(async () => {
  model = await startFakeModel('openai', (_, body) => script(turn++, body))
  app = await startTestApp({
    settings: {
      TRELLIS_RATE_LIMITS: 'off',
      TRELLIS_ALLOWED_HOSTS: '127.0.0.1',
      TRELLIS_AI_MODEL: 'scripted',
      TRELLIS_AI_BASE_URL: model.baseUrl,
    },
  })
  workspace = await makeReadyWorkspace(app)
  owner = workspace.account.owner
  await owner.call(createSchema, { params: params(), body: { ...workspace.database, schema_name: SAMPLE_SCHEMA } })
  await workspace.sql(...listSampleStatements(SAMPLE_SCHEMA), ...STRANGE)
  const createdResponse = await owner.call(projects.createAiProject, { params: params(), body: { name: 'Shop' } })
  project = createdResponse.data.project_trellis_code
  const tables = [...SAMPLE_TABLES, 'daily_revenue', 'stores', ODD]
  await owner.call(projects.updateAiProjectTables, {
    params: { ...workspace.params, project_trellis_code: project },
    body: { tables: tables.map((table_name) => ({ schema_name: SAMPLE_SCHEMA, table_name })) },
  })
}, FILL_TIMEOUT_MS)
afterAll(async () => {
  await stopLiveAnswers()
  await workspace.remove()
  await app.close()
  await model.close()
})

const params = () => workspace.tenant

async function create(origin: SparkOrigin, client = owner) {
  const body = { project_trellis_code: project, name: 'Made', origin }
  return await client.call(calls.createSpark, { params: params(), body })
}

async function readRows(origin: SparkOrigin): Promise<Record<string, (string | null)[][]>> {
  const createdResponse = await create(origin)
  expect(createdResponse.status, createdResponse.text).toBe(200)
  const place = { ...params(), spark_trellis_code: createdResponse.data.spark_trellis_code }
  const version = await owner.call(calls.getLatestSparkVersion, { params: place })
  expect(version.status, version.text).toBe(200)
  const rows: Record<string, (string | null)[][]> = {}
  for (const [key, based_key] of Object.entries(version.data.based_keys)) {
    const read = await owner.call(calls.getSparkData, { params: { ...params(), based_key } })
    expect(read.status, `${key}: ${read.text}`).toBe(200)
    rows[key] = read.data.rows
  }
  return rows
}

const template = (
  code: Extract<SparkOrigin, { kind: 'template' }>['template'],
  table_name: string,
  columns: Record<string, string[]>,
): SparkOrigin => {
  const table = { integration_trellis_code: workspace.integrationCode, schema_name: SAMPLE_SCHEMA, table_name }
  return { kind: 'template', template: code, values: { ...table, columns } }
}

test('a template is previewed as what it would become, and nothing is created', async () => {
  const origin = template('trend', 'orders', { time: ['ordered_at'] }) as Extract<SparkOrigin, { kind: 'template' }>
  const body = { project_trellis_code: project, template: origin.template, values: origin.values }
  const count = async () => (await owner.call(calls.listSparks, { params: params() })).data.sparks.length
  const before = await count()
  const preview = await owner.call(calls.previewSpark, { params: params(), body })
  expect(preview.status, preview.text).toBe(200)
  expect(await count()).toBe(before)
  const place = { ...params(), spark_trellis_code: (await create(origin)).data.spark_trellis_code }
  const createdResponse = await owner.call(calls.getLatestSparkVersion, { params: place })
  expect(preview.data.content).toEqual(createdResponse.data.content)
  const missing = { ...body, values: { ...body.values, columns: {} } }
  expect((await owner.call(calls.previewSpark, { params: params(), body: missing })).status).toBe(400)
})

test.each([
  ['kpi_page', 'daily_revenue', { values: ['revenue', 'orders'], time: ['day'] }],
  ['kpi_page', 'order_items', { values: ['quantity'] }],
  ['trend', 'orders', { time: ['ordered_at'], category: ['channel'] }],
  ['trend', 'ad_spend', { time: ['day'], values: ['cost', 'clicks'] }],
  ['cohort', 'orders', { entity: ['customer_id'], time: ['ordered_at'] }],
  ['funnel', 'orders', { step: ['status'], entity: ['customer_id'] }],
  ['filtered_table', 'customers', { filters: ['country', 'wants_newsletter'], columns: ['first_name', 'country'] }],
  ['map', 'stores', { latitude: ['latitude'], longitude: ['longitude'], label: ['name'], value: ['size'] }],
  ['metric_tree', 'ad_spend', { value: ['cost'], category: ['channel'] }],
  ['metric_tree', 'customers', { category: ['country'], subcategory: ['wants_newsletter'] }],
  ['data_quality', 'orders', {}],
  ['kpi_page', ODD, { values: ['order', 'period', 'value_1'], time: ['day'] }],
  ['trend', ODD, { time: ['day'], values: ['period', 'order'], category: ["it's, a; --category"] }],
  ['metric_tree', ODD, { value: ['period'], category: ["it's, a; --category"], subcategory: ['last_day'] }],
  ['filtered_table', ODD, { filters: ["it's, a; --category"], columns: ['order', 'period'] }],
  ['data_quality', ODD, { key: ['order', 'day'] }],
] as const)('the template %s over %s gives rows from each of its queries', async (code, table, columns) => {
  const rows = await readRows(template(code, table, columns as never))
  expect(Object.keys(rows).length).toBeGreaterThan(0)
  for (const [key, found] of Object.entries(rows)) expect(found.length, key).toBeGreaterThan(0)
})

test('templates are listed with the columns they need, and wrong columns are refused by name', async () => {
  const { data } = await owner.call(calls.listSparkTemplates, { params: params() })
  expect(data.templates.map((other) => other.template)).toHaveLength(8)
  const refuse = async (origin: SparkOrigin) => {
    const { status, errors } = await create(origin)
    return [status, errors[0]?.detail]
  }
  expect(await refuse(template('trend', 'orders', {}))).toEqual([400, 'Choose a column for “Time”.'])
  expect(await refuse(template('trend', 'orders', { time: ['status'] }))).toEqual([
    400,
    'The column status can not be used for “Time”.',
  ])
  const injected = template('trend', 'orders', { time: ['ordered_at"; drop table orders; --'] })
  expect((await refuse(injected))[1]).toContain('There is no column')
  expect((await refuse(template('trend', 'no_such', { time: ['day'] })))[1]).toContain('not one of the tables')
})

test.each(DEMO_SPARKS.map((spark) => [spark.name, spark] as const))(
  'the demo spark %s gives rows',
  async (_, spark) => {
    const rows = await readRows({ kind: 'content', content: spark.buildContent(workspace.integrationCode) })
    for (const [key, found] of Object.entries(rows)) expect(found.length, key).toBeGreaterThan(0)
  },
)

test('a query becomes a spark with its chart and its rows', async () => {
  const sql = 'select channel, count(*) as orders from shop.orders group by 1;\n'
  const chart = { kind: 'bar', x: 'channel', y: [{ column: 'orders' }] } as never
  const rows = await readRows({ kind: 'query', integration_trellis_code: workspace.integrationCode, sql, chart })
  expect(rows['result']).toHaveLength(4)
})

test('an answer of one’s own becomes a spark, that of somebody else is not there', async () => {
  const begun = await owner.call(chats.createConversation, {
    params: params(),
    body: { project_trellis_code: project },
  })
  const place = { ...params(), conversation_trellis_code: begun.data.conversation_trellis_code }
  const body = { text: 'number of orders by channel', engine: 'rules' as const }
  const sentResponse = await owner.call(chats.sendMessage, { params: place, body })
  const { message_trellis_code } = sentResponse.data.answer
  const at = { ...place, message_trellis_code, message_sha: '0' }
  const find = async () => (await owner.call(chats.getMessageUpdates, { params: at })).data.message?.status
  await expect.poll(find, { timeout: 60_000 }).toBe('completed')
  const { conversation_trellis_code } = place
  const origin = { kind: 'answer' as const, conversation_trellis_code, message_trellis_code }
  const rows = await readRows(origin)
  expect(rows['result_1']).toHaveLength(4)
  const colleague = await joinNewPerson(app, workspace.account, { role: 2 })
  expect((await create(origin, colleague.client)).status).toBe(404)
})

const written = (sql: string) =>
  JSON.stringify({
    sources: [{ key: 'total', name: 'Total', integration_trellis_code: workspace.integrationCode, sql }],
    body: { kind: 'blocks', blocks: [{ kind: 'number', source: 'total', title: 'Orders', column: 'orders' }] },
  })

async function countSpent(): Promise<number> {
  const text = 'select coalesce(sum(amount), 0)::int as sum from credit_spends where account_id = $1'
  return (await app.database.pool.query<{ sum: number }>(text, [workspace.account.id])).rows[0]?.sum ?? 0
}

test('a model writes a spark; what the guard refuses goes back to it, and only a spark costs credits', async () => {
  await grantPurchased(app.ctx, workspace.account.id, { checkoutId: 'cs_1', credits: 100, at: new Date(0) })
  const answers = [
    'Here it is.',
    written('delete from shop.orders'),
    `\`\`\`json\n${written('select count(*) as orders from shop.orders')}\n\`\`\``,
  ]
  script = (at) => ({ text: answers[at] ?? '' })
  turn = 0
  const before = await countSpent()
  const rows = await readRows({ kind: 'prompt', prompt: 'How many orders?' })
  expect(rows).toEqual({ total: [['4000']] })
  expect(turn).toBe(3)
  expect(model.requests.at(-1)).toContain('not allowed here (DeleteStmt)')
  expect(await countSpent()).toBe(before + 1)
  script = () => ({ text: written('select * from secrets') })
  turn = 0
  const failedResponse = await create({ kind: 'prompt', prompt: 'Secrets' })
  expect([failedResponse.status, failedResponse.errors[0]?.code, turn]).toEqual([422, 'integration_problem', 4])
  expect(await countSpent()).toBe(before + 1)
})
