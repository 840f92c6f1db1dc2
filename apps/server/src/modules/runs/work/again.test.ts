import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import pg from 'pg'
import { makeLoads, runSettled, writeStep } from '../../../testing/load-runs.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'

let app: TestApp
let workspace: ReadyWorkspace
let loads: Awaited<ReturnType<typeof makeLoads>>

beforeAll(async () => {
  // One commit per batch of the source.
  app = await startTestApp({ settings: { TRELLIS_LOAD_ROWS: '100' } })
  workspace = await makeReadyWorkspace(app, { isSessionKept: true })
  loads = await makeLoads(app, workspace)
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})
beforeEach(async () => {
  await workspace.sql('drop table if exists data.events, data.copied')
})

const NOON = `timestamptz '2026-03-01 12:00Z'`
const query = { query: { kind: 'table', table: { schema: 'data', table: 'events' }, cursor: 'at' } }
const blockFor = (strategy: 'Append' | 'Upsert', changes: object = {}) =>
  loads.block(workspace.integrationCode, {
    query,
    is_incremental: true,
    write: writeStep({ strategy, table_name: 'copied', ...changes }),
  })
const insert = (from: number, to: number, at: string) =>
  workspace.sql(`insert into data.events select i, ${at}, 'row ' || i from generate_series(${from}, ${to}) i`)
const all = async (table: string) => await workspace.sql(`select * from data.${table} order by id, at, note`)
const expectSame = async () => expect(await all('copied')).toEqual(await all('events'))

const KINDS = [
  { strategy: 'Append', key: 'primary key', name: 'Append with a key' },
  { strategy: 'Append', key: '', name: 'Append without a key' },
  { strategy: 'Upsert', key: 'primary key', name: 'Upsert' },
] as const

test.each(KINDS)('$name: rows that share the edge come once, run after run', async ({ strategy, key }) => {
  await workspace.sql(`create table data.events (id bigint ${key}, at timestamptz, note text)`)
  const block = blockFor(strategy)
  await insert(1, 50, `${NOON} - i * interval '1 minute'`)
  await insert(51, 60, NOON)
  await runSettled(block)
  await expectSame()
  expect((await block.run()).counters).toMatchObject({ rows_read: 10 })
  await expectSame()
  // Rows with an equal cursor, and some with NULL.
  await insert(61, 70, NOON)
  await insert(71, 80, `${NOON} + i * interval '1 second'`)
  await block.run()
  await expectSame()
  await block.run()
  await insert(81, 81, `${NOON} + interval '80 seconds'`)
  const { lines } = await block.run()
  await expectSame()
  expect(lines.some((line) => line.startsWith('WARNING'))).toBe(key === '')
})

test('rows of a table without a key that are all alike are as many as at the source', async () => {
  await workspace.sql('create table data.events (id bigint, at timestamptz, note text)')
  const block = blockFor('Append')
  const alike = (count: number) =>
    workspace.sql(`insert into data.events select 1, ${NOON}, null from generate_series(1, ${count})`)
  await alike(3)
  await runSettled(block)
  await alike(2)
  expect((await block.run()).counters).toMatchObject({ rows_read: 5, rows_written: 2 })
  await block.run()
  await expectSame()
})

test('with Append a row whose cursor moved is another row, also beside one that did not', async () => {
  await workspace.sql('create table data.events (id bigint primary key, at timestamptz, note text)')
  const block = blockFor('Append')
  await insert(1, 3, NOON)
  await block.run()
  await workspace.sql(`update data.events set at = at + interval '1 hour', note = 'later' where id = 2`)
  await block.run()
  await block.run()
  expect((await all('copied')).map(([id, , note]) => [id, note])).toEqual([
    ['1', 'row 1'],
    ['2', 'row 2'],
    ['2', 'later'],
    ['3', 'row 3'],
  ])
})

test('a table with a key of its own takes what comes again without a fault', async () => {
  await workspace.sql('create table data.events (id bigint primary key, at timestamptz, note text)')
  const block = blockFor('Append', {
    dataModel: {
      fields: { id: 'integer', at: 'timestamptz', note: 'text' },
      column_mapping: {},
      primary_keys: ['id'],
      indexes: {},
    },
  })
  await insert(1, 3, NOON)
  await runSettled(block)
  await insert(4, 6, NOON)
  expect((await block.run()).counters).toMatchObject({ rows_read: 6, rows_written: 3, rows_rejected: 0 })
  await expectSame()
  const [receipt] = await workspace.sql(
    'select rows_read, rows, rows_merged from trellis_loads.receipts order by finished_at desc limit 1',
  )
  expect(receipt).toEqual(['6', '3', '3'])
})

test.each(KINDS)('$name: transactions that commit late and attempts that die lose and double nothing', async (kind) => {
  await workspace.sql(`create table data.events (id bigint ${kind.key}, at timestamptz, note text)`)
  const block = blockFor(kind.strategy)
  const wide = (from: number, to: number, at: string) =>
    workspace.sql(
      `insert into data.events select i, ${at}, i || repeat('x', 1500) from generate_series(${from}, ${to}) i`,
    )
  await wide(1, 2000, 'now()')
  const url = Object.assign(new URL(app.database.adminUrl), { pathname: `/w_${workspace.key}` })
  const late = new pg.Client({ connectionString: url.href })
  await late.connect()
  await late.query('begin')
  await late.query(`insert into data.events values (100001, now(), 'late')`)
  await wide(2001, 3000, 'now()')
  // Each attempt dies after its first commits.
  for (let run = 0; run < 2; run += 1) {
    const rootCode = `again-${kind.name.replaceAll(' ', '-')}-${run}`
    for (const dies of [1, 2]) {
      const stopped = new AbortController()
      const attempt = block.run({
        rootCode,
        signal: stopped.signal,
        onCommit: (commits) => commits === dies && stopped.abort(new Error('killed')),
      })
      await attempt.catch(() => undefined)
      if (dies === 1) await wide(3001 + run * 500, 3400 + run * 500, 'now()')
    }
    if (run === 0) await late.query('commit')
    await block.run({ rootCode })
  }
  await block.run()
  await late.end()
  await expectSame()
})
