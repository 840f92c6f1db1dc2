import { getCatalogue } from '@trellis/contract/explorer/catalogue.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'

let app: TestApp
let workspace: ReadyWorkspace

beforeAll(async () => {
  app = await startTestApp()
  workspace = await makeReadyWorkspace(app)
  await workspace.sql(
    'create table data.customers (id int primary key, email varchar(80), "Full name" text)',
    "comment on table data.customers is 'Who buys'",
    "comment on column data.customers.email is 'Where to write'",
    'create table data.orders (id int primary key, customer_id int references data.customers)',
    'create view data.recent as select * from data.orders',
    'create function data.net(gross numeric, rate numeric default 0.19) returns numeric language sql return gross / (1 + rate)',
  )
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const read = async (query: { known_version?: string; after?: number } = {}) =>
  (
    await workspace.account.owner.call(getCatalogue, {
      params: { ...workspace.tenant, ...workspace.database },
      query,
    })
  ).data

test('tables with columns and comments, foreign keys, and functions of the database and of Postgres', async () => {
  const { tables, foreign_keys, functions, search_path, schemas, next_after } = await read()
  expect(schemas).toEqual(['data'])
  expect(search_path).toEqual(['data'])
  expect(next_after).toBeNull()
  expect(tables.map(({ name }) => name).toSorted()).toEqual(['customers', 'orders', 'recent'])
  expect(tables.find(({ name }) => name === 'customers')).toEqual({
    schema: 'data',
    name: 'customers',
    kind: 'table',
    comment: 'Who buys',
    columns: ['id', 'email', 'Full name'],
    types: ['integer', 'character varying(80)', 'text'],
    column_comments: { email: 'Where to write' },
  })
  expect(foreign_keys).toEqual([
    {
      schema: 'data',
      table: 'orders',
      columns: ['customer_id'],
      foreign_schema: 'data',
      foreign_table: 'customers',
      foreign_columns: ['id'],
    },
  ])
  expect(functions.find(({ schema }) => schema === 'data')).toMatchObject({
    name: 'net',
    arguments: 'gross numeric, rate numeric DEFAULT 0.19',
    result: 'numeric',
  })
  const builtIn = new Set(functions.map(({ name }) => name))
  for (const name of ['count', 'sum', 'date_trunc', 'jsonb_build_object', 'row_number', 'generate_series', 'lower'])
    expect(builtIn).toContain(name)
  expect(builtIn).not.toContain('int4pl')
  expect(builtIn).not.toContain('textin')
})

test('the version stays while nothing changes, and is another one after DDL and comments', async () => {
  const { version } = await read()
  expect(await read({ known_version: version })).toMatchObject({ is_unchanged: true, version, tables: [] })
  await workspace.sql('analyze')
  expect((await read({ known_version: version })).is_unchanged).toBe(true)
  const versions = new Set([version])
  for (const change of [
    'alter table data.customers add column phone text',
    'alter table data.customers rename column phone to telephone',
    "comment on column data.customers.telephone is 'With country code'",
    'create view data.later as select 1 as one',
    'drop view data.later',
    'alter table data.customers drop column telephone',
  ]) {
    await workspace.sql(change)
    const next = await read({ known_version: version })
    expect(next.is_unchanged, change).toBe(false)
    versions.add(next.version)
  }
  expect(versions.size).toBe(6)
})
