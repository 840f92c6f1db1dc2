import * as calls from '@trellis/contract/uploads/uploads.endpoints'
import type { UploadJob } from '@trellis/contract/uploads/uploads.schemas'
import { withClient } from '@trellis/control-db/connect'
import { withDatabase } from '@trellis/control-db/prepare'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type TestUploads, testUploads } from '../../testing/uploads.ts'
import { openWorkspaceDatabase } from '../../platform/workspace-database/open-database.ts'
import { handleClearUploads } from './clear-uploads.handler.ts'
import { handleUploadJob } from './run-job.handler.ts'

let app: TestApp
let uploads: TestUploads

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  uploads = await testUploads(app, await makeAccount(app), { isInline: true })
})
afterAll(async () => await app.close())

beforeEach(async () => {
  await app.database.pool.query('update upload_files set staged_from = null')
  await handleClearUploads(app.ctx)
  await uploads.sql('drop table if exists data.goods cascade')
  await uploads.sql('delete from trellis_loads.receipts')
  await uploads.sql(
    `create table data.goods (id int primary key, name varchar(10) not null, price numeric(8,2) default 1.5)`,
  )
  await uploads.sql(`insert into data.goods values (1, 'nail', 0.10), (2, 'screw', 0.20)`)
})

const send = async (content: string, change: object) => {
  const file = await uploads.send('goods.csv', content)
  expect(await uploads.preProcess(file)).toMatchObject({ status: 'completed' })
  const updated = await uploads.update(file, change)
  expect(updated.status, updated.text).toBe(200)
  return file
}
const into = (mode: 'append' | 'replace' | 'upsert', more: object = {}) => ({ table_name: 'goods', mode, ...more })
const goods = async () => (await uploads.sql('select id, name, price from data.goods order by id')).rows
const OLD = [
  ['1', 'nail', '0.10'],
  ['2', 'screw', '0.20'],
]
const leftovers = async () =>
  (
    await uploads.sql(
      `select relname from pg_class where relnamespace = 'trellis_loads'::regnamespace and relname ~ '^stage' order by 1`,
    )
  ).rows.flat()
const undo = (job: UploadJob) =>
  uploads.run(
    uploads.client.call(calls.undoLoad, {
      params: uploads.params,
      body: {
        integration_trellis_code: uploads.code,
        schema_name: 'data',
        table_name: 'goods',
        load_id: job.load?.load_id,
      },
    }),
  )

async function listLoads() {
  const params = { integration_trellis_code: uploads.code, schema_name: 'data', table_name: 'goods' }
  return (await uploads.client.call(calls.listTableFiles, { params: { ...uploads.params, ...params } })).data
}

test('append maps columns by name, keeps defaults, and can be taken back while nobody touched the rows', async () => {
  const file = await send('ID,Extra,NAME\n3,x,bolt\n4,y,nut\n', into('append'))
  await uploads.validate(file)
  expect((await uploads.file(file.file_id)).validation).toMatchObject({
    good_rows: 2,
    diff: { keys: ['id'], new_rows: 2, changed_rows: 0, same_rows: 0, missing_rows: 2 },
  })
  const job = await uploads.deliver(file)
  expect(job).toMatchObject({ status: 'completed', load: { mode: 'append', rows: 2, can_undo: true } })
  expect(await goods()).toEqual([...OLD, ['3', 'bolt', '1.50'], ['4', 'nut', '1.50']])
  expect(await uploads.file(file.file_id)).toMatchObject({ loaded_rows: 2, is_taken_back: false })
  expect(await undo(job)).toMatchObject({ status: 'completed', load: { mode: 'undo', rows: 2, can_undo: false } })
  expect(await goods()).toEqual(OLD)
  expect(await uploads.file(file.file_id)).toMatchObject({ loaded_rows: 0, is_taken_back: true })
  expect(await listLoads()).toMatchObject([
    { mode: 'undo', is_undone: false },
    { mode: 'append', is_undone: true, can_undo: false },
  ])
  const again = await undo(job)
  expect(again).toMatchObject({ status: 'failed', error: 'This load was rolled back already.' })
})

test('a database that is lost behind the commit of the last attempt does not make a failure of it', async () => {
  const file = await send('id,name\n3,bolt\n', into('append'))
  const { pool, adminUrl, url } = app.database
  const asAdmin = (text: string) =>
    withClient({ connectionString: withDatabase(adminUrl, new URL(url).pathname.slice(1)) }, (client) =>
      client.query(text),
    )
  await asAdmin(`create sequence lost_times;
    create function lose_once() returns trigger language plpgsql security definer as $$ begin
      if nextval('lost_times') = 1 then raise exception 'lost' using errcode = '57P01'; end if;
      return new;
    end $$;
    create trigger lose_once before update on upload_files for each row when (new.state = 'delivered') execute function lose_once()`)
  try {
    await expect(uploads.deliver(file)).rejects.toThrow('lost')
  } finally {
    await asAdmin('drop trigger lose_once on upload_files; drop function lose_once; drop sequence lost_times')
  }
  const { latest_job_id: jobId, state } = await uploads.file(file.file_id)
  const { rows } = await pool.query<{ status: string }>('select status from upload_jobs where id = $1', [jobId])
  expect([state, rows]).toEqual(['delivered', [{ status: 'completed' }]])
  expect(await goods()).toHaveLength(3)
})

test('rows changed after an append stay, and the undo says why', async () => {
  const job = await uploads.deliver(await send('id,name\n3,bolt\n4,nut\n', into('append')))
  await uploads.sql(`update data.goods set name = 'BOLT' where id = 3`)
  expect(await undo(job)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('changed or removed') as string,
  })
  expect(await goods()).toHaveLength(4)
})

test('bad rows stop a delivery, or go to quarantine, or lose the value that does not fit', async () => {
  const text = 'id,name,price\n3,bolt,2\n4,far too long a name,3\n5,,4\nsix,nut,5\n2,again,6\n7,gear,many\n7,gear,8\n'
  const file = await send(text, into('append'))
  expect(await uploads.deliver(file)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('5 rows do not fit') as string,
  })
  expect(await goods()).toEqual(OLD)
  const badResponse = await uploads.client.call(calls.listBadRows, {
    params: { ...uploads.params, integration_trellis_code: uploads.code, file_id: file.file_id },
  })
  expect(badResponse.data.items.map(({ row, line, column, value }) => [row, line, column, value])).toEqual([
    [2, 3, 'name', 'far too long a name'],
    [3, 4, 'name', null],
    [4, 5, 'id', 'six'],
    [5, 6, 'id', '2'],
    [6, 7, 'price', 'many'],
  ])
})

test('what the columns of the table have no room for is told when the file is validated', async () => {
  await uploads.sql('alter table data.goods add column made date, add column sold timestamp')
  const text = 'id,name,price,made,sold\n3,bolt,2.125,2026-01-01 10:30:00,2026-01-01T10:30:00+02:00\n'
  const file = await send(text, into('append'))
  await uploads.validate(file)
  expect((await uploads.file(file.file_id)).validation).toMatchObject({
    bad_rows: 0,
    warnings: [
      expect.stringMatching(/^“price”: .*more than 2 decimals/),
      expect.stringMatching(/^“made”: .*Only the day is kept/),
      expect.stringMatching(/^“sold”: .*without their zone/),
    ] as string[],
  })
})

test('rows that break another rule of the table are told when the file is validated, with their line', async () => {
  await uploads.sql('create table data.makers (code text primary key)')
  await uploads.sql(`insert into data.makers values ('acme')`)
  await uploads.sql(`alter table data.goods add column maker text references data.makers, add column slot int unique,
    add constraint cheap check (price < 100)`)
  await uploads.sql('update data.goods set slot = id')
  const text =
    'id,name,price,maker,slot\n3,bolt,2,acme,3\n4,nut,500,acme,4\n5,gear,1,nobody,5\n6,cog,1,,1\n7,pin,1,,7\n8,key,1,,7\n9,rod,,,\n'
  const file = await send(text, into('append', { on_bad_rows: 'quarantine' }))
  await uploads.validate(file)
  const { validation } = await uploads.file(file.file_id)
  expect(validation).toMatchObject({ rows: 7, good_rows: 3, bad_rows: 4 })
  expect(validation?.first_bad_rows.map(({ row, column, value, reason }) => [row, column, value, reason])).toEqual([
    [2, 'price', '500.00', 'The row breaks the rule "cheap" of the table.'],
    [3, 'maker', 'nobody', 'There is no row with this value in data.makers.'],
    [4, 'slot', '1', 'The table already has a row with this value.'],
    [6, 'slot', '7', 'Row 5 has the same value.'],
  ])
  expect(await uploads.deliver(file)).toMatchObject({ status: 'completed', load: { rows: 3 } })
  await uploads.sql('drop table data.makers cascade')
})

test('quarantined rows are kept with the load, in the same transaction', async () => {
  const file = await send('id,name,price\n3,bolt,2\n4,nut,many\n', into('append', { on_bad_rows: 'quarantine' }))
  const job = await uploads.deliver(file)
  expect(job).toMatchObject({ status: 'completed', load: { rows: 1 } })
  const { rows } = await uploads.sql(
    'select load_id, row_number, line_number, column_name, value, raw from trellis_loads.quarantine',
  )
  expect(rows).toEqual([[job.load?.load_id, '2', '3', 'price', 'many', '4,nut,many']])
  expect(await listLoads()).toMatchObject([
    { file_id: file.file_id, original_filename: 'goods.csv', quarantined_rows: 1 },
  ])
})

test('values that do not fit can be emptied; what must have a value stays out', async () => {
  const text = 'id,name,price\n3,bolt,many\n4,nut,2\nfive,x,3\n'
  const file = await send(text, into('append', { on_bad_rows: 'set_null' }))
  expect(await uploads.deliver(file)).toMatchObject({ status: 'completed', load: { rows: 2 } })
  expect(await goods()).toEqual([...OLD, ['3', 'bolt', null], ['4', 'nut', '2.00']])
  expect((await uploads.file(file.file_id)).validation).toMatchObject({ rows: 3, good_rows: 2, bad_rows: 1 })
})

test('replace keeps key, index, default, comment and rights; undo brings the old rows back and can be taken back too', async () => {
  await uploads.sql(`create index goods_name on data.goods (name)`)
  await uploads.sql(`comment on table data.goods is 'All goods'`)
  await uploads.sql(`comment on column data.goods.name is 'As on the box'`)
  const shape = async () => {
    const { rows } = await uploads.sql(
      `select (select string_agg(indexdef, '|' order by indexname) from pg_indexes where schemaname = 'data' and tablename = 'goods'),
              obj_description('data.goods'::regclass), col_description('data.goods'::regclass, 2), c.relacl::text,
              (select string_agg(column_name || data_type || is_nullable || coalesce(column_default, ''), '|' order by ordinal_position)
                 from information_schema.columns where table_schema = 'data' and table_name = 'goods')
         from pg_class c where c.oid = 'data.goods'::regclass`,
    )
    return rows[0]
  }
  const before = await shape()
  const file = await send('id,name\n1,nail\n3,bolt\n', into('replace'))
  await uploads.validate(file)
  expect((await uploads.file(file.file_id)).validation?.diff).toMatchObject({ new_rows: 1, missing_rows: 1 })
  const job = await uploads.deliver(file)
  expect(job).toMatchObject({ status: 'completed', load: { mode: 'replace', rows: 2, can_undo: true } })
  expect(await goods()).toEqual([
    ['1', 'nail', '1.50'],
    ['3', 'bolt', '1.50'],
  ])
  expect(await shape()).toEqual(before)
  const back = await undo(job)
  expect(back).toMatchObject({ status: 'completed', load: { mode: 'undo', can_undo: true } })
  expect(await goods()).toEqual(OLD)
  expect(await shape()).toEqual(before)
  expect(await undo(back)).toMatchObject({ status: 'completed' })
  expect(await goods()).toEqual([
    ['1', 'nail', '1.50'],
    ['3', 'bolt', '1.50'],
  ])
  expect(await shape()).toEqual(before)
})

test('a table that views and foreign keys hold on to stays the same table', async () => {
  await uploads.sql(`create view data.cheap as select name from data.goods where price < 1`)
  const job = await uploads.deliver(await send('id,name,price\n8,pin,0.01\n', into('replace')))
  expect(job).toMatchObject({ status: 'completed', load: { rows: 1 } })
  expect((await uploads.sql('select name from data.cheap')).rows).toEqual([['pin']])
  expect(await undo(job)).toMatchObject({ status: 'completed' })
  expect((await uploads.sql('select name from data.cheap order by 1')).rows).toEqual([['nail'], ['screw']])
  await uploads.sql(`create table data.orders (goods int references data.goods)`)
  const refused = await uploads.deliver(await send('id,name,price\n9,cog,3\n', into('replace')))
  expect(refused).toMatchObject({ status: 'failed', error: expect.stringContaining('Other tables refer') as string })
  expect(await goods()).toEqual(OLD)
  await uploads.sql('drop table data.orders')
})

test('an upsert changes rows by their key, adds the others, and is rolled back', async () => {
  const file = await send('id,name\n2,bolt\n3,pin\n', into('upsert'))
  await uploads.validate(file)
  expect((await uploads.file(file.file_id)).validation).toMatchObject({
    bad_rows: 0,
    diff: { new_rows: 1, changed_rows: 1, missing_rows: 1 },
  })
  const job = await uploads.deliver(file)
  expect(job).toMatchObject({ status: 'completed', load: { mode: 'upsert', rows: 2, can_undo: true } })
  expect(await goods()).toEqual([
    ['1', 'nail', '0.10'],
    ['2', 'bolt', '0.20'],
    ['3', 'pin', '1.50'],
  ])
  expect(await leftovers()).toEqual([])
  expect(await undo(job)).toMatchObject({ status: 'completed', load: { mode: 'undo', rows: 2, can_undo: false } })
  expect(await goods()).toEqual(OLD)
})

test('an upsert needs the key of the table, and each key once', async () => {
  const twice = await send('id,name\n2,bolt\n2,pin\n', into('upsert'))
  await uploads.validate(twice)
  expect((await uploads.file(twice.file_id)).validation).toMatchObject({ bad_rows: 1, good_rows: 1 })
  await uploads.sql('alter table data.goods alter id set default 7')
  const without = await send('name,price\npin,1\n', into('upsert'))
  await expect(uploads.validate(without)).rejects.toThrow('is part of the key of the table')
  const file = await send('id,name\n2,bolt\n', into('upsert'))
  await uploads.sql('alter table data.goods drop constraint goods_pkey')
  await expect(uploads.deliver(file)).rejects.toThrow('no primary key')
  expect(await goods()).toEqual(OLD)
})

test('a delivery that is run again changes nothing', async () => {
  const file = await send('id,name\n3,bolt\n', into('append'))
  const job = await uploads.deliver(file)
  await app.database.pool.query(`update upload_jobs set status = 'in_progress', finished_at = null where id = $1`, [
    job.job_id,
  ])
  const run = {
    id: 'again',
    job: 'uploads.run',
    attempt: 2,
    isLastAttempt: false,
    signal: new AbortController().signal,
  }
  await handleUploadJob(app.ctx, { job_id: job.job_id }, run)
  expect(await uploads.wait(job)).toMatchObject({ status: 'completed', load: { load_id: job.load?.load_id, rows: 1 } })
  expect(await goods()).toHaveLength(3)
})

test('a worker that dies leaves a stage, which is cleared; the next one delivers once', async () => {
  const file = await send('id,name\n3,bolt\n4,nut\n', into('append'))
  const started = await uploads.client.call(calls.deliverData, {
    params: uploads.params,
    body: { file_id: file.file_id },
  })
  const dead = new AbortController()
  const run = { id: 'dead', job: 'uploads.run', attempt: 1, isLastAttempt: false, signal: dead.signal }
  // A staging table left by a killed process.
  await uploads.sql(`create table trellis_loads.stage_${started.data.job_id.replaceAll('-', '')}_1 (id int)`)
  dead.abort(new Error('killed'))
  await expect(handleUploadJob(app.ctx, { job_id: started.data.job_id }, run)).rejects.toThrow()
  await handleUploadJob(
    app.ctx,
    { job_id: started.data.job_id },
    { ...run, attempt: 2, signal: new AbortController().signal },
  )
  expect(await uploads.wait(started.data)).toMatchObject({ status: 'completed', load: { rows: 2 } })
  expect(await goods()).toHaveLength(4)
  await handleClearUploads(app.ctx)
  expect(await leftovers()).toEqual([])
})

test('a name that is taken is refused when it is chosen', async () => {
  const file = await uploads.send('goods.csv', 'Order ID,when\n1,x\n')
  await uploads.preProcess(file)
  const answer = await uploads.update(file, { table_name: 'goods', mode: 'new' })
  expect(answer.errors[0]).toMatchObject({ code: 'conflict', source: { pointer: '/table_name' } })
  expect((await uploads.update(file, { table_name: 'orders' })).status).toBe(200)
  expect(await uploads.deliver(file)).toMatchObject({ status: 'completed' })
  const { rows } = await uploads.sql(`select attname, col_description(attrelid, attnum) from pg_attribute
    where attrelid = 'data.orders'::regclass and attnum > 0 order by attnum`)
  expect(rows).toEqual([
    ['order_id', 'Order ID'],
    ['when', null],
  ])
})

test('one job works on a file at a time; a delivered file is not delivered twice', async () => {
  const file = await send('id,name\n3,bolt\n', into('append'))
  const start = () =>
    uploads.client.call(calls.validateFile, { params: uploads.params, body: { file_id: file.file_id } })
  const [response, two] = await Promise.all([start(), start()])
  expect([response.status, two.status].toSorted()).toEqual([200, 409])
  const job = response.status === 200 ? response.data : two.data
  expect((await uploads.update(file, { table_name: 'other' })).errors[0]?.code).toBe('conflict')
  const run = { id: 'x', job: 'x', attempt: 1, isLastAttempt: true, signal: new AbortController().signal }
  await handleUploadJob(app.ctx, { job_id: job.job_id }, run)
  expect(await leftovers()).toHaveLength(1)
  expect(await uploads.deliver(file)).toMatchObject({ status: 'completed' })
  expect((await start()).errors[0]?.code).toBe('conflict')
  const listedResponse = await uploads.client.call(calls.listUploadJobs, {
    params: uploads.params,
    query: { status: 'completed', limit: 1 },
  })
  expect(listedResponse.data).toMatchObject([{ kind: 'deliver', status: 'completed' }])
})

test('a key of more rows than can be sorted says what to do, and leaves nothing', async () => {
  const file = await uploads.send('goods.csv', 'id,name\n3,bolt\n4,nut\n')
  await uploads.preProcess(file)
  const { data } = await uploads.client.call(calls.getDataModel, {
    params: {
      ...uploads.params,
      integration_trellis_code: uploads.code,
      file_id: file.file_id,
      schema_name: 'data',
      table_name: 'keyed',
    },
  })
  const data_model = { ...data.data_model, primary_keys: ['id'] }
  expect((await uploads.update(file, { table_name: 'keyed', mode: 'new', data_model })).status).toBe(200)
  const place = { workspaceId: uploads.workspaceId, integrationCode: uploads.code }
  const { cluster, database } = await openWorkspaceDatabase(app.ctx, place)
  await cluster.withAdmin(database, async (admin) => {
    // As if a sort exceeded temp_file_limit.
    await admin.query('create schema test_full')
    await admin.query(`create function test_full.refuse() returns event_trigger language plpgsql security definer
      as $$ begin raise exception 'temporary file size exceeds' using errcode = '53400'; end $$`)
    await admin.query(`create event trigger test_full on ddl_command_start when tag in ('ALTER TABLE')
      execute function test_full.refuse()`)
    try {
      expect(await uploads.validate(file)).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('split the file') as string,
      })
    } finally {
      await admin.query('drop event trigger test_full')
      await admin.query('drop schema test_full cascade')
    }
  })
  expect(await leftovers()).toEqual([])
})
