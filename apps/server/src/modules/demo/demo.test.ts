import { listAccounts } from '@trellis/contract/accounts/accounts.endpoints'
import { listAiProjects, listStarterQuestions } from '@trellis/contract/ai/ai-projects.endpoints'
import { createConversation, getMessageUpdates, sendMessage } from '@trellis/contract/ai/conversations.endpoints'
import { getCanvas } from '@trellis/contract/dataflows/canvas.endpoints'
import { getWorkspaceDashboard } from '@trellis/contract/dashboard/dashboard.endpoints'
import { getFolderStructure } from '@trellis/contract/dataflows/dataflows.endpoints'
import { listTaskRuns } from '@trellis/contract/runs/runs.endpoints'
import { getDatabaseInformation, getTableDetails, listDatabases } from '@trellis/contract/explorer/explorer.endpoints'
import { listLabels } from '@trellis/contract/explorer/labels.endpoints'
import { previewTable } from '@trellis/contract/explorer/rows.endpoints'
import { listIntegrations } from '@trellis/contract/integrations/integrations.endpoints'
import { listProjectFiles } from '@trellis/contract/worksheets/projects.endpoints'
import { getLatestSparkVersion, getSparkData } from '@trellis/contract/sparks/sparks.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { ensureDemo } from './demo.service.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ hasWorker: true })
})
afterAll(async () => await app.close())

// The timeout is for hangs.
test('the first start makes a sign-in with a workspace; later ones only name it', { timeout: 180_000 }, async () => {
  const first = await ensureDemo(app.ctx)
  expect(first?.password).toMatch(/^[A-Z][a-z]+-[a-z]+-\d{4}$/)
  const again = await ensureDemo(app.ctx)
  expect(again).toEqual({ email: first?.email })
  const client = await signInAs(app, first?.email ?? '', first?.password)
  for (let tries = 0; tries < 200; tries += 1) {
    const [account] = (await client.call(listAccounts)).data
    expect(account).toMatchObject({ name: 'Demo', account_type: 'internal', role: 'owner' })
    if (account?.workspaces.length === 1) {
      await lookAround(client, account.trellis_code)
      await askFirstQuestions(client, account.trellis_code)
      await openSparks(client, account.trellis_code)
      return await watchFlow(client, account.trellis_code)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the workspace never came online')
})

/** The sample is created in the background. */
async function lookAround(client: TestClient, account_trellis_code: string): Promise<void> {
  const tenant = { account_trellis_code, workspace_address: 'shop' }
  const code = (await client.call(listDatabases, { params: tenant })).data[0]?.integration_trellis_code ?? ''
  const params = { ...tenant, integration_trellis_code: code }
  for (let tries = 0; (await client.call(listLabels, { params: tenant })).data.length < 2; tries += 1) {
    if (tries > 200) throw new Error('the sample never came')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const connections = (await client.call(listIntegrations, { params: tenant })).data
  expect(connections.map(({ name, is_managed }) => [name, is_managed])).toEqual([
    ['Demo shop database', true],
    ['Sample data', false],
  ])
  const [project] = (await client.call(listProjectFiles, { params: tenant })).data
  expect(project).toMatchObject({ name: 'Shop examples', file_count: 8, unpublished_count: 0 })
  expect(project?.user.folders.map(({ name }) => name)).toEqual(['Customers', 'Marketing', 'Quality', 'Revenue'])
  const information = await client.call(getDatabaseInformation, { params })
  expect(information.data.schemas.find((schema) => schema.name === 'shop')).toMatchObject({
    table_count: 5,
    view_count: 1,
  })
  const orders = { ...params, schema_name: 'shop', table_name: 'orders' }
  const details = (await client.call(getTableDetails, { params: orders })).data
  expect(details.last_load).toMatchObject({ mode: 'new', source: 'Sample data', rows: 4000 })
  expect(details.description).toMatch(/order/)
  expect(details.referenced_by).toHaveLength(1)
  expect(details.columns.find((column) => column.name === 'status')?.statistics?.common.length).toBeGreaterThan(2)
  for (const table_name of ['customers', 'products', 'order_items', 'ad_spend', 'daily_revenue']) {
    const response = await client.call(previewTable, { params: { ...orders, table_name } })
    expect(response.data.rows.length, table_name).toBeGreaterThan(40)
  }
}

async function askFirstQuestions(client: TestClient, account_trellis_code: string): Promise<void> {
  const params = { account_trellis_code, workspace_address: 'shop' }
  const list = async () => (await client.call(listAiProjects, { params })).data.items
  await expect.poll(async () => (await list())[0]?.table_count, { timeout: 60_000 }).toBe(6)
  const project_trellis_code = (await list())[0]?.project_trellis_code ?? ''
  const starter = await client.call(listStarterQuestions, { params: { ...params, project_trellis_code } })
  expect(starter.data.questions.length).toBeGreaterThanOrEqual(4)
  const begun = await client.call(createConversation, { params, body: { project_trellis_code } })
  const place = { ...params, conversation_trellis_code: begun.data.conversation_trellis_code }
  const ask = async (text: string) => {
    const sentResponse = await client.call(sendMessage, { params: place, body: { text } })
    const at = { ...place, message_trellis_code: sentResponse.data.answer.message_trellis_code, message_sha: '0' }
    const find = async () => (await client.call(getMessageUpdates, { params: at })).data.message
    await expect.poll(async () => (await find())?.status, { timeout: 60_000 }).toBe('completed')
    return (await find())?.parts ?? []
  }
  for (const question of starter.data.questions) {
    const parts = await ask(question)
    expect(parts.find((part) => part.kind === 'table')?.rows.length, question).toBeGreaterThan(0)
  }
  const parts = await ask('best customers in Austria')
  expect(parts.find((part) => part.kind === 'sql')?.sql).toContain("c.country = 'AT'")
  expect(parts.find((part) => part.kind === 'table')?.rows).toHaveLength(10)
}

async function openSparks(client: TestClient, account_trellis_code: string): Promise<void> {
  const params = { account_trellis_code, workspace_address: 'shop' }
  const tiles = async () => (await client.call(getWorkspaceDashboard, { params })).data.sparks
  await expect.poll(async () => (await tiles()).length, { timeout: 60_000 }).toBe(2)
  for (const { spark_trellis_code, name, stale_since } of await tiles()) {
    expect(stale_since, name).toBeNull()
    const version = await client.call(getLatestSparkVersion, { params: { ...params, spark_trellis_code } })
    for (const [source, based_key] of Object.entries(version.data.based_keys)) {
      const rows = await client.call(getSparkData, { params: { ...params, based_key } })
      expect(rows.data.rows.length, `${name}: ${source}`).toBeGreaterThan(0)
    }
  }
}

async function watchFlow(client: TestClient, account_trellis_code: string): Promise<void> {
  const params = { account_trellis_code, workspace_address: 'shop' }
  const flow = async () => (await client.call(getFolderStructure, { params })).data.dataflows[0]
  await expect.poll(async () => (await flow())?.name, { timeout: 60_000 }).toBe('Shop performance')
  const code = (await flow())?.trellis_code ?? ''
  const runs = async () => (await client.call(listTaskRuns, { params: { ...params, trellis_code: code } })).data.runs
  const inWords = async () =>
    (await runs()).map(({ block_name, status, problem }) => `${block_name} ${problem?.message ?? status}`).toSorted()
  await expect
    .poll(inWords, { timeout: 60_000 })
    .toEqual(
      [
        'Ad spend',
        'Clean orders',
        'Daily revenue and ROAS',
        'Revenue by month',
        'Send the report',
        'Shop orders',
        'Weekly ROAS',
      ].map((name) => `${name} SUCCESS`),
    )
  const canvas = (await client.call(getCanvas, { params: { ...params, dataflow_trellis_code: code } })).data
  expect(canvas.blocks.every(({ publish_state }) => publish_state === 'published')).toBe(true)
  expect(canvas.groups).toHaveLength(2)
  const scheduled = canvas.blocks.find(({ name }) => name === 'Revenue by month')
  expect(scheduled).toMatchObject({ has_schedule: true, publish_state: 'published' })
}
