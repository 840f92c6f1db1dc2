import { describeBlock } from '@trellis/contract/dataflows/canvas.endpoints'
import * as calls from '@trellis/contract/dataflows/dataflows.endpoints'
import * as versions from '@trellis/contract/runs/versions.endpoints'
import { expect, test } from 'vitest'
import { startFlowsApp } from '../../testing/flows-app.ts'
import { addRun, addTick, waitingEvents } from './testing/made-up-runs.ts'
import { ordersFrom, writeTo } from './testing/flows.ts'

const { app, flows } = await startFlowsApp()

const at = (block: string) => ({ params: { task_block_trellis_code: block } })
const listed = async (block: string) => (await flows.call(versions.listBlockVersions, at(block))).data
const every = (hours: number) => ({
  trigger: {
    eventEvaluationType: 'Or',
    actions: {
      due: {
        action: 'Schedule',
        order: 0,
        actionValue: {
          scheduleType: 'Interval Schedule',
          scheduleArgs: { hourInterval: hours, minutesInterval: 0 },
        },
      },
    },
    isFormaComplete: false,
  },
})

test('publishing says what is missing, then keeps the draft as a version', async () => {
  const flow = await flows.dataflow('Publishing')
  const block = await flows.source(flow, 'Orders')
  expect((await flows.publish(block)).errors[0]).toMatchObject({
    code: 'block_incomplete',
    detail: '"Orders" can not be published yet. Choose a connection. Add something to read.',
  })
  await flows.change('Source', block, ordersFrom(await flows.connection()))
  expect((await flows.read('Source', block)).data).toMatchObject({
    publish_state: 'never',
    faults: [],
    status: 'PENDING',
  })
  const first = await flows.publish(block, 'The first')
  expect(first.data).toMatchObject({ version: 2, number: 1, message: 'The first', is_live: true })
  expect((await flows.read('Source', block)).data).toMatchObject({ publish_state: 'published', published_number: 1 })

  const changedResponse = await flows.change('Source', block, { attempts: 5 })
  expect(changedResponse.data).toMatchObject({ publish_state: 'changed', version: 3, published_version: 2 })
  const back = await flows.change('Source', block, { attempts: 3 })
  expect(back.data, 'as it is live').toMatchObject({ publish_state: 'published', version: 4, published_version: 2 })
  expect((await flows.publish(block)).data, 'nothing to publish').toMatchObject({ version: 2 })

  await flows.change('Source', block, { subtasks: [] })
  expect((await flows.read('Source', block)).data.publish_state).toBe('incomplete')
  expect((await listed(block)).map(({ version, is_live }) => [version, is_live])).toEqual([[2, true]])
})

test('a draft that was not looked at is not published', async () => {
  const block = await flows.sql(await flows.dataflow('Unseen'), 'A')
  await flows.change('Transformation', block, { attempts: 4 })
  const oldResponse = await flows.call(versions.publishBlock, { ...at(block), body: { version: 1 } })
  expect(oldResponse.errors[0]).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('changed "A"') as string,
  })
})

test('an earlier version becomes the draft again, and only the draft', async () => {
  const block = await flows.sql(await flows.dataflow('Restoring'), 'A', { code: 'select 1' })
  await flows.publish(block)
  await flows.change('Transformation', block, { code: 'select 2' })
  await flows.publish(block)
  const restore = (version: number, draft_version: number) =>
    flows.call(versions.restoreBlockVersion, { ...at(block), body: { version, draft_version } })
  expect((await restore(1, 1)).errors[0]?.code).toBe('conflict')
  expect((await restore(77, 2)).status).toBe(404)
  expect((await restore(1, 2)).status).toBe(200)
  const { data } = await flows.read('Transformation', block)
  expect(data).toMatchObject({
    version: 3,
    published_version: 2,
    publish_state: 'changed',
    settings: { code: 'select 1' },
  })
  expect((await listed(block)).map(({ version, is_live }) => [version, is_live])).toEqual([
    [2, true],
    [1, false],
  ])
})

test('publishing lets go of due times and events of the version before', async () => {
  const flow = await flows.dataflow('Ticks')
  const [a, b] = [await flows.sql(flow, 'A'), await flows.sql(flow, 'B')] as const
  await flows.connect(a, b)
  await flows.publish(a)
  await flows.publish(b)
  const soon = new Date(Date.now() + 3_600_000)
  await addTick(app, b, { version: 2, at: soon })
  const run = await addRun(app, a, { status: 'SUCCESS' })
  await app.database.db
    .insertInto('trigger_events')
    .values({
      ...(await ids(b)),
      action_id: `activity:${a}`,
      source_run_id: run.id,
      tick_id: null,
      run_id: null,
      dropped: null,
    })
    .execute()
  expect(await waitingEvents(app, b)).toBe(1)
  await flows.change('Transformation', b, every(2))
  await flows.publish(b)
  const ticks = await app.database.db.selectFrom('schedule_ticks').select(['outcome', 'block_version']).execute()
  expect(ticks).toContainEqual({ outcome: 'changed', block_version: 2 })
  await addTick(app, b, { version: 3, at: soon })
  const { next_due } = (await flows.call(calls.getDataflowsDashboard)).data
  expect(next_due).toEqual([{ dataflow_trellis_code: flow, name: 'Ticks', at: soon.toISOString() }])
  expect(await waitingEvents(app, b)).toBe(0)
  expect(await flows.liveWaits(b)).toEqual([])
  const { next_due_at } = (await flows.read('Transformation', b)).data
  expect(new Date(next_due_at ?? 0).getTime()).toBeGreaterThan(Date.now())
})

const ids = async (block: string) =>
  await app.database.db
    .selectFrom('task_blocks')
    .select(['id as block_id', 'account_id'])
    .where('trellis_code', '=', block)
    .executeTakeFirstOrThrow()

test('a block that waits for one that failed is blocked; the list shows the worst and the latest', async () => {
  const flow = await flows.dataflow('Standing')
  const [a, b] = [await flows.sql(flow, 'A'), await flows.sql(flow, 'B')] as const
  await flows.connect(a, b)
  const summary = async () => (await flows.call(calls.getDataflow, { params: { trellis_code: flow } })).data
  expect(await summary()).toMatchObject({ status: 'PENDING', is_live: false })
  await flows.publish(a)
  await flows.publish(b)
  expect(await summary()).toMatchObject({
    status: 'PENDING',
    block_count: 2,
    has_unpublished: false,
    is_live: true,
    last_run: null,
  })
  await addRun(app, a, { status: 'SUCCESS', minutesAgo: 30 })
  await addRun(app, b, { status: 'SUCCESS', minutesAgo: 20 })
  expect(await summary()).toMatchObject({ status: 'SUCCESS' })
  const failedAddedRun = await addRun(app, a, {
    status: 'FAILED',
    minutesAgo: 10,
    message: 'The column "total" is gone.',
  })
  const { blocks } = await flows.canvas(flow)
  expect(blocks.map(({ status }) => status)).toEqual(['FAILED', 'BLOCKED'])
  expect(blocks[0]?.last_run).toMatchObject({ task_run_trellis_code: failedAddedRun.code, status: 'FAILED' })
  const shown = await summary()
  expect(shown).toMatchObject({
    status: 'FAILED',
    last_run: { flow_run_trellis_code: failedAddedRun.flowRunCode, state: 'failed' },
  })
  expect(shown.recent).toHaveLength(7)
  expect(shown.recent.reduce((sum, day) => sum + day.succeeded, 0)).toBe(2)
  const dashboard = (await flows.call(calls.getDataflowsDashboard)).data
  expect(dashboard.latest_failures[0]).toMatchObject({
    dataflow_trellis_code: flow,
    task_block_trellis_code: a,
    message: 'The column "total" is gone.',
  })
  expect(dashboard.running + dashboard.queued).toBe(0)
})

test('what is running is neither deleted nor its dataflow', async () => {
  const flow = await flows.dataflow('Busy')
  const block = await flows.sql(flow, 'A')
  await flows.publish(block)
  await addRun(app, block, { status: 'RUNNING' })
  const refusedResponse = await flows.call(calls.deleteDataflow, { params: { trellis_code: flow } })
  expect(refusedResponse.errors[0]).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('"A"') as string,
  })
  expect((await flows.call(calls.getDataflowsDashboard)).data).toMatchObject({ running: 1 })
})

test('a paused dataflow plans nothing; going on it plans from now', async () => {
  const flow = await flows.dataflow('Pausing')
  const block = await flows.sql(flow, 'A', { code: 'select 1', ...every(1) })
  await flows.publish(block)
  await addTick(app, block, { version: 1, at: new Date(Date.now() + 60_000) })
  const pause = async (is_paused: boolean) =>
    (await flows.call(calls.updateDataflow, { params: { relative_trellis_code: flow }, body: { is_paused } })).data
  expect(await pause(true)).toMatchObject({ is_paused: true, next_due_at: null })
  const { block_id } = await ids(block)
  const ticks = () =>
    app.database.db.selectFrom('schedule_ticks').select('id').where('block_id', '=', block_id).execute()
  expect(await ticks()).toEqual([])
  expect((await pause(false)).next_due_at).not.toBeNull()
  const { ticks_until } = await app.database.db
    .selectFrom('task_blocks')
    .select('ticks_until')
    .where('id', '=', block_id)
    .executeTakeFirstOrThrow()
  expect(ticks_until).not.toBeNull()
})

test('blocks and dataflows in words', async () => {
  const flow = await flows.dataflow('Words', { description: 'Why it is there' })
  const shop = await flows.connection('My shop')
  const upsert = writeTo('orders', {
    strategy: 'Upsert',
    dataModel: { fields: { order_id: 'integer' }, column_mapping: {}, primary_keys: ['order_id'], indexes: {} },
  })
  const orders = await flows.source(flow, 'Orders', ordersFrom(shop, upsert))
  const daily = await flows.sql(flow, 'Daily', { code: 'select 1', write: writeTo('daily', { strategy: 'Replace' }) })
  await flows.connect(orders, daily)
  const { data } = await flows.call(calls.describeDataflow, { params: { trellis_code: flow } })
  expect(data).toMatchObject({
    name: 'Words',
    description: 'Why it is there',
    blocks: [
      {
        name: 'Orders',
        in_words:
          'Reads what is new or changed in "orders" from Sample data "My shop" and updates the rows by their key in data.orders (order_id).',
        trigger_in_words: 'Only when started by hand',
      },
      {
        name: 'Daily',
        in_words: 'Runs SQL in the database of the workspace and replaces the rows of data.daily.',
        trigger_in_words: 'After "Orders"',
      },
    ],
  })
  const short = await flows.call(describeBlock, { ...at(orders), query: { short: 'true' } })
  expect(short.data).toEqual({
    task_block_trellis_code: orders,
    kind: 'Source',
    name: 'Orders',
    in_words: 'Reads Sample data "My shop" into data.orders.',
    trigger_in_words: 'Only when started by hand',
    writes: ['data.orders'],
    reads: [],
  })
})
