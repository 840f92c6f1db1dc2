import { afterAll, beforeEach, expect, test } from 'vitest'
import { startLogicalSource } from '../../../../testing/sources/logical-source.ts'
import { makeLoads, writeStep } from '../../../../testing/load-runs.ts'
import { startTestApp } from '../../../../testing/test-app.ts'
import { makeReadyWorkspace } from '../../../../testing/workspace.ts'

const origin = await startLogicalSource()
const app = await startTestApp({ settings: { TRELLIS_ALLOW_PRIVATE_HOSTS: 'on' } })
afterAll(() => app.close())
const workspace = await makeReadyWorkspace(app, { isSessionKept: true })
afterAll(() => workspace.remove())
const loads = await makeLoads(app, workspace)
const source = await loads.addIntegration({ code: 'postgresql', name: 'Shop' }, origin.settings())

const query = { query: { kind: 'changes', table: { schema: 'public', table: 'orders' } } }
const follow = (changes: Parameters<typeof writeStep>[0] = {}) =>
  loads.block(source, {
    name: 'orders',
    query,
    write: writeStep({ table_name: 'orders', strategy: 'Replace', ...changes }),
  })

const slots = async () => (await origin.sql('select slot_name from pg_replication_slots')).flat()

beforeEach(async () => {
  await workspace.sql('drop table if exists data.orders cascade', 'delete from trellis_loads.receipts')
  await origin.sql(
    'select pg_drop_replication_slot(slot_name) from pg_replication_slots',
    'drop table if exists orders cascade',
    'create table orders (id bigint primary key, name text, amount numeric, big text)',
    `insert into orders select i, 'order ' || i, i * 1.5, repeat(md5(i::text), 300) from generate_series(1, 500) i`,
    'alter table orders alter big set storage external',
  )
})

const same = async () => {
  const text = 'select id, name, amount, md5(big) from'
  expect(await workspace.sql(`${text} data.orders order by id`)).toEqual(
    (await origin.sql(`${text} orders order by id`)).map((row) =>
      row.map((value) => (value === 'null' ? null : value)),
    ),
  )
}

test('the table at first, then inserts, updates and deletes of the log, none of them twice', async () => {
  const block = follow()
  const first = await block.run()
  expect(first.counters.rows_read).toBe(500)
  await same()
  await origin.sql(
    `insert into orders values (501, E'tab\\tline\\n\\\\', null, null)`,
    `update orders set name = 'changed' where id <= 10`,
    'delete from orders where id between 20 and 29',
    `begin; insert into orders values (777, 'gone again', 1, 'x'); rollback`,
    `insert into orders values (600, 'a', 1, 'b'); delete from orders where id = 600`,
  )
  const second = await block.run()
  expect(second.counters).toMatchObject({ rows_read: 23, rows_written: 1, rows_updated: 20 })
  expect(second.lines.join('\n')).toContain('1 rows inserted, 10 updated, 10 deleted in data.orders')
  await same()
  expect((await block.run()).counters.rows_read).toBe(0)
})

test('a large value that did not change stays, also when the row gets another key', async () => {
  const block = follow()
  await block.run()
  await origin.sql(
    `update orders set name = 'small change' where id = 1`,
    'update orders set id = 9001 where id = 2',
    'update orders set id = 9002 where id = 3',
    `update orders set id = 9003, name = 'moved twice' where id = 9002`,
    `insert into orders values (3, 'in its place', 3, 'short')`,
    `update orders set big = 'new' where id = 4; update orders set amount = 7 where id = 4`,
  )
  await block.run()
  await same()
})

test('a receipt counts each change of the source once, also those that move a row to another key', async () => {
  const block = follow()
  await block.run()
  await origin.sql(
    'update orders set id = id + 10000 where id <= 50',
    'update orders set id = id + 10000 where id > 10000 and id <= 10010',
    `insert into orders values (1, 'in its place', 1, 'x')`,
    'delete from orders where id = 10050',
  )
  const { counters } = await block.run()
  await same()
  expect(counters.rows_read).toBe(62)
  const text = 'select rows_read, rows, rows_merged from trellis_loads.receipts order by rows_read limit 1'
  // 50 rows moved, ten of them twice; one deleted, one inserted.
  expect(await workspace.sql(text)).toEqual([['62', '51', '11']])
})

test('TRUNCATE empties the table, and what came after it is there', async () => {
  const block = follow()
  await block.run()
  await origin.sql(
    `insert into orders values (901, 'before', 1, 'x')`,
    'truncate orders',
    `insert into orders values (1, 'after', 1, 'y')`,
  )
  await block.run()
  await same()
})

test('a table that is empty at first is followed as any other', async () => {
  await origin.sql('truncate orders')
  const block = follow()
  await block.run()
  await origin.sql(`insert into orders values (1, 'first', 1, 'x')`)
  await block.run()
  await same()
})

test('what is committed while the table is read is neither lost nor doubled', async () => {
  const block = follow()
  await origin.sql(`insert into orders select i, 'n', 1, repeat('z', 3000) from generate_series(1000, 6000) i`)
  const over = new AbortController()
  const writing = (async () => {
    for (let id = 10_000; !over.signal.aborted; id += 1) {
      await origin.sql(
        `insert into orders values (${id}, 'while reading', 1, 'x'); delete from orders where id = ${id - 9000}`,
      )
    }
  })()
  await block.run()
  over.abort()
  await writing
  await block.run()
  await same()
})

test('a new column follows the policy in the middle of the log, values of before stay', async () => {
  const block = follow()
  await block.run()
  await origin.sql(
    `update orders set name = 'before' where id = 1`,
    'alter table orders add column note text',
    `update orders set note = 'after' where id = 2`,
    'alter table orders add column gone text',
    `update orders set gone = 'x' where id = 3`,
    'alter table orders drop column gone',
    `update orders set name = 'last' where id = 4`,
  )
  const { lines } = await block.run()
  expect(lines.join('\n')).toContain('note')
  await same()
  expect(await workspace.sql('select id, note from data.orders where note is not null')).toEqual([['2', 'after']])
})

test('lists and amounts of money are converted as when the table is read', async () => {
  await origin.sql(
    'alter table orders add list int[], add cash money',
    `update orders set list = '{1,2}', cash = 5 where id = 1`,
  )
  const block = follow()
  await block.run()
  await origin.sql(`update orders set list = '{3,4}', cash = 12.5 where id = 2`)
  await block.run()
  expect(await workspace.sql('select id, list, cash from data.orders where id <= 2 order by id')).toEqual([
    ['1', '[1, 2]', '5.00'],
    ['2', '[3, 4]', '12.50'],
  ])
})

test('a slot that is gone is noticed: the whole table is read again', async () => {
  const block = follow()
  await block.run()
  const [slot] = await slots()
  await origin.sql(`select pg_drop_replication_slot('${slot}')`, 'delete from orders where id = 5')
  const { lines } = await block.run()
  expect(lines.join('\n')).toContain('WARNING The whole table is read again, because the replication slot')
  await same()
  await origin.sql('delete from orders where id = 6')
  await block.run()
  await same()
})

test('changes that somebody else took from the slot are noticed as well', async () => {
  const block = follow()
  await block.run()
  const [slot] = await slots()
  await origin.sql(
    'delete from orders where id = 5',
    `select pg_replication_slot_advance('${slot}', pg_current_wal_lsn())`,
  )
  const { lines } = await block.run()
  expect(lines.join('\n')).toContain('that did not arrive here')
  await same()
})

test('an attempt that was stopped between commit and confirmation does not apply anything twice', async () => {
  const block = follow()
  await block.run()
  await origin.sql('create table counted (n int)', `update orders set amount = amount + 1 where id = 1`)
  const stopping = new AbortController()
  const rootCode = 'root-changes'
  await block
    .run({ rootCode, signal: stopping.signal, onCommit: () => stopping.abort(new Error('stopped')) })
    .catch(() => undefined)
  await block.run({ rootCode })
  await block.run()
  await same()
})

test('a worker that was replaced can not apply anything', async () => {
  const block = follow()
  await block.run()
  await origin.sql('delete from orders where id = 5')
  await block.run({ epoch: loads.nextEpoch() + 100 })
  await expect(block.run({ epoch: 1 })).rejects.toThrow('Another worker')
})

test('Upsert leaves rows that the source never had', async () => {
  await workspace.sql(
    'create table data.orders (id bigint primary key, name text, amount numeric, big text)',
    `insert into data.orders values (-1, 'ours', 0, '')`,
  )
  const block = follow({ strategy: 'Upsert' })
  await block.run()
  await origin.sql('delete from orders where id = 1')
  await block.run()
  expect(await workspace.sql('select count(*), min(id) from data.orders')).toEqual([['500', '-1']])
})

test('Upsert: a TRUNCATE leaves all rows with a warning, whatever is read with it, or deletes all when chosen', async () => {
  await workspace.sql(
    'create table data.orders (id bigint primary key, name text, amount numeric, big text)',
    `insert into data.orders values (-1, 'ours', 0, '')`,
  )
  const block = follow({ strategy: 'Upsert' })
  await block.run()
  await origin.sql(
    `insert into orders values (901, 'before', 1, 'x')`,
    'truncate orders',
    `insert into orders values (1, 'after', 1, 'y')`,
  )
  const { lines } = await block.run()
  expect(lines.join('\n')).toContain(
    'WARNING The source table was truncated. The rows of data.orders stay, because with Upsert it is not known',
  )
  expect(await workspace.sql('select count(*), min(id), max(id) from data.orders')).toEqual([['502', '-1', '901']])
  expect(await workspace.sql('select name, big from data.orders where id = 1')).toEqual([['after', 'y']])

  await block.publish((write) => write, { query: { ...query.query, truncates: 'delete_all' } })
  await origin.sql('truncate orders', `insert into orders values (2, 'last', 1, 'z')`)
  const emptied = await block.run()
  expect(emptied.counters.rows_read).toBe(2)
  expect(emptied.lines.join('\n')).toContain('truncated. All rows of data.orders were deleted.')
  await same()
})

test('Replace: rows stay behind a TRUNCATE when that is chosen', async () => {
  const block = loads.block(source, {
    name: 'orders',
    query: { query: { ...query.query, truncates: 'keep' } },
    write: writeStep({ table_name: 'orders', strategy: 'Replace' }),
  })
  await block.run()
  await origin.sql('truncate orders')
  expect((await block.run()).lines.join('\n')).toContain('The rows of data.orders stay, as chosen in the query.')
  expect(await atHome('true')).toBe(500)
})

test('rows that do not fit are set aside without what is ours beside them', async () => {
  const model = {
    fields: { id: 'integer', name: 'integer' },
    column_mapping: {},
    primary_keys: ['id'],
    indexes: {},
  } as const
  await origin.sql(`update orders set name = id::text`)
  const block = follow({ dataModel: model as never, bad_rows: { choice: 'quarantine', most: 10 } })
  await block.run()
  await origin.sql(`update orders set name = 'no number' where id = 1`, `update orders set name = '77' where id = 2`)
  expect((await block.run()).counters.rows_rejected).toBe(1)
  expect(await workspace.sql('select cells::text from trellis_loads.quarantine')).toEqual([
    ['{"id": "1", "name": "no number"}'],
  ])
  expect(await workspace.sql('select name from data.orders where id <= 2 order by id')).toEqual([['1'], ['77']])
})

test('values that do not fit are left empty when that is chosen, and told', async () => {
  const model = { fields: { id: 'integer', name: 'integer' }, column_mapping: {}, primary_keys: ['id'], indexes: {} }
  await origin.sql(`update orders set name = id::text`)
  const block = follow({ dataModel: model as never, bad_rows: { choice: 'set_null', most: 10 } })
  await block.run()
  await origin.sql(`update orders set name = 'no number' where id = 1`)
  const { counters, lines } = await block.run()
  expect(counters).toMatchObject({ rows_updated: 1, rows_rejected: 0 })
  expect(lines.join('\n')).toContain('WARNING One value did not fit and is left empty.')
  expect(await workspace.sql('select name from data.orders where id = 1')).toEqual([[null]])
})

test('what the source lacks is told before anything is made', async () => {
  await origin.sql('drop table if exists keyless', 'create table keyless (a int)')
  const keyless = loads.block(source, {
    name: 'keyless',
    query: { query: { kind: 'changes', table: { schema: 'public', table: 'keyless' } } },
    write: writeStep({ table_name: 'keyless', strategy: 'Replace' }),
  })
  await expect(keyless.run()).rejects.toMatchObject({
    kind: 'configuration',
    message: expect.stringContaining('no primary key'),
  })
  await expect(follow({ strategy: 'Append' }).run()).rejects.toMatchObject({ kind: 'configuration' })
  await origin.sql(
    'drop role if exists weak',
    `create role weak login password 'weak'`,
    'grant select on orders to weak',
  )
  const weak = await loads.addIntegration(
    { code: 'postgresql', name: 'Weak' },
    origin.settings({ user: 'weak', password: 'weak' }),
  )
  const refused = loads.block(weak, {
    name: 'orders',
    query,
    write: writeStep({ table_name: 'orders', strategy: 'Replace' }),
  })
  await expect(refused.run()).rejects.toMatchObject({ message: 'The user weak has no right to read the log.' })
  expect(await slots()).toEqual([])
  await origin.sql('drop owned by weak', 'drop role weak')
})

const whileTrue = async (isOver: () => Promise<boolean>) => {
  while (!(await isOver())) await new Promise((resolve) => setImmediate(resolve))
}
const atHome = async (where: string) =>
  Number((await workspace.sql(`select count(*) from data.orders where ${where}`))[0]?.[0])

test('a run that stays applies changes as they come, until it is stopped, and another goes on', async () => {
  const block = loads.block(source, {
    name: 'orders',
    query: { query: { ...query.query, is_continuous: true } },
    write: writeStep({ table_name: 'orders', strategy: 'Replace' }),
  })
  const stay = () => {
    const stopping = new AbortController()
    const ended = block.run({ signal: stopping.signal }).catch(() => undefined)
    return async () => {
      stopping.abort(new Error('stopped'))
      await ended
    }
  }
  const stop = stay()
  await whileTrue(async () => (await workspace.sql(`select to_regclass('data.orders')`))[0]?.[0] !== null)
  await origin.sql(`insert into orders values (7001, 'came', 1, 'x')`)
  await whileTrue(async () => (await atHome('id = 7001')) === 1)
  await origin.sql(
    'delete from orders where id = 7001',
    'alter table orders add column note text',
    `update orders set note = 'n' where id = 1`,
  )
  await whileTrue(async () => (await atHome('id = 7001')) === 0)
  await whileTrue(
    async () =>
      (
        await workspace.sql(
          `select 1 from information_schema.columns where table_name = 'orders' and column_name = 'note'`,
        )
      ).length > 0,
  )
  await whileTrue(async () => (await atHome(`note = 'n'`)) === 1)
  const [slot] = await slots()
  await stop()
  await origin.sql(`insert into orders values (7002, 'between', 1, 'x')`)
  const stopAgain = stay()
  await whileTrue(async () => (await atHome('id = 7002')) === 1)
  await stopAgain()
  expect(await slots()).toEqual([slot])
  await same()
})

test('the source crashes under a run that stays: the next attempt loses and doubles nothing', async () => {
  const block = loads.block(source, {
    name: 'orders',
    query: { query: { ...query.query, is_continuous: true } },
    write: writeStep({ table_name: 'orders', strategy: 'Replace' }),
  })
  const stopping = new AbortController()
  const staying = (async () => {
    while (!stopping.signal.aborted) await block.run({ signal: stopping.signal }).catch(() => undefined)
  })()
  await whileTrue(async () => (await workspace.sql(`select to_regclass('data.orders')`))[0]?.[0] !== null)
  await origin.sql(
    `update orders set amount = amount + 1; insert into orders select i, 'c', 1, 'x' from generate_series(8000, 9000) i`,
  )
  await origin.crash()
  await origin.sql(`delete from orders where id = 8000; insert into orders values (9999, 'last', 1, 'x')`)
  await whileTrue(async () => (await atHome('id = 9999')) === 1)
  stopping.abort(new Error('stopped'))
  await staying
  await same()
})
