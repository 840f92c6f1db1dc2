import { arrangeDashboard, getWorkspaceDashboard } from '@trellis/contract/dashboard/dashboard.endpoints'
import { getDataflow, getDataflowsDashboard, getFolderStructure } from '@trellis/contract/dataflows/dataflows.endpoints'
import { type BlockRun, summarizeFlowRun } from '@trellis/dataflow-engine/flow-runs/flow-run-state'
import { expect, test } from 'vitest'
import { makeAccount } from '../../testing/accounts.ts'
import { startFlowsApp } from '../../testing/flows-app.ts'
import { addRun } from '../dataflows/testing/made-up-runs.ts'
import { writeTo } from '../dataflows/testing/flows.ts'
import { endRun } from '../runs/runner/finish.repository.ts'

const { app, flows } = await startFlowsApp()

const read = async () => (await flows.call(getWorkspaceDashboard)).data

test('a workspace without anything says so in every part', async () => {
  const dashboard = await read()
  expect(dashboard).toMatchObject({
    dataflows: {
      dataflow_count: 0,
      running: 0,
      queued: 0,
      last_24_hours: { succeeded: 0, failed: 0, rows: 0 },
      failures: [],
      next_due: [],
      table_counts: { late: 0, new: 0, paused: 0, fresh: 0 },
      tables: [],
    },
    recent_flow_runs: [],
    recent_worksheets: [],
    recent_tables: [],
    recent_chats: [],
    sparks: [],
    getting_started: { data: false, query: false, dataflow: false, question: false },
  })
  expect(dashboard.dataflows.days).toHaveLength(30)
  expect(dashboard.dataflows.days.at(-1)?.day).toBe(new Date().toISOString().slice(0, 10))
})

test('a failure counts until the block runs again, and a table is late by its own rhythm', async () => {
  const flow = await flows.dataflow('Shop')
  const write = (table: string) => ({ code: 'select 1 as n', write: writeTo(table) })
  const often = await flows.sql(flow, 'Often', write('often'))
  const seldom = await flows.sql(flow, 'Seldom', write('seldom'))
  const never = await flows.sql(flow, 'Never', write('never'))
  for (const block of [often, seldom, never]) expect((await flows.publish(block)).errors).toEqual([])
  for (const minutesAgo of [300, 270, 240, 210]) await addRun(app, often, { status: 'SUCCESS', minutesAgo })
  for (const minutesAgo of [900, 600, 300]) await addRun(app, seldom, { status: 'SUCCESS', minutesAgo })
  const failedAddedRun = await addRun(app, often, {
    status: 'FAILED',
    minutesAgo: 5,
    message: 'The column "total" is gone.',
  })
  const { dataflows, getting_started } = await read()
  expect(getting_started.dataflow).toBe(true)
  expect(dataflows.table_counts).toEqual({ late: 1, new: 1, paused: 0, fresh: 1 })
  expect(dataflows.tables.map(({ table_name, freshness }) => [table_name, freshness])).toEqual([
    ['often', 'late'],
    ['never', 'new'],
    ['seldom', 'fresh'],
  ])
  expect(dataflows.tables[0]).toMatchObject({ usual_gap_seconds: 1800, dataflow_name: 'Shop' })
  expect(dataflows.last_24_hours).toMatchObject({ succeeded: 7, failed: 1 })
  expect(dataflows.days.reduce((sum, day) => sum + day.succeeded + day.failed, 0)).toBe(8)
  expect(dataflows.failures).toEqual([
    expect.objectContaining({
      flow_run_trellis_code: failedAddedRun.flowRunCode,
      state: 'failed',
      block_names: ['Often'],
      message: 'The column "total" is gone.',
    }),
  ])
  await addRun(app, often, { status: 'SUCCESS', minutesAgo: 1 })
  const later = (await read()).dataflows
  expect(later.failures).toEqual([])
  expect(later.table_counts).toEqual({ late: 0, new: 1, paused: 0, fresh: 2 })
})

test('a flow run counts once, whatever ran in it, and what was retried, cancelled or asked about is no failure', async () => {
  const flow = await flows.dataflow('Whole')
  const [one, two] = [await flows.sql(flow, 'One'), await flows.sql(flow, 'Two')]
  for (const block of [one, two]) expect((await flows.publish(block)).errors).toEqual([])
  const before = (await read()).dataflows
  const change = async (id: number, problem: object) =>
    await app.database.pool.query('update task_runs set problem = $2 where id = $1', [id, JSON.stringify(problem)])
  const figures = async () => {
    const { last_24_hours: day, running, queued, failures, days } = (await read()).dataflows
    const { data: information } = await flows.call(getDataflowsDashboard)
    expect(information).toMatchObject({
      running,
      queued,
      succeeded_today: days.at(-1)?.succeeded,
      failed_today: days.at(-1)?.failed,
    })
    return {
      succeeded: day.succeeded - before.last_24_hours.succeeded,
      failed: day.failed - before.last_24_hours.failed,
      running: running - before.running,
      queued: queued - before.queued,
      failures: failures
        .filter(({ dataflow_name: name }) => name === 'Whole')
        .map(({ state, block_names }) => [state, block_names]),
    }
  }
  const first = await addRun(app, one, { status: 'FAILED', minutesAgo: 9, message: 'No.' })
  const { flowRunId } = first
  const second = await addRun(app, two, { status: 'FAILED', minutesAgo: 8, flowRunId })
  expect(await figures()).toEqual({
    succeeded: 0,
    failed: 1,
    running: 0,
    queued: 0,
    failures: [['failed', ['One', 'Two']]],
  })
  await change(second.id, { kind: 'schema_changed', message: 'x', question: { decision: null } })
  expect((await figures()).failures).toEqual([['failed', ['One', 'Two']]])
  await change(first.id, { kind: 'cancelled', message: 'x' })
  expect(await figures()).toMatchObject({ failed: 0, failures: [['needs_decision', ['Two']]] })
  const markDeleted = async (at: Date | null) =>
    await app.database.pool.query('update task_blocks set deleted_at = $2 where trellis_code = $1', [two, at])
  const readState = async () => (await flows.call(getDataflow, { params: { trellis_code: flow } })).data.last_run?.state
  expect(await readState()).toBe('needs_decision')
  await markDeleted(new Date())
  expect(await figures()).toMatchObject({ failed: 0, failures: [] })
  expect(await readState(), 'of a deleted block nothing can be decided').toBe('cancelled')
  await markDeleted(null)
  const retry = async (of: typeof first, status: 'SUCCESS' | 'RUNNING' | 'QUEUED') => {
    const { id } = await addRun(app, of === first ? one : two, { status, flowRunId })
    await app.database.pool.query('update task_runs set retry_of = $2, root_code = $3 where id = $1', [
      id,
      of.id,
      of.code,
    ])
  }
  await retry(first, 'QUEUED')
  expect(await figures()).toMatchObject({ running: 0, queued: 1, succeeded: 0, failed: 0 })
  await retry(second, 'RUNNING')
  expect(await figures()).toMatchObject({ running: 1, queued: 0, failures: [] })
  await app.database.pool.query(
    "update task_runs set status = 'SUCCESS', finished_at = now() where flow_run_id = $1 and status in ('QUEUED', 'RUNNING')",
    [flowRunId],
  )
  expect(await figures()).toEqual({ succeeded: 1, failed: 0, running: 0, queued: 0, failures: [] })
  const [latest] = (await read()).recent_flow_runs
  expect(latest).toMatchObject({ flow_run_trellis_code: first.flowRunCode, dataflow_name: 'Whole', state: 'succeeded' })
})

test('the state of a flow run is the one the engine gives it', async () => {
  const fates = ['SUCCESS', 'FAILED', 'EXCEPTION', 'RUNNING', 'QUEUED', 'cancelled', 'asked'] as const
  let seed = 7
  const draw = (most: number) => (seed = (seed * 16_807) % 2_147_483_647) % most
  const expected = new Map<string, string>()
  for (let at = 0; at < 24; at += 1) {
    const name = `Drawn ${at}`
    const block = await flows.sql(await flows.dataflow(name), name, {
      code: 'select 1 as n',
      write: writeTo(`drawn${at}`),
    })
    const runs: BlockRun[] = []
    let flowRunId: number | undefined
    for (let left = 1 + draw(4); left > 0; left -= 1) {
      const fate = fates[draw(at % 3 === 0 ? 2 : fates.length)] ?? 'SUCCESS'
      const status = fate === 'cancelled' || fate === 'asked' ? 'FAILED' : fate
      const added = await addRun(app, block, { status, ...(flowRunId !== undefined && { flowRunId }) })
      flowRunId ??= added.flowRunId
      const retried = runs.length > 0 && draw(2) === 0 ? runs[draw(runs.length)] : undefined
      const problem =
        fate === 'cancelled'
          ? { kind: 'cancelled' }
          : fate === 'asked'
            ? { kind: 'x', question: { decision: null } }
            : null
      await app.database.pool.query('update task_runs set root_code = $2, problem = $3 where id = $1', [
        added.id,
        retried?.root ?? null,
        problem && JSON.stringify({ message: 'x', ...problem }),
      ])
      const ended = {
        isCancelled: fate === 'cancelled',
        needsDecision: fate === 'asked',
        startedAt: 0,
        finishedAt: 0,
        rows: 0,
      }
      runs.push({ id: added.id, root: retried?.root ?? added.code, block, status, ...ended })
    }
    expected.set(name, summarizeFlowRun(runs).state)
  }
  const { dataflows } = (await flows.call(getFolderStructure)).data
  const shown = dataflows.filter(({ name }) => expected.has(name)).map(({ name, last_run: run }) => [name, run?.state])
  expect(new Map(shown as [string, string][])).toEqual(expected)
  expect(new Set(expected.values()).size).toBeGreaterThan(3)
})

test('a load counts for its table as soon as its run has succeeded', async () => {
  const block = await flows.sql(await flows.dataflow('Loads'), 'Load', {
    code: 'select 1 as n',
    write: writeTo('loads'),
  })
  expect((await flows.publish(block)).errors).toEqual([])
  const { id } = await addRun(app, block, { status: 'RUNNING' })
  const count = async () => (await read()).dataflows.table_counts
  const before = await count()
  const { epoch } = await app.database.db
    .selectFrom('task_runs')
    .select('epoch')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await endRun(
    app.ctx,
    { id, epoch },
    { status: 'SUCCESS', problem: null, counters: {}, hasProgressed: true, message: null },
  )
  expect(await count()).toEqual({ ...before, new: before.new - 1, fresh: before.fresh + 1 })
})

test('days that are over are counted once, for everybody', async () => {
  const block = await flows.sql(await flows.dataflow('Days'), 'Days', { code: 'select 1 as n', write: writeTo('days') })
  await app.database.db.deleteFrom('run_days').execute()
  const daysAgo = (days: number) => days * 24 * 60
  await addRun(app, block, { status: 'SUCCESS', minutesAgo: daysAgo(3) })
  await addRun(app, block, { status: 'FAILED', minutesAgo: daysAgo(3) })
  const third = async () => (await read()).dataflows.days.at(-4)
  expect(await third()).toMatchObject({ succeeded: 1, failed: 1 })
  expect(await third()).toMatchObject({ succeeded: 1, failed: 1 })
  const kept = await app.database.db.selectFrom('run_days').select(['account_id', 'succeeded', 'failed']).execute()
  expect(kept).toHaveLength(28)
  expect(kept.filter(({ succeeded }) => succeeded > 0)).toEqual([
    { account_id: flows.workspace.account.id, succeeded: 1, failed: 1 },
  ])
})

test('dataflows that come due next are found behind the many due times of another one', async () => {
  const add = async (name: string, ticks: { count: number; after: string }) => {
    const block = await flows.sql(await flows.dataflow(name), name, { code: 'select 1 as n', write: writeTo(name) })
    expect((await flows.publish(block)).errors).toEqual([])
    await app.database.pool.query(
      `insert into schedule_ticks (account_id, block_id, block_version, action_id, nominal_at)
       select account_id, id, live_version, 'clock', $2::timestamptz + $4::interval + n * interval '1 second'
         from task_blocks, generate_series(1, $3::int) n where trellis_code = $1`,
      [block, app.clock.now(), ticks.count, ticks.after],
    )
  }
  await add('busy', { count: 100, after: '1 hour' })
  await add('rare', { count: 1, after: '2 hours' })
  expect((await read()).dataflows.next_due.map(({ name }) => name)).toEqual(['busy', 'rare'])
})

test('somebody else does not see it', async () => {
  const stranger = await makeAccount(app)
  const { status } = await stranger.owner.call(getWorkspaceDashboard, { params: flows.workspace.tenant })
  expect(status).toBe(404)
})

test('tiles are arranged by each person for themselves', async () => {
  const tiles = [
    { spark_trellis_code: 'second', is_wide: true },
    { spark_trellis_code: 'first', is_wide: false },
  ]
  await flows.call(arrangeDashboard, { body: { tiles: [{ spark_trellis_code: 'first', is_wide: true }] } })
  await flows.call(arrangeDashboard, { body: { tiles } })
  expect((await read()).tile_order).toEqual(tiles)
  const rows = await app.database.db.selectFrom('dashboard_tiles').select(['profile_id', 'tiles']).execute()
  expect(rows).toHaveLength(1)
})
