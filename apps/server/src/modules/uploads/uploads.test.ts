import * as calls from '@trellis/contract/uploads/uploads.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestAccount, makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type TestUploads, testUploads } from '../../testing/uploads.ts'

let app: TestApp
let account: TestAccount
let uploads: TestUploads

beforeAll(async () => {
  app = await startTestApp({ hasWorker: true, settings: { TRELLIS_RATE_LIMITS: 'off' } })
  account = await makeAccount(app)
  uploads = await testUploads(app, account)
})
afterAll(async () => await app.close())

const SHOP = `id,name,amount,paid on,note
1,Ada,12.50,2024-02-29,"said ""hi"", left"
2,Ben,7.00,2024-03-01,
3,Cleo,1099.99,2024-03-02,"two
lines"
`

test('a CSV file becomes a table: looked at, validated, delivered', async () => {
  const file = await uploads.send('shop.csv', SHOP)
  expect(file).toMatchObject({ state: 'uploaded', size_bytes: SHOP.length, received_bytes: SHOP.length })
  expect(await uploads.preProcess(file)).toMatchObject({ status: 'completed', progress: { rows: 3 } })
  const model = await uploads.client.call(calls.getDataModel, {
    params: {
      ...uploads.params,
      integration_trellis_code: uploads.code,
      schema_name: 'data',
      table_name: 'shop',
      file_id: file.file_id,
    },
  })
  expect(model.data.data_model.columns.map(({ name, type }) => [name, type])).toEqual([
    ['id', 'integer'],
    ['name', 'text'],
    ['amount', 'decimal'],
    ['paid_on', 'date'],
    ['note', 'text'],
  ])
  expect(model.data.sample).toHaveLength(3)
  await uploads.update(file, { table_name: 'shop', data_model: { ...model.data.data_model, primary_keys: ['id'] } })
  expect(await uploads.validate(file)).toMatchObject({ status: 'completed', error: null })
  expect((await uploads.file(file.file_id)).validation).toMatchObject({
    rows: 3,
    good_rows: 3,
    bad_rows: 0,
    diff: null,
  })
  const job = await uploads.deliver(file)
  expect(job).toMatchObject({ status: 'completed', load: { mode: 'new', rows: 3, can_undo: true } })
  const { rows } = await uploads.sql('select id, name, amount, paid_on, note from data.shop order by id')
  expect(rows).toEqual([
    ['1', 'Ada', '12.50', '2024-02-29', 'said "hi", left'],
    ['2', 'Ben', '7.00', '2024-03-01', null],
    ['3', 'Cleo', '1099.99', '2024-03-02', 'two\nlines'],
  ])
  const left = await uploads.sql(
    `select relname from pg_class where relnamespace = 'trellis_loads'::regnamespace and relname like 'stage%'`,
  )
  expect(left.rows).toEqual([])
})
