import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeAccount, makeWorkspaceRow } from '../../testing/accounts.ts'
import { type TestBlock, type TestFlow, makeBlock, makeFlow, triggerOn } from '../../testing/dataflows.ts'
import { toScriptPath, workerEnv } from '../../testing/own-process.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'

const SCRIPT = toScriptPath('run-worker')
const children = new Set<ChildProcess>()
const FOR_EVER = new Date('9999-01-01')

let app: TestApp
let flow: TestFlow

beforeAll(async () => {
  app = await startTestApp()
  const account = await makeAccount(app)
  const workspace = await makeWorkspaceRow(app, account, 'shop')
  await app.database.pool.query("update workspaces set state = 'online' where id = $1", [workspace.id])
  flow = await makeFlow(app, { accountId: account.id, workspaceId: workspace.id })
})
afterEach(async () => {
  for (const child of children) await kill(child)
})
afterAll(async () => await app.close())

async function start(ms: number): Promise<ChildProcess> {
  const child = fork(SCRIPT, [String(ms)], {
    env: workerEnv(app),
  })
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

async function due(block: TestBlock, inMs: number): Promise<void> {
  await app.database.pool.query(
    `insert into schedule_ticks (account_id, block_id, block_version, action_id, nominal_at)
     select account_id, id, 1, 'clock', now() + $2 * interval '1 millisecond' from task_blocks where id = $1`,
    [block.id, inMs],
  )
}

const scheduled = () =>
  makeBlock(app, flow, { trigger: triggerOn('Or', { cron: '0 6 1 1 ? *' }), ticksUntil: FOR_EVER })

async function until(text: string, values: unknown[] = []): Promise<void> {
  for (;;) {
    const { rows } = await app.database.pool.query<{ ok: boolean }>(text, values)
    if (rows[0]?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

const expireLeases = () =>
  app.database.pool.query(
    "update task_runs set lease_until = now() - interval '1 second', retry_at = null where status not in ('SUCCESS', 'FAILED', 'EXCEPTION')",
  )

test('a run whose worker is killed is done by another, as its second attempt', async () => {
  const block = await scheduled()
  const first = await start(60_000)
  await due(block, 0)
  await until("select status = 'RUNNING' as ok from task_runs where block_id = $1", [block.id])
  await kill(first)
  await expireLeases()
  await start(0)
  await until("select problem->>'kind' = 'lost' or status = 'SUCCESS' as ok from task_runs where block_id = $1", [
    block.id,
  ])
  await app.database.pool.query('update task_runs set retry_at = now() where block_id = $1', [block.id])
  await until("select status = 'SUCCESS' as ok from task_runs where block_id = $1", [block.id])
  const { rows } = await app.database.pool.query(
    `select a.number, a.problem from task_run_attempts a join task_runs r on r.id = a.run_id where r.block_id = $1
      order by a.number`,
    [block.id],
  )
  expect(rows).toEqual([
    { number: 1, problem: 'lost' },
    { number: 2, problem: null },
  ])
})

test('workers are killed around due times: every due time fires once, and what follows from it too', async () => {
  const blocks = await Promise.all(Array.from({ length: 16 }, scheduled))
  const followers = []
  for (const block of blocks)
    followers.push(await makeBlock(app, flow, { trigger: triggerOn('Or', { after: [block] }) }))
  for (const [at, block] of blocks.entries()) await due(block, at * 60)
  for (let kills = 0; kills < 2; kills += 1) {
    const [one, other] = await Promise.all([start(5), start(5)])
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 300))
    await Promise.all([kill(one), kill(other)])
    await expireLeases()
  }
  await start(0)
  const ids = [...blocks, ...followers].map(({ id }) => id)
  for (;;) {
    await app.database.pool.query("update task_runs set retry_at = null where status = 'QUEUED'")
    const { rows } = await app.database.pool.query<{ ended: number }>(
      "select count(*)::int as ended from task_runs where block_id = any($1) and status = 'SUCCESS'",
      [ids],
    )
    if (rows[0]?.ended === ids.length) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { rows } = await app.database.pool.query<{ block_id: number; runs: number }>(
    'select block_id, count(*)::int as runs from task_runs where block_id = any($1) group by block_id',
    [ids],
  )
  expect(rows.filter(({ runs }) => runs !== 1)).toEqual([])
  expect(rows).toHaveLength(ids.length)
  const ticks = await app.database.pool.query(
    "select from schedule_ticks where block_id = any($1) and nominal_at < now() and (outcome <> 'fired' or run_id is null)",
    [ids],
  )
  expect(ticks.rowCount).toBe(0)
})
