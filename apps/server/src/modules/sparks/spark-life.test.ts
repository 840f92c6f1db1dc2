import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import { getWorkspaceDashboard } from '@trellis/contract/dashboard/dashboard.endpoints'
import * as explorer from '@trellis/contract/explorer/explorer.endpoints'
import * as calls from '@trellis/contract/sparks/sparks.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../testing/accounts.ts'
import { type OutsideDatabase, connectOutside, makeOutsideDatabase } from '../../testing/sources/outside-database.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { handleCheckSparks } from './checks/check-sparks.handler.ts'
import { deleteOldRows } from './data/rows.repository.ts'
import { replanDue } from '../../platform/schedules/replan-due.ts'
import { handleMailSpark, handleQueueSparkMails } from './schedules/mail-spark.handler.ts'

let app: TestApp
let workspace: ReadyWorkspace
let outside: OutsideDatabase
let outsideCode: string
let owner: TestClient
let viewer: TestClient
let project: string

beforeAll(async () => {
  app = await startTestApp({
    settings: { TRELLIS_ALLOW_PRIVATE_HOSTS: 'on', TRELLIS_RATE_LIMITS: 'off' },
  })
  workspace = await makeReadyWorkspace(app)
  owner = workspace.account.owner
  const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
  const joined = await joinNewPerson(app, workspace.account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code, workspace_role_id: 1 }],
  })
  viewer = joined.client
  outside = await makeOutsideDatabase()
  await outside.sql(`create table public.salaries as select n as id, 1000 * n as pay from generate_series(1, 5) n;
    grant select on public.salaries to public`)
  outsideCode = await connectOutside(owner, workspace.tenant, outside)
  await workspace.sql('create table data.orders as select n as id, n * 2 as amount from generate_series(1, 20) n')
  const createdResponse = await owner.call(projects.createAiProject, { params: params(), body: { name: 'Sales' } })
  project = createdResponse.data.project_trellis_code
  await choose(workspace.integrationCode, 'data', 'orders')
  await choose(outsideCode, 'public', 'salaries')
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
  await outside.drop()
})

const params = () => workspace.tenant
const signal = () => new AbortController().signal
const run = () => ({ signal: signal(), attempt: 1, isLastAttempt: true }) as never

const choose = async (integration_trellis_code: string, schema_name: string, table_name: string) =>
  await owner.call(projects.updateAiProjectTables, {
    params: { ...params(), project_trellis_code: project, integration_trellis_code },
    body: { tables: [{ schema_name, table_name }] },
  })

async function make(name: string, sql: string, integration_trellis_code = workspace.integrationCode) {
  const createdResponse = await owner.call(calls.createSpark, {
    params: params(),
    body: { project_trellis_code: project, name, origin: { kind: 'query', integration_trellis_code, sql } },
  })
  expect(createdResponse.status, createdResponse.text).toBe(200)
  return { ...params(), spark_trellis_code: createdResponse.data.spark_trellis_code }
}

async function read(client: TestClient, place: Awaited<ReturnType<typeof make>>, fresh = false) {
  const { data } = await client.call(calls.getLatestSparkVersion, { params: place })
  const based_key = data.based_keys['result'] ?? ''
  return await client.call(calls.getSparkData, {
    params: { ...params(), based_key },
    query: { fresh: String(fresh) as never },
  })
}

test('rows of a connected database are never shown to who may not look into it, not even kept ones', async () => {
  const place = await make('Pay', 'select sum(pay) as pay from public.salaries', outsideCode)
  expect((await read(owner, place)).data).toMatchObject({ rows: [['15000']], account: { role: 'connection' } })
  const refusedResponse = await read(viewer, place)
  expect([refusedResponse.status, refusedResponse.text.includes('"15000"')]).toEqual([403, false])
  await outside.sql('alter table public.salaries rename column pay to paid')
  expect((await read(owner, place, true)).data).toMatchObject({
    rows: [['15000']],
    problem: expect.stringContaining('pay') as string,
  })
  const broken = await read(viewer, place, true)
  expect([broken.status, broken.text.includes('"15000"')]).toEqual([403, false])
})

test('rights that the reader lost hide kept rows from everybody', async () => {
  await workspace.sql("create table data.private as select 'planted-secret' as secret")
  await owner.call(projects.updateAiProjectTables, {
    params: { ...workspace.params, project_trellis_code: project },
    body: { tables: ['orders', 'private'].map((table_name) => ({ schema_name: 'data', table_name })) },
  })
  const place = await make('Private', 'select secret from private')
  expect((await read(viewer, place)).data.rows).toEqual([['planted-secret']])
  const roles = await workspace.sql(
    "select distinct r.rolname from pg_class c cross join lateral aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee where c.relname = 'private' and r.oid <> c.relowner",
  )
  for (const [role] of roles) await workspace.sql(`revoke all on data.private from ${role}`)
  for (const client of [viewer, owner]) {
    for (const isFresh of [false, true]) {
      const refusedResponse = await read(client, place, isFresh)
      expect([refusedResponse.status, refusedResponse.text.includes('planted-secret')]).toEqual([403, false])
    }
  }
})

test('a schema change makes a spark stale without anybody looking, and clears it again', async () => {
  const place = await make('Amounts', 'select sum(amount) as amount from orders')
  const state = async () => (await viewer.call(calls.getSpark, { params: place })).data
  await handleCheckSparks(app.ctx, {}, run())
  expect(await state()).toMatchObject({ stale_since: null, problems: [] })
  await workspace.sql('alter table data.orders rename column amount to total')
  await handleCheckSparks(app.ctx, {}, run())
  expect(await state()).toMatchObject({
    stale_since: expect.any(String) as string,
    problems: [{ source: 'result', message: expect.stringContaining('amount') as string }],
  })
  await workspace.sql('alter table data.orders rename column total to amount')
  await handleCheckSparks(app.ctx, {}, run())
  expect(await state()).toMatchObject({ stale_since: null, problems: [] })
})

test('a spark over a connected database is planned again once an hour', async () => {
  const place = await make('Heads', 'select count(id) as heads from public.salaries', outsideCode)
  const check = async () => {
    await handleCheckSparks(app.ctx, {}, run())
    return (await owner.call(calls.getSpark, { params: place })).data
  }
  const waitAnHour = async () =>
    await app.database.pool.query(
      "update sparks set connected_checked_at = connected_checked_at - interval '61 minutes'",
    )
  expect(await check()).toMatchObject({ stale_since: null, problems: [] })
  await outside.sql('alter table public.salaries rename column id to number')
  expect(await check()).toMatchObject({ stale_since: null })
  await waitAnHour()
  expect(await check()).toMatchObject({
    stale_since: expect.any(String) as string,
    problems: [{ source: 'result', message: expect.stringContaining('id') as string }],
  })
  await outside.sql('alter table public.salaries rename column number to id')
  await waitAnHour()
  expect(await check()).toMatchObject({ stale_since: null, problems: [] })
})

test('a table tells which sparks read it', async () => {
  const place = await make('Reader', 'select id from orders limit 1')
  const at = { ...workspace.params, schema_name: 'data' }
  const { data } = await owner.call(explorer.getTableUsage, { params: at, query: { table_name: 'orders' } })
  expect(data.used_by).toContainEqual({
    kind: 'spark',
    schema_name: null,
    name: 'Reader (Sales)',
    detail: 'Reads orders and shows its last rows until it is back',
    effect: 'stops',
    code: place.spark_trellis_code,
  })
})

test('a tile of the dashboard names the shown version', async () => {
  const place = await make('Tile', 'select count(*) as orders from orders')
  const { data: spark } = await owner.call(calls.updateSpark, { params: place, body: { is_on_dashboard: true } })
  const { data } = await viewer.call(getWorkspaceDashboard, { params: params() })
  expect(data.sparks).toEqual([
    {
      spark_trellis_code: place.spark_trellis_code,
      name: 'Tile',
      stale_since: null,
      spark_version_trellis_code: spark.shown_version.spark_version_trellis_code,
    },
  ])
})

const CRON = {
  scheduleType: 'Cron Schedule' as const,
  scheduleArgs: { cronExpression: '0 8 ? * 1 *', timeStandard: 'UTC' },
}

async function findScheduleId(place: { spark_trellis_code: string }): Promise<number> {
  const text = 'select s.id::int from spark_schedules s join sparks on sparks.id = s.spark_id where trellis_code = $1'
  return (await app.database.pool.query<{ id: number }>(text, [place.spark_trellis_code])).rows[0]?.id ?? 0
}

const listMails = async (subject: string) =>
  (
    await app.database.pool.query<{ html: string; text: string }>(
      'select html, text from mail_outbox where subject = $1 order by id',
      [subject],
    )
  ).rows

test('a spark is mailed by the clock, again only if its rows changed, and with the rights of that moment', async () => {
  const place = await make('Morning numbers', 'select max(amount) as amount from orders')
  const body = { schedule: CRON, only_if_changed: true }
  const savedResponse = await viewer.call(calls.saveSparkSchedule, { params: place, body })
  expect(new Date(savedResponse.data.next_at ?? 0).getUTCDay()).toBe(1)
  expect((await owner.call(calls.getSparkSchedule, { params: place })).data.schedule).toBeNull()
  const schedule_id = await findScheduleId(place)
  const send = async () => {
    await handleMailSpark(app.ctx, { schedule_id }, run())
    return (await viewer.call(calls.getSparkSchedule, { params: place })).data.schedule?.last_outcome
  }
  expect(await send()).toBe('mailed')
  expect(await send()).toBe('unchanged')
  const [mail, second] = await listMails('Morning numbers')
  expect(mail?.text).toContain('40')
  expect(mail?.text).toContain(`/sparks/${place.spark_trellis_code}`)
  expect(second).toBeUndefined()
  const setNext = (interval: string) =>
    app.database.pool.query('update spark_schedules set next_at = now() + $2::interval where id = $1', [
      schedule_id,
      interval,
    ])
  await setNext('40 days')
  await replanDue(app.ctx)
  const { data: replanned } = await viewer.call(calls.getSparkSchedule, { params: place })
  expect(Date.parse(replanned.schedule?.next_at ?? '')).toBeLessThan(app.ctx.clock.now().getTime() + 8 * 86_400_000)
  await setNext('-1 minute')
  await Promise.all([handleQueueSparkMails(app.ctx), handleQueueSparkMails(app.ctx)])
  const { rows } = await app.database.pool.query("select from jobs.job where name = 'sparks.mail'")
  expect(rows).toHaveLength(1)
  expect((await viewer.call(calls.deleteSparkSchedule, { params: place })).status).toBe(200)
  expect((await viewer.call(calls.deleteSparkSchedule, { params: place })).status).toBe(404)
  const pay = await make('Pay by mail', 'select count(*) as people from public.salaries', outsideCode)
  await viewer.call(calls.saveSparkSchedule, { params: pay, body: { schedule: CRON } })
  await handleMailSpark(app.ctx, { schedule_id: await findScheduleId(pay) }, run())
  const { data } = await viewer.call(calls.getSparkSchedule, { params: pay })
  expect(data.schedule).toMatchObject({ last_outcome: 'failed' })
  expect(await listMails('Pay by mail')).toEqual([])
})

test('kept rows are bounded, and go with their project', async () => {
  const place = await make('Bounded', 'select id from orders order by 1')
  await read(owner, place)
  const count = async () =>
    (await app.database.pool.query('select from spark_rows where workspace_id = $1', [workspace.id])).rowCount
  expect(await count()).toBeGreaterThan(0)
  const unusedSince = new Date(0)
  await deleteOldRows(app.ctx.db, { unusedSince, maxBytes: 1e9, maxRows: 1 })
  expect(await count()).toBe(1)
  await deleteOldRows(app.ctx.db, { unusedSince, maxBytes: 1, maxRows: 100 })
  expect(await count()).toBe(0)
  await read(owner, place)
  await owner.call(projects.deleteAiProject, { params: { ...params(), project_trellis_code: project } })
  expect((await owner.call(calls.listSparks, { params: params() })).data.sparks).toEqual([])
  expect(await count()).toBe(0)
})
