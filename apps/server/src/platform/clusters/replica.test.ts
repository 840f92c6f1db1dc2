import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { previewTable } from '@trellis/contract/explorer/rows.endpoints'
import { withClient } from '@trellis/control-db/connect'
import { type Postgres, startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { startStandby } from '@trellis/embedded/testing/standby'
import { withCatalogueSession } from '@trellis/workspace-db/catalogue/plain-session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runAdmin } from '../../admin/run-admin.ts'
import { type SqlRunner, createSqlRunner } from '../../modules/sql/testing/sql-runner.ts'
import { VIEW, joinNewPerson } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { openWorkspaceDatabase } from '../workspace-database/open-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'trellis-replica-'))
const settings = { shared_buffers: '16MB', max_connections: 60 }
const VIEWER = 1
/** After a failure the replica is left alone for ten seconds. */
const AGAIN = { timeout: 30_000, interval: 250 }
let primary: Postgres
let standby: Postgres
let app: TestApp
let workspace: ReadyWorkspace
let owner: SqlRunner
let viewer: SqlRunner

const startReplica = async (place: { port?: number } = {}) =>
  await startStandby({
    primary,
    dataDir: join(folder, 'standby'),
    settings: { ...settings, max_standby_streaming_delay: '100ms' },
    ...place,
  })

beforeAll(async () => {
  chmodSync(folder, 0o755)
  primary = await startPostgres({ dataDir: join(folder, 'primary'), settings })
  standby = await startReplica()
  app = await startTestApp({
    settings: {
      TRELLIS_RATE_LIMITS: 'off',
      TRELLIS_CLUSTER_URL: primary.url,
      TRELLIS_CLUSTER_REPLICA_URL: standby.url,
    },
  })
  workspace = await makeReadyWorkspace(app)
  owner = createSqlRunner(workspace.account.owner, workspace)
  const { client } = await joinNewPerson(app, workspace.account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code: workspace.integrationCode.replace(/-db$/, ''), workspace_role_id: VIEWER }],
  })
  viewer = createSqlRunner(client, workspace)
  await workspace.sql('create table data.visits (n int primary key)')
}, 120_000)
afterAll(async () => {
  await app.close()
  await standby.stop()
  await primary.stop()
  rmSync(folder, { recursive: true, force: true })
})

const onStandby = async <Row extends object>(text: string) =>
  await withClient({ connectionString: standby.url }, async (client) => (await client.query<Row>(text)).rows)

async function readBy(runner: SqlRunner, sql: string): Promise<string | null | undefined> {
  const rows = await runner.rows(await runner.run(sql))
  return rows[0]?.[0]
}

const isOnReplica = async (runner = viewer) => (await readBy(runner, 'select pg_is_in_recovery()')) === 't'

async function admin(...args: string[]) {
  const out: string[] = []
  const take = (line: string) => void out.push(line)
  const code = await runAdmin(args, { readConfig: () => app.config, print: take, say: take })
  return { code, text: out.join('\n') }
}

test('viewers and the explorer read from the replica, whoever may write from the primary', async () => {
  await expect.poll(() => isOnReplica(), AGAIN).toBe(true)
  expect(await isOnReplica(owner)).toBe(false)
  const countSessions = async () => {
    const text = `select sessions::int as n from pg_stat_database where datname = 'w_${workspace.key}'`
    return (await onStandby<{ n: number }>(text))[0]?.n ?? 0
  }
  const before = await countSessions()
  const params = { ...workspace.params, schema_name: 'data', table_name: 'visits' }
  // A single read may find the replica a moment behind.
  const readAndCount = async () => {
    const { status } = await workspace.account.owner.call(previewTable, { params, query: { limit: 50 } })
    expect(status).toBe(200)
    return await countSessions()
  }
  await expect.poll(readAndCount, AGAIN).toBeGreaterThan(before)
})

test('what was committed before is always there', async () => {
  for (let n = 1; n <= 25; n += 1) {
    await workspace.sql('set synchronous_commit = off', `insert into data.visits values (${n})`)
    expect(await readBy(viewer, 'select count(*) from data.visits')).toBe(String(n))
  }
  await expect.poll(() => isOnReplica(), AGAIN).toBe(true)
})

test('a replica that is behind is passed over until it has caught up', async () => {
  await onStandby('select pg_wal_replay_pause()')
  await workspace.sql('insert into data.visits values (100)')
  expect(await readBy(viewer, 'select max(n) from data.visits')).toBe('100')
  expect(await isOnReplica()).toBe(false)
  await onStandby('select pg_wal_replay_resume()')
  await expect.poll(() => isOnReplica(), AGAIN).toBe(true)
})

test('a workspace with unlogged tables, which a replica does not have, reads from the primary', async () => {
  await workspace.sql('create unlogged table data.scratch as select 7 as n')
  expect(await readBy(viewer, 'select n from data.scratch')).toBe('7')
  expect(await isOnReplica()).toBe(false)
  await workspace.sql('drop table data.scratch')
  await expect.poll(() => isOnReplica(), AGAIN).toBe(true)
})

test('a read that the replica breaks off can be done again at once', async () => {
  const place = { workspaceId: workspace.id, integrationCode: workspace.integrationCode }
  const database = await openWorkspaceDatabase(app.ctx, place)
  const { credentials, cluster } = database
  const target = { database: database.database, credentials, role: 'ro', canUseReplica: true } as const
  const read = async (work: () => Promise<unknown>) =>
    await withCatalogueSession(cluster, target, async (session) => {
      if (!session.isOnReplica) return 'primary'
      await session.query({ text: 'begin isolation level repeatable read' })
      await session.query({ text: 'select count(*) from data.visits' })
      await work()
      await session.query({ text: 'select count(*) from data.visits' })
      return 'replica'
    })
  const replace = async () => {
    await workspace.sql('truncate data.visits', 'insert into data.visits values (1)')
    await expect.poll(async () => (await onStandby(CONFLICTS))[0], AGAIN).toEqual({ isSettled: true })
  }
  const readWhileReplaced = () => read(replace).catch((error: unknown) => (error as { code?: string }).code)
  await expect.poll(readWhileReplaced, AGAIN).toBe('unavailable')
  expect(await read(async () => undefined)).toBe('primary')
  await expect.poll(() => isOnReplica(), AGAIN).toBe(true)
})

const CONFLICTS = 'select pg_last_wal_replay_lsn() = pg_last_wal_receive_lsn() as "isSettled"'

test('a replica that is away costs no answer', async () => {
  await standby.stop()
  expect(await readBy(viewer, 'select max(n) from data.visits')).toBe('1')
  expect((await admin('doctor')).text).toMatch(/warning +read replicas +cluster main: the replica can not be used/)
  standby = await startReplica({ port: standby.port })
  await expect.poll(() => isOnReplica(), AGAIN).toBe(true)
  expect((await admin('doctor')).text).toMatch(/ok +read replicas +cluster main: follows the primary/)
})

test('a cluster takes a replica only that follows it', async () => {
  const write = (name: string, url: string) => {
    writeFileSync(join(folder, name), url)
    return join(folder, name)
  }
  const own = write('own', app.database.adminUrl)
  const replica = write('replica', standby.url)
  expect((await admin('clusters', 'change', 'main', '--replica-file', replica)).text).toContain(
    'TRELLIS_CLUSTER_REPLICA_URL',
  )
  expect((await admin('clusters', 'add', 'west', '--address-file', own, '--replica-file', own)).text).toContain(
    'follows no other server',
  )
  expect((await admin('clusters', 'add', 'west', '--address-file', own, '--replica-file', replica)).text).toContain(
    'is of another server',
  )
  expect(await admin('clusters', 'add', 'west', '--address-file', own)).toMatchObject({ code: 0 })
  expect((await admin('clusters', 'change', 'west', '--replica-file', replica)).text).toContain('is of another server')
  expect((await admin('clusters', 'change', 'west', '--replica-file', replica, '--no-replica')).code).toBe(2)
  expect(await admin('clusters', 'change', 'west', '--no-replica')).toMatchObject({ code: 0 })
  expect((await admin('clusters', 'list')).text).toContain(`replica 127.0.0.1:${standby.port}`)
})

test('a replica that became a server of its own is not read from', async () => {
  await onStandby('select pg_promote()')
  await workspace.sql('insert into data.visits values (2)')
  expect(await readBy(viewer, 'select max(n) from data.visits')).toBe('2')
  expect(await isOnReplica()).toBe(false)
})
