import { getWorkspaceUtilization } from '@trellis/contract/utilization/utilization.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { spendCredits } from '../../billing/credits.service.ts'
import { createSqlRunner } from '../../sql/testing/sql-runner.ts'
import { handleMeasureUsage } from '../measure-usage.handler.ts'

const VIEWER = 1
const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

let app: TestApp
let workspace: ReadyWorkspace
let viewer: TestClient

beforeAll(async () => {
  app = await startTestApp()
  workspace = await makeReadyWorkspace(app)
  const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
  const workspaces = [{ workspace_trellis_code, workspace_role_id: VIEWER }]
  viewer = (await joinNewPerson(app, workspace.account, { role: VIEW, workspaces })).client
  await workspace.sql('create table data.small (id int)')
  await workspace.sql(
    'create table data.large as select n, repeat(md5(n::text), 20) as text from generate_series(1, 20000) n',
  )
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const read = async (client: TestClient, days: number) =>
  (await client.call(getWorkspaceUtilization, { params: workspace.tenant, query: { days } })).data
const owner = () => workspace.account.owner

async function insertHours(bytesByHoursAgo: Record<number, number>): Promise<void> {
  for (const [hours, bytes] of Object.entries(bytesByHoursAgo)) {
    await app.database.pool.query(
      `insert into usage_hours (account_id, workspace_id, hour, storage_bytes, rows_moved, run_seconds, queries, credits_spent)
       values ($1, $2, date_trunc('hour', $3::timestamptz), $4, 10, 5, 1, 2)`,
      [workspace.account.id, workspace.id, new Date(app.ctx.clock.now().getTime() - Number(hours) * HOUR_MS), bytes],
    )
  }
}

test('a workspace is measured within its first hour: tables, schemas, queries and credits', async () => {
  await createSqlRunner(viewer, workspace).run('select 1')
  await spendCredits(app.ctx, {
    accountId: workspace.account.id,
    workspaceId: workspace.id,
    profileId: workspace.account.ownerId,
    amount: 3,
    reason: 'answer',
    reference: 'one',
  })
  await handleMeasureUsage(app.ctx)
  await handleMeasureUsage(app.ctx)
  const found = await read(owner(), 1)
  expect(found.unit).toBe('hour')
  expect(found.points.at(-1)).toMatchObject({ storage_bytes: expect.any(Number) })
  const sum = (key: 'queries' | 'credits_spent') => found.points.reduce((total, point) => total + point[key], 0)
  expect([sum('queries'), sum('credits_spent')]).toEqual([1, 3])
  expect(found.tables.map(({ schema_name, table_name }) => `${schema_name}.${table_name}`)).toEqual([
    'data.large',
    'data.small',
  ])
  const total = found.tables.reduce((bytes, table) => bytes + table.bytes, 0)
  const schema = found.schemas.find(({ schema_name }) => schema_name === 'data')
  expect([schema?.bytes, schema?.points.at(-1)?.bytes]).toEqual([total, total])
  expect(found.projects).toEqual([{ name: 'Deleted chats', credits_spent: 3 }])
})

test('an admin sees what each person used, others see their own', async () => {
  expect((await read(owner(), 30)).people).toEqual([
    { name: 'Test Person', queries: 0, credits_spent: 3 },
    { name: 'Test Person', queries: 1, credits_spent: 0 },
  ])
  expect((await read(viewer, 30)).people).toEqual([{ name: 'Test Person', queries: 1, credits_spent: 0 }])
})

test('longer periods are told by the day', async () => {
  await app.database.pool.query('delete from usage_hours')
  await insertHours({ 49: 1000, 48: 1500, 24: 2000, 0: 3000 })
  const { unit, points } = await read(owner(), 30)
  expect(unit).toBe('day')
  expect(points.at(-1)).toMatchObject({ storage_bytes: 3000, rows_moved: 10 })
  expect(points.reduce((rows, point) => rows + point.rows_moved, 0)).toBe(40)
  expect((await read(owner(), 7)).points.map((point) => point.storage_bytes)).toEqual([1000, 1500, 2000, 3000])
})

test('growth is carried on to the day the plan is full', async () => {
  await app.database.pool.query('delete from usage_hours')
  const { storage: before } = await read(owner(), 7)
  expect(before.forecast).toBeNull()
  const GIB = 1024 ** 3
  await insertHours({ 72: GIB, 48: 2 * GIB, 24: 3 * GIB, 0: 4 * GIB })
  const { storage } = await read(owner(), 7)
  expect(storage.forecast?.bytes_per_day).toBeCloseTo(GIB, -6)
  const daysLeft = ((storage.limit_bytes ?? 0) - storage.used_bytes) / GIB
  const day = new Date(app.ctx.clock.now().getTime() + daysLeft * DAY_MS).toISOString().slice(0, 10)
  expect(storage.forecast?.full_on).toBe(day)
  await app.database.pool.query('update usage_hours set storage_bytes = 5')
  expect((await read(owner(), 7)).storage.forecast).toEqual({ bytes_per_day: 0, full_on: null })
  await app.database.pool.query('delete from usage_hours')
  await insertHours({ 48: 1000, 24: 2000, 0: 3000 })
  expect((await read(owner(), 7)).storage.forecast).toEqual({ bytes_per_day: 1000, full_on: null })
})

test('sizes are kept by the hour for a week, then by the day', async () => {
  const at = (days: number, hour: number) => {
    const day = new Date(app.ctx.clock.now().getTime() - days * DAY_MS).toISOString().slice(0, 10)
    return `${day}T${String(hour).padStart(2, '0')}:00:00Z`
  }
  for (const hour of [at(20, 0), at(20, 5), at(500, 0)]) {
    await app.database.pool.query(
      "insert into table_sizes (account_id, workspace_id, hour, schema_name, table_name, bytes) values ($1, $2, $3, 'data', 'old', 1)",
      [workspace.account.id, workspace.id, hour],
    )
  }
  await handleMeasureUsage(app.ctx)
  const { rows } = await app.database.pool.query("select hour from table_sizes where table_name = 'old'")
  expect(rows.map(({ hour }: { hour: Date }) => hour.toISOString().slice(0, 19) + 'Z')).toEqual([at(20, 0)])
})
