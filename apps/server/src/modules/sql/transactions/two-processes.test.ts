import { endSqlTransaction, getSqlTransaction } from '@trellis/contract/sql/transactions.endpoints'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { createClient } from '../../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { stopLiveJobs } from '../live-jobs.ts'
import { startSecondApi } from '../testing/second-api.ts'
import { type SqlRunner, createSqlRunner, createWorksheets } from '../testing/sql-runner.ts'

const ENDLESS = 'select count(*) from generate_series(1, 2000000000)'
const PATIENCE = { timeout: 30_000 }

let app: TestApp
let second: Awaited<ReturnType<typeof startSecondApi>>
let workspace: ReadyWorkspace
let here: SqlRunner
let there: SqlRunner
let fileId: string

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  second = await startSecondApi(app)
  const { owner } = workspace.account
  const beside = createClient(second.url)
  beside.token = owner.token
  here = createSqlRunner(owner, workspace)
  there = createSqlRunner(beside, workspace)
  const createWorksheet = await createWorksheets(owner, workspace.tenant)
  fileId = await createWorksheet()
  await workspace.sql('create table data.stock (id int primary key)')
})
afterAll(async () => {
  await stopLiveJobs()
  await second.stop()
  await workspace.remove()
  await app.close()
})
beforeEach(async () => {
  await here.run('delete from stock')
})

const manual = () => ({ file_id: fileId, commit: 'manual' })
const params = () => ({ ...workspace.tenant, file_id: fileId })
const find = async ({ client }: SqlRunner) =>
  (await client.call(getSqlTransaction, { params: params() })).data.transaction
const countRows = async () => (await there.rows(await there.run('select count(*) from stock')))[0]?.[0]

test('a statement and the commit that reach another process join the transaction', async () => {
  await here.run('insert into stock values (1)', manual())
  const added = await there.run('insert into stock values (2); select count(*) from stock', manual())
  expect(added.status).toBe('completed')
  expect(await there.rows(added, 1)).toEqual([['2']])
  await expect.poll(() => find(there), PATIENCE).toMatchObject({ status: 'open', is_running: false })
  expect(await countRows()).toBe('0')
  const endedResponse = await there.client.call(endSqlTransaction, { params: params(), body: { action: 'commit' } })
  expect(endedResponse.data).toMatchObject({ status: 'committed' })
  expect(await find(here)).toMatchObject({ status: 'committed' })
  expect(await countRows()).toBe('2')
})

test('a cancel that reaches another process ends the statement, and both say that all was rolled back', async () => {
  await here.run('insert into stock values (1)', manual())
  const slow = await there.start(ENDLESS, manual())
  await expect.poll(async () => (await there.find(slow.job_id)).status, PATIENCE).toBe('running')
  await there.cancel(slow)
  expect((await there.settle(slow)).statements[0]?.status).toBe('cancelled')
  for (const runner of [here, there]) {
    await expect.poll(() => find(runner), PATIENCE).toMatchObject({ status: 'rolled_back', reason: 'cancelled' })
  }
  expect(await countRows()).toBe('0')
})
