import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestFlow, makeBlock, makeFlow, queueRun } from '../../testing/dataflows.ts'
import { writeStep } from '../../testing/load-runs.ts'
import { toScriptPath, workerEnv } from '../../testing/own-process.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { openRunDatabase } from './work/loads/load-session.ts'

const ROWS = 3000
const HELD_ROW = 1500
const patient = { timeout: 60_000, interval: 50 }
const children = new Set<ChildProcess>()

let app: TestApp
let workspace: ReadyWorkspace
let flow: TestFlow
let database: string

beforeAll(async () => {
  app = await startTestApp()
  workspace = await makeReadyWorkspace(app)
  const code = workspace.integrationCode.replace(/-db$/, '')
  database = (await openRunDatabase(app.ctx, { id: workspace.id, code })).database
  await workspace.sql(
    'create table data.gate ()',
    'create table data.source (id bigint primary key, filler text)',
    `insert into data.source select i, repeat('x', 700) from generate_series(1, ${ROWS}) i`,
    `create function data.hold() returns trigger language plpgsql set lock_timeout = '10min' as
       $$ begin if new.id = ${HELD_ROW} then perform from data.gate; end if; return new; end $$`,
  )
})
beforeEach(async () => {
  flow = await makeFlow(app, { accountId: workspace.account.id, workspaceId: workspace.id })
  await workspace.sql(
    'create table data.copied (id bigint, filler text)',
    'create trigger hold before insert on data.copied for each row execute function data.hold()',
  )
})
afterEach(async () => {
  for (const child of children) await kill(child)
  await workspace.sql('drop table data.copied')
  await app.database.pool.query('delete from dataflows')
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

async function asAdmin(path: string): Promise<pg.Client> {
  const url = Object.assign(new URL(app.database.adminUrl), { pathname: path })
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  return client
}

/** Blocks the load halfway, with committed and uncommitted rows. */
async function closeGate(): Promise<() => Promise<void>> {
  const client = await asAdmin(`/${database}`)
  await client.query('begin')
  await client.query('lock table data.gate in access exclusive mode')
  return () => client.end()
}

async function startWorker(): Promise<ChildProcess> {
  const env = { ...workerEnv(app), TRELLIS_LOAD_ROWS: '200' }
  const child = fork(toScriptPath('run-worker'), ['real'], { env })
  children.add(child)
  await once(child, 'message')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  children.delete(child)
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function queueLoad(): Promise<number> {
  const block = await makeBlock(app, flow)
  const query = { query: { kind: 'table', table: { schema: 'data', table: 'source' } } }
  const write = writeStep({ strategy: 'Append', table_name: 'copied' })
  const settings = {
    attempts: 3,
    most_minutes: 60,
    integration_trellis_code: workspace.integrationCode,
    subtasks: [{ name: 'rows', query, is_incremental: false, write }],
  }
  const { pool } = app.database
  await pool.query("update task_blocks set kind = 'Source' where id = $1", [block.id])
  await pool.query('update task_block_versions set settings = $2 where block_id = $1', [
    block.id,
    JSON.stringify(settings),
  ])
  return await queueRun(app, flow, block)
}

/** Terminates all of the worker's connections, as in a failover. */
async function endConnections(): Promise<void> {
  const client = await asAdmin('/postgres')
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where (datname = $1 and application_name = 'trellis session')
         or (datname = $2 and application_name in ('trellis-worker', 'trellis-runs'))`,
    [database, new URL(app.database.url).pathname.slice(1)],
  )
  await client.end()
}

async function isHeld(): Promise<boolean | undefined> {
  const client = await asAdmin(`/${database}`)
  const { rows } = await client.query<{ ok: boolean }>(
    `select count(*) > 0 and exists (select from pg_locks where not granted and relation = 'data.gate'::regclass) as ok
       from data.copied`,
  )
  await client.end()
  return rows[0]?.ok
}

const readRun = async (id: number) =>
  await app.database.db.selectFrom('task_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a worker that loses its database ends the attempt itself and takes the run up again', async () => {
  const open = await closeGate()
  await startWorker()
  const id = await queueLoad()
  await expect.poll(isHeld, patient).toBe(true)
  await endConnections()
  const readAttempts = async () => {
    const { rows } = await app.database.pool.query<{ number: number; message: string | null; problem: string | null }>(
      'select number, problem, message from task_run_attempts where run_id = $1 order by number',
      [id],
    )
    return rows
  }
  await expect.poll(async () => (await readAttempts()).length, patient).toBe(2)
  await open()
  await expect.poll(async () => (await readRun(id)).status, patient).toBe('SUCCESS')
  // An expired lease would be reported as a lost worker.
  expect(await readAttempts()).toEqual([
    { number: 1, problem: 'lost', message: expect.stringMatching(/^The connection to the database was/) },
    { number: 2, problem: null, message: null },
  ])
  expect(await workspace.sql('select count(*), count(distinct id) from data.copied')).toEqual([
    [String(ROWS), String(ROWS)],
  ])
  expect((await readRun(id)).counters).toMatchObject({ rows_read: ROWS, rows_written: ROWS })
})

test('a run whose worker is killed between two heartbeats counts what that had committed', async () => {
  const open = await closeGate()
  const killed = await startWorker()
  const id = await queueLoad()
  await expect.poll(isHeld, patient).toBe(true)
  await kill(killed)
  // As if its last heartbeat had been before its first commit.
  await app.database.pool.query(
    "update task_runs set counters = '{}', lease_until = now() - interval '1 second' where id = $1",
    [id],
  )
  await open()
  await startWorker()
  await expect.poll(async () => (await readRun(id)).status, patient).toBe('SUCCESS')
  const { counters, attempt } = await readRun(id)
  expect(attempt).toBe(2)
  expect(counters).toMatchObject({ rows_read: ROWS, rows_written: ROWS })
  expect(await workspace.sql('select count(*) from data.copied')).toEqual([[String(ROWS)]])
})
