import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import * as calls from '@trellis/contract/sparks/sparks.endpoints'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'

let app: TestApp
let workspace: ReadyWorkspace
let owner: TestClient
let viewer: TestClient
let project: string

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  owner = workspace.account.owner
  const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
  const joined = await joinNewPerson(app, workspace.account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code, workspace_role_id: 1 }],
  })
  viewer = joined.client
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const params = () => workspace.tenant
let count = 0

beforeEach(async () => {
  await workspace.sql(
    'drop table if exists data.orders cascade',
    `create table data.orders as select n as id, n * 2 as amount, case when n % 2 = 0 then 'DE' else 'AT' end as country,
       date '2026-01-01' + n as day from generate_series(1, 20) n`,
  )
  const createdResponse = await owner.call(projects.createAiProject, {
    params: params(),
    body: { name: `Sales ${(count += 1)}` },
  })
  project = createdResponse.data.project_trellis_code
  await choose('orders')
})

const choose = async (...names: string[]) =>
  await owner.call(projects.updateAiProjectTables, {
    params: { ...workspace.params, project_trellis_code: project },
    body: { tables: names.map((table_name) => ({ schema_name: 'data', table_name })) },
  })

const content = (sql = 'select country, sum(amount) as amount from orders group by 1 order by 1'): SparkContent => ({
  sources: [
    {
      key: 'amounts',
      name: 'Amounts',
      integration_trellis_code: workspace.integrationCode,
      sql,
      max_age_seconds: 300,
    },
  ],
  parameters: [],
  body: { kind: 'blocks', blocks: [{ kind: 'table', width: 'full', source: 'amounts', title: '', columns: [] }] },
})

const filtered = (): SparkContent => ({
  ...content(
    'select id, country from orders where (:country is null or country = :country) and id <= :most order by id',
  ),
  parameters: [
    { key: 'country', label: 'Country', type: 'text', initial: null, options_from: null },
    { key: 'most', label: 'Most', type: 'integer', initial: '4', options_from: null },
  ],
})

async function make(body: SparkContent = content()) {
  const createdResponse = await owner.call(calls.createSpark, {
    params: params(),
    body: { project_trellis_code: project, name: 'Amounts', origin: { kind: 'content', content: body } },
  })
  expect(createdResponse.status, createdResponse.text).toBe(200)
  return { ...params(), spark_trellis_code: createdResponse.data.spark_trellis_code }
}

async function findKey(place: Awaited<ReturnType<typeof make>>): Promise<string> {
  const { data } = await owner.call(calls.getLatestSparkVersion, { params: place })
  return Object.values(data.based_keys)[0] ?? ''
}

const read = async (client: TestClient, based_key: string, query: { parameters?: string; fresh?: string } = {}) =>
  await client.call(calls.getSparkData, { params: { ...params(), based_key }, query: query as never })

const rename = async () => await workspace.sql('alter table data.orders rename column amount to total')

test('a spark is made, listed, read and deleted', async () => {
  const place = await make()
  const listedResponse = await viewer.call(calls.listSparks, { params: params() })
  expect(listedResponse.data.sparks.map((spark) => spark.spark_trellis_code)).toContain(place.spark_trellis_code)
  const inProject = { ...params(), project_trellis_code: project }
  expect((await viewer.call(calls.listProjectSparks, { params: inProject })).data.sparks).toMatchObject([
    { name: 'Amounts', project_trellis_code: project, shown_version: { number: 1 }, stale_since: null, problems: [] },
  ])
  const version = await viewer.call(calls.getLatestSparkVersion, { params: place })
  expect(version.data).toMatchObject({ number: 1, content: content() })
  const rows = await read(viewer, await findKey(place))
  expect(rows.data).toMatchObject({
    rows: [
      ['AT', '200'],
      ['DE', '220'],
    ],
    is_cut: false,
    stale_since: null,
    problem: null,
    tables: [{ schema_name: 'data', table_name: 'orders', loaded_at: null }],
    account: { role: 'tables' },
  })
  expect((await viewer.call(calls.deleteSpark, { params: place })).status).toBe(403)
  expect((await owner.call(calls.deleteSpark, { params: place })).status).toBe(200)
  expect((await viewer.call(calls.getSpark, { params: place })).status).toBe(404)
})

test('values of parameters are bound, checked and never SQL', async () => {
  const key = await findKey(await make(filtered()))
  const ask = async (values: object) => await read(viewer, key, { parameters: JSON.stringify(values) })
  expect((await ask({})).data.rows).toHaveLength(4)
  expect((await ask({ country: 'DE', most: '10' })).data.rows.map(([id]) => id)).toEqual(['2', '4', '6', '8', '10'])
  expect((await ask({ country: "DE' or true --" })).data.rows).toEqual([])
  const wrong = await ask({ most: '1; drop table orders' })
  expect([wrong.status, wrong.errors[0]?.detail]).toEqual([400, 'Most has to be a whole number.'])
  expect((await read(viewer, key, { parameters: '[1]' })).status).toBe(400)
})

test('a query that the guard refuses is not kept', async () => {
  const body = (sql: string) => ({
    project_trellis_code: project,
    name: 'Bad',
    origin: { kind: 'content' as const, content: content(sql) },
  })
  for (const sql of [
    'delete from orders',
    'select * from secret',
    'select pg_sleep(1)',
    'select no_such from orders',
  ]) {
    const createdResponse = await owner.call(calls.createSpark, { params: params(), body: body(sql) })
    expect([createdResponse.status, createdResponse.errors[0]?.source], createdResponse.text).toEqual([
      400,
      { pointer: '/content/sources/0/sql' },
    ])
  }
  const twice = { ...content(), sources: [...content().sources, ...content().sources] }
  const made = await owner.call(calls.createSpark, {
    params: params(),
    body: { project_trellis_code: project, name: 'Bad', origin: { kind: 'content', content: twice } },
  })
  expect(made.errors[0]?.detail).toBe('There are two sources with the key amounts.')
})

test('a draft is tried before it is saved, and the place of a mistake is told in its own SQL', async () => {
  const check = async (sql: string) =>
    await owner.call(calls.checkSparkSource, {
      params: params(),
      body: {
        project_trellis_code: project,
        source: { ...content().sources[0], sql } as never,
        parameters: filtered().parameters,
        values: { most: '3' },
      },
    })
  const good = await check('select id from orders where id <= :most order by id')
  expect(good.data).toMatchObject({ rows: [['1'], ['2'], ['3']], is_cut: false, problem: null })
  const sql = 'select id from orders where id <= :most and missing = 1'
  const badResponse = await check(sql)
  expect(badResponse.data.problem).toMatchObject({
    message: expect.stringContaining('missing'),
    position: sql.indexOf('missing'),
  })
  expect((await check('drop table orders')).data.problem?.message).toContain('Only queries that read')
  const body = { project_trellis_code: project, source: content().sources[0] as never }
  expect((await viewer.call(calls.checkSparkSource, { params: params(), body })).status).toBe(403)
})

test('versions are numbered, pinned, restored, and a stale base is a conflict', async () => {
  const place = await make()
  const first = (await owner.call(calls.getLatestSparkVersion, { params: place })).data.spark_version_trellis_code
  const change = async (body: object) => await owner.call(calls.updateSpark, { params: place, body })
  const second = content('select count(*) as amount from orders')
  const savedResponse = await change({ content: second, base_version_trellis_code: first, note: 'Only the number' })
  expect(savedResponse.data).toMatchObject({
    latest_version: { number: 2, note: 'Only the number' },
    shown_version: { number: 2 },
  })
  expect((await change({ content: content(), base_version_trellis_code: first })).status).toBe(409)
  const pinned = await change({ pinned_version_trellis_code: first })
  expect(pinned.data).toMatchObject({ shown_version: { number: 1 }, pinned_version_trellis_code: first })
  const restoredResponse = await change({ restore_version_trellis_code: first, pinned_version_trellis_code: null })
  expect(restoredResponse.data).toMatchObject({
    latest_version: { number: 3, note: 'Restored version 1' },
    shown_version: { number: 3 },
  })
  const old = { ...place, spark_version_trellis_code: first }
  expect((await viewer.call(calls.getSparkVersion, { params: old })).data.content).toEqual(content())
  const all = await viewer.call(calls.listSparkVersions, { params: place })
  expect(all.data.versions.map((version) => version.number)).toEqual([3, 2, 1])
})

test('rows are kept for their time, and a fresh look asks the database', async () => {
  const key = await findKey(await make())
  await read(owner, key)
  await workspace.sql("insert into data.orders values (21, 1000, 'DE', '2026-02-01')")
  expect((await read(viewer, key)).data.rows).toContainEqual(['DE', '220'])
  expect((await read(viewer, key, { fresh: 'true' })).data.rows).toContainEqual(['DE', '1220'])
  expect((await read(owner, key)).data.rows).toContainEqual(['DE', '1220'])
})

test('a renamed column makes the spark stale with its last rows, until it fits again', async () => {
  const place = await make()
  const key = await findKey(place)
  const good = await read(owner, key)
  await rename()
  const stale = await read(viewer, key, { fresh: 'true' })
  expect(stale.data).toMatchObject({ rows: good.data.rows, queried_at: good.data.queried_at })
  expect(stale.data.problem).toContain('amount')
  expect(stale.data.stale_since).not.toBeNull()
  const broken = await viewer.call(calls.getSpark, { params: place })
  expect(broken.data.problems).toMatchObject([{ source: 'amounts' }])
  expect(broken.data.stale_since).not.toBeNull()
  await workspace.sql('alter table data.orders rename column total to amount')
  expect((await read(viewer, key)).data).toMatchObject({ stale_since: null, problem: null })
  expect((await viewer.call(calls.getSpark, { params: place })).data).toMatchObject({ stale_since: null, problems: [] })
})

test('a query that never gave rows says why', async () => {
  const key = await findKey(await make())
  await rename()
  const answer = await read(viewer, key)
  expect([answer.status, answer.errors[0]?.code]).toEqual([422, 'statement_failed'])
})

test('kept rows are for those who may read the tables now', async () => {
  const key = await findKey(await make())
  expect((await read(owner, key)).status).toBe(200)
  await workspace.sql('create table data.others as select 1 as n')
  await choose('others')
  expect((await read(viewer, key)).status).toBe(403)
  expect((await read(owner, key)).status).toBe(403)
  await choose('orders')
  expect((await read(viewer, key)).status).toBe(200)
})

test('the content of a spark, its tiles and its codes have limits', async () => {
  const place = await make()
  const code = { ...content(), body: { kind: 'code' as const, code: 'x'.repeat(190_000) } }
  const sources = Array.from({ length: 9 }, (_, at) => ({
    ...content().sources[0],
    key: `s${at}`,
    sql: `select 1 -- ${'x'.repeat(40_000)}`,
  }))
  const large = await owner.call(calls.updateSpark, { params: place, body: { content: { ...code, sources } as never } })
  expect([large.status, large.errors[0]?.detail]).toEqual([400, expect.stringContaining('512 KB')])
  for (let at = 0; at < 12; at++) {
    const one = await make()
    expect((await owner.call(calls.updateSpark, { params: one, body: { is_on_dashboard: true } })).status).toBe(200)
  }
  expect((await owner.call(calls.updateSpark, { params: place, body: { is_on_dashboard: true } })).status).toBe(409)
})

test('a prompt needs a connected model', async () => {
  const createdResponse = await owner.call(calls.createSpark, {
    params: params(),
    body: { project_trellis_code: project, name: 'By a model', origin: { kind: 'prompt', prompt: 'Revenue' } },
  })
  expect([createdResponse.status, createdResponse.errors[0]?.detail]).toEqual([
    400,
    expect.stringContaining('No model is connected'),
  ])
})
