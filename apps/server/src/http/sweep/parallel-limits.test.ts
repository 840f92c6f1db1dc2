import * as rows from '@trellis/contract/explorer/rows.endpoints'
import { inviteMembers } from '@trellis/contract/members/members.endpoints'
import * as sql from '@trellis/contract/sql/sql.endpoints'
import { createAccessToken, listAccessTokens } from '@trellis/contract/tokens/tokens.endpoints'
import { createProject } from '@trellis/contract/worksheets/projects.endpoints'
import { createWorkspace } from '@trellis/contract/workspaces/workspaces.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VIEW, makeAccount, newPerson } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'

let app: TestApp
let workspace: ReadyWorkspace

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  await workspace.sql('create table data.things as select 1 as id')
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const together = <T>(count: number, call: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => call(at)))

test('workspaces created at once stay within the plan', async () => {
  const account = await makeAccount(app, 'basic')
  const params = { account_trellis_code: account.code }
  const createdResponses = await together(6, (at) =>
    account.owner.call(createWorkspace, { params, body: { name: `W${at}`, workspace_address: `w${at}` } }),
  )
  expect(createdResponses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(new Set(createdResponses.flatMap(({ errors }) => errors?.map(({ code }) => code) ?? []))).toEqual(
    new Set(['limit_reached']),
  )
})

test('invites sent at once stay within the seats', async () => {
  const account = await makeAccount(app, 'basic')
  const params = { account_trellis_code: account.code }
  await together(8, (at) =>
    account.owner.call(inviteMembers, {
      params,
      body: [{ user_email: `seat${at}@example.com`, account_role_id: VIEW, workspace_roles: [] }],
    }),
  )
  const { rows: open } = await app.database.pool.query('select 1 from account_invites where account_id = $1', [
    account.id,
  ])
  expect(open.length).toBeLessThanOrEqual(4)
})

test('tokens made at once stay within their number', async () => {
  const { client } = await newPerson(app)
  await together(60, (at) => client.call(createAccessToken, { body: { name: `t${at}`, scopes: ['read'], days: 1 } }))
  expect((await client.call(listAccessTokens)).data.length).toBeLessThanOrEqual(50)
})

test('exports and queries started at once stay within their number', async () => {
  const { owner } = workspace.account
  const at = { ...workspace.params, schema_name: 'data', table_name: 'things' }
  const exported = await together(12, () => owner.call(rows.exportTable, { params: at, body: { format: 'csv' } }))
  expect(exported.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(5)
  const run = { ...workspace.database, sql: 'select count(*) from generate_series(1, 2000000000)' }
  const queries = await together(30, () => owner.call(sql.executeSql, { params: workspace.tenant, body: run }))
  const started = queries.filter(({ status }) => status === 200)
  for (const { data } of started) {
    await owner.call(sql.cancelSqlJob, { params: { ...workspace.tenant, job_id: data.job_id } })
  }
  expect(started.length).toBeLessThanOrEqual(10)
})

test('projects created at once stay within their number', async () => {
  const { owner } = workspace.account
  await together(110, (at) => owner.call(createProject, { params: workspace.tenant, body: { name: `P${at}` } }))
  const { rows: projects } = await app.database.pool.query(
    'select 1 from worksheet_projects where workspace_id = $1 and deleted_at is null',
    [workspace.id],
  )
  expect(projects.length).toBeLessThanOrEqual(100)
})
