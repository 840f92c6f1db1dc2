import * as versions from '@trellis/contract/runs/versions.endpoints'
import { expect, test } from 'vitest'
import { startFlowsApp } from '../../../testing/flows-app.ts'
import { ordersFrom, writeTo } from '../testing/flows.ts'
import { mentionsTable } from '../table-users.service.ts'

const { flows } = await startFlowsApp()
const flow = await flows.dataflow('Planned')
const shop = await flows.connection('Shop')

const plan = async (block: string) =>
  (await flows.call(versions.planPublish, { params: { task_block_trellis_code: block } })).data
const model = (fields: object, more: object = {}) => ({
  dataModel: { fields, column_mapping: {}, primary_keys: [], indexes: {}, ...more },
})

test('what changed is told as lines, before and after', async () => {
  const block = await flows.source(flow, 'Lines', ordersFrom(shop, writeTo('lines', model({ id: 'integer' }))))
  const first = await plan(block)
  expect(first.changes).toContainEqual({
    path: 'subtasks.orders.write.table_name',
    label: 'orders: table',
    before: null,
    after: 'data.lines',
  })
  await flows.publish(block)
  expect((await plan(block)).changes).toEqual([])
  await flows.change('Source', block, {
    ...ordersFrom(
      shop,
      writeTo('lines', { strategy: 'Upsert', ...model({ id: 'integer' }, { primary_keys: ['id'] }) }),
    ),
    attempts: 5,
  })
  expect((await plan(block)).changes).toEqual([
    { path: 'subtasks.orders.write.strategy', label: 'orders: strategy', before: 'Append', after: 'Upsert' },
    {
      path: 'subtasks.orders.write.dataModel.primary_keys',
      label: 'orders: primary key',
      before: null,
      after: 'id',
    },
    { path: 'attempts', label: 'Attempts', before: '3', after: '5' },
  ])
})

test('a table that is not there yet is created by the next run', async () => {
  const fields = { order_id: 'integer', total: 'decimal' }
  const keyed = model(fields, {
    primary_keys: ['order_id'],
    indexes: { total: 'btree' },
    column_mapping: { total: 'sum' },
  })
  const block = await flows.source(flow, 'New', ordersFrom(shop, writeTo('fresh', { strategy: 'Upsert', ...keyed })))
  expect((await plan(block)).statements).toEqual([
    'create table "data"."fresh" (\n  "order_id" bigint,\n  "sum" numeric,\n  primary key ("order_id")\n);',
    'create index on "data"."fresh" using btree ("sum");',
  ])
  const open = await flows.source(flow, 'Open', ordersFrom(shop, writeTo('unknown')))
  expect((await plan(open)).statements).toEqual([
    '-- data.unknown is created by the first run, with the columns it gets.',
  ])
})

test('columns keep the order they were given, and another order is a change to publish', async () => {
  const inOrder = (...names: string[]) =>
    ordersFrom(shop, writeTo('ordered', model(Object.fromEntries(names.map((name) => [name, 'text'])))))
  const block = await flows.source(flow, 'Ordered', inOrder('zebra', 'ape', 'x'))
  await flows.publish(block)
  expect((await plan(block)).statements[0]).toMatch(/"zebra" text,\s+"ape" text,\s+"x" text/)
  const changedResponse = await flows.change('Source', block, inOrder('x', 'zebra', 'ape'))
  expect(changedResponse.data).toMatchObject({ version: 2, publish_state: 'changed' })
  const back = await flows.change('Source', block, inOrder('zebra', 'ape', 'x'))
  expect(back.data).toMatchObject({ version: 3, publish_state: 'published' })
})

test('a table that is there is altered; rows that would not fit and who reads it are named', async () => {
  await flows.workspace.sql(
    'create table data.sales (id bigint, total text)',
    "insert into data.sales values (1, '12'), (1, 'twelve'), (2, 'none')",
    'create view data.sales_report as select total from data.sales',
  )
  const other = await flows.dataflow('Reports')
  await flows.sql(other, 'Summary', { code: 'select sum(total::int) from data.sales' })
  await flows.sql(other, 'Unrelated', { code: 'select * from data.salesmen' })
  await flows.destination(other, 'Export', { input: { schema_name: 'data', table_name: 'sales' } })
  const fields = { id: 'integer', total: 'integer', more: 'text' }
  const block = await flows.source(flow, 'Sales', ordersFrom(shop, writeTo('sales', model(fields))))
  const found = await plan(block)
  expect(found.misfits).toEqual([{ column: 'total', rows: 2, example: 'none' }])
  expect(found.readers).toEqual([
    { kind: 'block', name: 'Export (Reports)' },
    { kind: 'block', name: 'Summary (Reports)' },
    { kind: 'view', name: 'data.sales_report' },
  ])
  expect(found.statements[0]).toMatch(/^-- /)

  await flows.workspace.sql('drop view data.sales_report')
  const free = await plan(block)
  expect(free.statements[0]).toMatch(/^-- The run stops and asks first\. total would become whole number; it is text\./)
  expect(free.statements).toContain('alter table "data"."sales" add column "more" text;')
  expect(free.statements).toContain(
    'alter table "data"."sales" alter column "total" type bigint using "total"::bigint;',
  )
})

test('whoever reads a column that changes or goes is named with it', async () => {
  await flows.workspace.sql(
    'create table data.stock (id bigint, amount text, place text, note text)',
    'create view data.places as select place from data.stock',
  )
  const other = await flows.dataflow('Stock reports')
  await flows.sql(other, 'Amounts', { code: 'select sum(amount::int) as s from data.stock' })
  await flows.sql(other, 'All of it', { code: 'select s.* from stock s' })
  await flows.sql(other, 'Ids', { code: 'select id from data.stock' })
  const fields = { id: 'integer', amount: 'integer', note: 'text' }
  const block = await flows.source(flow, 'Stock', ordersFrom(shop, writeTo('stock', model(fields))))
  expect((await plan(block)).column_readers).toEqual([
    {
      table: 'data.stock',
      column: 'amount',
      change: 'type',
      readers: [
        { kind: 'block', name: 'All of it (Stock reports)' },
        { kind: 'block', name: 'Amounts (Stock reports)' },
      ],
    },
    {
      table: 'data.stock',
      column: 'place',
      change: 'gone',
      readers: [
        { kind: 'block', name: 'All of it (Stock reports)' },
        { kind: 'view', name: 'data.places' },
      ],
    },
  ])
})

test('a key that rows do not keep is found before it is wanted', async () => {
  await flows.workspace.sql(
    'create table data.people (id bigint, name text)',
    "insert into data.people values (1, 'a'), (1, 'b'), (2, 'c'), (null, 'd')",
  )
  const keyed = model({ id: 'integer', name: 'text' }, { primary_keys: ['id'] })
  const block = await flows.source(
    flow,
    'People',
    ordersFrom(shop, writeTo('people', { strategy: 'Upsert', ...keyed })),
  )
  const found = await plan(block)
  expect(found.misfits).toEqual([{ column: 'id', rows: 2, example: expect.any(String) as string }])
})

test('a single run may differ where the platform lets it, and the cursors are shown', async () => {
  const block = await flows.source(flow, 'Overridden', ordersFrom(shop, writeTo('overridden')))
  const overrides = async (code: string) =>
    (await flows.call(versions.getOverrides, { params: { task_block_trellis_code: code } })).data
  expect(await overrides(block)).toMatchObject({
    elements: [{ section: 'period', element: { reference: 'dates' } }],
    can_window: true,
    cursors: [{ subtask: 'orders', value: null, is_gap_free_up_to: null, slot: null }],
  })
  await flows.workspace.sql(
    `insert into trellis_loads.writers (writer, epoch, cursor)
     values ('${block}:orders', 1, '{"cursor": "2026-11-01", "reached": "2026-11-03"}')`,
  )
  expect((await overrides(block)).cursors).toEqual([
    { subtask: 'orders', value: '2026-11-03', is_gap_free_up_to: '2026-11-01', slot: null },
  ])
  const replaced = await flows.source(flow, 'Replaced', ordersFrom(shop, writeTo('replaced', { strategy: 'Replace' })))
  expect((await overrides(replaced)).can_window).toBe(false)
  const sql = await flows.sql(flow, 'Not a source')
  const refusedResponse = await flows.call(versions.getOverrides, { params: { task_block_trellis_code: sql } })
  expect(refusedResponse.status).toBe(404)
})

test.each([
  ['select * from data.orders', true],
  ['select * from "data"."orders"', true],
  ['SELECT * FROM Orders o', true],
  ['select * from orders_old', false],
  ['select * from my_orders', false],
  ['select reorders', false],
])('%s', (sql, expected) => {
  expect(mentionsTable(sql, { schema_name: 'data', table_name: 'orders' })).toBe(expected)
})
