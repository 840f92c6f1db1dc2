import { transaction } from '@trellis/control-db/database'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestAccount, makeAccount, makeWorkspaceRow } from '../../../testing/accounts.ts'
import { type TestBlock, makeBlock, makeFlow, triggerOn } from '../../../testing/dataflows.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { deliverSuccess } from './deliver-success.ts'
import { fireTicks } from './fire-ticks.ts'
import { planTicks } from './plan-ticks.ts'

let app: TestApp
let account: TestAccount
let place: { accountId: number; workspaceId: number }
let now: Date
const MINUTE = 60_000
const open = async () => null

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
  now = new Date('2026-03-02T10:00:30Z')
})

const at = (date: Date) => ({ ...app.ctx, clock: { now: () => date } })
const later = (ms: number) => new Date(now.getTime() + ms)

async function listTicks({ id }: TestBlock) {
  const { rows } = await app.database.pool.query<{ at: Date; outcome: string | null; run_id: number | null }>(
    'select nominal_at as at, outcome, run_id from schedule_ticks where block_id = $1 order by nominal_at',
    [id],
  )
  return rows
}
async function listRuns({ id }: TestBlock) {
  const { rows } = await app.database.pool.query<{ id: number; status: string; nominal_at: Date; started_by: string }>(
    'select id, status, nominal_at, started_by from task_runs where block_id = $1 order by id',
    [id],
  )
  return rows
}
const outcomes = async (block: TestBlock) => (await listTicks(block)).flatMap(({ outcome }) => outcome ?? [])

async function scheduled(cron: string, more: Parameters<typeof makeFlow>[2] = {}) {
  return await makeBlock(app, await makeFlow(app, place, more), {
    trigger: triggerOn('Or', { cron }),
    publishedAt: now,
  })
}

test('due times are rows an hour ahead, made once; the next one always is', async () => {
  const often = await scheduled('0,10,20,30,40,50 * * * ? *')
  const rare = await scheduled('0 6 1 1 ? *')
  await Promise.all([planTicks(at(now)), planTicks(at(now)), planTicks(at(now))])
  await planTicks(at(now))
  expect((await listTicks(often)).map(({ at: time }) => time.toISOString().slice(11, 16))).toEqual([
    '10:10',
    '10:20',
    '10:30',
    '10:40',
    '10:50',
    '11:00',
  ])
  expect((await listTicks(rare)).map(({ at: time }) => time.toISOString())).toEqual(['2027-01-01T06:00:00.000Z'])
  await planTicks(at(later(40 * MINUTE)))
  expect(await listTicks(often)).toHaveLength(10)
})

test('a due time starts one run, however many schedulers look and whenever', async () => {
  const blocks = await Promise.all(Array.from({ length: 20 }, () => scheduled('5 10 * * ? *')))
  await planTicks(at(now))
  const due = at(new Date('2026-03-02T10:05:00Z'))
  const fired = await Promise.all(Array.from({ length: 4 }, () => fireTicks(due, open)))
  fired.push(await fireTicks(due, open))
  expect(fired.reduce((sum, { queued }) => sum + queued, 0)).toBe(20)
  for (const block of blocks) {
    expect(await listRuns(block)).toMatchObject([{ status: 'QUEUED', started_by: 'schedule' }])
    expect(await outcomes(block)).toEqual(['fired'])
  }
})

test('a scheduler that dies before it commits leaves the due time to the next', async () => {
  const block = await scheduled('5 10 * * ? *')
  await planTicks(at(now))
  const due = at(new Date('2026-03-02T10:05:01Z'))
  const dying = due.db.transaction().execute(async (db) => {
    await fireTicks({ ...due, db }, open)
    throw new Error('killed')
  })
  await expect(dying).rejects.toThrow('killed')
  expect(await listRuns(block)).toEqual([])
  await fireTicks(due, open)
  await fireTicks(due, open)
  expect(await listRuns(block)).toHaveLength(1)
})

test.each([
  ['latest' as const, 1, 'missed_older'],
  ['none' as const, 0, 'missed_late'],
])('after downtime: %s', async (misfire, runs, outcome) => {
  const block = await scheduled('0 * * * ? *', { misfire })
  const back = at(new Date('2026-03-02T15:30:00Z'))
  await planTicks(back)
  await fireTicks(back, open)
  expect(await listRuns(block)).toHaveLength(runs)
  expect((await outcomes(block)).filter((item) => item === outcome)).toHaveLength(5 - runs)
})

test('after downtime: all of them, side by side where the dataflow allows it', async () => {
  const block = await scheduled('0 * * * ? *', { misfire: 'all', overlap: 'parallel' })
  const back = at(new Date('2026-03-02T15:30:00Z'))
  await planTicks(back)
  await fireTicks(back, open)
  expect(await listRuns(block)).toHaveLength(5)
})

test('while a run goes on: one waits and the newest takes its place, or the new one is dropped', async () => {
  const queue = await scheduled('0,10,20,30,40,50 * * * ? *', { overlap: 'queue' })
  const skip = await scheduled('0,10,20,30,40,50 * * * ? *', { overlap: 'skip' })
  await planTicks(at(now))
  for (const minute of ['10:10', '10:20', '10:30']) {
    await fireTicks(at(new Date(`2026-03-02T${minute}:00Z`)), open)
  }
  expect((await listRuns(queue)).map(({ nominal_at: time }) => time.toISOString().slice(11, 16))).toEqual([
    '10:10',
    '10:30',
  ])
  expect(await outcomes(queue)).toEqual(['fired', 'replaced', 'fired'])
  expect(await listRuns(skip)).toHaveLength(1)
  expect(await outcomes(skip)).toEqual(['fired', 'overlapped', 'overlapped'])
})

test('a plan that is over, a pause, a newer version and a deleted block start nothing and say why', async () => {
  const [blocked, paused, changedTestBlock, deletedTestBlock] = [
    await scheduled('5 10 * * ? *'),
    await scheduled('5 10 * * ? *'),
    await scheduled('5 10 * * ? *'),
    await scheduled('5 10 * * ? *'),
  ]
  await planTicks(at(now))
  const { pool } = app.database
  await pool.query(
    'update dataflows set is_paused = true where id = (select dataflow_id from task_blocks where id = $1)',
    [paused.id],
  )
  await pool.query(
    `insert into task_block_versions (block_id, account_id, version, settings)
     select block_id, account_id, 2, settings from task_block_versions where block_id = $1`,
    [changedTestBlock.id],
  )
  await pool.query('update task_blocks set live_version = 2 where id = $1', [changedTestBlock.id])
  await pool.query('update task_blocks set deleted_at = now() where id = $1', [deletedTestBlock.id])
  const due = at(new Date('2026-03-02T10:05:00Z'))
  const other = await pool.query<{ id: number }>(
    "insert into accounts (trellis_code, name, account_type) values ('over', 'Over', 'team') returning id",
  )
  await pool.query('update schedule_ticks set account_id = $1 where block_id = $2', [other.rows[0]?.id, blocked.id])
  await pool.query('update task_blocks set account_id = $1 where id = $2', [other.rows[0]?.id, blocked.id])
  await fireTicks(due, async (id) => (id === other.rows[0]?.id ? 'The plan has ended.' : null))
  expect(await outcomes(blocked)).toEqual(['blocked'])
  expect(await outcomes(paused)).toEqual(['paused'])
  expect(await outcomes(changedTestBlock)).toEqual(['changed'])
  expect(await outcomes(deletedTestBlock)).toEqual(['changed'])
  const { rows } = await pool.query('select from task_runs')
  expect(rows).toEqual([])
})

test('schedules of deleted workspaces stand in nobody’s way, and go on when the workspace is brought back', async () => {
  const { pool } = app.database
  const gone = await makeWorkspaceRow(app, account, 'gone')
  const { id } = await makeBlock(app, await makeFlow(app, { ...place, workspaceId: gone.id }), {
    trigger: triggerOn('Or', { cron: '5 10 * * ? *' }),
    publishedAt: now,
  })
  await pool.query("update workspaces set deleted_at = now(), state = 'online' where id = $1", [gone.id])
  await pool.query(
    `with more as (
       insert into task_blocks (account_id, workspace_id, dataflow_id, trellis_code, kind, name, settings, live_version)
       select account_id, workspace_id, dataflow_id, trellis_code || n, kind, name || n, settings, live_version
         from task_blocks, generate_series(1, 600) n where id = $1
       returning id, account_id, settings)
     insert into task_block_versions (block_id, account_id, version, settings)
     select id, account_id, 1, settings from more`,
    [id],
  )
  const other = await scheduled('5 10 * * ? *')
  await pool.query('update task_blocks set ticks_until = $2 where id = $1', [other.id, later(-MINUTE)])
  await planTicks(at(now))
  expect(await listTicks(other)).not.toEqual([])
  expect(await listTicks({ id } as TestBlock)).toEqual([])
  await pool.query('update workspaces set deleted_at = null where id = $1', [gone.id])
  while ((await planTicks(at(now))) > 0);
  expect(await listTicks({ id } as TestBlock)).not.toEqual([])
})

test('all: the due time waits for the others and is used up with them', async () => {
  const flow = await makeFlow(app, place)
  const first = await makeBlock(app, flow)
  const block = await makeBlock(app, flow, {
    trigger: triggerOn('And', { after: [first], cron: '5 10 * * ? *' }),
    publishedAt: now,
  })
  await planTicks(at(now))
  await fireTicks(at(new Date('2026-03-02T10:05:00Z')), open)
  expect(await outcomes(block)).toEqual(['waits_for_others'])
  expect(await listRuns(block)).toEqual([])
})

async function succeed(flowId: number, block: TestBlock): Promise<number> {
  const { rows } = await app.database.pool.query<{ id: number }>(
    `insert into task_runs (account_id, workspace_id, dataflow_id, block_id, trellis_code, block_version, status, started_by,
            due_at, finished_at)
     values ($1, $2, $3, $4, gen_random_uuid()::text, 1, 'SUCCESS', 'person', now(), now()) returning id`,
    [place.accountId, place.workspaceId, flowId, block.id],
  )
  return rows[0]?.id ?? 0
}

test('whatever is told in whatever order, twice and at once: any starts one run each, all one for each of every branch', async () => {
  const rounds = fc.array(fc.record({ side: fc.constantFrom(0, 1), isTwice: fc.boolean() }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(rounds, async (told) => {
      const flow = await makeFlow(app, place, { overlap: 'parallel' })
      const sides = [await makeBlock(app, flow), await makeBlock(app, flow)] as const
      const any = await makeBlock(app, flow, { trigger: triggerOn('Or', { after: sides }) })
      const all = await makeBlock(app, flow, { trigger: triggerOn('And', { after: sides }) })
      const tell = async (side: TestBlock, id: number) =>
        await transaction(app.ctx, (ctx) =>
          deliverSuccess(ctx, { id, block_id: side.id, block_code: side.code, end: async () => now }),
        )
      await Promise.all(
        told.map(async ({ side, isTwice }) => {
          const block = sides[side === 0 ? 0 : 1]
          const id = await succeed(flow.id, block)
          await Promise.all(Array.from({ length: isTwice ? 2 : 1 }, () => tell(block, id)))
        }),
      )
      const first = told.filter(({ side }) => side === 0).length
      expect(await listRuns(any)).toHaveLength(told.length)
      expect(await listRuns(all)).toHaveLength(Math.min(first, told.length - first))
    }),
    { numRuns: 12 },
  )
})
