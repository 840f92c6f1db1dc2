import { listNotifications } from '@trellis/contract/notifications/notifications.endpoints'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestAccount, makeAccount, makeWorkspaceRow } from '../../../testing/accounts.ts'
import { type TestBlock, makeBlock, makeFlow, triggerOn } from '../../../testing/dataflows.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { watchClock } from './clock-watch.ts'
import { fireTicks } from './fire-ticks.ts'
import { planTicks } from './plan-ticks.ts'
import { replanTicks } from './replan-ticks.ts'

let app: TestApp
let account: TestAccount
let place: { accountId: number; workspaceId: number }
const DAY = 86_400_000
const NOW = new Date('2026-03-02T10:00:30Z')
const AHEAD = new Date(NOW.getTime() + 40 * DAY)
const open = async () => null

beforeAll(async () => {
  app = await startTestApp()
  account = await makeAccount(app)
  const workspace = await makeWorkspaceRow(app, account, 'shop')
  await app.database.pool.query("update workspaces set state = 'online' where id = $1", [workspace.id])
  place = { accountId: account.id, workspaceId: workspace.id }
})
afterAll(async () => await app.close())
beforeEach(async () => await app.database.pool.query('delete from dataflows'))

const at = (date: Date) => ({ ...app.ctx, clock: { now: () => date } })

async function scheduled(cron: string, publishedAt = NOW): Promise<TestBlock> {
  return await makeBlock(app, await makeFlow(app, place), { trigger: triggerOn('Or', { cron }), publishedAt })
}
async function findNextTick({ id }: TestBlock): Promise<string | undefined> {
  const { rows } = await app.database.pool.query<{ at: Date | null }>(
    'select min(nominal_at) as at from schedule_ticks where block_id = $1 and outcome is null',
    [id],
  )
  return rows[0]?.at?.toISOString()
}
async function countRuns({ id }: TestBlock): Promise<number> {
  const { rows } = await app.database.pool.query('select from task_runs where block_id = $1', [id])
  return rows.length
}

test('planned and fired while the clock was 40 days ahead, schedules go on at their next due time', async () => {
  const often = await scheduled('0,10,20,30,40,50 * * * ? *')
  const daily = await scheduled('0 6 * * ? *')
  const once = await scheduled('0 6 20 3 ? 2026')
  const young = await scheduled('0 6 * * ? *', AHEAD)
  await planTicks(at(AHEAD))
  await fireTicks(at(AHEAD), open)
  expect(await findNextTick(often)).toBe('2026-04-11T10:10:00.000Z')
  expect(await findNextTick(once)).toBeUndefined()

  expect(await replanTicks(at(NOW))).toBe(4)
  await planTicks(at(NOW))
  expect(await findNextTick(often)).toBe('2026-03-02T10:10:00.000Z')
  expect(await findNextTick(daily)).toBe('2026-03-03T06:00:00.000Z')
  expect(await findNextTick(once)).toBe('2026-03-20T06:00:00.000Z')
  expect(await findNextTick(young)).toBe('2026-03-03T06:00:00.000Z')
  expect(await replanTicks(at(NOW))).toBe(0)

  const runs = await countRuns(daily)
  await fireTicks(at(new Date('2026-03-03T06:00:00Z')), open)
  expect(await countRuns(daily)).toBe(runs + 1)
})

test('what is planned by the right clock stays, and one fired a moment too early does not come again', async () => {
  const often = await scheduled('0,10,20,30,40,50 * * * ? *')
  const daily = await scheduled('0 6 * * ? *')
  const soon = await scheduled('1 10 * * ? *')
  await planTicks(at(NOW))
  await fireTicks(at(new Date('2026-03-02T10:01:00Z')), open)
  expect(await countRuns(soon)).toBe(1)
  const before = await Promise.all([often, daily, soon].map(findNextTick))
  expect(await replanTicks(at(NOW))).toBe(0)
  await planTicks(at(NOW))
  expect(await Promise.all([often, daily, soon].map(findNextTick))).toEqual(before)
  await fireTicks(at(new Date('2026-03-02T10:01:00Z')), open)
  expect(await countRuns(soon)).toBe(1)
})

test('who looks after a dataflow is told that its schedules follow the corrected clock', async () => {
  await scheduled('0 6 * * ? *')
  await app.database.pool.query('update dataflows set created_by = $1', [account.ownerId])
  await planTicks(at(AHEAD))
  await fireTicks(at(AHEAD), open)
  await replanTicks(at(NOW))
  const { data } = await account.owner.call(listNotifications)
  expect(data.items).toMatchObject([{ kind: 'schedules', path: expect.stringContaining('/dataflow/') }])
})

test('a clock that is set back is noticed, and one that differs from the database', async () => {
  let error = 0
  const look = watchClock(app.ctx, { wall: () => Date.now() + error, monotonic: () => Date.now() })
  expect(await look()).toEqual({ mayBeBehindPlans: true, isSkewed: false })
  expect(await look()).toEqual({ mayBeBehindPlans: false, isSkewed: false })
  error = 40 * DAY
  expect(await look()).toEqual({ mayBeBehindPlans: false, isSkewed: true })
  error = 0
  expect(await look()).toEqual({ mayBeBehindPlans: true, isSkewed: false })
})
