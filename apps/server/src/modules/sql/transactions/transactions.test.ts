import { stopRunningQuery, listRunningQueries } from '@trellis/contract/sql/running.endpoints'
import { executeSql } from '@trellis/contract/sql/sql.endpoints'
import { endSqlTransaction, getSqlTransaction } from '@trellis/contract/sql/transactions.endpoints'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { stopLiveJobs } from '../live-jobs.ts'
import { handlePruneSqlJobs } from '../prune-jobs.handler.ts'
import { type SqlRunner, createSqlRunner, createWorksheets } from '../testing/sql-runner.ts'
import { IDLE_LIMIT_MS, MAX_OPEN_MS } from './transaction-limits.ts'

const VIEWER = 1
const EDITOR = 2
const ENDLESS = 'select count(*) from generate_series(1, 2000000000)'

let app: TestApp
let workspace: ReadyWorkspace
let owner: SqlRunner
let editor: SqlRunner
let viewer: SqlRunner
let fileId: string
let createWorksheet: () => Promise<string>

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  owner = createSqlRunner(workspace.account.owner, workspace)
  const join = async (workspace_role_id: number) => {
    const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
    const workspaces = [{ workspace_trellis_code, workspace_role_id }]
    return createSqlRunner((await joinNewPerson(app, workspace.account, { role: VIEW, workspaces })).client, workspace)
  }
  editor = await join(EDITOR)
  viewer = await join(VIEWER)
  createWorksheet = await createWorksheets(workspace.account.owner, workspace.tenant)
  await workspace.sql('create table data.stock (id int primary key, amount int)')
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})
beforeEach(async () => {
  await stopLiveJobs()
  fileId = await createWorksheet()
  await owner.run('delete from stock')
})

const manual = (more: object = {}) => ({ file_id: fileId, commit: 'manual', ...more })
const params = () => ({ ...workspace.tenant, file_id: fileId })
const end = async (runner: SqlRunner, action: 'commit' | 'rollback') =>
  await runner.client.call(endSqlTransaction, { params: params(), body: { action } })
const find = async (runner: SqlRunner) =>
  (await runner.client.call(getSqlTransaction, { params: params() })).data.transaction
const findStored = async () => {
  const { rows } = await app.database.pool.query('select status, reason from sql_transactions where file_id = $1', [
    fileId,
  ])
  return rows[0] as { status: string; reason: string | null }
}
/** Sessions have expired by then, so the table is read directly. */
async function afterwards(ms: number, ended: object): Promise<void> {
  app.clock.move(ms)
  try {
    await expect.poll(findStored).toMatchObject(ended)
  } finally {
    app.clock.move(-ms)
  }
}
const countRows = async () => (await owner.rows(await owner.run('select count(*) from stock')))[0]?.[0]
const refused = async (runner: SqlRunner, sql: string, more: object) => {
  const body = { ...workspace.database, sql, ...more }
  const answer = await runner.client.call(executeSql, { params: workspace.tenant, body })
  return answer.status
}

describe('manual commit', () => {
  test('keeps statements to themselves until they are committed', async () => {
    await editor.run('insert into stock values (1, 1)', manual())
    const second = await editor.run('insert into stock values (2, 2); select count(*) from stock', manual())
    expect(await editor.rows(second, 1)).toEqual([['2']])
    expect(await countRows()).toBe('0')
    expect(await find(editor)).toMatchObject({ status: 'open', is_failed: false, is_running: false })
    expect((await end(editor, 'commit')).data).toMatchObject({ status: 'committed', reason: null })
    expect(await countRows()).toBe('2')
    expect((await end(editor, 'commit')).status).toBe(404)
  })

  test('rolls back when it is asked to', async () => {
    await editor.run('insert into stock values (1, 1)', manual())
    expect((await end(editor, 'rollback')).data).toMatchObject({ status: 'rolled_back', reason: 'asked' })
    expect(await countRows()).toBe('0')
  })

  test('after a statement that failed only rolls back', async () => {
    await editor.run('insert into stock values (1, 1)', manual())
    expect((await editor.run('select nothing', manual())).status).toBe('failed')
    await expect.poll(() => find(editor)).toMatchObject({ is_failed: true })
    expect((await editor.run('select 1', manual())).statements[0]?.problem?.code).toBe('25P02')
    expect((await end(editor, 'commit')).status).toBe(409)
    expect((await end(editor, 'rollback')).data.status).toBe('rolled_back')
    expect(await countRows()).toBe('0')
  })

  test('goes on in a new transaction after a COMMIT among the statements', async () => {
    await editor.run('insert into stock values (1, 1); commit; insert into stock values (2, 2)', manual())
    await editor.run('insert into stock values (3, 3)', manual())
    await end(editor, 'rollback')
    expect(await countRows()).toBe('2')
  })

  test('tells what the database refused at the commit', async () => {
    await owner.run('create table ends (id int unique deferrable initially deferred)')
    await owner.run('insert into ends values (1), (1)', manual())
    const { data } = await end(owner, 'commit')
    expect(data).toMatchObject({ status: 'rolled_back', reason: 'failed' })
    expect(data.problem).toContain('duplicate key')
  })

  test('belongs to one person and one worksheet, one at a time', async () => {
    await editor.run('insert into stock values (1, 1)', manual())
    expect(await find(owner)).toBeNull()
    expect((await end(owner, 'commit')).status).toBe(404)
    expect(await refused(editor, 'select 1', manual({ file_id: await createWorksheet() }))).toBe(409)
    await owner.run('select 1', manual())
    expect(await refused(viewer, 'select 1', manual())).toBe(409)
    await end(owner, 'rollback')
    await viewer.run('select 1', manual())
    const written = await viewer.run('insert into stock values (9, 9)', manual())
    expect(written.statements[0]?.problem?.code).toMatch(/25006|42501/)
  })

  test('is for worksheets on the database of the workspace', async () => {
    expect(await refused(editor, 'select 1', { commit: 'manual' })).toBe(400)
    expect(await refused(editor, 'select 1', manual({ explain: 'analyze' }))).toBe(400)
    const job = await owner.run('select 1')
    expect(await refused(owner, `select * from @result.${job.job_id}`, manual())).toBe(400)
    expect(await find(owner)).toBeNull()
  })
})

test('another process adds a statement and commits through the tables alone', async () => {
  await editor.run('insert into stock values (1, 1)', manual())
  const id = crypto.randomUUID()
  await app.database.pool.query(
    `insert into sql_jobs (id, account_id, workspace_id, profile_id, integration_code, sql, request, statements, file_id,
       keep_running, created_at, heartbeat_at, followed_at, expires_at, transaction_id)
     select $1, account_id, workspace_id, profile_id, integration_code, 'insert into stock values (2, 2)', request, statements,
       file_id, keep_running, created_at, now(), now(), expires_at, transaction_id from sql_jobs where file_id = $2`,
    [id, fileId],
  )
  await expect.poll(async () => (await editor.find(id)).status).toBe('completed')
  await expect.poll(() => find(editor)).toMatchObject({ status: 'open', is_running: false })
  await app.database.pool.query(`update sql_transactions set end_requested = 'commit' where file_id = $1`, [fileId])
  await expect.poll(() => find(editor)).toMatchObject({ status: 'committed' })
  expect(await countRows()).toBe('2')
})

describe('an open transaction is rolled back', () => {
  test('with the five minutes counted from the end of the last statement', async () => {
    const { finished_at } = await editor.run('insert into stock values (1, 1)', manual())
    const idleEndsAt = new Date(new Date(finished_at ?? '').getTime() + IDLE_LIMIT_MS).toISOString()
    await expect.poll(() => find(editor)).toMatchObject({ idle_ends_at: idleEndsAt })
    await end(editor, 'rollback')
  })

  test('without a statement for five minutes', async () => {
    await editor.run('insert into stock values (1, 1)', manual())
    await afterwards(IDLE_LIMIT_MS, { status: 'rolled_back', reason: 'idle' })
    expect(await countRows()).toBe('0')
  })

  test('after a quarter of an hour, also while a statement runs', async () => {
    const job = await editor.start(`insert into stock values (1, 1); ${ENDLESS}`, manual())
    await expect.poll(() => find(editor)).toMatchObject({ is_running: true })
    await afterwards(MAX_OPEN_MS, { status: 'rolled_back', reason: 'time' })
    expect((await editor.settle(job)).status).toBe('cancelled')
    expect(await countRows()).toBe('0')
  })

  test('when a statement in it is cancelled', async () => {
    await editor.run('insert into stock values (1, 1)', manual())
    const slow = await editor.start(ENDLESS, manual())
    expect(await refused(editor, 'select 1', manual())).toBe(409)
    expect((await end(editor, 'commit')).status).toBe(409)
    await expect.poll(async () => (await editor.find(slow.job_id)).status).toBe('running')
    expect((await editor.cancel(slow)).status).toBe('cancelled')
    await expect
      .poll(() => find(editor))
      .toMatchObject({
        status: 'rolled_back',
        reason: 'cancelled',
        is_running: false,
      })
    expect(await countRows()).toBe('0')
  })

  test('when somebody stops it under running queries: oneself or an admin', async () => {
    await editor.run('insert into stock values (1, 1)', manual())
    const list = async ({ client }: SqlRunner) =>
      (await client.call(listRunningQueries, { params: workspace.tenant })).data.items
    const isIdle = ({ state }: { state: string }) => state === 'idle_in_transaction'
    await expect.poll(async () => (await list(editor)).find(isIdle)).toMatchObject({ is_mine: true, kind: 'worksheet' })
    expect((await list(viewer)).find(isIdle)).toBeUndefined()
    const seen = (await list(owner)).filter(isIdle)
    expect(seen).toMatchObject([{ is_mine: false, person: 'Test Person' }])
    const body = { transaction_id: seen[0]?.transaction_id }
    const stop = async ({ client }: SqlRunner) =>
      (await client.call(stopRunningQuery, { params: workspace.tenant, body: body as never })).status
    expect(await stop(viewer)).toBe(404)
    expect(await stop(owner)).toBe(200)
    expect(await find(editor)).toMatchObject({ status: 'rolled_back', reason: 'stopped' })
    expect(await countRows()).toBe('0')
  })

  test('when the server stops', async () => {
    await editor.run('insert into stock values (1, 1)', manual())
    await stopLiveJobs()
    expect(await find(editor)).toMatchObject({ status: 'rolled_back', reason: 'stopped' })
    expect(await countRows()).toBe('0')
  })

  test('when its process is gone: the next look says so', async () => {
    const id = crypto.randomUUID()
    await app.database.pool.query(
      `insert into sql_transactions (id, account_id, workspace_id, profile_id, integration_code, file_id, row_limit,
         timeout_seconds, started_at, idle_since, heartbeat_at)
       select $1, account_id, id, $3, $4, $5, 1, 1, now() - interval '1 hour', now() - interval '1 hour',
         now() - interval '1 hour' from workspaces where id = $2`,
      [id, workspace.id, workspace.account.ownerId, workspace.integrationCode, fileId],
    )
    expect(await find(owner)).toMatchObject({ status: 'rolled_back', reason: 'lost' })
    await owner.run('select 1', manual())
    await end(owner, 'rollback')
    app.clock.move(25 * 3600_000)
    await handlePruneSqlJobs(app.ctx)
    app.clock.move(-25 * 3600_000)
    const { rows } = await app.database.pool.query('select id from sql_transactions where file_id = $1', [fileId])
    expect(rows).toEqual([])
  })

  test('when the person loses their role', async () => {
    await editor.run('insert into stock values (1, 1)', manual())
    await app.database.pool.query(
      "update workspace_members set role = 'workspace_viewer' where workspace_id = $1 and role = 'workspace_editor'",
      [workspace.id],
    )
    await expect.poll(() => find(editor)).toMatchObject({ status: 'rolled_back', reason: 'role_changed' })
    expect(await countRows()).toBe('0')
  })

  test('when the workspace is deleted', async () => {
    await owner.run('insert into stock values (1, 1)', manual())
    await app.database.pool.query('update workspaces set deleted_at = now() where id = $1', [workspace.id])
    await expect.poll(findStored).toMatchObject({ status: 'rolled_back' })
    await app.database.pool.query('update workspaces set deleted_at = null where id = $1', [workspace.id])
    expect(await countRows()).toBe('0')
  })
})
