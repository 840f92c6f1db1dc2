import * as aiProjects from '@trellis/contract/ai/ai-projects.endpoints'
import * as profiles from '@trellis/contract/database-admin/profiles.endpoints'
import * as roles from '@trellis/contract/database-admin/roles.endpoints'
import { listAudit } from '@trellis/contract/audit/audit.endpoints'
import * as explorer from '@trellis/contract/explorer/explorer.endpoints'
import * as labels from '@trellis/contract/explorer/labels.endpoints'
import * as bin from '@trellis/contract/explorer/recycle-bin.endpoints'
import { exportTable } from '@trellis/contract/explorer/rows.endpoints'
import { expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../testing/accounts.ts'
import { startFlowsApp } from '../../testing/flows-app.ts'
import { ordersFrom, writeTo } from '../dataflows/testing/flows.ts'
import { handlePurgeRecycleBin } from './purge.handler.ts'

const EDITOR = 2
const { app, flows } = await startFlowsApp()
const { workspace } = flows
const ref = (schema_name: string, table_name: string) => ({ ...workspace.database, schema_name, table_name })

const getUsage = async (schema_name: string, table_name?: string) => {
  const params = { ...workspace.database, schema_name }
  return (await flows.call(explorer.getTableUsage, { params, query: table_name === undefined ? {} : { table_name } }))
    .data
}

async function deleteTable(schema: string, table: string): Promise<string> {
  const { confirmation } = await getUsage(schema, table)
  const query = { ...ref(schema, table), cascade: 'true', confirmed: confirmation }
  const deletedResponse = await flows.call(explorer.deleteTable, { query })
  expect(deletedResponse.status, deletedResponse.text).toBe(200)
  return deletedResponse.data.deletion_code
}

const list = async () => (await flows.call(bin.listDeletions)).data
const restore = (deletion_code: string, body: object = {}) =>
  flows.call(bin.restoreDeletion, { params: { deletion_code }, body })
const names = async (schema_name: string) => {
  const params = { ...workspace.database, schema_name }
  return (await flows.call(explorer.listTables, { params })).data.items.map(({ name }) => name)
}

test('a table names all that uses it, goes with it, and comes back with it', async () => {
  await workspace.sql(
    'create table data.sales (id int primary key, total numeric)',
    'insert into data.sales values (1, 10)',
    'create view data.sales_report as select total from data.sales',
    'create table data.returns (sale_id int references data.sales)',
    'analyze data.sales',
  )
  const flow = await flows.dataflow('Daily')
  await flows.source(flow, 'Load', ordersFrom(await flows.connection(), writeTo('sales')))
  await flows.sql(flow, 'Sum', { code: 'with s as (select total from sales) select sum(total) from s' })
  await flows.sql(flow, 'Other', { code: "select 'sales' as name from data.returns" })
  await flows.destination(flow, 'Send', { input: { schema_name: 'data', table_name: 'sales_report' } })
  const grants = [{ template: 'reader', schema_name: 'data' }]
  const role = await flows.call(roles.createDatabaseRole, { body: { ...workspace.database, name: 'Readers', grants } })
  const login = { name: 'Power BI', role_trellis_codes: [role.data.role_trellis_code], group_trellis_codes: [] }
  await flows.call(profiles.createExternalProfile, { body: { ...workspace.database, ...login } })
  const label = (await flows.call(labels.createLabel, { body: { name: 'Gold', color: 'yellow' } })).data
  await flows.call(labels.setTableLabels, { body: { ...ref('data', 'sales'), label_ids: [label.id] } })
  const { project_trellis_code } = (await flows.call(aiProjects.createAiProject, { body: { name: 'Shop' } })).data
  const place = { project_trellis_code, ...workspace.database }
  const tables = [{ schema_name: 'data', table_name: 'sales' }]
  await flows.call(aiProjects.updateAiProjectTables, { params: place, body: { tables } })
  const question = { kind: 'verified_question' as const, name: 'How much did we sell', ...place }
  const sql = 'select sum(s.total) from sales s where s.id > :first'
  const requestedResponse = await flows.call(aiProjects.createBusinessContext, { body: { ...question, sql } })
  expect(requestedResponse.status, requestedResponse.text).toBe(200)
  for (const [name, expression] of [
    ['Sold', 'sum(sales.total)'],
    ['Sales per row', 'avg(total)'],
  ] as const) {
    const body = { kind: 'metric' as const, name, sql: expression, ...place }
    const defined = await flows.call(aiProjects.createBusinessContext, { body })
    expect(defined.status, defined.text).toBe(200)
  }

  const usage = await getUsage('data', 'sales')
  expect(usage).toMatchObject({ tables: 1, views: 1, rows_estimate: 1, needs_cascade: true })
  expect(usage.used_by.map(({ kind, name, effect }) => `${kind} ${name}: ${effect}`)).toEqual([
    'foreign_key returns_sale_id_fkey: deleted',
    'view sales_report: deleted',
    'dataflow Load (Daily): stops',
    'dataflow Send (Daily): stops',
    'dataflow Sum (Daily): stops',
    'ai_project Shop: kept',
    'verified_question How much did we sell (Shop): stops',
    'metric Sold (Shop): stops',
    'metric Sales per row (Shop): stops',
    'role Readers: kept',
    'login Power BI: kept',
    'label Gold: kept',
  ])
  expect(usage.uses.map(({ name, detail }) => `${name}: ${detail}`)).toEqual(['Load (Daily): Writes sales'])

  const refusedResponse = await flows.call(explorer.deleteTable, { query: ref('data', 'sales') })
  expect(refusedResponse.errors[0]).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('dataflow Load (Daily)') as string,
  })
  const code = await deleteTable('data', 'sales')
  expect(await names('data')).toEqual(['returns'])
  expect(
    (await flows.call(explorer.searchDatabase, { params: workspace.database, query: { search: 'sales' } })).data,
  ).toEqual([])
  expect((await flows.call(explorer.listSchemas, { params: workspace.database })).data).toEqual(['data'])
  const { items, size_bytes } = await list()
  expect(items).toMatchObject([
    { deletion_code: code, kind: 'table', table_name: 'sales', tables: 2, rows_estimate: 1 },
  ])
  expect(items[0]?.deleted_by).toBeTruthy()
  expect(size_bytes).toBeGreaterThan(0)
  expect(Date.parse(items[0]?.purge_at ?? '') - Date.parse(items[0]?.deleted_at ?? '')).toBe(7 * 86_400_000)

  const back = await restore(code)
  expect(back.data).toEqual({ schema_name: 'data', table_name: 'sales', notes: [] })
  expect(await names('data')).toEqual(['returns', 'sales', 'sales_report'])
  expect((await getUsage('data', 'sales')).used_by).toEqual(usage.used_by)
  expect((await list()).items).toEqual([])
  expect((await restore(code)).status).toBe(404)
  await expect(workspace.sql('insert into data.returns values (9)')).rejects.toMatchObject({ sqlState: '23503' })
})

test('an export that is being written is named', async () => {
  await workspace.sql('create table data.leaving (n int)')
  const params = { ...workspace.tenant, ...ref('data', 'leaving') }
  const started = await flows.call(exportTable, { params, query: { full_export: 'true' }, body: { format: 'csv' } })
  expect(started.status, started.text).toBe(200)
  const { used_by, needs_cascade } = await getUsage('data', 'leaving')
  expect(used_by.filter(({ kind }) => kind === 'export')).toMatchObject([{ name: 'data.leaving', effect: 'stops' }])
  expect(needs_cascade).toBe(true)
})

test('a name that was taken meanwhile is refused until there is another', async () => {
  await workspace.sql('create table data.stock (n int)')
  const code = await deleteTable('data', 'stock')
  await workspace.sql('create table data.stock (m int)')
  expect((await restore(code)).errors[0]).toMatchObject({
    code: 'conflict',
    detail: 'data.stock exists already. Choose another name.',
  })
  expect((await restore(code, { new_name: 'stock before' })).data.table_name).toBe('stock before')
  expect(await names('data')).toContain('stock before')
})

test('a table that is being loaded is not deleted, and the reason is told', async () => {
  await workspace.sql('create table data.loading (n int)')
  const cluster = await app.ctx.ports.cluster.open()
  await cluster.withAdmin(`w_${workspace.key}`, async (other) => {
    await other.query('begin')
    await other.query('lock table data.loading in row exclusive mode')
    const refusedResponse = await flows.call(explorer.deleteTable, { query: ref('data', 'loading') })
    expect(refusedResponse.errors[0]).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('right now') as string,
    })
    await other.query('rollback')
  })
  expect((await list()).items).toEqual([])
})

test('after seven days it goes for good, which the trail says; so does what is deleted for good now', async () => {
  await workspace.sql('create table data.old (n int)', 'create table data.older (n int)')
  const now = await deleteTable('data', 'old')
  expect((await flows.call(bin.purgeDeletion, { params: { deletion_code: now } })).status).toBe(200)
  const later = await deleteTable('data', 'older')
  await handlePurgeRecycleBin(app.ctx)
  expect((await list()).items.map(({ deletion_code }) => deletion_code)).toEqual([later])
  const clock = { ...app.ctx.clock, now: () => new Date(Date.now() + 7 * 86_400_000 + 1000) }
  await handlePurgeRecycleBin({ ...app.ctx, clock })
  expect((await list()).items).toEqual([])
  const left = await workspace.sql("select relname from pg_class where relname in ('old', 'older')")
  expect(left).toEqual([])
  const lines = await workspace.account.owner.call(listAudit, {
    params: { account_trellis_code: workspace.account.code },
    query: { action: 'purgeDeletion' },
  })
  expect(lines.data.map(({ who, detail }) => [who === null, detail['what']])).toEqual([
    [true, 'data.older'],
    [false, 'data.old'],
  ])
})

test('a deletion that was cut short is finished or forgotten', async () => {
  await workspace.sql('create table data.cut (n int)')
  const code = await deleteTable('data', 'cut')
  const past = new Date(Date.now() - 3600_000)
  await app.database.db
    .updateTable('recycle_bin')
    .set({ is_moved: false, deleted_at: past })
    .where('code', '=', code)
    .execute()
  const row = await app.database.db
    .selectFrom('recycle_bin')
    .selectAll()
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  await app.database.db
    .insertInto('recycle_bin')
    .values({ ...row, labels: '[]', code: 'f'.repeat(16) })
    .execute()
  expect((await list()).items).toEqual([])
  await handlePurgeRecycleBin(app.ctx)
  expect((await list()).items.map(({ deletion_code }) => deletion_code)).toEqual([code])
  expect((await restore(code)).status).toBe(200)
})

test('a schema is restored by those who may delete one', async () => {
  await flows.call(explorer.createSchema, { body: { ...workspace.database, schema_name: 'temp' } })
  await workspace.sql('create table temp.t (n int)')
  const { confirmation } = await getUsage('temp')
  const query = { ...workspace.database, schema_name: 'temp', cascade: 'true', confirmed: confirmation }
  const { deletion_code } = (await flows.call(explorer.deleteSchema, { query })).data
  const { client: editor } = await joinNewPerson(app, workspace.account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code: workspace.integrationCode.replace(/-db$/, ''), workspace_role_id: EDITOR }],
  })
  const params = { ...workspace.tenant, deletion_code }
  expect((await editor.call(bin.restoreDeletion, { params, body: {} })).status).toBe(403)
  expect((await editor.call(bin.purgeDeletion, { params })).status).toBe(403)
  expect((await restore(deletion_code, { new_name: 'temp again' })).data.schema_name).toBe('temp again')
  expect(await names('temp again')).toEqual(['t'])
})
