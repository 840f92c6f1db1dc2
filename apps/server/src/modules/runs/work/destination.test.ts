import type { DestinationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { NO_TRIGGER } from '@trellis/contract/dataflows/triggers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeLoads } from '../../../testing/load-runs.ts'
import { type Shelf, emptyShelf, shelfConnector } from '../../../testing/shelf-connector.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { createWork } from '../../../testing/work-runs.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { RunStopped } from '../runner/held-run.ts'
import { runDestination } from './destination.ts'

const shelf: Shelf = emptyShelf()
const ROWS = 25_000
let app: TestApp
let workspace: ReadyWorkspace
let integration: string

beforeAll(async () => {
  app = await startTestApp({ connectors: [shelfConnector(shelf)] })
  workspace = await makeReadyWorkspace(app)
  integration = await (await makeLoads(app, workspace)).addIntegration({ code: 'shelf', name: 'Shelf' })
  await workspace.sql(
    `create table data.goods as select n as id, 'thing ' || n as name from generate_series(1, ${ROWS}) n`,
  )
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})
beforeEach(() => void Object.assign(shelf, emptyShelf()))

const block = (settings: Partial<DestinationSettings> = {}) =>
  createWork<DestinationSettings>({ app, workspace }, runDestination, {
    trigger: NO_TRIGGER,
    attempts: 3,
    most_minutes: 5,
    integration_trellis_code: integration,
    input: { schema_name: 'data', table_name: 'goods' },
    query: {},
    strategy: 'Append',
    dataModel: null,
    ...settings,
  })
const ids = () => shelf.visible.map(([id]) => Number(id)).toSorted((a, b) => a - b)
const leftBehind = async () =>
  Number((await workspace.sql(`select count(*) from pg_class where relname ~ '^load_[0-9a-f]{32}$'`))[0]?.[0])

test('a table is sent whole, once, and nothing is left behind', async () => {
  const it = block()
  const { counters, rootCode } = await it.run()
  expect(counters).toMatchObject({ rows_read: ROWS, rows_written: ROWS })
  expect([shelf.fields, ids().length, new Set(ids()).size]).toEqual([['id integer', 'name text'], ROWS, ROWS])
  expect(await leftBehind()).toBe(0)
  shelf.visible = []
  await it.run({ rootCode })
  expect([shelf.visible, it.lines]).toEqual([[], ['INFO An earlier attempt had sent everything already.']])
})

test('what arrived is not sent again, and the rest is of the same moment although rows have changed', async () => {
  shelf.failAfter = 1
  const it = block({ input: { sql: 'select id, name from goods where id <= 25000 order by id desc' } })
  const rootCode = 'root-shelf'
  await expect(it.run({ rootCode })).rejects.toMatchObject({ kind: 'transient', message: 'The shelf broke.' })
  expect(shelf.abandoned).toEqual([])
  await workspace.sql('delete from data.goods where id % 2 = 0', "insert into data.goods values (-1, 'late')")
  shelf.failAfter = null
  const { counters } = await it.run({ rootCode, attempt: 2 })
  expect(counters.rows_written).toBe(ROWS - 10_000)
  expect(ids()).toEqual(Array.from({ length: ROWS }, (_, at) => at + 1))
  expect(await leftBehind()).toBe(0)
  await workspace.sql(
    'delete from data.goods where id = -1',
    "insert into data.goods select n, 'thing ' || n from generate_series(2, 25000, 2) n",
  )
})

test('a run that is retried after another one took its place sends nothing twice and leaves nothing out', async () => {
  shelf.failAfter = 1
  const it = block({ input: { sql: 'select id, name from goods order by id' } })
  const rootCode = 'root-late'
  await expect(it.run({ rootCode })).rejects.toThrow('The shelf broke.')
  shelf.failAfter = null
  await it.run({ rootCode: 'root-between' })
  await workspace.sql('create table data.aside as table data.goods', 'delete from data.goods where id <= 5000')
  const { lines } = await it.run({ rootCode, attempt: 2 })
  expect(lines.some((line) => line.startsWith('WARNING'))).toBe(true)
  expect(ids()).toEqual(Array.from({ length: ROWS - 5000 }, (_, at) => at + 5001))
  await workspace.sql('truncate data.goods', 'insert into data.goods table data.aside', 'drop table data.aside')
})

test.each([
  ['a fault that trying again does not mend', { kind: 'configuration' as const, attempt: 1 }],
  ['the last attempt', { kind: 'transient' as const, attempt: 3 }],
])('after %s the destination is left as it was', async (_, { kind, attempt }) => {
  Object.assign(shelf, { failAfter: 1, kind })
  await expect(block().run({ attempt })).rejects.toThrow('The shelf broke.')
  expect([shelf.abandoned.length, shelf.visible]).toEqual([1, []])
})

test.each([
  ['cancelled', 1],
  ['lost', 0],
] as const)('a run that is %s abandons %i loads', async (reason, count) => {
  const controller = new AbortController()
  const opened = shelf.shelved
  const watched = new Map<string, unknown[][][]>()
  watched.set = (key, value) => {
    controller.abort(new RunStopped(reason))
    return Map.prototype.set.call(opened, key, value) as typeof watched
  }
  watched.get = (key) => opened.get(key)
  shelf.shelved = watched
  await expect(block().run({ signal: controller.signal })).rejects.toThrow(new RunStopped(reason).message)
  expect(shelf.abandoned.length).toBe(count)
})

test('columns are renamed, chosen and typed by the data model', async () => {
  const dataModel = {
    fields: { id: 'text' as const },
    column_mapping: { id: 'number' },
    primary_keys: ['id'],
    indexes: {},
  }
  await block({ dataModel, input: { sql: 'select * from goods limit 3' } }).run()
  expect(shelf.fields).toEqual(['number text'])
  expect(shelf.visible.every(([value]) => typeof value === 'string')).toBe(true)
  const wrong = { ...dataModel, fields: { price: 'decimal' as const } }
  await expect(block({ dataModel: wrong }).run()).rejects.toThrow('no column "price"')
})
