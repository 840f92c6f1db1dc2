import { listPackages } from '@trellis/contract/dataflows/canvas.endpoints'
import { sampleBlock } from '@trellis/contract/dataflows/samples.endpoints'
import { expect, test } from 'vitest'
import { startFlowsApp } from '../../../testing/flows-app.ts'
import { ordersFrom, writeTo } from '../../dataflows/testing/flows.ts'

const { app, flows } = await startFlowsApp()
const flow = await flows.dataflow('Samples')
await flows.workspace.sql(
  `create table data.goods as select n as id, 'thing ' || n as name, n * 0.5 as price from generate_series(1, 30) n`,
)

const sample = (block: string, body: object) =>
  flows.call(sampleBlock, { params: { task_block_trellis_code: block }, body } as never)
const goods = { schema_name: 'data', table_name: 'goods' }

test('a source shows what it reads and what its data model makes of it', async () => {
  const dataModel = {
    fields: { order_id: 'text' },
    column_mapping: { order_id: 'number' },
    primary_keys: [],
    indexes: {},
  }
  const connection = await flows.connection()
  const settings = JSON.stringify({ shop: { orders_a_year: 1000, seed: 1 } })
  await app.database.db.updateTable('integrations').set({ settings }).where('trellis_code', '=', connection).execute()
  const source = await flows.source(flow, 'Orders', ordersFrom(connection, writeTo('orders', { dataModel })))
  const { data: input, text } = await sample(source, { side: 'input', rows: 3 })
  expect(input, text).toBeDefined()
  expect([input.rows.length, input.is_cut, input.columns.length > 3]).toEqual([3, true, true])
  const output = (await sample(source, { side: 'output', rows: 3 })).data
  expect([output.columns, output.rows.length]).toEqual([[{ name: 'number', type: 'text' }], 3])
})

test('SQL shows the rows of its SELECT, or what it would have done, and nothing stays', async () => {
  const select = await flows.sql(flow, 'Select', {
    code: 'select id, price from goods order by id',
    write: writeTo('made'),
  })
  const shown = (await sample(select, { side: 'output', rows: 2 })).data
  expect(shown).toMatchObject({
    rows: [
      ['1', '0.5'],
      ['2', '1.0'],
    ],
    is_cut: true,
  })
  const write = await flows.sql(flow, 'Write', { code: 'delete from goods where id > 10; create table gone (n int)' })
  expect((await sample(write, { side: 'output' })).data.notes).toContain('DELETE: 20 rows')
  const sneaky = await flows.sql(flow, 'Sneaky', {
    code: 'select * from made()',
    write: writeTo('made'),
  })
  await flows.workspace.sql(
    'create function data.made() returns int language sql as $$ insert into data.goods(id) values (99) returning 1 $$',
  )
  expect((await sample(sneaky, { side: 'output' })).errors[0]?.detail).toContain('read-only transaction')
  expect(await flows.workspace.sql(`select count(*), to_regclass('data.gone') from data.goods`)).toEqual([['30', null]])
  const wrong = await flows.sql(flow, 'Wrong', { code: 'select prise\nfrom goods', write: writeTo('made') })
  const { status, errors } = await sample(wrong, { side: 'output' })
  expect([status, errors[0]?.code, errors[0]?.detail]).toEqual([
    422,
    'statement_failed',
    expect.stringContaining('(line 1, column 8)'),
  ])
})

test('a table that another block makes is said to be missing until that one has run', async () => {
  await flows.sql(flow, 'Makes totals', { code: 'select 1 as n', write: writeTo('totals') })
  const reader = async (code: string) =>
    (await sample(await flows.sql(flow, 'Reads', { code, write: writeTo('read') }), { side: 'output' })).errors[0]
  expect(await reader('select * from totals')).toMatchObject({
    code: 'statement_failed',
    detail:
      'The table totals is not there yet: the block “Makes totals” makes it. Publish and run that block first, then read again.',
  })
  expect((await reader('select * from data.totals'))?.detail).toContain('The table data.totals is not there yet')
  expect((await reader('select * from nobody'))?.detail).toContain('relation "nobody" does not exist')
})

test('JavaScript shows its input, its output and what it printed', async () => {
  const code = `export default ({ id, price }) => { console.log('seen', id.length); return { id, twice: price.map((amount) => amount * 2) } }`
  const block = await flows.sql(flow, 'Script', { language: 'javascript', code, input: goods, write: writeTo('made') })
  expect((await sample(block, { side: 'input', rows: 1 })).data.rows).toEqual([['1', 'thing 1', '0.5']])
  const output = (await sample(block, { side: 'output', rows: 2 })).data
  expect(output).toMatchObject({
    rows: [
      ['1', '1'],
      ['2', '2'],
    ],
    is_cut: true,
    notes: ['seen 30'],
  })
  await flows.change('Transformation', block, { code: 'export default (columns) => columns.nothing.length' })
  expect((await sample(block, { side: 'output' })).errors[0]?.detail).toContain('(line 1, column')
})

test('a workspace tries out only so much code at once: it runs in the process that answers everybody', async () => {
  const code = `export default (columns) => { const end = Date.now() + 1500; while (Date.now() < end); return columns }`
  const block = await flows.sql(flow, 'Busy', { language: 'javascript', code, input: goods, write: writeTo('made') })
  const all = await Promise.all([1, 2, 3].map(() => sample(block, { side: 'output' })))
  expect(all.map(({ status }) => status).toSorted()).toEqual([200, 200, 429])
  expect((await sample(block, { side: 'output' })).status, 'there is room again').toBe(200)
})

test('a destination shows what it would be sent; what is not chosen is asked for', async () => {
  const dataModel = { fields: { name: 'text' }, column_mapping: { name: 'title' }, primary_keys: [], indexes: {} }
  const block = await flows.destination(flow, 'Send', { input: goods, dataModel })
  expect((await sample(block, { side: 'output', rows: 1 })).data).toMatchObject({
    columns: [{ name: 'title', type: 'text' }],
    rows: [['thing 1']],
  })
  const empty = await flows.destination(flow, 'Empty')
  expect((await sample(empty, { side: 'input' })).errors[0]?.code).toBe('block_incomplete')
  const source = await flows.source(flow, 'Nothing yet')
  expect((await sample(source, { side: 'input' })).errors[0]?.code).toBe('block_incomplete')
})

test('packages are listed', async () => {
  expect((await flows.call(listPackages)).data.map(({ name }) => name)).toContain('trellis/dates')
})
