import * as calls from '@trellis/contract/uploads/uploads.endpoints'
import type { UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import { HEAD_BYTES } from '@trellis/table-files/profile/file-profile'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { COPYING, type Goods, makeGoods, run } from '../../testing/goods.ts'
import { killWhen } from '../../testing/own-process.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { handleClearUploads } from './clear-uploads.handler.ts'
import { handleUploadJob } from './run-job.handler.ts'

let app: TestApp
let goods: Goods

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  goods = await makeGoods(app)
})
afterAll(async () => await app.close())
beforeEach(async () => {
  await goods.reset()
  await goods.uploads.sql('drop table if exists data.parts')
})

const ROWS = 12_000
const LINES = Array.from(
  { length: ROWS },
  (_, at) => `${at + 10},2024-05-${10 + (at % 18)},part number ${at},${at % 7}.50`,
)
const toFile = (lines: readonly string[]) => ['id,day,name,price', ...lines, ''].join('\n')
const CONTENT = toFile(LINES)
const withLine = (at: number, line: string) => toFile(LINES.toSpliced(at, 0, line))

async function inspect(content: string, more: object = {}): Promise<UploadFile> {
  expect(content.length).toBeGreaterThan(HEAD_BYTES)
  const file = await goods.uploads.send('parts.csv', content, more)
  expect(await goods.uploads.preProcess(file)).toMatchObject({ status: 'completed' })
  return file
}
async function choose(file: UploadFile, change: object = {}): Promise<void> {
  const answer = await goods.uploads.update(file, { table_name: 'parts', ...change })
  expect(answer.status, answer.text).toBe(200)
}
const stages = async () =>
  (
    await goods.uploads.sql(
      `select oid::text, relname from pg_class where relnamespace = 'trellis_loads'::regnamespace and relname ~ '^stage_' and relkind = 'r'`,
    )
  ).rows.map(([oid]) => oid)
const findTable = async () => (await goods.uploads.sql(`select 'data.parts'::regclass::oid::text`)).rows[0]?.[0]
const findTypes = async () =>
  (
    await goods.uploads.sql(
      `select format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'data.parts'::regclass and attnum > 0 and not attisdropped order by attnum`,
    )
  ).rows.flat()
const countParts = async () =>
  (await goods.uploads.sql('select count(*)::text, count(distinct id)::text from data.parts')).rows[0]
const getModel = async (file: UploadFile) =>
  (
    await goods.uploads.client.call(calls.getDataModel, {
      params: {
        ...goods.uploads.params,
        integration_trellis_code: goods.uploads.code,
        schema_name: 'data',
        table_name: 'parts',
        file_id: file.file_id,
      },
    })
  ).data.data_model

describe('a file like its beginning', () => {
  test('is staged while it is inspected, and the table is that stage', async () => {
    const file = await inspect(CONTENT)
    const [stage, ...others] = await stages()
    expect(others).toEqual([])
    await choose(file, { data_model: await getModel(file) })
    expect(await goods.uploads.validate(file)).toMatchObject({ status: 'completed' })
    expect((await goods.uploads.file(file.file_id)).validation).toMatchObject({ good_rows: ROWS, bad_rows: 0 })
    expect(await goods.uploads.deliver(file)).toMatchObject({ status: 'completed', load: { rows: ROWS } })
    expect(await findTable()).toBe(stage)
    expect(await findTypes()).toEqual(['bigint', 'date', 'text', 'numeric'])
    expect(await countParts()).toEqual([String(ROWS), String(ROWS)])
    expect(await stages()).toEqual([])
  })

  test('gets the key that is chosen afterwards', async () => {
    const file = await inspect(CONTENT)
    const [stage] = await stages()
    await choose(file, { data_model: { ...(await getModel(file)), primary_keys: ['id'], indexes: { day: 'btree' } } })
    expect(await goods.uploads.deliver(file)).toMatchObject({ status: 'completed' })
    expect(await findTable()).toBe(stage)
    const { rows } = await goods.uploads.sql(
      `select indisprimary, pg_get_indexdef(indexrelid, 1, false) from pg_index where indrelid = 'data.parts'::regclass order by 2`,
    )
    expect(rows).toEqual([
      ['f', 'day'],
      ['t', 'id'],
    ])
  })

  test('is staged anew with other types', async () => {
    const file = await inspect(CONTENT)
    const [stage] = await stages()
    const model = await getModel(file)
    const columns = model.columns.map((column) => (column.name === 'price' ? { ...column, type: 'text' } : column))
    await choose(file, { data_model: { ...model, columns } })
    expect(await goods.uploads.deliver(file)).toMatchObject({ status: 'completed' })
    expect(await findTable()).not.toBe(stage)
    expect(await findTypes()).toEqual(['bigint', 'date', 'text', 'text'])
    expect(await stages()).toEqual([])
  })

  test('has the rows that can not be read rejected', async () => {
    const file = await inspect(withLine(9000, '1,2024-05-01,too,1.50,many'))
    const [stage] = await stages()
    await choose(file)
    expect(await goods.uploads.deliver(file)).toMatchObject({ status: 'failed', load: null })
    await choose(file, { on_bad_rows: 'quarantine' })
    expect(await goods.uploads.deliver(file)).toMatchObject({ status: 'completed', load: { rows: ROWS } })
    expect(await findTable()).toBe(stage)
    const quarantined = 'select row_number::text, line_number::text from trellis_loads.quarantine'
    expect((await goods.uploads.sql(quarantined)).rows).toEqual([['9001', '9002']])
  })

  test('has rows with a key twice rejected', async () => {
    const file = await inspect(withLine(9000, LINES[0] as string))
    await choose(file, { data_model: { ...(await getModel(file)), primary_keys: ['id'] }, on_bad_rows: 'quarantine' })
    expect(await goods.uploads.deliver(file)).toMatchObject({ status: 'completed', load: { rows: ROWS } })
    expect(await countParts()).toEqual([String(ROWS), String(ROWS)])
    const quarantined = 'select row_number::text, reason from trellis_loads.quarantine'
    expect((await goods.uploads.sql(quarantined)).rows).toEqual([['9001', 'Row 1 has the same key.']])
    expect(await stages()).toEqual([])
  })

  test('is appended and compared with the table that was named with it', async () => {
    await goods.uploads.sql('create table data.parts (id bigint primary key, day date, name text, price numeric)')
    await goods.uploads.sql(`insert into data.parts values (1, null, 'old', 1)`)
    const file = await inspect(CONTENT, { mode: 'append', table_name: 'parts' })
    expect(await stages()).toHaveLength(1)
    await goods.uploads.sql(`insert into data.parts values (10, null, 'came meanwhile', 1)`)
    expect(await goods.uploads.deliver(file)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('One row does not fit') as string,
    })
    await goods.uploads.sql('delete from data.parts where id = 10')
    await goods.uploads.validate(file)
    expect(await goods.uploads.deliver(file)).toMatchObject({ status: 'completed', load: { rows: ROWS } })
    expect(await countParts()).toEqual([String(ROWS + 1), String(ROWS + 1)])
    expect(await stages()).toEqual([])
  })
})

describe.each([
  ['a fraction among integers', '1.5,2024-05-01,a,1.50', ['numeric', 'date', 'text', 'numeric']],
  [
    'a moment among dates',
    '1,2024-05-01 10:00:00,a,1.50',
    ['bigint', 'timestamp without time zone', 'text', 'numeric'],
  ],
])('%s far behind its beginning', (_, line, types) => {
  test('leaves nothing staged, and the types are those of all rows', async () => {
    const file = await inspect(withLine(ROWS - 1, line))
    expect(await stages()).toEqual([])
    await choose(file)
    expect(await goods.uploads.deliver(file)).toMatchObject({ status: 'completed', load: { rows: ROWS + 1 } })
    expect(await findTypes()).toEqual(types)
  })
})

test('a stage that was lost is filled again', async () => {
  const file = await inspect(CONTENT)
  await choose(file)
  const [oid] = await stages()
  const { rows } = await goods.uploads.sql('select $1::oid::regclass::text', [oid as string])
  await goods.uploads.sql(`truncate ${rows[0]?.[0]}`)
  expect(await goods.uploads.deliver(file)).toMatchObject({ status: 'completed', load: { rows: ROWS } })
  expect(await countParts()).toEqual([String(ROWS), String(ROWS)])
  expect(await stages()).toEqual([])
})

test('a stage that nobody wanted for a day is dropped, and filled again when it is', async () => {
  const file = await inspect(CONTENT)
  await handleClearUploads(app.ctx)
  expect(await stages()).toHaveLength(1)
  await app.database.pool.query(`update upload_files set updated_at = now() - interval '25 hours'`)
  await handleClearUploads(app.ctx)
  expect(await stages()).toEqual([])
  await choose(file)
  expect(await goods.uploads.deliver(file)).toMatchObject({ status: 'completed', load: { rows: ROWS } })
})

test('a database that takes no stage does not keep the file from being inspected', async () => {
  await goods.database.cluster.withAdmin(goods.database.database, (admin) =>
    admin.query(`create function test_hold.refuse() returns event_trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create event trigger test_refuse on ddl_command_start when tag in ('CREATE TABLE') execute function test_hold.refuse()`),
  )
  try {
    const file = await inspect(CONTENT)
    expect(await stages()).toEqual([])
    expect(await goods.uploads.file(file.file_id)).toMatchObject({ state: 'profiled' })
  } finally {
    await goods.database.cluster.withAdmin(goods.database.database, (admin) =>
      admin.query('drop event trigger test_refuse; drop function test_hold.refuse'),
    )
  }
})

test('inspected by a worker that is killed while it stages: the next one stages all rows and leaves no second stage', async () => {
  const file = await goods.uploads.send('parts.csv', CONTENT)
  const { data: job } = await goods.uploads.client.call(calls.preProcessFile, {
    params: goods.uploads.params,
    body: { file_id: file.file_id },
  })
  await goods.whileHeld(() => killWhen(app, ['upload-worker', job.job_id], () => goods.isAt(COPYING)))
  await handleUploadJob(app.ctx, { job_id: job.job_id }, run(2))
  expect(await goods.uploads.wait(job)).toMatchObject({ status: 'completed' })
  const [stage, ...others] = await stages()
  expect(others).toEqual([])
  await choose(file)
  expect(await goods.uploads.deliver(file)).toMatchObject({ status: 'completed', load: { rows: ROWS } })
  expect(await findTable()).toBe(stage)
  expect(await countParts()).toEqual([String(ROWS), String(ROWS)])
})

test('cancelled while it is staged: nothing is left, and the file can be inspected again', async () => {
  const file = await goods.uploads.send('parts.csv', CONTENT)
  const { data: job } = await goods.uploads.client.call(calls.preProcessFile, {
    params: goods.uploads.params,
    body: { file_id: file.file_id },
  })
  await goods.whileHeld(async () => {
    const work = handleUploadJob(app.ctx, { job_id: job.job_id }, run(1))
    await goods.isAt(COPYING)
    expect(await goods.cancel(job)).toBe(true)
    await work
  })
  expect(await goods.uploads.wait(job)).toMatchObject({ status: 'cancelled' })
  expect(await stages()).toEqual([])
  expect(await goods.uploads.preProcess(file)).toMatchObject({ status: 'completed' })
})
