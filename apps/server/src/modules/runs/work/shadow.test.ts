import type { WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import { type Comparison } from '@trellis/loads/run/shadow/comparison'
import { expect, test } from 'vitest'
import { LEDGER_MODEL, ledgerRows as rows, startLedgerApp } from '../../../testing/ledger-app.ts'
import { writeStep } from '../../../testing/load-runs.ts'
import { createWork } from '../../../testing/work-runs.ts'
import { runTransformation } from './transformation.ts'

const { app, ledger, workspace, loads, source } = await startLedgerApp({ TRELLIS_LOAD_ROWS: '3' })

const createBlock = (write: Partial<WriteStep> = {}, more: { is_incremental?: boolean } = {}) =>
  loads.block(source, { write: writeStep({ dataModel: LEDGER_MODEL, strategy: 'Replace', ...write }), ...more })
const foundBy = async (rootCode: string): Promise<Comparison> => {
  const found = await workspace.sql(`select found::text from trellis_loads.comparisons where run_code = '${rootCode}'`)
  expect(found).toHaveLength(1)
  return JSON.parse(String(found[0]?.[0])) as Comparison
}
const counts = ({ added, changed, gone, same, rejected }: Comparison) => ({ added, changed, gone, same, rejected })
const inTable = () => workspace.sql('select t::text, xmin from data.ledger t order by 1')
const leftBehind = () =>
  workspace.sql(`select relname from pg_class where relnamespace = 'trellis_loads'::regnamespace
                  and relname ~ '^(load|beside)_' and relkind = 'r'`)
const SHADOW = { is_shadow: true } as const

test('Replace: what would be new, changed and gone is told, and the table stays as it is', async () => {
  ledger.rows = rows(8)
  const block = createBlock()
  await block.run()
  const before = await inTable()
  ledger.rows = [...rows(8, 2).map(([id, version, name]) => [id, id === 3 ? 2 : version, name])] as never
  const { rootCode, counters, lines } = await block.run({ request: SHADOW })
  const comparison = await foundBy(rootCode)
  expect(counts(comparison)).toEqual({ added: 1, changed: 1, gone: 1, same: 6, rejected: 0 })
  expect(comparison).toMatchObject({
    schema: 'data',
    table: 'ledger',
    strategy: 'Replace',
    hasTable: true,
    key: ['id'],
    columns: ['id', 'version', 'name'],
    changedColumns: [{ name: 'version', rows: 1 }],
    sample: [
      { change: 'changed', before: ['3', '1', 'row 3'], after: ['3', '2', 'row 3'] },
      { change: 'added', before: null, after: ['9', '1', 'row 9'] },
      { change: 'gone', before: ['1', '1', 'row 1'], after: null },
    ],
  })
  expect(await inTable()).toEqual(before)
  expect(await leftBehind()).toEqual([])
  expect(counters).toMatchObject({ rows_read: 8, rows_written: 0, rows_updated: 0 })
  expect(lines.slice(-2)).toEqual([
    'INFO 8 rows read, compared with data.ledger, which was left as it is.',
    'INFO The table would have: 1 new, 1 changed, 1 gone, 6 the same.',
  ])
  const undoable = await workspace.sql(
    `select count(*) from trellis_loads.receipts where table_name = 'ledger' and undo is not null`,
  )
  expect(undoable).toEqual([['1']])
})

test('Upsert that follows its source: only what is new is compared, and the cursor of the block stays', async () => {
  ledger.rows = rows(4)
  ledger.cursor = 'id'
  const block = createBlock({ strategy: 'Upsert' }, { is_incremental: true })
  await block.run()
  ledger.rows = [...rows(4), [5, 1, 'row 5'], [2, 7, 'row 2']]
  const { rootCode } = await block.run({ request: SHADOW })
  expect(ledger.reads.at(-1)).toEqual({ from: 4 })
  expect(counts(await foundBy(rootCode))).toEqual({ added: 1, changed: 1, gone: 0, same: 0, rejected: 0 })
  expect(await workspace.sql('select count(*), max(version) from data.ledger')).toEqual([['4', '1']])
  await block.run()
  expect(ledger.reads.at(-1)).toEqual({ from: 4 })
  expect(await workspace.sql('select count(*), max(version) from data.ledger')).toEqual([['5', '7']])
})

test('Append without a key: every row would be added', async () => {
  ledger.rows = rows(4)
  ledger.key = []
  const block = createBlock({ strategy: 'Append', dataModel: null })
  await block.run()
  const { rootCode } = await block.run({ request: SHADOW })
  const comparison = await foundBy(rootCode)
  expect(counts(comparison)).toEqual({ added: 4, changed: 0, gone: 0, same: 0, rejected: 0 })
  expect(comparison.key).toEqual([])
  expect(await workspace.sql('select count(*) from data.ledger')).toEqual([['4']])
})

test('rows without a key are compared as a whole, alike ones one by one', async () => {
  ledger.fields = [...ledger.fields, { name: 'more', type: 'json', isNullable: true }]
  ledger.key = []
  ledger.rows = [
    [1, 1, 'a', '{"n": 1}'],
    [1, 1, 'a', '{"n": 1}'],
    [2, 1, 'b', null],
  ]
  const block = createBlock({ dataModel: null })
  await block.run()
  ledger.rows = [
    [1, 1, 'a', '{"n": 1}'],
    [1, 1, 'a', '{"n": 1}'],
    [1, 1, 'a', '{"n": 1}'],
    [2, 1, 'b', '{}'],
  ]
  const { rootCode } = await block.run({ request: SHADOW })
  const comparison = await foundBy(rootCode)
  expect(counts(comparison)).toEqual({ added: 2, changed: 0, gone: 1, same: 2, rejected: 0 })
  expect(comparison.sample).toContainEqual({ change: 'gone', before: ['2', '1', 'b', null], after: null })
})

test('a table that is not there is not made', async () => {
  ledger.rows = rows(2)
  const { rootCode } = await createBlock({ strategy: 'Append' }).run({ request: SHADOW })
  const comparison = await foundBy(rootCode)
  expect(comparison).toMatchObject({ hasTable: false, added: 2, strategy: 'Append' })
  expect(await workspace.sql(`select to_regclass('data.ledger')`)).toEqual([[null]])
})

test('a table that has nothing in common with what is read would be gone as a whole', async () => {
  await workspace.sql('create table data.ledger (other text)', `insert into data.ledger values ('a'), ('b')`)
  ledger.rows = rows(3)
  const { rootCode } = await createBlock().run({ request: SHADOW })
  const comparison = await foundBy(rootCode)
  expect(counts(comparison)).toEqual({ added: 3, changed: 0, gone: 2, same: 0, rejected: 0 })
  expect(comparison.key).toEqual([])
})

test('values are compared as the table would hold them, whatever its types', async () => {
  await workspace.sql(
    'create table data.ledger (id bigint primary key, version numeric(6,2), name varchar(20), extra text)',
    `insert into data.ledger values (1, 1.01, 'row 1', 'kept'), (2, 2, 'row 2', null), (3, 3, 'other', null)`,
  )
  ledger.fields = ledger.fields.map((field) => (field.name === 'version' ? { ...field, type: 'decimal' } : field))
  ledger.rows = [
    [1, '1.0149', 'row 1'],
    [2, '2.00', 'row 2'],
    [3, '99999999999', 'row 3'],
  ]
  const dataModel = { ...LEDGER_MODEL, fields: { ...LEDGER_MODEL.fields, version: 'decimal' as const } }
  const { rootCode } = await createBlock({ strategy: 'Upsert', dataModel }).run({ request: SHADOW })
  const comparison = await foundBy(rootCode)
  expect(counts(comparison)).toEqual({ added: 0, changed: 1, gone: 0, same: 2, rejected: 0 })
  expect(comparison.changedColumns.map(({ name }) => name).toSorted()).toEqual(['name', 'version'])
})

test('an attempt that breaks off is gone on with, and what others write meanwhile does not matter', async () => {
  ledger.rows = rows(9)
  const block = createBlock()
  await block.run()
  ledger.failAt = 7
  const rootCode = 'shadow-broken-off'
  await expect(block.run({ rootCode, request: SHADOW })).rejects.toThrow('closed in the middle')
  ledger.failAt = null
  await block.run()
  await block.run({ rootCode, request: SHADOW })
  expect(ledger.reads.at(-1)?.from).toBeGreaterThan(0)
  expect(counts(await foundBy(rootCode))).toEqual({ added: 0, changed: 0, gone: 0, same: 9, rejected: 0 })
  // As after a crash between the end of the work and of the run.
  await block.run({ rootCode, request: SHADOW })
  expect(await leftBehind()).toEqual([])
})

test('rows that would not fit are told with their reason, and kept nowhere', async () => {
  ledger.rows = [...rows(2), ['x', 1, 'row x']]
  ledger.fields = ledger.fields.map((field) => (field.name === 'id' ? { ...field, type: 'text' } : field))
  const badRows = { choice: 'quarantine', most: 10 } as const
  const { rootCode, counters } = await createBlock({ bad_rows: badRows }).run({ request: SHADOW })
  const comparison = await foundBy(rootCode)
  expect(counts(comparison)).toEqual({ added: 2, changed: 0, gone: 0, same: 0, rejected: 1 })
  expect(comparison.misfits).toMatchObject([{ column: 'id', value: 'x' }])
  expect(counters.rows_rejected).toBe(1)
  expect(await workspace.sql('select count(*) from trellis_loads.quarantine')).toEqual([['0']])
})

test('SQL whose rows go to a table is compared; SQL that writes by itself is not run', async () => {
  await workspace.sql('create table data.ledger as select n as id, 1 as version from generate_series(1, 3) n')
  const settings = {
    language: 'sql',
    code: 'select n::bigint as id, 2::bigint as version from generate_series(2, 4) n',
    input: null,
    packages: [],
    integration_trellis_code: null,
    most_minutes: 5,
    write: writeStep({ strategy: 'Replace', table_name: 'ledger' }),
  }
  const made = createWork<never>({ app, workspace }, runTransformation as never, settings as never)
  const { rootCode } = await made.run({ request: SHADOW })
  expect(counts(await foundBy(rootCode))).toEqual({ added: 3, changed: 0, gone: 3, same: 0, rejected: 0 })
  const byItself = { ...settings, code: 'delete from data.ledger', write: null }
  const refused = createWork<never>({ app, workspace }, runTransformation as never, byItself as never)
  await expect(refused.run({ request: SHADOW })).rejects.toMatchObject({ kind: 'configuration' })
  expect(await workspace.sql('select count(*) from data.ledger')).toEqual([['3']])
})
