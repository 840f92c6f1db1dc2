import { getSandbox, resetSandbox } from '@trellis/contract/sandbox/sandbox.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'

const VIEWER = 1

let app: TestApp
let workspace: ReadyWorkspace

beforeAll(async () => {
  app = await startTestApp()
  workspace = await makeReadyWorkspace(app)
  await workspace.sql('create table data.real (id int)', 'insert into data.real values (1)')
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const read = async () => (await workspace.account.owner.call(getSandbox, { params: workspace.tenant })).data
const reset = async () => await workspace.account.owner.call(resetSandbox, { params: workspace.tenant })
const count = async (table: string) => (await workspace.sql(`select count(*) from ${table}`))[0]?.[0]

test('a sandbox is created with sample data and can be reset any number of times', async () => {
  expect(await read()).toMatchObject({ is_ready: false, tables: [] })
  const { data } = await reset()
  expect(data.is_ready).toBe(true)
  expect(data.tables.find(({ table_name }) => table_name === 'orders')).toMatchObject({ rows_estimate: 4000 })
  await workspace.sql(
    'delete from sandbox.order_items',
    'drop table sandbox.ad_spend',
    'create table sandbox.mine (id int)',
  )
  expect((await reset()).status).toBe(200)
  expect((await read()).tables).toEqual(data.tables)
  expect(await count('sandbox.order_items')).not.toBe('0')
  expect(await count('data.real')).toBe('1')
})

test('it is not reset while something else uses it', async () => {
  await reset()
  await workspace.sql('create view data.uses_it as select id from sandbox.orders')
  const refusedResponse = await reset()
  expect(refusedResponse.status).toBe(409)
  expect(refusedResponse.text).toContain('uses_it')
  expect(await count('data.uses_it')).toBe('4000')
  await workspace.sql('drop view data.uses_it')
})

test('a viewer looks at it and resets nothing', async () => {
  const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
  const workspaces = [{ workspace_trellis_code, workspace_role_id: VIEWER }]
  const { client } = await joinNewPerson(app, workspace.account, { role: VIEW, workspaces })
  expect((await client.call(getSandbox, { params: workspace.tenant })).status).toBe(200)
  expect((await client.call(resetSandbox, { params: workspace.tenant })).status).toBe(403)
})
