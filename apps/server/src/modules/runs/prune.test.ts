import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccount, makeWorkspaceRow } from '../../testing/accounts.ts'
import { makeBlock, makeFlow, triggerOn } from '../../testing/dataflows.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { handlePruneRuns } from './prune.handler.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.close())

test('old logs, ticks and events go; what still waits and what is young stays', async () => {
  const account = await makeAccount(app)
  const workspace = await makeWorkspaceRow(app, account, 'shop')
  const flow = await makeFlow(app, { accountId: account.id, workspaceId: workspace.id })
  const block = await makeBlock(app, flow, { trigger: triggerOn('Or', { cron: '0 6 * * ? *' }) })
  const { pool } = app.database
  for (const days of [1, 70, 100]) {
    await pool.query(
      `with run as (
         insert into task_runs (account_id, workspace_id, dataflow_id, block_id, trellis_code, block_version, status, started_by,
                due_at, finished_at)
         values ($1, $2, $3, $4, $5, 1, 'SUCCESS', 'schedule', now(), now() - $6 * interval '1 day') returning id),
       tick as (
         insert into schedule_ticks (account_id, block_id, block_version, action_id, nominal_at, outcome, run_id)
         select $1, $4, 1, 'clock', now() - $6 * interval '1 day', 'fired', id from run returning id, run_id),
       event as (
         insert into trigger_events (account_id, block_id, action_id, tick_id, happened_at, run_id)
         select $1, $4, 'clock', id, now() - $6 * interval '1 day', run_id from tick)
       insert into task_run_logs (run_id, account_id, number, level, attempt, message)
       select id, $1, 1, 'INFO', 1, 'line' from run`,
      [account.id, workspace.id, flow.id, block.id, `run-${days}`, days],
    )
  }
  await pool.query(
    `with tick as (
       insert into schedule_ticks (account_id, block_id, block_version, action_id, nominal_at, outcome)
       values ($1, $2, 1, 'clock', now() - interval '200 days', 'waits_for_others') returning id)
     insert into trigger_events (account_id, block_id, action_id, tick_id, happened_at)
     select $1, $2, 'clock', id, now() - interval '200 days' from tick`,
    [account.id, block.id],
  )
  await handlePruneRuns(app.ctx)
  const count = async (table: string) => (await pool.query(`select from ${table}`)).rowCount
  expect(await count('task_run_logs')).toBe(2)
  expect(await count('trigger_events')).toBe(2)
  expect(await count('schedule_ticks')).toBe(2)
  expect(await count('task_runs')).toBe(3)
})
