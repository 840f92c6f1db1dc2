import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import * as calls from '@trellis/contract/ai/conversations.endpoints'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { createClient } from '../../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { startSecondApi } from '../../sql/testing/second-api.ts'
import { stopLiveAnswers } from './live-answers.ts'

const PATIENCE = { timeout: 60_000 }

let app: TestApp
let workspace: ReadyWorkspace
let locker: pg.Client

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  await workspace.sql('create table data.orders as select n as id from generate_series(1, 30) n')
  const url = new URL(process.env['TRELLIS_TEST_CLUSTER_URL'] ?? '')
  url.pathname = `/w_${workspace.key}`
  locker = new pg.Client({ connectionString: url.href })
  await locker.connect()
})
afterAll(async () => {
  await stopLiveAnswers()
  await locker.end()
  await workspace.remove()
  await app.close()
})

const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never

test('an answer whose process is killed is the same answer, finished by another process', async () => {
  const { owner } = workspace.account
  const createdResponse = await owner.call(projects.createAiProject, { params: params(), body: { name: 'Sales' } })
  const { project_trellis_code } = createdResponse.data
  const place = { project_trellis_code, integration_trellis_code: workspace.integrationCode }
  const tables = [{ schema_name: 'data', table_name: 'orders' }]
  await owner.call(projects.updateAiProjectTables, { params: params(place), body: { tables } })
  const begun = await owner.call(calls.createConversation, { params: params(), body: { project_trellis_code } })
  const { conversation_trellis_code } = begun.data
  const second = await startSecondApi(app)
  const beside = createClient(second.url)
  beside.token = owner.token
  // The lock keeps the query running until the process is killed.
  await locker.query('begin; lock table data.orders in access exclusive mode')
  const body = { text: 'how many orders' }
  const sentResponse = await beside.call(calls.sendMessage, { params: params({ conversation_trellis_code }), body })
  expect(sentResponse.status, sentResponse.text).toBe(200)
  await second.stop()
  await locker.query('rollback')
  const { message_trellis_code } = sentResponse.data.answer
  const at = { conversation_trellis_code, message_trellis_code, message_sha: '0' }
  const find = async () => (await owner.call(calls.getMessageUpdates, { params: params(at) })).data.message
  app.clock.move(15_000)
  await expect.poll(async () => (await find())?.status, PATIENCE).toBe('completed')
  const table = (await find())?.parts.find((part) => part.kind === 'table')
  expect(table).toMatchObject({ rows: [['30']] })
  const { data } = await owner.call(calls.getConversation, { params: params({ conversation_trellis_code }) })
  expect(data.message_count).toBe(2)
})
