import { expect, test } from 'vitest'
import { ledgerRows as rows, startLedgerApp } from '../../../testing/ledger-app.ts'
import { runSettled, writeStep } from '../../../testing/load-runs.ts'
import { RunFault } from '../runner/run-work.ts'

// One commit per batch of the ledger.
const { ledger, workspace, loads, source } = await startLedgerApp({ TRELLIS_LOAD_ROWS: '3' })

const table = async (columns = '*') => await workspace.sql(`select ${columns} from data.ledger order by 1, 2, 3`)
const own = async () =>
  (
    await workspace.sql(
      `select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where nspname = 'trellis_loads' and relkind = 'r' and relname ~ '^(load|beside)_'`,
    )
  ).flat()

test('Append adds all rows, run after run, and leaves nothing behind', async () => {
  ledger.rows = rows(10)
  const block = loads.block(source, { write: writeStep() })
  const first = await block.run()
  expect(first.counters).toMatchObject({ rows_read: 10, rows_written: 10, rows_rejected: 0 })
  await block.run()
  expect(await table('count(*), count(distinct id), 1')).toEqual([['20', '10', '1']])
  expect(await own()).toEqual([])
})

test('a schema that is not ours to write to is told, and another is advised', async () => {
  ledger.rows = rows(1)
  const fault = await loads
    .block(source, { write: writeStep({ schema_name: 'public' }) })
    .run()
    .catch((error: unknown) => error)
  expect(fault).toMatchObject({
    kind: 'configuration',
    message: 'permission denied for schema public',
    advice: 'Write into another schema, such as "data".',
  })
})

test('Append that follows the cursor reads only what is new', async () => {
  ledger.rows = rows(5)
  const block = loads.block(source, { write: writeStep(), is_incremental: true })
  await block.run()
  ledger.rows.push(...rows(4, 6))
  expect((await block.run()).counters.rows_read).toBe(4)
  expect(ledger.reads).toEqual([{ from: 0 }, { from: 5 }])
  await block.run({ request: { is_full: true } })
  expect(await table('count(*), 1, 1')).toEqual([['18', '1', '1']])
})

test('an attempt that was broken off is gone on with, and one that got through is not repeated', async () => {
  ledger.rows = rows(12)
  ledger.failAt = 7
  const block = loads.block(source, { write: writeStep() })
  const rootCode = 'root-append'
  await expect(block.run({ rootCode })).rejects.toThrow(RunFault)
  expect(await table('count(*), count(distinct id), 1')).toEqual([['6', '6', '1']])
  ledger.failAt = null
  expect((await block.run({ rootCode })).counters.rows_read).toBe(6)
  expect(await block.run({ rootCode })).toMatchObject({ counters: { rows_read: 0 } })
  expect(await table('count(*), count(distinct id), 1')).toEqual([['12', '12', '1']])
})

test('a source that can not go on in the middle is all there or not at all', async () => {
  ledger.rows = rows(12)
  ledger.isResumable = false
  ledger.failAt = 7
  const block = loads.block(source, { write: writeStep() })
  await expect(block.run({ rootCode: 'root-whole' })).rejects.toThrow('closed in the middle')
  expect(await table('count(*), 1, 1')).toEqual([['0', '1', '1']])
  ledger.failAt = null
  await block.run({ rootCode: 'root-whole' })
  expect(await table('count(*), 1, 1')).toEqual([['12', '1', '1']])
})

test('Replace shows the old rows until the new ones are all there, with key and indexes', async () => {
  ledger.rows = rows(10)
  ledger.cursor = 'version'
  const block = loads.block(source, { write: writeStep({ strategy: 'Replace' }) })
  await block.run()
  await workspace.sql('create index mine on data.ledger (name)')
  ledger.rows = rows(4, 100)
  ledger.failAt = 3
  await expect(block.run({ rootCode: 'root-replace' })).rejects.toThrow(RunFault)
  expect(await table('count(*), 1, 1')).toEqual([['10', '1', '1']])
  ledger.failAt = null
  await block.run({ rootCode: 'root-replace' })
  expect((await table('id, version, name')).map(([id]) => id)).toEqual(['100', '101', '102', '103'])
  const indexes = await workspace.sql(`select indexname from pg_indexes where tablename = 'ledger' order by 1`)
  expect(indexes.flat()).toEqual(['ledger_pkey', 'ledger_version_idx', 'mine'])
  expect(await own()).toEqual([])
})

test('Replace of a table that a view reads exchanges the rows', async () => {
  ledger.rows = rows(3)
  const block = loads.block(source, { write: writeStep({ strategy: 'Replace' }) })
  await block.run()
  await workspace.sql('create view data.seen as select id from data.ledger')
  ledger.rows = rows(2, 50)
  await block.run()
  expect(await workspace.sql('select * from data.seen order by 1')).toEqual([['50'], ['51']])
})

test('Upsert adds what is new and changes what is known, the newest of doubles wins', async () => {
  ledger.rows = rows(5)
  ledger.cursor = 'version'
  const block = loads.block(source, { write: writeStep({ strategy: 'Upsert' }) })
  expect((await block.run()).counters).toMatchObject({ rows_written: 5, rows_updated: 0 })
  ledger.rows = [
    [1, 2, 'newer'],
    [1, 3, 'newest'],
    [1, 2, 'older again'],
    [2, 0, 'too old'],
    [9, 1, 'added'],
  ]
  await block.run()
  expect(await table()).toEqual([
    ['1', '3', 'newest'],
    ['2', '1', 'row 2'],
    ['3', '1', 'row 3'],
    ['4', '1', 'row 4'],
    ['5', '1', 'row 5'],
    ['9', '1', 'added'],
  ])
})

test('a worker that was replaced can not write any more', async () => {
  ledger.rows = rows(4)
  const block = loads.block(source, { write: writeStep() })
  const [old, young] = [loads.nextEpoch(), loads.nextEpoch()]
  await block.run({ epoch: young })
  await expect(block.run({ epoch: old })).rejects.toThrow('taken this run over')
  expect(await table('count(*), 1, 1')).toEqual([['4', '1', '1']])
})

test('the database of the workspace is read as any other', async () => {
  await workspace.sql(
    'drop table if exists data.orders',
    'create table data.orders (id bigint primary key, amount numeric, at timestamptz)',
    `insert into data.orders select i, i * 1.5, '2026-01-01Z' from generate_series(1, 1000) i`,
  )
  const query = { query: { kind: 'table', table: { schema: 'data', table: 'orders' } } }
  const copies = loads.block(
    workspace.integrationCode,
    { query, write: writeStep({ table_name: 'ledger' }) },
    { query, write: writeStep({ table_name: 'ledger2', strategy: 'Replace' }) },
  )
  await copies.run()
  const newer = loads.block(workspace.integrationCode, {
    query: { query: { ...query.query, cursor: 'id' } },
    is_incremental: true,
    write: writeStep({ table_name: 'newer', strategy: 'Upsert' }),
  })
  expect((await newer.run()).counters.rows_written).toBe(1000)
  await runSettled(newer)
  await workspace.sql(`insert into data.orders values (1001, 1, '2026-01-01Z')`)
  // The last row is read again, since others may share its cursor.
  expect((await newer.run()).counters).toMatchObject({ rows_read: 2, rows_written: 1, rows_updated: 1 })
  await workspace.sql('delete from data.orders where id = 1001')
  const sums = async (name: string) => await workspace.sql(`select count(*), sum(amount), max(at) from data.${name}`)
  expect(await sums('ledger')).toEqual(await sums('orders'))
  expect(await sums('ledger2')).toEqual(await sums('orders'))
})

test('sample data', async () => {
  const sample = await loads.addIntegration(
    { code: 'sample_data', name: 'Sample data' },
    { shop: { orders_a_year: 500 } },
  )
  const block = loads.block(sample, {
    query: { data: { stream: 'customers' } },
    write: writeStep({ strategy: 'Upsert' }),
    is_incremental: true,
  })
  const { counters } = await block.run()
  expect(counters.rows_written).toBeGreaterThan(50)
  expect(await table('count(*), 1, 1')).toEqual([[String(counters.rows_written), '1', '1']])
})
