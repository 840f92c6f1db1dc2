import { getTaskRun } from '@trellis/contract/runs/runs.endpoints'
import type { WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import { expect, test } from 'vitest'
import { LEDGER_MODEL, ledgerRows as rows, startLedgerApp } from '../../../testing/ledger-app.ts'
import { makeRunRow, writeStep } from '../../../testing/load-runs.ts'

const { app, ledger, workspace, loads, source } = await startLedgerApp({ TRELLIS_LOAD_ROWS: '3' })

const createBlock = (write: Partial<WriteStep> = {}) =>
  loads.block(source, { write: writeStep({ dataModel: LEDGER_MODEL, ...write }) })
const readReceipt = async (rootCode: string) => {
  await makeRunRow(app, workspace, rootCode)
  const params = { ...workspace.tenant, task_run_trellis_code: rootCode }
  const { data } = await workspace.account.owner.call(getTaskRun, { params })
  const { rows_at_source, rows_at_destination, key_hash_at_source, key_hash_at_destination, is_whole } =
    data.receipts[0] ?? {}
  return {
    read: rows_at_source,
    written: rows_at_destination,
    keys: [key_hash_at_source, key_hash_at_destination],
    is_whole,
  }
}
const computeKeyHash = async (ids: number[]) =>
  (await workspace.sql(`select sum(hashint8extended(id, 0)) from unnest('{${ids.join()}}'::bigint[]) id`))[0]?.[0]

test.each(['Append', 'Replace'] as const)('%s: the keys that came are those of the source', async (strategy) => {
  ledger.rows = rows(8)
  ledger.failAt = 5
  const block = createBlock({ strategy })
  const rootCode = `keys-${strategy.toLowerCase()}`
  await expect(block.run({ rootCode })).rejects.toThrow('closed in the middle')
  ledger.failAt = null
  await block.run({ rootCode })
  const hash = await computeKeyHash([1, 2, 3, 4, 5, 6, 7, 8])
  expect(await readReceipt(rootCode)).toEqual({ read: 8, written: 8, keys: [hash, hash], is_whole: true })
})

test('a table that changes the keys of what arrives is not whole', async () => {
  await workspace.sql(
    'create table data.ledger (id bigint primary key, version bigint, name text)',
    `create function data.other_key() returns trigger language plpgsql as 'begin new.id := new.id + (new.id = 5)::int * 100; return new; end'`,
    'create trigger other_key before insert on data.ledger for each row execute function data.other_key()',
  )
  ledger.rows = rows(8)
  await expect(createBlock().run({ rootCode: 'keys-changed' })).rejects.toThrow('The keys differ')
  expect(await readReceipt('keys-changed')).toEqual({
    read: 8,
    written: 8,
    keys: [await computeKeyHash([1, 2, 3, 4, 5, 6, 7, 8]), await computeKeyHash([1, 2, 3, 4, 105, 6, 7, 8])],
    is_whole: false,
  })
  await workspace.sql('drop table data.ledger', 'drop function data.other_key')
})

test('rows that found a free place in the middle of the table are found as well', async () => {
  await workspace.sql(
    'create table data.ledger (id bigint primary key, version bigint, name text)',
    `insert into data.ledger select n, 1, repeat('x', 500) from generate_series(1000, 3000) n`,
    'delete from data.ledger where id between 1200 and 2000',
    'vacuum data.ledger',
  )
  ledger.rows = rows(8)
  const { rootCode } = await createBlock().run()
  const ends = await workspace.sql(
    `select count(*) from data.ledger where id < 9 and ctid < (select max(ctid) from data.ledger where id > 2900)`,
  )
  expect(Number(ends[0]?.[0])).toBeGreaterThan(0)
  const hash = await computeKeyHash([1, 2, 3, 4, 5, 6, 7, 8])
  expect(await readReceipt(rootCode)).toMatchObject({ keys: [hash, hash], is_whole: true })
})

test('what others add meanwhile is theirs', async () => {
  await workspace.sql('create table data.ledger (id bigint primary key, version bigint, name text)')
  ledger.rows = rows(8)
  let isAdded: Promise<unknown> = Promise.resolve()
  const onCommit = (commits: number) =>
    void (isAdded = isAdded.then(() => workspace.sql(`insert into data.ledger values (${commits + 900}, 1, 'theirs')`)))
  const { rootCode } = await createBlock().run({ onCommit })
  await isAdded
  const hash = await computeKeyHash([1, 2, 3, 4, 5, 6, 7, 8])
  expect(await readReceipt(rootCode)).toMatchObject({ keys: [hash, hash], is_whole: true })
})

test('rows that do not fit, come twice or lost a value are left out on both sides', async () => {
  ledger.rows = [...rows(4), [5, 'many', 'e'], ['x', 1, 'f'], [2, 9, 'twice'], [8, 1, 'ze\0ro'], [9, 1, 'i']]
  const bad_rows = { choice: 'quarantine', most: 9 } as const
  const append = await createBlock({ bad_rows }).run()
  const hash = await computeKeyHash([1, 2, 3, 4, 9])
  expect(await readReceipt(append.rootCode)).toMatchObject({ read: 9, written: 5, keys: [hash, hash], is_whole: true })
  const replace = await createBlock({ bad_rows, strategy: 'Replace' }).run()
  expect(await readReceipt(replace.rootCode)).toMatchObject({ read: 9, written: 5, keys: [hash, hash], is_whole: true })
  const emptied = await createBlock({ bad_rows: { choice: 'set_null', most: 9 }, strategy: 'Replace' }).run()
  const more = await computeKeyHash([1, 2, 3, 4, 5, 9])
  expect(await readReceipt(emptied.rootCode)).toMatchObject({ keys: [more, more], is_whole: true })
})

test('without a key, in parts, or with a key that is written in many ways only rows are counted', async () => {
  const counted = { read: 3, written: 3, keys: [null, null], is_whole: true }
  ledger.rows = rows(3)
  const keyless = await createBlock({ dataModel: { ...LEDGER_MODEL, primary_keys: [] } }).run()
  expect(await readReceipt(keyless.rootCode)).toEqual(counted)
  await workspace.sql(
    'drop table data.ledger',
    'create table data.ledger (id bigint primary key, version bigint, name text) partition by range (id)',
    'create table data.ledger_all partition of data.ledger default',
  )
  expect(await readReceipt((await createBlock().run()).rootCode)).toEqual(counted)
  await workspace.sql('drop table data.ledger')
  const float = await createBlock({
    dataModel: { ...LEDGER_MODEL, fields: { ...LEDGER_MODEL.fields, id: 'float' } },
  }).run()
  expect(await readReceipt(float.rootCode)).toEqual(counted)
})

test('a table that has a key shows it also to a load that asks for none', async () => {
  await workspace.sql('create table data.ledger (id bigint, version int, name text, primary key (id, name))')
  ledger.rows = rows(3)
  const { rootCode } = await createBlock({ dataModel: null }).run()
  const [seen] = await workspace.sql(
    `select sum(hashtextextended(name collate "C", hashint8extended(id, 0))) from data.ledger`,
  )
  expect(await readReceipt(rootCode)).toMatchObject({ keys: [seen?.[0], seen?.[0]], is_whole: true })
})
