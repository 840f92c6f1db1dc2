import * as explorer from '@trellis/contract/explorer/explorer.endpoints'
import * as projects from '@trellis/contract/worksheets/projects.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinNewPerson } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type Writer, createWriter } from '../../../testing/worksheets.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { mayName, readSqlUses } from './sql-uses.ts'

let app: TestApp
let workspace: ReadyWorkspace
let anna: Writer

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  const { owner } = workspace.account
  const createdResponse = await owner.call(projects.createProject, {
    params: workspace.tenant,
    body: { name: 'Reports' },
  })
  anna = createWriter(owner, workspace.tenant, createdResponse.data.project_id)
  await workspace.sql('create table data.orders (id int primary key)', 'create table data."Big Table" (id int)')
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

async function listUsers(table_name: string) {
  const params = { ...workspace.params, schema_name: 'data' }
  const { data } = await anna.client.call(explorer.getTableUsage, { params, query: { table_name } })
  return data.used_by.filter(({ kind }) => kind === 'worksheet')
}

test('a table tells which worksheets read and write it: those that are live, and the own drafts', async () => {
  const { data: file } = await anna.create('Daily', 'select count(*) from orders where id > :first')
  expect(await listUsers('orders')).toEqual([
    {
      kind: 'worksheet',
      schema_name: null,
      name: 'Daily.sql (Reports)',
      detail: 'Your draft reads orders',
      effect: 'kept',
      code: `${anna.params.project_id}/root/${file.file_id}`,
    },
  ])
  await anna.push('Publish')
  expect(await listUsers('orders')).toMatchObject([{ detail: 'Reads orders', effect: 'stops' }])
  await anna.write(file.file_id, 'insert into data.orders select 1')
  expect(await listUsers('orders')).toMatchObject([
    { detail: 'Reads orders', effect: 'stops' },
    { detail: 'Your draft writes orders', effect: 'kept' },
  ])
  expect(await listUsers('Big Table')).toEqual([])
})

test('a statement that can not be read counts by its words', async () => {
  await anna.create('Broken', 'selec * from data."Big Table"')
  expect(await listUsers('Big Table')).toMatchObject([{ detail: 'Your draft reads Big Table' }])
})

test('somebody else’s drafts are not told', async () => {
  const workspaces = [{ workspace_trellis_code: workspace.integrationCode.replace(/-db$/, ''), workspace_role_id: 2 }]
  const ben = await joinNewPerson(app, workspace.account, { role: 1, workspaces })
  const params = { ...workspace.params, schema_name: 'data' }
  const { data } = await ben.client.call(explorer.getTableUsage, { params, query: { table_name: 'orders' } })
  expect(data.used_by).toMatchObject([{ kind: 'worksheet', detail: 'Reads orders' }])
})

test('worksheets that were opened are on the explorer’s home, and those that are gone are not', async () => {
  const { data: kept } = await anna.create('Kept', 'select 1')
  const { data: gone } = await anna.create('Gone', 'select 1')
  await anna.read(kept.file_id)
  await anna.read(gone.file_id)
  await anna.remove(gone.file_id)
  const { data } = await anna.client.call(explorer.getExplorerHome, { params: workspace.tenant })
  const names = data.recent_worksheets.map(({ name }) => name)
  expect(names[0]).toBe('Kept.sql')
  expect(names).not.toContain('Gone.sql')
  expect(data.recent_worksheets[0]).toMatchObject({ project_name: 'Reports', folder_id: 'root' })
})

test('parameters are no faults, casts stay casts', async () => {
  expect(await readSqlUses("select :a::int, '{1,2}'::int[] from shop.t where b = :long_name and c[1:2] = d")).toEqual({
    reads: [{ schema: 'shop', name: 't' }],
    writes: [],
    words: null,
  })
})

test('a name of several words counts when all of them occur', () => {
  const words = new Set(['big', 'table', 'x'])
  expect(mayName(words, { name: 'Big Table' })).toBe(true)
  expect(mayName(words, { name: 'Big Tables' })).toBe(false)
  expect(mayName(words, { name: '--' })).toBe(false)
})

test('every project of the workspace is read', async () => {
  const { data: project } = await anna.client.call(projects.createProject, {
    params: workspace.tenant,
    body: { name: 'Many' },
  })
  const many = createWriter(anna.client, workspace.tenant, project.project_id)
  for (let at = 0; at < 40; at += 1) await many.create(`Sheet ${at}`, `select ${at} from data.orders`)
  await many.push('All')
  expect(await listUsers('orders')).toHaveLength(42)
  expect(await listUsers('orders')).toHaveLength(42)
})
