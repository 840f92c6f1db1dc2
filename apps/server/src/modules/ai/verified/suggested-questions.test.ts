import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import { createProject } from '@trellis/contract/worksheets/projects.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { createWriter } from '../../../testing/worksheets.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { createSqlRunner } from '../../sql/testing/sql-runner.ts'

const EDITOR = 2
const BY_STATUS = 'select status, sum(amount) from data.orders group by status'

let app: TestApp
let workspace: ReadyWorkspace
let owner: TestClient
let editor: TestClient
let project_trellis_code: string
let file_id: string

const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  owner = workspace.account.owner
  const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
  const joined = await joinNewPerson(app, workspace.account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code, workspace_role_id: EDITOR }],
  })
  editor = joined.client
  await workspace.sql(
    "create table data.orders as select n as id, 'paid' as status, n * 2 as amount from generate_series(1, 20) n",
    'create table data.salaries as select 1 as id',
  )
  const createdResponse = await owner.call(projects.createAiProject, { params: params(), body: { name: 'Sales' } })
  project_trellis_code = createdResponse.data.project_trellis_code
  const place = { project_trellis_code, integration_trellis_code: workspace.integrationCode }
  const tables = [{ schema_name: 'data', table_name: 'orders' }]
  await owner.call(projects.updateAiProjectTables, { params: params(place), body: { tables } })
  const { data } = await owner.call(createProject, { params: workspace.tenant, body: { name: 'Reports' } })
  const writer = createWriter(owner, workspace.tenant, data.project_id)
  file_id = (await writer.create('Amount by status', BY_STATUS)).data.file_id
  await writer.push()
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

async function run(client: TestClient, sql: string, times: number): Promise<void> {
  const runner = createSqlRunner(client, workspace)
  for (let time = 0; time < times; time++) {
    expect(await runner.run(sql, { file_id })).toMatchObject({ status: 'completed' })
  }
}

const list = async (client: TestClient) =>
  (await client.call(projects.listSuggestedQuestions, { params: params({ project_trellis_code }) })).data.suggestions

test('queries of worksheets that are run often and fit the project are suggested until they are verified', async () => {
  expect(await list(owner)).toEqual([])
  await run(owner, BY_STATUS, 2)
  await run(editor, `${BY_STATUS};\n`, 1)
  await run(owner, 'select count(*) from data.salaries', 3)
  await run(owner, 'create table if not exists data.other (id int)', 3)
  await run(owner, 'select count(*) from data.orders', 2)
  expect(await list(owner)).toEqual([
    {
      question: 'Amount by status',
      sql: BY_STATUS,
      integration_trellis_code: workspace.integrationCode,
      runs: 3,
      people: 2,
    },
  ])
  // Others' queries are for admins only, as in the history.
  expect(await list(editor)).toEqual([])
  const body = { project_trellis_code, kind: 'verified_question' as const, name: 'Amount by status', sql: BY_STATUS }
  expect((await owner.call(projects.createBusinessContext, { params: params(), body })).status).toBe(200)
  expect(await list(owner)).toEqual([])
})
