import { get } from 'node:http'
import { toEndpointUrl } from '@trellis/contract/core/endpoint'
import * as explorer from '@trellis/contract/explorer/explorer.endpoints'
import * as labels from '@trellis/contract/explorer/labels.endpoints'
import * as rows from '@trellis/contract/explorer/rows.endpoints'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'

let app: TestApp
let workspace: ReadyWorkspace
let client: TestClient

beforeAll(async () => {
  app = await startTestApp()
  workspace = await makeReadyWorkspace(app)
  client = workspace.account.owner
  await workspace.sql(
    'create table data.customers (id int primary key, email text, note text)',
    "insert into data.customers select n, n || '@example.com', repeat('x', n * 10) from generate_series(1, 300) n",
    'create table data.orders (id int primary key, customer_id int references data.customers)',
    'create view data.recent as select * from data.orders',
    'analyze',
  )
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const at = (schema_name?: string, table_name?: string) => ({
  ...workspace.tenant,
  ...workspace.database,
  schema_name,
  table_name,
})
const ref = (schema_name: string, table_name: string) => ({ ...workspace.database, schema_name, table_name })
const names = async (schema: string) =>
  (await client.call(explorer.listTables, { params: at(schema) })).data.items.map((item) => item.name)

describe('looking', () => {
  test('home, databases and schemas', async () => {
    const home = await client.call(explorer.getExplorerHome, { params: workspace.tenant })
    expect(home.data.databases[0]).toMatchObject({ ...workspace.database, kind: 'managed', state: 'online' })
    expect(home.data.storage.used_bytes).toBeGreaterThan(0)
    expect((await client.call(explorer.listSchemas, { params: at() })).data).toEqual(['data'])
    const information = await client.call(explorer.getDatabaseInformation, { params: at() })
    expect(information.data.schemas).toEqual([{ name: 'data', description: null, table_count: 2, view_count: 1 }])
    const summary = await client.call(explorer.getSchemaSummary, { params: at('data') })
    expect(summary.data).toMatchObject({ name: 'data', rows_estimate: 300, latest_loads: [], file_count: 0 })
    expect(summary.data.largest[0]?.name).toBe('customers')
  })

  test('tables, details and what was opened last', async () => {
    expect(await names('data')).toEqual(['customers', 'orders', 'recent'])
    const details = await client.call(explorer.getTableDetails, { params: at('data', 'orders') })
    expect(details.data).toMatchObject({ kind: 'table', primary_key: ['id'], last_load: null, labels: [] })
    expect(details.data.dependents).toEqual([
      { kind: 'view', schema_name: 'data', name: 'recent', detail: 'Reads orders', effect: 'deleted', code: null },
    ])
    expect(details.data.dependencies).toMatchObject([
      { kind: 'table', name: 'customers', detail: 'By the foreign key orders_customer_id_fkey' },
    ])
    const home = await client.call(explorer.getExplorerHome, { params: workspace.tenant })
    expect(home.data.recent_tables[0]).toMatchObject({ schema_name: 'data', table_name: 'orders' })
    const hits = await client.call(explorer.searchDatabase, { params: at(), query: { search: 'email' } })
    expect(hits.data).toEqual([{ schema_name: 'data', table_name: 'customers', kind: 'table', column_name: 'email' }])
  })

  test('the diagram of a schema has tables, keys and foreign keys', async () => {
    const { data } = await client.call(explorer.getSchemaDiagram, { params: at('data') })
    expect(data.tables.map(({ name }) => name)).toEqual(['customers', 'orders'])
    expect(data.tables[1]?.columns).toEqual([
      { name: 'id', type: 'integer', is_nullable: false, is_primary_key: true },
      { name: 'customer_id', type: 'integer', is_nullable: true, is_primary_key: false },
    ])
    expect(data.foreign_keys).toMatchObject([
      { table_name: 'orders', columns: ['customer_id'], other_table_name: 'customers', other_columns: ['id'] },
    ])
    expect(data.is_cut).toBe(false)
    expect((await client.call(explorer.getSchemaDiagram, { params: at('pg_catalog') })).status).toBe(404)
  })

  test('rows by page, filter and count; a cut cell by its key', async () => {
    const params = at('data', 'customers')
    const first = await client.call(rows.previewTable, { params, query: { limit: 50, sort: 'id', direction: 'desc' } })
    expect(first.data.rows[0]?.cells[0]).toBe('300')
    expect(first.data.rows[0]?.cut).toEqual([2])
    const query = { limit: 50, sort: 'id', direction: 'desc', after: first.data.next }
    expect((await client.call(rows.previewTable, { params, query })).data.rows[0]?.cells[0]).toBe('250')
    const cell = await client.call(rows.getCell, { params, query: { column: 'note', key: first.data.rows[0]?.key } })
    expect(cell.data).toEqual({ value: 'x'.repeat(3000), bytes: 3000, is_cut: false })
    const filters = JSON.stringify([{ column: 'id', operator: 'lte', value: '9' }])
    expect((await client.call(rows.countRows, { params, query: { filters } })).data).toEqual({ rows: 9 })
    const bad = JSON.stringify([{ column: 'id', operator: 'eq', value: 'nine' }])
    const refusedResponse = await client.call(rows.previewTable, { params, query: { filters: bad } })
    expect(refusedResponse.status).toBe(400)
    expect(refusedResponse.errors[0]?.detail).toBe('"nine" does not fit the column "id", which is integer.')
  })

  test('what is hidden answers like what is not there', async () => {
    for (const schema of ['pg_catalog', 'trellis_loads', 'information_schema', 'public', 'nothing']) {
      const answer = await client.call(rows.previewTable, { params: at(schema, 'receipts') })
      expect(answer.status).toBe(404)
      expect(answer.errors[0]?.detail).toBe('There is no such table, or you have no access to it.')
      expect((await client.call(explorer.listTables, { params: at(schema) })).status).toBe(404)
    }
    const elsewhere = { ...at('data', 'orders'), integration_trellis_code: 'somebody-else-db' }
    expect((await client.call(rows.previewTable, { params: elsewhere })).status).toBe(404)
  })
})

describe('changing', () => {
  const params = () => workspace.tenant

  test('a description comes back as it was written', async () => {
    const description = "Who buys; it's \\ fine"
    const body = { description, columns: [{ name: 'email', description: 'Where to write' }] }
    await client.call(explorer.setTableDescription, { params: at('data', 'customers'), body })
    const response = await client.call(explorer.getTableDescription, { params: at('data', 'customers') })
    expect(response.data.description).toBe(description)
    expect(response.data.columns[1]).toEqual({ name: 'email', description: 'Where to write' })
    const unknown = { columns: [{ name: 'nope', description: '' }] }
    const refusedResponse = await client.call(explorer.setTableDescription, {
      params: at('data', 'customers'),
      body: unknown,
    })
    expect(refusedResponse.errors[0]?.source).toEqual({ pointer: '/columns/0/name' })
  })

  test('a table may have as many columns as Postgres allows, and no more', async () => {
    const make = (count: number) => {
      const columns = Array.from({ length: count }, (_, at) => ({
        name: `a column with a longer name ${at}`,
        type: 'text',
        is_nullable: true,
        is_primary_key: false,
      }))
      return client.call(explorer.createTable, { params: params(), body: { ...ref('data', `wide_${count}`), columns } })
    }
    expect((await make(1600)).status).toBe(200)
    const details = await client.call(explorer.getTableDetails, { params: at('data', 'wide_1600') })
    expect(details.data.columns).toHaveLength(1600)
    const refusedResponse = await make(1601)
    expect(refusedResponse.status).toBe(400)
    expect(refusedResponse.errors[0]?.source).toEqual({ pointer: '/columns' })
    expect(refusedResponse.text).toContain('A table may have at most 1600 columns')
    await workspace.sql('drop table data.wide_1600')
  })

  test('a schema is made, renamed and deleted; its tables keep their labels', async () => {
    const make = (schema_name: string) =>
      client.call(explorer.createSchema, { params: params(), body: { ...workspace.database, schema_name } })
    expect((await make('Sales "24"')).status).toBe(200)
    expect((await make('Sales "24"')).errors[0]?.code).toBe('conflict')
    expect((await make('pg_mine')).status).toBe(400)
    const columns = [
      { name: 'Id', type: 'integer', is_nullable: false, is_primary_key: true },
      { name: 'a"b', type: 'json', is_nullable: true, is_primary_key: false },
    ]
    const table = { ...ref('Sales "24"', 'Order; drop'), columns }
    expect((await client.call(explorer.createTable, { params: params(), body: table })).status).toBe(200)
    expect((await client.call(explorer.createTable, { params: params(), body: table })).errors[0]?.code).toBe(
      'conflict',
    )
    const label = await client.call(labels.createLabel, { params: params(), body: { name: 'Raw', color: 'blue' } })
    const labelled = { ...ref('Sales "24"', 'Order; drop'), label_ids: [label.data.id] }
    expect((await client.call(labels.setTableLabels, { params: params(), body: labelled })).data).toEqual([label.data])
    await workspace.sql(`insert into trellis_loads.receipts (load_id, schema_name, table_name, mode, source, rows)
      values (gen_random_uuid(), 'Sales "24"', 'Order; drop', 'new', 'orders.csv', 7)`)
    const rename = { ...workspace.database, schema_name: 'Sales "24"', new_schema_name: 'sales' }
    expect((await client.call(explorer.renameSchema, { params: params(), body: rename })).status).toBe(200)
    const renamed = { ...ref('sales', 'Order; drop'), new_table_name: 'orders' }
    expect((await client.call(explorer.renameTable, { params: params(), body: renamed })).status).toBe(200)
    const response = await client.call(explorer.listTables, {
      params: at('sales'),
      query: { label_id: label.data.id },
    })
    expect(response.data.items).toMatchObject([{ name: 'orders', labels: [{ name: 'Raw' }] }])
    const summary = await client.call(explorer.getSchemaSummary, { params: at('sales') })
    expect(summary.data.latest_loads).toMatchObject([{ table_name: 'orders', source: 'orders.csv', can_undo: false }])
    const query = { ...workspace.database, schema_name: 'sales' }
    const unagreed = await client.call(explorer.deleteSchema, { params: params(), query })
    expect(unagreed.errors[0]).toMatchObject({ code: 'conflict', detail: expect.stringContaining('holds 1') as string })
    expect(await names('sales')).toEqual(['orders'])
    const usage = await client.call(explorer.getTableUsage, { params: at('sales') })
    expect(usage.data).toMatchObject({ tables: 1, views: 0, needs_cascade: true })
    const agreed = { ...query, cascade: 'true', confirmed: usage.data.confirmation }
    expect((await client.call(explorer.deleteSchema, { params: params(), query: agreed })).status).toBe(200)
    expect((await client.call(explorer.listTables, { params: at('sales') })).status).toBe(404)
    expect((await client.call(labels.listLabels, { params: params() })).data).toMatchObject([{ table_count: 0 }])
  })

  test('a table that something depends on goes only together with it', async () => {
    await workspace.sql('create table data.base (id int)', 'create view data.above as select * from data.base')
    const usage = await client.call(explorer.getTableUsage, { params: at('data'), query: { table_name: 'base' } })
    expect(usage.data.used_by.map((item) => item.name)).toEqual(['above'])
    const query = ref('data', 'base')
    const refusedResponse = await client.call(explorer.deleteTable, { params: params(), query })
    expect(refusedResponse.errors[0]?.code).toBe('conflict')
    expect(refusedResponse.errors[0]?.detail).toContain('view data.above')
    expect(await names('data')).toContain('base')
    const remove = (confirmed?: string) =>
      client.call(explorer.deleteTable, {
        params: params(),
        query: { ...query, cascade: 'true', ...(confirmed !== undefined && { confirmed }) },
      })
    expect((await remove()).errors[0]?.code).toBe('conflict')
    await workspace.sql('create view data.later as select * from data.base')
    const late = await remove(usage.data.confirmation)
    expect(late.errors[0]).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('Look at the list again') as string,
    })
    expect(await names('data')).toContain('later')
    await workspace.sql('drop view data.later')
    expect((await remove(usage.data.confirmation)).status).toBe(200)
    expect(await names('data')).not.toContain('above')
  })

  test('labels have one name each', async () => {
    const make = (name: string) => client.call(labels.createLabel, { params: params(), body: { name, color: 'red' } })
    const first = await make('Gold')
    expect((await make('gold')).errors[0]?.code).toBe('conflict')
    const second = await make('Silver')
    const body = { id: second.data.id, name: 'GOLD' }
    expect((await client.call(labels.updateLabel, { params: params(), body })).errors[0]?.code).toBe('conflict')
    const put = { ...ref('data', 'customers'), label_id: first.data.id }
    expect((await client.call(labels.addLabelToTable, { params: params(), body: put })).status).toBe(200)
    const details = await client.call(explorer.getTableDetails, { params: at('data', 'customers') })
    expect(details.data.labels).toMatchObject([{ name: 'Gold' }])
    expect((await client.call(labels.removeLabelFromTable, { params: params(), body: put })).status).toBe(200)
    expect((await client.call(labels.deleteLabel, { params: params(), body: { id: first.data.id } })).status).toBe(200)
    expect((await client.call(labels.deleteLabel, { params: params(), body: { id: first.data.id } })).status).toBe(404)
  })
})

test('forty previews at once wait for their turn, and all come', async () => {
  await workspace.sql('create table data.popular as select 1 as n')
  const preview = () => client.call(rows.previewTable, { params: at('data', 'popular'), query: {} })
  const answers = await Promise.all(Array.from({ length: 40 }, preview))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  await workspace.sql('drop table data.popular')
})

test('counting ends in the database when the caller goes away', async () => {
  await workspace.sql('create view data.endless as select generate_series(1, 100000000000) as n')
  const url = Object.entries({ ...at('data', 'endless') }).reduce(
    (path, [name, value]) => path.replace(`:${name}`, String(value)),
    toEndpointUrl(rows.countRows),
  )
  const headers = { authorization: `Bearer ${client.token}` }
  const asked = get(`${app.url}${url}`, { agent: false, headers })
  asked.on('error', () => undefined)
  const cluster = await app.ctx.ports.cluster.open()
  const running = async () => {
    const found = await cluster.admin.query(
      "select 1 from pg_stat_activity where datname = $1 and state = 'active' and query like 'select count(*) from data.endless%'",
      [`w_${workspace.key}`],
    )
    return found.rows.length
  }
  await expect.poll(running).toBe(1)
  asked.destroy()
  await expect.poll(running).toBe(0)
  await workspace.sql('drop view data.endless')
})
