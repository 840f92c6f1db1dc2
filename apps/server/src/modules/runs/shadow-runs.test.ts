import * as loaded from '@trellis/contract/runs/quarantine.endpoints'
import * as calls from '@trellis/contract/runs/runs.endpoints'
import type { TaskRun } from '@trellis/contract/runs/runs.schemas'
import { afterAll, expect, test } from 'vitest'
import { startFlowsApp } from '../../testing/flows-app.ts'
import { writeTo } from '../dataflows/testing/flows.ts'
import { startRunWorker } from './run-worker.service.ts'
import { ALL_WORK } from './work/all-work.ts'

const { app, flows } = await startFlowsApp()
const limits = { total: 4, perWorkspace: 4, perCredential: 2, sessionsPerWorkspace: 50 }
const worker = startRunWorker({ ctx: app.ctx, url: app.database.url, limits, work: ALL_WORK, graceMs: 200 })
afterAll(() => worker.stop({ graceMs: 0 }))

const execute = (block: string, body: object) =>
  flows.call(calls.executeBlock, { params: { task_block_trellis_code: block }, body })
const at = ({ task_run_trellis_code }: TaskRun) => ({ params: { task_run_trellis_code } })
async function ended(run: TaskRun): Promise<TaskRun> {
  for (;;) {
    const { data } = await flows.call(calls.getTaskRun, at(run))
    if (['SUCCESS', 'FAILED', 'EXCEPTION'].includes(data.status)) return data
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
const numbers = (to: number) => ({
  code: `select n::bigint as id, n * ${to} as times from generate_series(1, ${to}) n`,
  write: writeTo('numbers', {
    strategy: 'Replace',
    dataModel: { fields: { id: 'integer', times: 'integer' }, column_mapping: {}, primary_keys: ['id'], indexes: {} },
  }),
})

test('the draft is compared with the live table; the block, its followers and its state know nothing of it', async () => {
  const flow = await flows.dataflow('Shadow')
  const block = await flows.sql(flow, 'Numbers', numbers(3))
  const after = await flows.sql(flow, 'After')
  await flows.connect(block, after)
  await flows.publish(block)
  await flows.publish(after)
  const live = await ended((await execute(block, { scope: 'from_here' })).data)
  expect(live).toMatchObject({ status: 'SUCCESS', is_shadow: false })

  await flows.change('Transformation', block, numbers(5))
  const requestedResponse = await execute(block, { is_shadow: true, scope: 'from_here' })
  expect(requestedResponse.data).toMatchObject({ is_shadow: true, because: expect.stringContaining('in the shadow') })
  const run = await ended(requestedResponse.data)
  expect(run).toMatchObject({ status: 'SUCCESS', counters: { rows_read: 5, rows_written: 0 }, receipts: [] })
  expect((await flows.call(loaded.listComparisons, at(run))).data.comparisons).toMatchObject([
    { table_name: 'numbers', has_table: true, added: 2, changed: 3, gone: 0, same: 0, key: ['id'] },
  ])
  expect(await flows.workspace.sql('select count(*), max(times) from data.numbers')).toEqual([['3', '9']])

  const card = (await flows.canvas(flow)).blocks.find(({ task_block_trellis_code: code }) => code === block)
  expect(card?.last_run?.task_run_trellis_code).toBe(live.task_run_trellis_code)
  const { data: runs } = await flows.call(calls.listTaskRuns, { params: { trellis_code: flow } })
  const ofAfter = runs.runs.filter(({ task_block_trellis_code: code }) => code === after)
  expect(ofAfter, 'only the live run set it off').toHaveLength(1)
  expect((await flows.call(loaded.undoTaskRun, at(run))).status).toBe(409)
  expect((await flows.call(loaded.undoTaskRun, at(live))).status, 'the live run is still the latest').toBe(200)
})

test('what was never published can be tried; what can not be compared or is not complete is refused', async () => {
  const flow = await flows.dataflow('Never')
  const never = await flows.sql(flow, 'Never published', numbers(2))
  const run = await ended((await execute(never, { is_shadow: true })).data)
  expect(run.status).toBe('SUCCESS')
  expect((await execute(never, {})).errors[0]?.code).toBe('block_incomplete')

  const byItself = await flows.sql(flow, 'By itself')
  expect((await execute(byItself, { is_shadow: true })).errors[0]).toMatchObject({ code: 'invalid_request' })
  const destination = await flows.destination(flow, 'Out')
  expect((await execute(destination, { is_shadow: true })).status).toBe(400)
  const empty = await flows.source(flow, 'Nothing yet')
  expect((await execute(empty, { is_shadow: true })).errors[0]).toMatchObject({
    code: 'block_incomplete',
    detail: expect.stringContaining('can not be run yet. Choose a connection.'),
  })
})

test('a dry run that failed runs the same draft again', async () => {
  const flow = await flows.dataflow('Again')
  const settings = { ...numbers(2), attempts: 1 }
  const code =
    'select n::bigint as id, (n / (select count(*) from data.switch))::bigint as times from generate_series(1, 2) n'
  await flows.workspace.sql('create table data.switch (n int)')
  const block = await flows.sql(flow, 'Fails', { ...settings, code })
  const failed = await ended((await execute(block, { is_shadow: true })).data)
  expect(failed.status).toBe('FAILED')
  await flows.workspace.sql('insert into data.switch values (1)')
  await flows.change('Transformation', block, { code: 'select no_such_column' })
  const again = await flows.call(calls.retryTaskRun, at(failed))
  expect(again.data).toMatchObject({ is_shadow: true, started_by: 'retry' })
  expect(await ended(again.data)).toMatchObject({ status: 'SUCCESS' })
  expect((await flows.call(loaded.listComparisons, at(again.data))).data.comparisons).toHaveLength(1)
})
