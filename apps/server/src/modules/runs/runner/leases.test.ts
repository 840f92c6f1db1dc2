import pg from 'pg'
import { transaction } from '@trellis/control-db/database'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestAccount, makeAccount, makeWorkspaceRow } from '../../../testing/accounts.ts'
import { type TestFlow, makeBlock, makeFlow } from '../../../testing/dataflows.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { deliverSuccess } from '../triggers/deliver-success.ts'
import { fenceRun } from '../work/fence.ts'
import { createBatcher } from './batcher.ts'
import { lockClaims, releaseUnknownRuns } from './claim.repository.ts'
import { claimNext } from './claim.ts'
import type { HeldRun } from './held-run.ts'
import { endRun } from './finish.repository.ts'
import { reapLostRuns } from './reaper.ts'
import { claimLostRun } from './reaper.repository.ts'
import { type RunLoop, startRunLoop } from './run-loop.ts'
import { openRunLogs } from './run-log.ts'
import { RunFault, type Work } from './run-work.ts'

let app: TestApp
let account: TestAccount
let flow: TestFlow
let place: { accountId: number; workspaceId: number }
const limits = { total: 50, perWorkspace: 50, perCredential: 50, sessionsPerWorkspace: 50 }
const open = async () => null
const effects = { fence: fenceRun, succeed: deliverSuccess }
const { fence } = effects
const loops: RunLoop[] = []

beforeAll(async () => {
  app = await startTestApp()
  account = await makeAccount(app)
  const workspace = await makeWorkspaceRow(app, account, 'shop')
  await app.database.pool.query("update workspaces set state = 'online' where id = $1", [workspace.id])
  place = { accountId: account.id, workspaceId: workspace.id }
})
afterAll(async () => await app.close())
beforeEach(async () => {
  await app.database.pool.query('delete from dataflows')
  flow = await makeFlow(app, place)
})
afterEach(async () => {
  for (const loop of loops.splice(0)) await loop.stop({ graceMs: 0 })
})

async function queue(more: { blockId?: number; at?: TestFlow; request?: object } = {}): Promise<number> {
  const at = more.at ?? flow
  const blockId = more.blockId ?? (await makeBlock(app, at)).id
  const { id } = await app.database.db
    .insertInto('task_runs')
    .values({
      account_id: at.accountId,
      workspace_id: at.workspaceId,
      dataflow_id: at.id,
      block_id: blockId,
      trellis_code: `run${blockId}-${Math.random().toString(36).slice(2)}`,
      block_version: 1,
      started_by: 'person',
      due_at: new Date(),
      request: JSON.stringify(more.request ?? {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const readRun = async (id: number) =>
  await app.database.db.selectFrom('task_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const expire = async (id: number) =>
  await app.database.pool.query("update task_runs set lease_until = now() - interval '1 second' where id = $1", [id])
async function asAdmin(text: string): Promise<void> {
  const { pathname } = new URL(app.database.url)
  const client = new pg.Client({ connectionString: Object.assign(new URL(app.database.adminUrl), { pathname }).href })
  await client.connect()
  await client.query(text)
  await client.end()
}
async function claim(worker: string, more: Partial<typeof limits> = {}): Promise<HeldRun[]> {
  const claimed: HeldRun[] = []
  for (;;) {
    const runs = await claimNext(app.ctx, { worker, limits: { ...limits, ...more }, free: 50, gate: open })
    if (runs.length === 0) return claimed
    claimed.push(...runs)
  }
}

test('workers racing for the same runs get each of them once, with rising numbers', async () => {
  const ids = []
  for (let count = 0; count < 12; count += 1) ids.push(await queue())
  const claimed = await Promise.all(Array.from({ length: 5 }, (_, at) => claim(`w${at}`)))
  expect(
    claimed
      .flat()
      .map(({ id }) => id)
      .toSorted((a, b) => a - b),
  ).toEqual(ids)
  expect(new Set(claimed.flat().map(({ epoch }) => epoch)).size).toBe(ids.length)
})

test('limits hold: sessions and one run of a block over all workers, runs of a workspace on each', async () => {
  const blockId = (await makeBlock(app, flow)).id
  await queue({ blockId })
  await queue({ blockId })
  const window = await queue({ blockId, request: { window: { from: '2026-01-01', to: '2026-01-02' } } })
  const claimed = (await Promise.all([claim('a'), claim('b'), claim('c')])).flat()
  expect(claimed).toHaveLength(2)
  expect(claimed.map(({ id }) => id)).toContain(window)
  for (let count = 0; count < 9; count += 1) await queue()
  const tight = { perWorkspace: 3, sessionsPerWorkspace: 7 }
  const [d, e] = await Promise.all([claim('d', tight), claim('e', tight)])
  expect([d, e].map(({ length }) => length).toSorted()).toEqual([2, 3])
  expect(await claim('f', tight)).toEqual([])
  expect(await claim('f', { ...tight, sessionsPerWorkspace: 8 })).toHaveLength(1)
})

test('runs that read and write take two sessions, and wait in line for them', async () => {
  const settings = { write: { schema_name: 'data', table_name: 'copy' } as never }
  const paired = await queue({ blockId: (await makeBlock(app, flow, { settings })).id })
  const single = await queue()
  expect(await claim('a', { sessionsPerWorkspace: 2 })).toMatchObject([{ id: paired }])
  expect(await claim('b', { sessionsPerWorkspace: 2 })).toEqual([])
  expect(await claim('b', { sessionsPerWorkspace: 3 })).toMatchObject([{ id: single }])
})

describe('a worker that stands still within a transaction', () => {
  const standStill = async (lock: (open: typeof app.ctx) => Promise<unknown>) => {
    const over = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const frozen = transaction(app.ctx, async (open) => {
      await lock(open)
      locked.resolve()
      await over.promise
    })
    await locked.promise
    return async () => {
      over.resolve()
      await expect(frozen).rejects.toThrow()
    }
  }

  test('does not keep the others from claiming', async () => {
    const id = await queue()
    const wake = await standStill(lockClaims)
    expect(await claim('other')).toMatchObject([{ id }])
    await wake()
  })

  test('does not keep a lost run, which another worker takes up', async () => {
    const id = await queue()
    const [held] = await claim('lost')
    await expire(id)
    const wake = await standStill((open) => claimLostRun(open, { id, epoch: held?.epoch ?? 0 }))
    const other = await queue()
    await claim('lost too')
    await expire(other)
    // Another one is not waited for.
    expect(await reapLostRuns(app.ctx, { gate: open, fence })).toEqual({ taken: 1 })
    expect(await readRun(other)).toMatchObject({ status: 'QUEUED', problem: { kind: 'lost' } })
    await expect.poll(() => reapLostRuns(app.ctx, { gate: open, fence }), { timeout: 20_000 }).toEqual({ taken: 1 })
    await wake()
    expect(await readRun(id)).toMatchObject({ status: 'QUEUED', problem: { kind: 'lost' } })
  })
})

test('what waits is spread over the workers that ask for it', async () => {
  for (let count = 0; count < 6; count += 1) await queue()
  const turn = async (worker: string) => await claimNext(app.ctx, { worker, limits, free: 50, gate: open })
  const taken = [await turn('a'), await turn('b'), await turn('c')]
  expect(taken.map(({ length }) => length)).toEqual([1, 1, 1])
})

test('a run whose worker is gone is taken up; the old holder can end it no more', async () => {
  const id = await queue()
  const [held] = await claim('gone')
  await expire(id)
  expect(await reapLostRuns(app.ctx, { gate: open, fence })).toEqual({ taken: 1 })
  expect(await readRun(id)).toMatchObject({ status: 'QUEUED', worker: null, problem: { kind: 'lost' } })
  const { rows } = await app.database.pool.query(
    'select level, attempt, message from task_run_logs where run_id = $1',
    [id],
  )
  expect(rows).toEqual([
    {
      level: 'WARNING',
      attempt: 1,
      message: expect.stringMatching(/was lost: it gave no sign of life for \d+ seconds/),
    },
  ])
  await app.database.pool.query('update task_runs set retry_at = now() where id = $1', [id])
  const [again] = await claim('second')
  expect(again).toMatchObject({ id, attempt: 2, lines: 1 })
  const end = { status: 'SUCCESS' as const, problem: null, counters: {}, hasProgressed: true, message: null }
  expect(await endRun(app.ctx, { id, epoch: held?.epoch ?? 0 }, end)).toBeUndefined()
  expect(await endRun(app.ctx, { id, epoch: again?.epoch ?? 0 }, end)).toBeInstanceOf(Date)
})

test('several reapers take a lost run once; one that keeps being lost ends', async () => {
  const id = await queue()
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await claim('gone')
    await expire(id)
    const taken = await Promise.all(Array.from({ length: 3 }, () => reapLostRuns(app.ctx, { gate: open, fence })))
    expect(taken.reduce((sum, one) => sum + one.taken, 0)).toBe(1)
    await app.database.pool.query("update task_runs set retry_at = now() where id = $1 and status = 'QUEUED'", [id])
  }
  expect(await readRun(id)).toMatchObject({ status: 'EXCEPTION', problem: { kind: 'lost' } })
})

test('a reaper that fails halfway has taken nothing and holds up no other run', async () => {
  const [broken, other] = [await queue(), await queue()]
  await claim('gone')
  for (const id of [broken, other]) await expire(id)
  const before = await readRun(broken)
  await asAdmin(`
    create function refuse_end() returns trigger language plpgsql as
      $$ begin raise exception 'no'; end $$;
    create trigger refuse_end before update on task_run_attempts for each row when (old.run_id = ${broken})
      execute function refuse_end()`)
  try {
    expect(await reapLostRuns(app.ctx, { gate: open, fence })).toEqual({ taken: 1 })
    expect(await readRun(other)).toMatchObject({ status: 'QUEUED' })
    expect(await readRun(broken)).toMatchObject({ epoch: before.epoch, lease_until: before.lease_until })
  } finally {
    await asAdmin('drop trigger refuse_end on task_run_attempts; drop function refuse_end')
  }
  expect(await reapLostRuns(app.ctx, { gate: open, fence })).toEqual({ taken: 1 })
})

test('whoever ends a lost run and dies over it leaves it to others after one lease', async () => {
  const id = await queue()
  await claim('gone')
  await app.database.pool.query('update task_runs set is_cancel_wanted = true where id = $1', [id])
  await expire(id)
  const fence = async () => {
    throw new Error('killed')
  }
  expect(await reapLostRuns(app.ctx, { gate: open, fence })).toEqual({ taken: 0 })
  const { rows } = await app.database.pool.query<{ is_soon: boolean }>(
    "select lease_until <= now() + interval '20 seconds' as is_soon from task_runs where id = $1",
    [id],
  )
  expect(rows).toEqual([{ is_soon: true }])
})

test('cancelled while its worker is gone: fenced off, then ended', async () => {
  const id = await queue()
  const [held] = await claim('gone')
  await app.database.pool.query('update task_runs set is_cancel_wanted = true where id = $1', [id])
  await expire(id)
  const fenced: number[] = []
  await reapLostRuns(app.ctx, { gate: open, fence: async (_ctx, run) => void fenced.push(run.epoch) })
  expect(fenced[0]).toBeGreaterThan(held?.epoch ?? 0)
  expect(await readRun(id)).toMatchObject({ status: 'FAILED', problem: { kind: 'cancelled' } })
})

test('many workspaces that wait for their own runs do not hide the run of another', async () => {
  const { pool } = app.database
  const mark = `crowd${flow.id}-`
  await pool.query(
    `with w as (
       insert into workspaces (account_id, trellis_code, name, workspace_address, state)
       select $1, $2 || n, 'Crowd', $2 || n, 'online' from generate_series(1, 60) n returning id, trellis_code),
     f as (
       insert into dataflows (account_id, workspace_id, trellis_code, name, overlap)
       select $1, id, trellis_code, 'Crowd', 'parallel' from w returning id, workspace_id, trellis_code),
     b as (
       insert into task_blocks (account_id, workspace_id, dataflow_id, trellis_code, kind, name, settings)
       select $1, workspace_id, id, trellis_code, 'Transformation', 'Crowd', '{}' from f
       returning id, workspace_id, dataflow_id, trellis_code)
     insert into task_runs (account_id, workspace_id, dataflow_id, block_id, trellis_code, block_version, started_by, due_at,
            status, worker, lease_until, epoch)
     select $1, workspace_id, dataflow_id, id, trellis_code || '-' || n, 1, 'schedule', now() - interval '1 hour',
            case when n = 0 then 'RUNNING' else 'QUEUED' end, case when n = 0 then 'w' end, now() + interval '1 hour', 1
       from b, generate_series(0, 20) n`,
    [account.id, mark],
  )
  const id = await queue()
  expect(await claim('w', { perWorkspace: 1 })).toMatchObject([{ id }])
  await pool.query('delete from workspaces where workspace_address like $1', [`${mark}%`])
})

test('a workspace whose database keeps the reaper waiting keeps nobody else waiting', async () => {
  const slow = await queue()
  const workspace = await makeWorkspaceRow(app, account, 'other')
  const other = await queue({ at: await makeFlow(app, { accountId: account.id, workspaceId: workspace.id }) })
  await claim('gone')
  await app.database.pool.query('update task_runs set is_cancel_wanted = true')
  for (const id of [slow, other]) await expire(id)
  const released = Promise.withResolvers<void>()
  const fence = async (_: unknown, run: { workspace_id: number }) =>
    run.workspace_id === place.workspaceId ? await released.promise : undefined
  // Generous for a busy machine.
  expect(await reapLostRuns(app.ctx, { gate: open, fence, patienceMs: 3000 })).toEqual({ taken: 1 })
  expect(await readRun(other)).toMatchObject({ status: 'FAILED' })
  expect(await reapLostRuns(app.ctx, { gate: open, fence, patienceMs: 50 })).toEqual({ taken: 0 })
  released.resolve()
  await expect.poll(async () => (await readRun(slow)).status).toBe('FAILED')
})

test('a run that floods its log fills no disk and takes no line from another', async () => {
  const ids = [await queue(), await queue(), await queue()]
  const held = await claim('w')
  const logs = openRunLogs(app.ctx)
  const [wide, long, quiet] = ids.map((id) => {
    const run = held.find((heldRun) => heldRun.id === id)
    if (!run) throw new Error('It was not claimed.')
    return logs.open({ ...run, lines: 0 })
  })
  for (let line = 0; line < 4000; line += 1) wide?.('INFO', 'x'.repeat(20_000))
  for (let line = 0; line < 25_000; line += 1) long?.('INFO', 'y')
  quiet?.('INFO', 'half a character \ud800 and none \0')
  quiet?.('INFO', 'heard')
  await logs.stop()
  const { rows } = await app.database.pool.query<{ id: number; chars: string; last: string }>(
    `select run_id as id, sum(length(message)) as chars, (array_agg(message order by number desc))[1] as last
       from task_run_logs where run_id = any($1) group by 1 order by 1`,
    [ids],
  )
  expect(rows.map(({ id }) => id)).toEqual(ids)
  expect(Number(rows[0]?.chars)).toBeLessThan(21_000_000)
  expect(rows[0]?.last).toContain('The log is full')
  expect(rows[2]?.last).toBe('heard')
})

test('whatever code throws is kept in words, and ends the run', async () => {
  const id = await queue()
  const fails: Work<never> = async () => {
    throw new RunFault('configuration', `no \0 \ud800 ${'x'.repeat(5_000_000)}`, { advice: 'mend \udc00 it' })
  }
  loops.push(startRunLoop({ ctx: app.ctx, work: { Transformation: fails }, effects, limits, gate: open }))
  await expect.poll(async () => (await readRun(id)).status).toBe('FAILED')
  const { message, advice } = (await readRun(id)).problem as { message: string; advice: string }
  expect(message.length).toBeLessThan(10_000)
  expect([message.startsWith('no '), advice]).toEqual([true, 'mend \ufffd it'])
})

test('a run without a connection goes back to the queue as often as it takes, and loses no attempt', async () => {
  const id = await queue()
  let tries = 0
  const work: Work<never> = async () => {
    tries += 1
    if (tries <= 6) throw new RunFault('transient', 'No connections.', { isDeferred: true })
  }
  const loop = startRunLoop({ ctx: app.ctx, work: { Transformation: work }, effects, limits, gate: open })
  loops.push(loop)
  await expect
    .poll(async () => {
      await app.database.pool.query('update task_runs set retry_at = null where id = $1 and retry_at > now()', [id])
      loop.wake()
      return (await readRun(id)).status
    })
    .toBe('SUCCESS')
  const { rows } = await app.database.pool.query(
    'select count(*)::int as all, count(problem)::int as lost from task_run_attempts where run_id = $1',
    [id],
  )
  expect(rows).toEqual([{ all: 7, lost: 0 }])
})

test('runs under the name of a worker that does not hold them are given back at once', async () => {
  const ids = [await queue(), await queue(), await queue()]
  const [held, forgotten] = await claim('w', { perWorkspace: 2 })
  const [other] = await claim('other')
  const unanswered = await queue()
  await app.database.pool.query(
    `update task_runs set status = 'SYSTEM_DEQUEUED', worker = 'w', attempt = 1, lease_until = now() + interval '20 seconds'
      where id = $1`,
    [unanswered],
  )
  expect(ids).toContain(other?.id)
  expect(await releaseUnknownRuns(app.ctx, 'w', [held?.id ?? 0])).toBe(2)
  expect(await readRun(unanswered)).toMatchObject({ status: 'QUEUED', attempt: 0, worker: null })
  expect(await reapLostRuns(app.ctx, { gate: open, fence })).toEqual({ taken: 1 })
  expect(await readRun(forgotten?.id ?? 0)).toMatchObject({ status: 'QUEUED', problem: { kind: 'lost' } })
  for (const run of [held, other]) expect(await readRun(run?.id ?? 0)).toMatchObject({ status: 'PROVISIONING' })
})

test('a workspace that may run nothing holds runs back until it may again', async () => {
  const id = await queue()
  const shut = async () => 'The plan has ended.'
  expect(await claimNext(app.ctx, { worker: 'w', limits, free: 5, gate: shut })).toEqual([])
  expect(await readRun(id)).toMatchObject({ status: 'SYSTEM_BLOCKED', attempt: 0, worker: null })
  await reapLostRuns(app.ctx, { gate: shut, fence })
  expect(await readRun(id)).toMatchObject({ status: 'SYSTEM_BLOCKED' })
  await reapLostRuns(app.ctx, { gate: open, fence })
  expect(await claim('w')).toMatchObject([{ id, attempt: 1 }])
})

test('what stands too long ends, and says why', async () => {
  const queued = await queue()
  const blocked = await queue()
  await app.database.pool.query(
    `update task_runs set status_since = now() - interval '8 days',
            status = case when id = $1 then 'SYSTEM_BLOCKED' else status end`,
    [blocked],
  )
  await reapLostRuns(app.ctx, { gate: async () => 'The plan has ended.', fence })
  expect(await readRun(queued)).toMatchObject({ status: 'EXCEPTION' })
  expect(await readRun(blocked)).toMatchObject({ status: 'FAILED', problem: { kind: 'blocked' } })
})

test('a block that was deleted meanwhile is not run', async () => {
  const block = await makeBlock(app, flow)
  const id = await queue({ blockId: block.id })
  await app.database.pool.query('update task_blocks set deleted_at = now() where id = $1', [block.id])
  expect(await claim('w')).toEqual([])
  expect(await readRun(id)).toMatchObject({ status: 'FAILED' })
})

test('who loses its run hears of it and writes nothing more about it', async () => {
  const id = await queue()
  const begun = Promise.withResolvers<void>()
  const heard = Promise.withResolvers<string>()
  const work: Work<never> = async ({ signal, log }) => {
    begun.resolve()
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    heard.resolve((signal.reason as Error).message)
    log('INFO', 'too late')
    throw signal.reason
  }
  const loop = startRunLoop({ ctx: app.ctx, work: { Transformation: work }, effects, limits, gate: open })
  loops.push(loop)
  await begun.promise
  await app.database.pool.query("update task_runs set epoch = nextval('run_epochs') where id = $1", [id])
  loop.checkCancellations()
  expect(await heard.promise).toContain('Another worker')
  await loop.stop({ graceMs: 0 })
  loops.splice(0)
  const { rows } = await app.database.pool.query(
    "select from task_run_logs where run_id = $1 and message = 'too late'",
    [id],
  )
  expect(rows).toEqual([])
  expect(await readRun(id)).toMatchObject({ status: 'INITIALIZING' })
})

test('things that come together are done together, each with its own answer', async () => {
  const batches: number[][] = []
  const double = createBatcher(async (items: readonly number[]) => {
    batches.push([...items])
    if (items.includes(99)) throw new Error('no')
    return items.map((item) => item * 2)
  })
  expect(await Promise.all([1, 2, 3].map((item) => double(item)))).toEqual([2, 4, 6])
  await expect(double(99)).rejects.toThrow('no')
  expect(await double(5)).toBe(10)
  expect(batches).toEqual([[1, 2, 3], [99], [5]])
})
