import { endSqlTransaction, getSqlTransaction } from '@trellis/contract/sql/transactions.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { createClient } from '../../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { stopLiveJobs } from '../live-jobs.ts'
import { startSecondApi } from '../testing/second-api.ts'
import { type SqlRunner, createSqlRunner, createWorksheets } from '../testing/sql-runner.ts'

const ENDLESS = 'select count(*) from generate_series(1, 2000000000)'
const PATIENCE = { timeout: 60_000 }

let app: TestApp
let workspace: ReadyWorkspace
let here: SqlRunner
let fileId: string

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  const { owner } = workspace.account
  here = createSqlRunner(owner, workspace)
  fileId = await (await createWorksheets(owner, workspace.tenant))()
  await workspace.sql('create table data.stock (id int primary key)')
})
afterAll(async () => {
  await stopLiveJobs()
  await workspace.remove()
  await app.close()
})

const manual = () => ({ file_id: fileId, commit: 'manual' })
const findTransaction = async () =>
  (await here.client.call(getSqlTransaction, { params: { ...workspace.tenant, file_id: fileId } })).data.transaction

/** As after half a minute without heartbeats. */
const forgetHeartbeats = async () => {
  for (const table of ['sql_transactions', 'sql_jobs'])
    await app.database.pool.query(
      `update ${table} set heartbeat_at = now() - interval '1 minute' where status in ('open', 'running', 'queued')`,
    )
}

async function killWhile(state: 'idle' | 'running') {
  const second = await startSecondApi(app)
  const client = createClient(second.url)
  client.token = workspace.account.owner.token
  const there = createSqlRunner(client, workspace)
  const written = await there.run('lock table stock; insert into stock values (1)', manual())
  expect(written.status).toBe('completed')
  const going = state === 'running' ? await there.start(ENDLESS, manual()) : undefined
  if (going) await expect.poll(async () => (await here.find(going.job_id)).status, PATIENCE).toBe('running')
  await second.stop()
  return going
}

test.each(['idle', 'running'] as const)(
  'when the process is killed while a transaction is %s, it is rolled back, nothing stays locked, and the person is told',
  async (state) => {
    const going = await killWhile(state)
    // Waits for a lock that the transaction's end releases.
    const counted = await here.run('select count(*) from stock', { timeout_seconds: 60 })
    expect(await here.rows(counted)).toEqual([['0']])
    await forgetHeartbeats()
    expect(await findTransaction()).toMatchObject({ status: 'rolled_back', reason: 'lost' })
    if (going) expect(await here.find(going.job_id)).toMatchObject({ status: 'failed', problem: { code: 'lost' } })
    expect((await here.run('insert into stock values (1)', manual())).status).toBe('completed')
    const params = { ...workspace.tenant, file_id: fileId }
    const endedResponse = await here.client.call(endSqlTransaction, { params, body: { action: 'rollback' } })
    expect(endedResponse.data).toMatchObject({ status: 'rolled_back', reason: 'asked' })
  },
)
