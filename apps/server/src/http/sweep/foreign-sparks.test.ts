import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import * as comments from '@trellis/contract/sparks/spark-comments.endpoints'
import * as calls from '@trellis/contract/sparks/sparks.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'

interface Ids {
  readonly project: string
  readonly spark: string
  readonly version: string
  readonly basedKey: string
  readonly comment: string
}
interface Place {
  readonly workspace: ReadyWorkspace
  readonly client: TestClient
  readonly ids: Ids
}

const NOBODY: Ids = {
  project: 'zzzzzzzzzzzz',
  spark: 'zzzzzzzzzzzz',
  version: 'zzzzzzzzzzzz',
  basedKey: 'zzzzzzzzzzzz',
  comment: 'zzzzzzzzzzzz',
}
const SCHEDULE = {
  scheduleType: 'Cron Schedule' as const,
  scheduleArgs: { cronExpression: '0 8 ? * 1 *', timeStandard: 'UTC' },
}

let app: TestApp
let theirs: Place
let others: Place[]

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  const account = await makeAccount(app)
  theirs = await makePlace(await makeReadyWorkspace(app, { account, address: 'first' }))
  others = [
    await makePlace(await makeReadyWorkspace(app, { account, address: 'second' })),
    await makePlace(await makeReadyWorkspace(app)),
  ]
})
afterAll(async () => {
  for (const { workspace } of [theirs, ...others]) await workspace.remove()
  await app.close()
})

async function makePlace(workspace: ReadyWorkspace): Promise<Place> {
  const client = workspace.account.owner
  const params = workspace.tenant
  await workspace.sql("create table data.orders as select 'of this workspace' as note")
  const createdResponse = await client.call(projects.createAiProject, {
    params,
    body: { name: 'Sales', description: '' },
  })
  const project = createdResponse.data.project_trellis_code
  const tables = [{ schema_name: 'data', table_name: 'orders' }]
  const place = { ...workspace.params, project_trellis_code: project }
  await client.call(projects.updateAiProjectTables, { params: place, body: { tables } })
  const origin = { kind: 'query' as const, ...workspace.database, sql: 'select note from orders' }
  const body = { project_trellis_code: project, name: 'Notes', origin }
  const spark = await client.call(calls.createSpark, { params, body })
  expect(spark.status, spark.text).toBe(200)
  const { spark_trellis_code } = spark.data
  const version = await client.call(calls.getLatestSparkVersion, { params: { ...params, spark_trellis_code } })
  const { spark_version_trellis_code, based_keys } = version.data
  const comment = await client.call(comments.createSparkComment, {
    params: { ...params, spark_trellis_code },
    body: { text: 'Said in this workspace' },
  })
  const ids = {
    project,
    comment: comment.data.spark_comment_trellis_code,
    spark: spark_trellis_code,
    version: spark_version_trellis_code,
    basedKey: based_keys['result'] ?? '',
  }
  return { workspace, client, ids }
}

type Call = [Endpoint, { params: object; body?: object }]

/** A version is found only through its spark. */
function listCalls({ workspace: { tenant, database }, ids: ownIds }: Place, ids: Ids): Call[] {
  const spark = { ...tenant, spark_trellis_code: ids.spark }
  const mine = { ...tenant, spark_trellis_code: ownIds.spark }
  const origin = { kind: 'query', ...database, sql: 'select 1 as n' }
  const source = { key: 'one', name: '', ...database, sql: 'select 1 as n' }
  return [
    [calls.createSpark, { params: tenant, body: { project_trellis_code: ids.project, name: 'Mine', origin } }],
    [
      calls.previewSpark,
      {
        params: tenant,
        body: {
          project_trellis_code: ids.project,
          template: 'trend',
          values: {
            integration_trellis_code: source.integration_trellis_code,
            schema_name: 'a',
            table_name: 'b',
            columns: {},
          },
        },
      },
    ],
    [calls.checkSparkSource, { params: tenant, body: { project_trellis_code: ids.project, source } }],
    [calls.listProjectSparks, { params: { ...tenant, project_trellis_code: ids.project } }],
    [calls.getSpark, { params: spark }],
    [calls.updateSpark, { params: spark, body: { name: 'Mine' } }],
    [calls.updateSpark, { params: mine, body: { pinned_version_trellis_code: ids.version } }],
    [calls.updateSpark, { params: mine, body: { restore_version_trellis_code: ids.version } }],
    [calls.listSparkVersions, { params: spark }],
    [calls.getLatestSparkVersion, { params: spark }],
    [calls.getSparkVersion, { params: { ...spark, spark_version_trellis_code: ids.version } }],
    [calls.getSparkVersion, { params: { ...spark, spark_version_trellis_code: ownIds.version } }],
    [calls.getSparkVersion, { params: { ...mine, spark_version_trellis_code: ids.version } }],
    [calls.getSparkData, { params: { ...tenant, based_key: ids.basedKey } }],
    [calls.getSparkSchedule, { params: spark }],
    [calls.saveSparkSchedule, { params: spark, body: { schedule: SCHEDULE } }],
    [calls.deleteSparkSchedule, { params: spark }],
    [comments.listSparkComments, { params: spark }],
    [comments.createSparkComment, { params: spark, body: { text: 'Mine' } }],
    ...[spark, mine].flatMap((at): Call[] => {
      const params = { ...at, spark_comment_trellis_code: ids.comment }
      return [
        [comments.updateSparkComment, { params, body: { text: 'Mine' } }],
        [comments.resolveSparkComment, { params, body: { is_resolved: true } }],
        [comments.deleteSparkComment, { params }],
      ]
    }),
    [calls.deleteSpark, { params: spark }],
  ]
}

/** Without per-response ids. */
const shown = ({ status, text }: { status: number; text: string }) => [status, text.replaceAll(/"id":"[^"]*"/g, '"id"')]

test.each([
  ['another workspace of the account', 0],
  ['another account', 1],
])('sparks, versions, comments and rows answer in %s like those of nobody', async (_, at) => {
  const other = others[at] as Place
  const send = ([endpoint, input]: Call) =>
    other.client.call(endpoint, input as Parameters<typeof other.client.call>[1])
  const missingCalls = listCalls(other, NOBODY)
  for (const [index, call] of listCalls(other, theirs.ids).entries()) {
    const answer = shown(await send(call))
    expect(answer, call[0].id).toEqual(shown(await send(missingCalls[index] as Call)))
    expect(answer[0], call[0].id).toBe(404)
  }
  const listedResponse = await other.client.call(calls.listSparks, { params: other.workspace.tenant })
  expect(listedResponse.data.sparks.map((spark) => spark.spark_trellis_code)).toEqual([other.ids.spark])
})

test('what was tried changed nothing', async () => {
  const { client, workspace, ids } = theirs
  const params = { ...workspace.tenant, spark_trellis_code: ids.spark }
  const spark = await client.call(calls.getSpark, { params })
  expect(spark.data).toMatchObject({ name: 'Notes', latest_version: { number: 1 } })
  const said = await client.call(comments.listSparkComments, { params })
  expect(said.data.comments).toMatchObject([{ text: 'Said in this workspace', resolved_at: null }])
  const rows = await client.call(calls.getSparkData, { params: { ...workspace.tenant, based_key: ids.basedKey } })
  expect(rows.data.rows).toEqual([['of this workspace']])
})
