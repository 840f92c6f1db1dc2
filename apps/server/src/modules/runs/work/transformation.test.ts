import type { TransformationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { NO_TRIGGER } from '@trellis/contract/dataflows/triggers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { writeStep } from '../../../testing/load-runs.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { createWork } from '../../../testing/work-runs.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { RunFault } from '../runner/run-work.ts'
import { runTransformation } from './transformation.ts'

let app: TestApp
let workspace: ReadyWorkspace

beforeAll(async () => {
  app = await startTestApp()
  workspace = await makeReadyWorkspace(app)
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})
beforeEach(async () => {
  await workspace.sql(
    'drop table if exists data.orders, data.made cascade',
    `create table data.orders as select n as id, 'customer ' || n % 3 as name, n * 1.5 as price, n % 2 = 0 as paid,
       date '2026-01-01' + n as day, case when n % 4 = 0 then null else n::float8 end as gap, array[n, n + 1] as list
     from generate_series(1, 10) n`,
  )
})

const block = (settings: Partial<TransformationSettings>) =>
  createWork<TransformationSettings>({ app, workspace }, runTransformation, {
    trigger: NO_TRIGGER,
    attempts: 3,
    most_minutes: 5,
    integration_trellis_code: workspace.integrationCode,
    language: 'sql',
    code: '',
    input: null,
    write: null,
    packages: [],
    ...settings,
  })
const made = writeStep({ table_name: 'made' })
const catchFault = (run: Promise<unknown>) =>
  run.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(RunFault)
      return error as RunFault
    },
  )

test('SQL that writes by itself is one transaction, told statement by statement, done once', async () => {
  const code = `create table made (n int); -- names without a schema are those of data
    do $$ begin raise notice 'about to fill'; end $$;
    insert into made select id from orders; update made set n = n + 1 where n > 8; select count(*) from made;`
  const it = block({ code })
  const { counters, lines, rootCode } = await it.run()
  expect(counters).toMatchObject({ rows_written: 10, rows_updated: 2, rows_read: 1 })
  expect(lines).toContain('INFO about to fill')
  expect(lines.some((line) => line.startsWith('INFO INSERT: 10 rows'))).toBe(true)
  await it.run({ rootCode })
  expect(it.lines).toEqual(['INFO An earlier attempt had run all statements already.'])
  expect(await workspace.sql('select count(*) from data.made')).toEqual([['10']])
})

test('a statement that fails leaves nothing and is told with line and column', async () => {
  const it = block({ code: `create table made (n int);\ninsert into made values (1);\n  select nmae from orders` })
  const fault = await catchFault(it.run())
  expect(fault).toMatchObject({
    kind: 'configuration',
    message: expect.stringContaining('(line 3, column 10)') as string,
  })
  expect(await workspace.sql(`select to_regclass('data.made')`)).toEqual([[null]])
})

test.each([
  ['insert into orders(id) values (1); commit; insert into orders(id) values (2)', 'COMMIT can not be used here'],
  ['-- nothing', 'There is no SQL to run'],
])('what would break the one transaction is refused: %s', async (code, message) => {
  expect((await catchFault(block({ code }).run())).message).toContain(message)
})

test('a worker that was replaced writes nothing', async () => {
  const it = block({ code: 'create table if not exists made (n int); insert into made values (1)' })
  await it.run({ epoch: 2_000_000 })
  await catchFault(it.run({ epoch: 1_999_999 }))
  expect(await workspace.sql('select count(*) from data.made')).toEqual([['1']])
})

test('a cancel reaches the database', async () => {
  const controller = new AbortController()
  const it = block({
    code: `create table made (n int); do $$ begin raise notice 'begun'; end $$;
      select count(*) from generate_series(1, 1000000000000)`,
  })
  const running = it.run({ signal: controller.signal })
  running.catch(() => undefined)
  await expect.poll(() => it.lines).toContain('INFO begun')
  controller.abort(new Error('cancelled'))
  await expect(running).rejects.toThrow('cancelled')
  await workspace.sql('create table data.made (n int)')
})

test('rows of a SELECT are appended, replaced and upserted', async () => {
  const code = 'select name, sum(price) as total, count(*) as orders, array_agg(id) as ids from orders group by name;'
  await block({ code, write: made }).run()
  await block({ code, write: made }).run()
  expect(await workspace.sql('select count(*) from data.made')).toEqual([['6']])
  await block({ code, write: { ...made, strategy: 'Replace' } }).run()
  const types = await workspace.sql(
    `select string_agg(column_name || ' ' || data_type, ', ' order by ordinal_position) from information_schema.columns where table_name = 'made'`,
  )
  expect(types).toEqual([['name text, total numeric, orders bigint, ids jsonb']])
  const dataModel = {
    fields: { name: 'text', total: 'decimal' },
    column_mapping: { name: 'name', total: 'total' },
    primary_keys: ['name'],
    indexes: {},
  } as const
  await workspace.sql('drop table data.made')
  const upsert = block({
    code,
    write: { ...made, strategy: 'Upsert', dataModel: { ...dataModel, primary_keys: ['name'] } },
  })
  await upsert.run()
  await workspace.sql(`update data.orders set price = 0 where name = 'customer 1'`)
  expect((await upsert.run()).counters.rows_updated).toBeGreaterThan(0)
  expect(await workspace.sql('select name, total from data.made order by 1')).toEqual([
    ['customer 0', '27.0'],
    ['customer 1', '0'],
    ['customer 2', '22.5'],
  ])
})

test.each([
  ['select 1 as a, 2 as a', 'Two columns of the query are called "a"'],
  ['select 1; select 2', 'Only one SELECT'],
  ['delete from orders', 'DELETE gives no rows to write'],
  ['select\n  prise from orders', '(line 2, column 3)'],
  ['select id from orders where', 'The query is not right at its end'],
  ['select id from orders)', 'The query is not right at its end'],
])('a SELECT that gives no table is refused: %s', async (code, message) => {
  expect((await catchFault(block({ code, write: made }).run())).message).toContain(message)
})

const javascript = (code: string, more: Partial<TransformationSettings> = {}) =>
  block({ language: 'javascript', code, input: { schema_name: 'data', table_name: 'orders' }, write: made, ...more })

test('JavaScript gets columns of a table and its rows are written', async () => {
  const it = javascript(
    `import { startOf } from 'trellis/dates'
     export default ({ id, name, price, paid, day, gap, list }) => {
       console.log('rows', id.length, price instanceof Float64Array)
       return { id, name: name.map((text) => text.toUpperCase()), gross: price.map((net) => net * 2), paid,
         week: day.map((time) => startOf('week', time)), gap, first: list.map((text) => JSON.parse(text)[0]) }
     }
     export const finish = () => [{ id: 0, name: 'all' }]`,
    { packages: ['trellis/dates'] },
  )
  const { counters, lines } = await it.run()
  expect(counters).toMatchObject({ rows_written: 11 })
  expect(lines).toContain('INFO rows 10 true')
  expect(
    await workspace.sql('select id, name, gross, paid, week, gap, first from data.made where id in (0, 4) order by 1'),
  ).toEqual([
    ['0', 'all', null, null, null, null, null],
    ['4', 'CUSTOMER 1', '12', 't', '2026-01-05', null, '4'],
  ])
})

test('JavaScript over a query, with an error of its own told by line, and nothing written then', async () => {
  const input = { sql: 'select id, price from orders where id < 4 order by id' }
  await javascript('export default ({ id, price }) => id.map((one, at) => ({ id: one, price: price[at] }))', {
    input,
  }).run()
  expect(await workspace.sql('select * from data.made order by 1')).toEqual([
    ['1', '1.5'],
    ['2', '3'],
    ['3', '4.5'],
  ])
  await workspace.sql('drop table data.made')
  const fault = await catchFault(
    javascript('export default (columns) => {\n  return columns.nothing.map(String)\n}').run(),
  )
  expect(fault).toMatchObject({ kind: 'configuration', message: expect.stringContaining('(line 2, column') as string })
  expect(await workspace.sql(`select to_regclass('data.made')`)).toEqual([[null]])
})

test('JavaScript that gives nothing back writes nothing, and columns must stay the same', async () => {
  expect((await javascript('export default () => undefined').run()).counters.rows_written).toBe(0)
  const code = `export default ({ id }) => ({ id })\nexport const finish = () => [{ id: 1, extra: 2 }]`
  expect((await catchFault(javascript(code).run())).message).toContain('a column "extra"')
})

test('what a table runs when it is loaded has the rights of the owner and no more, and leaves no trace in the session', async () => {
  const { adminUrl } = app.database
  const admin = decodeURIComponent(new URL(adminUrl).username)
  await workspace.sql(
    'drop table if exists data.seen',
    'create table data.seen (who text, is_super boolean, said text)',
    'create table data.made (id bigint)',
    `create or replace function data.spy() returns trigger language plpgsql as $$
       declare said text := 'nothing';
       begin
         begin execute 'set role "${admin}"'; exception when others then said := sqlstate; end;
         insert into data.seen select current_user, rolsuper, said from pg_catalog.pg_roles where rolname = current_user;
         perform pg_catalog.set_config('search_path', 'data', false);
         return new;
       end $$`,
    'create trigger spy before insert on data.made for each row execute function data.spy()',
    // Shadows the catalogue if the search path is wrong.
    'create table data.pg_class (oid oid, relname name, relnamespace oid, relkind "char")',
  )
  const it = block({ code: 'select id::bigint as id from orders', write: made })
  const { counters } = await it.run()
  await it.run()
  expect(counters.rows_written).toBe(10)
  expect(await workspace.sql('select count(*) from data.made')).toEqual([['20']])
  const seen = await workspace.sql('select distinct is_super, said from data.seen')
  expect(seen).toEqual([['f', '42501']])
  await workspace.sql('drop table data.pg_class, data.seen', 'drop function data.spy cascade')
})
