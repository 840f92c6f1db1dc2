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

const RUNS = 16
/** Also determines the connection limit of the workspace's login. */
const SESSIONS = { TRELLIS_SESSIONS_PER_WORKSPACE: '12' }
const children = new Set<ChildProcess>()

let app: TestApp
let workspace: ReadyWorkspace
let flow: TestFlow

beforeAll(async () => {
  app = await startTestApp({ settings: SESSIONS })
  workspace = await makeReadyWorkspace(app)
  await workspace.sql(
    'create table data.gate ()',
    `create function data.wait() returns int language plpgsql set lock_timeout = '10min' as
       $$ begin perform from data.gate; return 1; end $$`,
    'create view data.slow as select data.wait() as id',
  )
})
beforeEach(async () => {
  flow = await makeFlow(app, { accountId: workspace.account.id, workspaceId: workspace.id })
})
afterEach(async () => {
  for (const child of children) {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  children.clear()
  await app.database.pool.query('delete from dataflows')
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const workspaceCode = () => workspace.integrationCode.replace(/-db$/, '')

async function startWorkers(count: number, settings: Record<string, string> = {}): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const child = fork(toScriptPath('run-worker'), ['real'], { env: { ...workerEnv(app), ...SESSIONS, ...settings } })
    children.add(child)
    await once(child, 'message')
  }
}

async function closeGate(): Promise<() => Promise<void>> {
  const { database } = await openRunDatabase(app.ctx, { id: workspace.id, code: workspaceCode() })
  const url = Object.assign(new URL(app.database.adminUrl), { pathname: `/${database}` })
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query('begin')
  await client.query('lock table data.gate in access exclusive mode')
  return () => client.end()
}

type Settings = (at: number) => NonNullable<Parameters<typeof makeBlock>[2]>['settings']
const waits: Settings = () => ({ code: 'select data.wait()' })
const copies: Settings = (at) => ({ code: 'table data.slow', write: writeStep({ table_name: `copy_${at}` }) })

async function queueRuns(count: number, settings: Settings): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const block = await makeBlock(app, flow, { settings: settings(at) ?? {} })
    await queueRun(app, flow, block)
  }
  await app.database.pool.query("select pg_notify('trellis_runs', 'queued')")
}

const countRuns = async (status: string) => {
  const { rows } = await app.database.pool.query<{ count: number }>(
    'select count(*)::int as count from task_runs where dataflow_id = $1 and status = $2',
    [flow.id, status],
  )
  return rows[0]?.count
}
const patient = { timeout: 60_000, interval: 50 }
const untilRunning = async (count: number) => await expect.poll(() => countRuns('RUNNING'), patient).toBe(count)
const untilDone = async (count: number) => await expect.poll(() => countRuns('SUCCESS'), patient).toBe(count)

/** Peak concurrency, attempts, and workers. */
async function readAttempts() {
  const { rows } = await app.database.pool.query<{ peak: number; attempts: number; workers: number; failed: number }>(
    `with own as (select a.* from task_run_attempts a join task_runs r on r.id = a.run_id where r.dataflow_id = $1)
     select (select max((select count(*) from own b
               where b.started_at <= a.started_at and b.finished_at > a.started_at))::int from own a) as peak,
            count(*)::int as attempts, count(distinct worker)::int as workers, count(problem)::int as failed from own`,
    [flow.id],
  )
  return rows[0]
}

test.each([1, 2, 3])('runs of one workspace that go on at once grow with the workers: %d', async (workers) => {
  const open = await closeGate()
  await startWorkers(workers)
  await queueRuns(RUNS, waits)
  await untilRunning(4 * workers)
  await open()
  await untilDone(RUNS)
  expect(await readAttempts()).toEqual({ peak: 4 * workers, attempts: RUNS, workers, failed: 0 })
})

test.each([
  ['that hold one session', waits, 5],
  ['that hold two', copies, 2],
])('runs %s wait in the queue when all sessions are taken, and no attempt fails', async (_, settings, atOnce) => {
  const open = await closeGate()
  const many = { TRELLIS_RUNS: '16', TRELLIS_RUNS_PER_WORKSPACE: '16', TRELLIS_SESSIONS_PER_WORKSPACE: '5' }
  await startWorkers(2, many)
  await queueRuns(RUNS, settings)
  await untilRunning(atOnce)
  await open()
  await untilDone(RUNS)
  expect(await readAttempts()).toMatchObject({ peak: atOnce, attempts: RUNS, failed: 0 })
})

test('where others took all connections of the login, a run waits for one within its attempt', async () => {
  const { cluster, database, credentials } = await openRunDatabase(app.ctx, { id: workspace.id, code: workspaceCode() })
  const login = { database, user: `${database}_rw`, password: credentials.readWrite }
  const others: pg.Client[] = []
  const connect = async () => {
    const client = new pg.Client(cluster.loginConfig(login))
    client.on('error', () => undefined)
    await client.connect()
    others.push(client)
  }
  await expect(
    (async () => {
      for (;;) await connect()
    })(),
  ).rejects.toMatchObject({ code: '53300' })
  expect(others).toHaveLength(8 + 12)
  await startWorkers(1)
  await queueRuns(1, () => ({ code: 'select 1' }))
  const hasWaited = async () => {
    const { rows } = await app.database.pool.query<{ message: string }>(
      'select l.message from task_run_logs l join task_runs r on r.id = l.run_id where r.dataflow_id = $1',
      [flow.id],
    )
    return rows.some(({ message }) => message.includes('waits for one'))
  }
  await expect.poll(hasWaited, patient).toBe(true)
  for (const client of others) await client.end()
  await untilDone(1)
  expect(await readAttempts()).toMatchObject({ attempts: 1, failed: 0 })
})
