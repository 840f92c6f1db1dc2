import { afterAll, beforeEach, expect, test } from 'vitest'
import { makeLoads, writeStep } from '../../../../testing/load-runs.ts'
import { startLogicalSource } from '../../../../testing/sources/logical-source.ts'
import { startTestApp } from '../../../../testing/test-app.ts'
import { makeReadyWorkspace } from '../../../../testing/workspace.ts'

const origin = await startLogicalSource()
const app = await startTestApp({ settings: { TRELLIS_ALLOW_PRIVATE_HOSTS: 'on' } })
afterAll(() => app.close())
const workspace = await makeReadyWorkspace(app, { isSessionKept: true })
afterAll(() => workspace.remove())
const loads = await makeLoads(app, workspace)
const source = await loads.addIntegration({ code: 'postgresql', name: 'Shop' }, origin.settings())

const TABLE = { kind: 'changes', table: { schema: 'public', table: 'orders' } }
const follow = (changes: Parameters<typeof writeStep>[0] = {}, query: object = {}) =>
  loads.block(source, {
    name: 'orders',
    query: { query: { ...TABLE, deletes: 'mark', ...query } } as never,
    write: writeStep({ table_name: 'orders', strategy: 'Replace', ...changes }),
  })

beforeEach(async () => {
  await workspace.sql('drop table if exists data.orders cascade', 'delete from trellis_loads.receipts')
  await origin.sql(
    'select pg_drop_replication_slot(slot_name) from pg_replication_slots',
    'drop table if exists orders cascade',
    'create table orders (id bigint primary key, name text, big text)',
    'alter table orders alter big set storage external',
    `insert into orders select i, 'order ' || i, repeat(md5(i::text), 300) from generate_series(1, 50) i`,
  )
})

const STRATEGIES = ['Replace', 'Upsert'] as const
const marked = async () =>
  (await workspace.sql('select id from data.orders where source_deleted_at is not null order by id')).flat()
const LIVE = 'select id, name, md5(big) from'
const expectSame = async () =>
  expect(await workspace.sql(`${LIVE} data.orders where source_deleted_at is null order by id`)).toEqual(
    (await origin.sql(`${LIVE} orders order by id`)).map((row) => row.map((item) => (item === 'null' ? null : item))),
  )

test.each(STRATEGIES)(
  '%s: deleted rows stay as they were, with the time of the commit; a row that is back is not marked any more',
  async (strategy) => {
    const block = follow({ strategy })
    await block.run()
    expect(await marked()).toEqual([])
    await expectSame()
    const [[after]] = (await origin.sql('delete from orders where id <= 3', 'select clock_timestamp()::text')) as [
      [string],
    ]
    await origin.sql(`insert into orders values (100, 'short life', 'x')`, 'delete from orders where id = 100')
    const { lines, counters } = await block.run()
    expect(counters).toMatchObject({ rows_read: 5, rows_written: 1, rows_updated: 3 })
    expect(lines.join('\n')).toContain('3 marked as deleted in data.orders')
    expect(await marked()).toEqual(['1', '2', '3', '100'])
    await expectSame()
    expect(
      await workspace.sql(`select name, length(big), source_deleted_at <= '${after}' from data.orders where id = 2`),
    ).toEqual([['order 2', '9600', 't']])
    expect(await workspace.sql('select count(distinct source_deleted_at) from data.orders where id <= 3')).toEqual([
      ['1'],
    ])
    await origin.sql(`insert into orders values (2, 'back', 'y')`)
    await block.run()
    expect(await marked()).toEqual(['1', '3', '100'])
    await expectSame()
    expect((await block.run()).counters.rows_read).toBe(0)
  },
)

test.each(STRATEGIES)('%s: a row that gets another key leaves a marked one under the old key', async (strategy) => {
  const block = follow({ strategy })
  await block.run()
  await origin.sql('update orders set id = 1000 where id = 1', `update orders set name = 'n' where id = 1000`)
  await block.run()
  expect(await marked()).toEqual(['1'])
  await expectSame()
})

test('TRUNCATE marks all rows, those that were marked keep their time, and what came after it is there', async () => {
  const block = follow()
  await block.run()
  await origin.sql('delete from orders where id = 1')
  await block.run()
  const [before] = await workspace.sql('select source_deleted_at::text from data.orders where id = 1')
  await origin.sql(
    `insert into orders values (901, 'before', 'x')`,
    'truncate orders',
    `insert into orders values (5, 'after', 'y')`,
  )
  await block.run()
  expect(await workspace.sql('select count(*) from data.orders where source_deleted_at is not null')).toEqual([['50']])
  expect(await workspace.sql('select source_deleted_at::text from data.orders where id = 1')).toEqual([before])
  await expectSame()
})

test.each(STRATEGIES)(
  '%s: an attempt that was stopped between commit and confirmation marks nothing twice',
  async (strategy) => {
    const block = follow({ strategy })
    await block.run()
    await origin.sql('delete from orders where id <= 10', `insert into orders values (4, 'back', 'x')`)
    const stopping = new AbortController()
    const rootCode = 'root-marks'
    await block
      .run({ rootCode, signal: stopping.signal, onCommit: () => stopping.abort(new Error('stopped')) })
      .catch(() => undefined)
    const text = 'select id, source_deleted_at::text from data.orders order by id'
    const rows = await workspace.sql(text)
    await block.run({ rootCode })
    await block.run()
    expect(await workspace.sql(text)).toEqual(rows)
    await expectSame()
  },
)

test('a table that is read again keeps its marked rows and marks what was deleted meanwhile, past attempts that were stopped', async () => {
  const block = follow()
  await block.run()
  await origin.sql('delete from orders where id = 1')
  await block.run()
  const [before] = await workspace.sql('select source_deleted_at::text, name from data.orders where id = 1')
  await origin.sql(
    'select pg_drop_replication_slot(slot_name) from pg_replication_slots',
    'delete from orders where id = 2',
  )
  for (const rootCode of ['root-a', 'root-a', 'root-b']) {
    const stopping = new AbortController()
    await block
      .run({ rootCode, signal: stopping.signal, onCommit: () => stopping.abort(new Error('stopped')) })
      .catch(() => undefined)
    await workspace.sql(`update trellis_loads.receipts set is_read = false where not is_done`)
  }
  await block.run()
  expect(await marked()).toEqual(['1', '2'])
  expect(await workspace.sql('select source_deleted_at::text, name from data.orders where id = 1')).toEqual([before])
  await expectSame()
  await block.run({ request: { is_full: true } })
  expect(await marked()).toEqual(['1', '2'])
  await origin.sql('delete from orders where id = 3', `insert into orders values (1, 'back', 'x')`)
  await block.run()
  expect(await marked()).toEqual(['2', '3'])
  await expectSame()
})

test('rows of another table that stood there before do not come along', async () => {
  await workspace.sql(
    'create table data.orders (id bigint primary key, name text, big text, source_deleted_at timestamptz)',
    `insert into data.orders values (-1, 'other', '', null)`,
  )
  await follow().run()
  expect(await workspace.sql('select min(id) from data.orders')).toEqual([['1']])
})

test('the column is one of the source for policies and data models', async () => {
  const hard = follow({}, { deletes: 'delete' })
  await hard.run()
  const model = {
    fields: { id: 'integer', name: 'text' },
    column_mapping: { source_deleted_at: 'gone' },
    primary_keys: ['id'],
    indexes: {},
  } as const
  await expect(follow({ dataModel: model as never }).run()).rejects.toMatchObject({
    kind: 'configuration',
    message: 'Deleted rows are to be marked in source_deleted_at, which the table does not have.',
  })
  const fields = { ...model.fields, source_deleted_at: 'timestamptz' }
  const block = follow({ dataModel: { ...model, fields } as never })
  await block.run()
  await origin.sql(
    'delete from orders where id = 7',
    'alter table orders add note text',
    `update orders set note = 'n' where id = 8`,
  )
  await block.run()
  expect(await workspace.sql('select id from data.orders where gone is not null')).toEqual([['7']])
  expect(await workspace.sql(`select id from data.orders where note = 'n'`)).toEqual([['8']])
})

test('Upsert marks rows of the source, and leaves those it never had', async () => {
  await workspace.sql(
    'create table data.orders (id bigint primary key, name text, big text)',
    `insert into data.orders values (-1, 'ours', '')`,
  )
  const block = follow({ strategy: 'Upsert' })
  await block.run()
  const sources = async () =>
    (await workspace.sql('select id from data.orders where source_deleted_at is null and id > 0 order by id')).flat()
  await origin.sql('delete from orders where id <= 3')
  expect((await block.run()).counters).toMatchObject({ rows_written: 0, rows_updated: 3 })
  expect(await marked()).toEqual(['1', '2', '3'])
  await origin.sql(`insert into orders values (2, 'back', 'y')`, `update orders set id = 700 where id = 50`)
  await block.run()
  expect(await marked()).toEqual(['1', '3', '50'])
  expect(await sources()).toEqual((await origin.sql('select id from orders order by id')).flat())
  const ours = async () => await workspace.sql('select name, source_deleted_at from data.orders where id = -1')
  expect(await ours()).toEqual([['ours', null]])
  await origin.sql('truncate orders', `insert into orders values (3, 'back', 'z')`)
  await block.run()
  expect(await marked()).toEqual(['1', '50'])
  expect(await ours()).toEqual([['ours', null]])
})

test('Upsert: a table that is read again keeps its marks, unmarks what is back, and says which rows it can not judge', async () => {
  const block = follow({ strategy: 'Upsert' })
  expect((await block.run()).lines.join('\n')).not.toContain('in the meantime')
  await origin.sql('delete from orders where id <= 2')
  await block.run()
  const [before] = await workspace.sql('select source_deleted_at::text from data.orders where id = 1')
  await origin.sql(
    'select pg_drop_replication_slot(slot_name) from pg_replication_slots',
    `insert into orders values (2, 'back', 'y')`,
    'delete from orders where id = 3',
  )
  const { lines } = await block.run()
  expect(lines.join('\n')).toContain(
    'WARNING Rows that were deleted at the source in the meantime stay in data.orders as they are.',
  )
  expect(await workspace.sql('select source_deleted_at::text from data.orders where id = 1')).toEqual([before])
  expect(await marked()).toEqual(['1'])
  await origin.sql('delete from orders where id = 4')
  await block.run()
  expect(await marked()).toEqual(['1', '4'])
})

test.each([
  ['delete_all', ['-1', '1', '2', '3']],
  ['keep', ['1']],
  ['write_mode', ['1']],
])('Upsert: a TRUNCATE with %s marks what it would delete', async (truncates, expected) => {
  await workspace.sql(
    'create table data.orders (id bigint primary key, name text, big text)',
    `insert into data.orders values (-1, 'ours', '')`,
  )
  await origin.sql('delete from orders where id > 3')
  const block = follow({ strategy: 'Upsert' }, { truncates })
  await block.run()
  await origin.sql('delete from orders where id = 1')
  await block.run()
  const readTime = async () => await workspace.sql('select source_deleted_at::text from data.orders where id = 1')
  const before = await readTime()
  await origin.sql('truncate orders', `insert into orders values (7, 'after', 'y')`)
  await block.run()
  expect(await marked()).toEqual(expected)
  expect(await readTime()).toEqual(before)
  expect(await workspace.sql('select count(*) from data.orders')).toEqual([['5']])
})

test('Upsert with a data model: marks go to the column it names, and rows are told apart by its key', async () => {
  await origin.sql('alter table orders add code text', `update orders set code = 'c' || id`)
  const dataModel = {
    fields: { id: 'integer', name: 'text', source_deleted_at: 'timestamptz' },
    column_mapping: { id: 'order_id', source_deleted_at: 'gone_at' },
    primary_keys: ['id'],
    indexes: {},
  } as const
  const block = follow({ strategy: 'Upsert', dataModel: dataModel as never })
  await block.run()
  await origin.sql('delete from orders where id = 4', `update orders set id = 400, name = 'moved' where id = 5`)
  await block.run()
  const gone = async () =>
    (await workspace.sql('select order_id from data.orders where gone_at is not null order by 1')).flat()
  expect(await gone()).toEqual(['4', '5'])
  await origin.sql(`insert into orders values (4, 'back', 'x')`)
  await block.run()
  expect(await gone()).toEqual(['5'])
  expect(await workspace.sql('select name from data.orders where order_id in (4, 400) order by order_id')).toEqual([
    ['back'],
    ['moved'],
  ])
})

const MARKING = STRATEGIES.flatMap((strategy) =>
  (['evolve', 'ask', 'freeze'] as const).map((policy) => [strategy, policy] as const),
)

test.each(MARKING)(
  '%s with the policy %s: marking is turned on and off without a question, for it is no change of the source',
  async (strategy, policy) => {
    const toQuery = (deletes: string) => ({ query: { ...TABLE, deletes } }) as never
    const block = follow({ strategy, schema_policy: policy }, { deletes: 'delete' })
    await block.run()
    await block.publish((write) => write, toQuery('mark'))
    const { lines } = await block.run()
    expect(lines.join('\n')).toContain('The table gets the column source_deleted_at')
    await origin.sql('delete from orders where id = 1')
    await block.run()
    expect(await marked()).toEqual(['1'])
    await expectSame()

    await block.publish((write) => write, toQuery('delete'))
    expect((await block.run()).lines.join('\n')).toContain('source_deleted_at is not written any more')
    await origin.sql('delete from orders where id = 2')
    await block.run()
    expect(await workspace.sql('select count(*) from data.orders where id = 2')).toEqual([['0']])
  },
)

test('a column of the same name at the source is refused', async () => {
  await origin.sql('alter table orders add source_deleted_at timestamptz')
  await expect(follow().run()).rejects.toMatchObject({
    kind: 'configuration',
    message: 'The table has a column source_deleted_at of its own, where deletes would be marked.',
  })
  await follow({}, { columns: 'name, big' }).run()
  await expectSame()
})

test.each(STRATEGIES)('%s: the source crashes under a run that stays: rows and marks are exact', async (strategy) => {
  const block = follow({ strategy }, { is_continuous: true })
  const stopping = new AbortController()
  const staying = (async () => {
    while (!stopping.signal.aborted) await block.run({ signal: stopping.signal }).catch(() => undefined)
  })()
  const until = async (text: string) => {
    for (;;) {
      const rows = await workspace.sql(text).catch(() => [])
      if (rows.length > 0) return
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await until('select 1 from data.orders')
  await origin.sql('delete from orders where id <= 5')
  await origin.crash()
  await origin.sql(
    'delete from orders where id <= 9',
    `insert into orders values (2, 'back', 'x'), (9999, 'last', 'x')`,
  )
  await until('select 1 from data.orders where id = 9999')
  stopping.abort(new Error('stopped'))
  await staying
  expect(await marked()).toEqual(['1', '3', '4', '5', '6', '7', '8', '9'])
  await expectSame()
})
