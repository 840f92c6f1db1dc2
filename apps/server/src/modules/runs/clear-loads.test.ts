import pg from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { ledgerRows, startLedgerApp } from '../../testing/ledger-app.ts'
import { makeRunRow, writeStep } from '../../testing/load-runs.ts'
import { handleClearLoads } from './clear-loads.handler.ts'

const { app, ledger, workspace, loads, source } = await startLedgerApp({ TRELLIS_LOAD_ROWS: '3' })
await makeRunRow(app, workspace, 'known')
beforeEach(async () => {
  ledger.rows = ledgerRows(9)
  await workspace.sql('delete from trellis_loads.writers')
})

const left = async () =>
  (
    await workspace.sql(
      `select relname from pg_class where relnamespace = 'trellis_loads'::regnamespace and relkind = 'r'
          and relname ~ '^(load|beside|undo)_' order by 1`,
    )
  ).map(([name]) => name)
const age = async (days: number) =>
  await workspace.sql(`update trellis_loads.writers set changed_at = now() - interval '${days} days'`)

/** A Replace that stops halfway and leaves its staging table. */
async function breakOff() {
  ledger.failAt = 6
  const block = loads.block(source, { write: writeStep({ strategy: 'Replace' }) })
  await expect(block.run({ rootCode: `${block.code}-root` })).rejects.toThrow('closed in the middle')
  ledger.failAt = null
  return block
}

test('what a load has read stays while somebody may go on with it, and goes when nobody will', async () => {
  const block = await breakOff()
  expect(await left()).toHaveLength(1)
  await handleClearLoads(app.ctx)
  expect(await left(), 'it is young').toHaveLength(1)
  await age(3)
  await handleClearLoads(app.ctx)
  expect(await left()).toEqual([])
  await block.run({ rootCode: `${block.code}-root` })
  expect(await workspace.sql('select count(*) from data.ledger')).toEqual([['9']])
})

test('a load that is being written is left, however long ago it was last heard of', async () => {
  await breakOff()
  await age(3)
  const url = Object.assign(new URL(app.database.adminUrl), { pathname: `/w_${workspace.key}` })
  const writing = new pg.Client({ connectionString: url.href })
  await writing.connect()
  try {
    await writing.query('begin')
    await writing.query('select from trellis_loads.writers for update')
    await handleClearLoads(app.ctx)
    expect(await left()).toHaveLength(1)
  } finally {
    await writing.end()
  }
  await handleClearLoads(app.ctx)
  expect(await left()).toEqual([])
})

test('tables of loads whose writer is gone or has another load go at once; what is not ours stays', async () => {
  const hex = '0123456789abcdef0123456789abcdef'
  await workspace.sql(
    `create table trellis_loads.load_${hex} (n int)`,
    `create table trellis_loads.load_${hex}_1 (n int)`,
    `create table trellis_loads.beside_${hex} (n int)`,
    'create table trellis_loads.load_of_mine (n int)',
  )
  await handleClearLoads(app.ctx)
  expect(await left()).toEqual(['load_of_mine'])
  await workspace.sql('drop table trellis_loads.load_of_mine')
})

test('rows that are read and wait beside the table are not thrown away with it', async () => {
  Object.assign(ledger, { key: [], cursor: 'version' })
  const block = loads.block(source, { is_incremental: true, write: writeStep() })
  await block.run()
  ledger.rows.push(...ledger.rows.map(([id]) => [Number(id) + 100, 1, 'again']))
  ledger.failAt = 15
  await expect(block.run()).rejects.toThrow('closed in the middle')
  expect(await left()).toContainEqual(expect.stringMatching(/^beside_/))
  await age(3)
  await handleClearLoads(app.ctx)
  expect(await left()).toContainEqual(expect.stringMatching(/^beside_/))
  await age(40)
  await handleClearLoads(app.ctx)
  expect(await left()).not.toContainEqual(expect.stringMatching(/^beside_/))
})
