import * as calls from '@trellis/contract/runs/runs.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestAccount, makeAccount, makeWorkspaceRow } from '../../../testing/accounts.ts'
import { type TestFlow, makeBlock, makeFlow, triggerOn } from '../../../testing/dataflows.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { fireTicks } from '../triggers/fire-ticks.ts'
import { planTicks } from '../triggers/plan-ticks.ts'

let app: TestApp
let account: TestAccount
let flow: TestFlow
let tenant: { account_trellis_code: string; workspace_address: string }
const MINUTE = 60_000

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  account = await makeAccount(app)
  const workspace = await makeWorkspaceRow(app, account, 'shop')
  await app.database.pool.query("update workspaces set state = 'online' where id = $1", [workspace.id])
  tenant = { account_trellis_code: account.code, workspace_address: 'shop' }
  flow = await makeFlow(app, { accountId: account.id, workspaceId: workspace.id })
})
afterAll(async () => await app.close())

const of = (code: string) => ({ params: { ...tenant, task_block_trellis_code: code } })

test('per branch what has come and what has not, the next ten due times, and what became of the last', async () => {
  const first = await makeBlock(app, flow)
  const block = await makeBlock(app, flow, { trigger: triggerOn('And', { after: [first], cron: '* * * * ? *' }) })
  const before = await account.owner.call(calls.getTriggerStatus, of(block.code))
  expect(before.data).toMatchObject({ scope: 'And', is_published: true, last_tick: null })
  expect(before.data.branches.map(({ has_arrived: has }) => has)).toEqual([false, false])
  expect(before.data.next_due).toHaveLength(10)
  expect(before.data.next_due[0]).toMatchObject({ offset: 'UTC' })
  await planTicks(app.ctx)
  app.clock.move(2 * MINUTE)
  await fireTicks(app.ctx, async () => null)
  const after = await account.owner.call(calls.getTriggerStatus, of(block.code))
  expect(after.data.branches.map(({ kind, has_arrived: has }) => [kind, has])).toEqual([
    ['Activity', false],
    ['Schedule', true],
  ])
  expect(after.data.in_words).toBe(`Waiting for ${first.name}.`)
  expect(after.data.last_tick).toMatchObject({ has_fired: false, task_run_trellis_code: null })
  expect(after.data.last_tick?.in_words).toContain(`It arrived and waits for ${first.name}.`)
})

test('sixty days ahead, with what follows from it and the clocks that change', async () => {
  const ownTestFlow = await makeFlow(app, flow)
  const first = await makeBlock(app, ownTestFlow, {
    trigger: {
      eventEvaluationType: 'Or',
      isFormaComplete: true,
      actions: {
        clock: {
          action: 'Schedule',
          order: 0,
          actionValue: {
            scheduleType: 'Cron Schedule',
            scheduleArgs: { cronExpression: '30 6 * * ? *', timeStandard: 'America/New_York' },
          },
        },
      },
    },
  })
  const second = await makeBlock(app, ownTestFlow, { trigger: triggerOn('Or', { after: [first] }) })
  const { data } = await account.owner.call(calls.simulateTriggers, of(first.code))
  const runs = (code: string) => data.runs.filter(({ task_block_trellis_code: one }) => one === code)
  expect(runs(first.code).length).toBeGreaterThanOrEqual(59)
  expect(runs(second.code).length).toBeGreaterThanOrEqual(59)
  expect(runs(first.code)[0]?.local).toMatch(/ 06:30$/)
  expect(runs(second.code)[0]?.because).toBe(`“${first.name}” would have succeeded.`)
  expect(data.is_cut).toBe(false)
})

test('due times of a schedule that is being written, in words', async () => {
  const preview = (scheduleArgs: object) =>
    account.owner.call(calls.previewDueTimes, {
      params: tenant,
      body: { schedule: { scheduleType: 'Cron Schedule', scheduleArgs } },
    })
  const { data } = await preview({ cronExpression: '0 9 * * 1 *', timeStandard: 'UTC' })
  expect(data.next_due).toHaveLength(10)
  expect(data.in_words).toContain('09:00')
  expect(data.end).toBeNull()
  const past = await preview({ cronExpression: '0 9 1 1 ? 2020', timeStandard: 'UTC' })
  expect(past.data).toMatchObject({ next_due: [] })
  expect(past.data.end).toContain('never')
  expect(await preview({ cronExpression: 'nonsense', timeStandard: 'UTC' })).toMatchObject({ status: 400 })
})
