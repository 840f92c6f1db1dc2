import type { WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Field } from '@trellis/connector-kit/batch'
import { beforeEach, expect, test } from 'vitest'
import { startLedgerApp } from '../../../testing/ledger-app.ts'
import { runSettled, writeStep } from '../../../testing/load-runs.ts'

const { ledger, workspace, loads, source } = await startLedgerApp()
beforeEach(async () => {
  ledger.rows = [
    [1, 1, 'a'],
    [2, 1, 'b'],
  ]
  await workspace.sql('drop table if exists data.events, data.others, data.copied cascade')
})

const createBlock = (write: Partial<WriteStep>) => loads.block(source, { write: writeStep(write) })
const columns = async () =>
  (
    await workspace.sql(
      `select a.attname, format_type(a.atttypid, a.atttypmod) from pg_attribute a
        where a.attrelid = 'data.ledger'::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    )
  ).map(([name, type]) => `${name} ${type}`)
const FIRST = ['id bigint', 'version bigint', 'name text']
const EXTRA: Field = { name: 'extra', type: 'text', isNullable: true }

function addColumn(): void {
  ledger.fields = [...ledger.fields, EXTRA]
  ledger.rows = [[3, 1, 'c', 'new']]
}
function changeType(name: string, type: Field['type'], value: unknown): void {
  ledger.fields = ledger.fields.map((field) => (field.name === name ? { ...field, type } : field))
  ledger.rows = [ledger.fields.map((field) => (field.name === name ? value : 3)) as never]
}

test('evolve takes in what is new and what is wider, and says so', async () => {
  const block = createBlock({ schema_policy: 'evolve' })
  await block.run()
  addColumn()
  const { lines } = await block.run()
  expect(lines).toContain('INFO The source has a new column extra (text).')
  changeType('version', 'decimal', '1.5')
  await block.run()
  expect(await columns()).toEqual(['id bigint', 'version numeric', 'name text', 'extra text'])
  expect(await workspace.sql('select version, extra from data.ledger order by id, version')).toEqual([
    ['1', null],
    ['1', null],
    ['1', 'new'],
    ['1.5', '3'],
  ])
})

test('evolve asks before values could be lost, writes nothing until then, and makes the change when it is agreed to', async () => {
  const block = createBlock({ schema_policy: 'evolve' })
  await block.run()
  changeType('name', 'integer', 7)
  await expect(block.run()).rejects.toMatchObject({
    kind: 'schema_changed',
    message: expect.stringContaining('name would become') as string,
    advice: expect.stringContaining('Accept') as string,
  })
  expect(await columns()).toEqual(FIRST)
  expect(await workspace.sql('select count(*) from data.ledger')).toEqual([['2']])
  await workspace.sql("update data.ledger set name = '5'")
  await block.run({ request: { accepts_changes: true } })
  expect(await columns()).toEqual(['id bigint', 'version bigint', 'name bigint'])
  expect(await workspace.sql('select name from data.ledger order by name')).toEqual([['5'], ['5'], ['7']])
})

test('ask asks for every change, also a harmless one, and the answer counts for that run', async () => {
  const block = createBlock({ schema_policy: 'ask' })
  await block.run()
  addColumn()
  await expect(block.run()).rejects.toMatchObject({ kind: 'schema_changed', subtask: 'part 0' })
  expect(await columns()).toEqual(FIRST)
  await block.run({ request: { accepts_changes: true } })
  expect(await columns()).toEqual([...FIRST, 'extra text'])
  ledger.fields = [...ledger.fields, { ...EXTRA, name: 'more' }]
  ledger.rows = [[4, 1, 'd', 'x', 'y']]
  await expect(block.run(), 'it is asked again for the next one').rejects.toMatchObject({ kind: 'schema_changed' })
})

test('freeze loads into a table that was otherwise from the beginning, and fails once the source changes', async () => {
  await workspace.sql('create table data.ledger (id int, version int)')
  const block = createBlock({ schema_policy: 'freeze' })
  const { lines } = await block.run()
  expect(lines).toContain('INFO The source has a new column name (text). The table is left as it is.')
  expect(await columns()).toEqual(['id integer', 'version integer'])
  await block.run()
  addColumn()
  await expect(block.run()).rejects.toMatchObject({ kind: 'schema_changed', question: undefined })
  expect(await columns()).toEqual(['id integer', 'version integer'])
})

test('a column that somebody took out of the data model stays out', async () => {
  const fields = { id: 'integer' as const, version: 'integer' as const, name: 'text' as const }
  const dataModel = { fields, column_mapping: {}, primary_keys: ['id'], indexes: {} }
  const block = createBlock({ dataModel, schema_policy: 'evolve', strategy: 'Upsert' })
  await block.run()
  const { name: _, ...others } = fields
  await block.publish((write) => ({ ...write, dataModel: { ...dataModel, fields: others } }))
  await block.run()
  addColumn()
  await block.run()
  expect((await block.readSettings()).subtasks[0]?.write?.dataModel?.fields).toEqual({ ...others, extra: 'text' })
})

test('a dry run tells what would be asked, and remembers nothing', async () => {
  const block = createBlock({ schema_policy: 'ask' })
  await block.run()
  addColumn()
  const { lines } = await block.run({ request: { is_shadow: true } })
  expect(lines).toContain('INFO A run would pause here and ask whether to make these changes:')
  await expect(block.run()).rejects.toMatchObject({ kind: 'schema_changed' })
  expect(await columns()).toEqual(FIRST)
})

test.each(['evolve', 'ask', 'freeze'] as const)(
  'with %s a lost key stops the block, and nobody can agree to it',
  async (policy) => {
    const block = createBlock({ schema_policy: policy, strategy: 'Upsert' })
    await block.run()
    ledger.fields = ledger.fields.filter(({ name }) => name !== 'id')
    Object.assign(ledger, { key: [], rows: [[1, 'a']] })
    await expect(block.run({ request: { accepts_changes: true } })).rejects.toMatchObject({ kind: 'configuration' })
    expect(await workspace.sql('select count(*) from data.ledger')).toEqual([['2']])
  },
)

test('a type that a view holds on to is not changed, also when it is agreed to', async () => {
  const block = createBlock({ schema_policy: 'evolve' })
  await block.run()
  await workspace.sql('create view data.seen as select version from data.ledger')
  changeType('version', 'decimal', '1.5')
  await expect(block.run({ request: { accepts_changes: true } })).rejects.toMatchObject({
    kind: 'schema_changed',
    advice: expect.stringContaining('The view data.seen uses version') as string,
  })
})

test('with a chosen data model the other columns of the source are left out, which is said once', async () => {
  const dataModel = { fields: { id: 'integer' as const }, column_mapping: {}, primary_keys: [], indexes: {} }
  const block = createBlock({ dataModel, schema_policy: 'evolve' })
  const { lines } = await block.run()
  const about = (all: readonly string[]) => all.filter((line) => line.includes('data model'))
  expect(about(lines)).toEqual([
    'INFO Columns of the source that are not in the data model are ignored: version, name.',
  ])
  expect(await columns()).toEqual(['id bigint'])
  const whole = { ...dataModel, fields: { id: 'integer' as const, version: 'integer' as const, name: 'text' as const } }
  expect(about((await createBlock({ dataModel: whole }).run()).lines)).toEqual([])
})

const events = (table: string) =>
  workspace.sql(
    `create table data.${table} (id bigint primary key, at timestamptz)`,
    `insert into data.${table} select n, timestamptz '2026-03-01Z' + n * interval '1 day' from generate_series(1, 10) n`,
  )
const query = (table: string) => ({ kind: 'table', table: { schema: 'data', table }, cursor: 'at' })
const following = (strategy: 'Append' | 'Upsert') =>
  loads.block(workspace.integrationCode, {
    query: { query: query('events') } as never,
    is_incremental: true,
    write: writeStep({ strategy, table_name: 'copied' }),
  })
const copied = async () => (await workspace.sql('select id from data.copied order by id')).map(([id]) => Number(id))
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

test.each(['Append', 'Upsert'] as const)(
  '%s: a stretch of the past is read beside the cursor, which stays',
  async (strategy) => {
    await events('events')
    const block = following(strategy)
    await runSettled(block)
    await workspace.sql('delete from data.copied where id between 3 and 6')
    const { counters } = await block.run({ request: { window: { from: '2026-03-04', to: '2026-03-06' } } })
    expect(counters.rows_read).toBe(3)
    expect(await copied()).toEqual([1, 2, 3, 4, 5, 7, 8, 9, 10])
    await workspace.sql(`insert into data.events values (11, timestamptz '2026-03-20Z')`)
    const next = await block.run()
    expect(next.counters.rows_read, 'only what is new since the last run').toBeLessThanOrEqual(2)
    expect(await copied()).toEqual([1, 2, 3, 4, 5, ...numbers(7, 11)])
  },
)

test('a table that is replaced as a whole is not loaded for a stretch', async () => {
  const block = createBlock({ strategy: 'Replace' })
  const window = { from: '2026-01-01', to: '2026-01-02' }
  await expect(block.run({ request: { window } })).rejects.toMatchObject({ kind: 'configuration' })
})

test('other values for one run count for that run alone', async () => {
  await events('events')
  await events('others')
  await workspace.sql('update data.others set id = id + 100')
  const block = following('Append')
  await block.run({ request: { overrides: { 'query.table': { schema: 'data', table: 'others' } } } })
  expect(await copied()).toEqual(numbers(101, 110))
  await block.run()
  expect(await copied()).toEqual([...numbers(1, 10), ...numbers(101, 110)])
  await block.run({ request: { overrides: { query: query('others') } } })
  await block.run()
  expect(await copied(), 'nothing comes twice').toEqual([...numbers(1, 10), ...numbers(101, 110)])
})

test('a run with other values leaves the cursor of the block where it was', async () => {
  await events('events')
  await events('others')
  const block = following('Upsert')
  await runSettled(block)
  const overrides = { 'query.table': { schema: 'data', table: 'others' } }
  const apart = await block.run({ request: { overrides } })
  expect(apart.counters.rows_read, 'it has no cursor of its own yet').toBe(10)
  await workspace.sql(`insert into data.events values (11, timestamptz '2026-03-20Z')`)
  const next = await block.run()
  expect(next.counters.rows_read, 'only what is new since the last run').toBeLessThanOrEqual(2)
  expect(await copied()).toEqual(numbers(1, 11))
  await runSettled(block)
  const none = await block.run({ request: { overrides: {} } })
  expect(none.counters.rows_read, 'no values at all are none').toBeLessThanOrEqual(1)
})

test('values with names that mean something to the language change nothing but this run', async () => {
  await events('events')
  const block = following('Append')
  const overrides = { '__proto__.polluted': 'yes', 'constructor.prototype': { polluted: 'yes' }, query: null }
  await block.run({ request: { overrides } })
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
  expect(await copied()).toEqual(numbers(1, 10))
})
