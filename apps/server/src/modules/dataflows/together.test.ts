import * as canvas from '@trellis/contract/dataflows/canvas.endpoints'
import * as calls from '@trellis/contract/dataflows/dataflows.endpoints'
import { connectActivity } from '@trellis/contract/dataflows/trigger-changes'
import { NO_TRIGGER } from '@trellis/contract/dataflows/triggers'
import { listBlockVersions } from '@trellis/contract/runs/versions.endpoints'
import { expect, test } from 'vitest'
import { startFlowsApp } from '../../testing/flows-app.ts'
import { MAX_SETTINGS_BYTES } from './blocks/workspace-room.ts'
import { MAX_BLOCKS } from './blocks.service.ts'
import { MAX_DATAFLOWS } from './dataflows.service.ts'
import { ordersFrom, testFlows } from './testing/flows.ts'

const { app, flows } = await startFlowsApp()

const update = (block: string, version: number, settings: object) =>
  flows.call(canvas.updateTransformationBlock, {
    body: { task_block_trellis_code: block, version, settings },
  })

test('of changes made at once on one draft one is kept and the others are told', async () => {
  const block = await flows.sql(await flows.dataflow('Race'), 'A')
  const answers = await Promise.all([2, 4, 5, 6, 7].map((attempts) => update(block, 1, { attempts })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ errors }) => errors[0]?.code === 'conflict')).toHaveLength(4)
  expect((await flows.read('Transformation', block)).data.version).toBe(2)
})

test('arrows drawn at once never make a circle', async () => {
  const flow = await flows.dataflow('Circle race')
  const [a, b, c] = [await flows.sql(flow, 'A'), await flows.sql(flow, 'B'), await flows.sql(flow, 'C')] as const
  const arrow = (from: string, to: string) => update(to, 1, { trigger: connectActivity(NO_TRIGGER, from, 'card') })
  const answers = await Promise.all([arrow(a, b), arrow(b, c), arrow(c, a)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409])
  expect(answers.find(({ status }) => status === 409)?.errors[0]?.code).toBe('trigger_cycle')
})

test('a move waits for a change of the same dataflow without holding a block that the change needs', async () => {
  const flow = await flows.dataflow('Move race')
  const block = await flows.sql(flow, 'A')
  const change = await app.database.pool.connect()
  try {
    await change.query('begin')
    await change.query('select 1 from dataflows where trellis_code = $1 for no key update', [flow])
    const { rows } = await change.query<{ pid: number }>('select pg_backend_pid() as pid')
    const blocks = [{ task_block_trellis_code: block, metadata: { x: 40, y: 50 } }]
    const move = flows.call(canvas.updateBlockMetadata, { body: { blocks } })
    const waiting = 'select count(*)::int as n from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
    await expect
      .poll(async () => (await app.database.pool.query<{ n: number }>(waiting, [rows[0]?.pid])).rows[0]?.n, {
        timeout: 30_000,
      })
      .toBe(1)
    await change.query('select 1 from task_blocks where trellis_code = $1 for no key update nowait', [block])
    await change.query('commit')
    expect((await move).status).toBe(200)
  } finally {
    change.release(true)
  }
})

test('publishing at once keeps one version', async () => {
  const block = await flows.sql(await flows.dataflow('Publish race'), 'A')
  const answers = await Promise.all([1, 2, 3].map(() => flows.publish(block)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const count = await app.database.db
    .selectFrom('task_block_versions')
    .innerJoin('task_blocks', 'task_blocks.id', 'task_block_versions.block_id')
    .select('task_block_versions.version')
    .where('task_blocks.trellis_code', '=', block)
    .execute()
  expect(count).toHaveLength(1)
})

test('a text that no table takes is refused when it is entered, one that only looks like it is not', async () => {
  const block = await flows.sql(await flows.dataflow('Texts'), 'A')
  const refusedResponse = await update(block, 1, { code: 'select \u0000' })
  expect(refusedResponse.errors[0]).toMatchObject({ code: 'invalid_request', source: { pointer: '/settings/code' } })
  const code = String.raw`select '\u0000', '\\u0000'`
  expect((await update(block, 1, { code })).data.settings.code).toBe(code)
})

test('there is room for 1000 blocks, all drawn at once, and for 500 dataflows', async () => {
  const flow = await flows.dataflow('Large')
  await flows.sql(flow, 'First')
  const copy = (rest: string) => app.database.pool.query(rest)
  await copy(`
    insert into task_blocks (account_id, workspace_id, dataflow_id, trellis_code, kind, name, settings)
    select account_id, workspace_id, dataflow_id, 'large' || n, kind, 'Block ' || n, settings
      from task_blocks, generate_series(1, ${MAX_BLOCKS - 1}) n where name = 'First'`)
  expect((await flows.canvas(flow)).blocks).toHaveLength(MAX_BLOCKS)
  const body = {
    dataflow_trellis_code: flow,
    name: 'One too many',
    metadata: { x: 0, y: 0, note: '', group_trellis_code: null },
  }
  const refusedResponse = await flows.call(canvas.createSourceBlock, { body })
  expect(refusedResponse.errors[0]).toMatchObject({ code: 'limit_reached' })

  const { length } = (await flows.call(calls.getFolderStructure)).data.dataflows
  await copy(`
    insert into dataflows (account_id, workspace_id, trellis_code, name)
    select account_id, workspace_id, 'more' || n, 'Flow ' || n
      from dataflows, generate_series(1, ${MAX_DATAFLOWS - length}) n where name = 'Large'`)
  expect((await flows.call(calls.getFolderStructure)).data.dataflows).toHaveLength(MAX_DATAFLOWS)
  expect((await flows.call(calls.createDataflow, { body: { name: 'x' } })).errors[0]?.code).toBe('limit_reached')
})

test('blocks hold no more together, and versions show no more, than a process can read at once', async () => {
  const ownTestFlows = await testFlows(app)
  const flow = await ownTestFlows.dataflow('Wide')
  const block = await ownTestFlows.sql(flow, 'First', { code: 'x'.repeat(400_000) })
  await ownTestFlows.publish(block)
  const { pool } = app.database
  await pool.query(
    `insert into task_block_versions (block_id, account_id, version, settings)
     select block_id, v.account_id, v.version + n, v.settings from task_block_versions v
       join task_blocks b on b.id = v.block_id, generate_series(1, 50) n where b.trellis_code = $1`,
    [block],
  )
  const { data } = await ownTestFlows.call(listBlockVersions, { params: { task_block_trellis_code: block } })
  expect(data[0]?.version).toBe(51)
  expect(data.length).toBeGreaterThan(5)
  expect(data.length).toBeLessThan(30)

  await pool.query(
    `insert into task_blocks (account_id, workspace_id, dataflow_id, trellis_code, kind, name, settings)
     select account_id, workspace_id, dataflow_id, 'wide' || n, kind, 'Block ' || n, settings
       from task_blocks, lateral generate_series(2, $2 / octet_length(settings::text)) n where trellis_code = $1`,
    [block, MAX_SETTINGS_BYTES],
  )
  const change = async (length: number) =>
    await ownTestFlows.change('Transformation', block, { code: 'y'.repeat(length) })
  expect((await change(100)).status, 'less is always taken').toBe(200)
  const other = await ownTestFlows.dataflow('Another')
  const metadata = { x: 0, y: 0, note: '', group_trellis_code: null }
  const settings = { code: 'z'.repeat(500_000) }
  const body = { dataflow_trellis_code: other, name: 'More', metadata, settings }
  await ownTestFlows.call(canvas.createTransformationBlock, { body })
  const second = await ownTestFlows.call(canvas.createTransformationBlock, { body })
  expect([second.errors[0]?.code, (await change(500_000)).errors[0]?.code]).toEqual(['limit_reached', 'limit_reached'])
  await ownTestFlows.workspace.remove()
})

test('an account goes as a whole, though its blocks hold on to its connections', async () => {
  const other = await testFlows(app)
  const flow = await other.dataflow('Held')
  const block = await other.source(flow, 'Orders', ordersFrom(await other.connection()))
  await other.publish(block)
  await app.database.pool.query('delete from accounts where id = $1', [other.workspace.account.id])
  const left = await app.database.db.selectFrom('task_blocks').select('id').where('trellis_code', '=', block).execute()
  expect(left).toEqual([])
  await other.workspace.remove()
})
