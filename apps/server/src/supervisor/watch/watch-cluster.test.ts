import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, type Postgres } from '@trellis/embedded/postgres/start-postgres'
import { openCluster, type Cluster } from '@trellis/workspace-db/cluster'
import { generateWorkspaceKey } from '@trellis/workspace-db/names'
import { provisionWorkspaceDatabase, type WorkspaceDatabase } from '@trellis/workspace-db/provision'
import { testAccess } from '@trellis/workspace-db/roles/testing'
import { withSession, type Session } from '@trellis/workspace-db/session'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findMemoryHog } from './guard-memory.ts'
import { type ClusterWatch, watchCluster } from './watch-cluster.ts'

const MEGABYTE = 1024 ** 2
/** The timeout is for hangs. */
const patience = { timeout: 60_000, interval: 50 }

let folder: string
let server: Postgres
let cluster: Cluster
let greedy: WorkspaceDatabase
let neighbour: WorkspaceDatabase
let watch: ClusterWatch
const told: string[] = []
/** Simulated, as the real disk cannot be filled. */
const state = { use: 0.5, overQuota: new Set<string>() }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-watch-'))
  chmodSync(folder, 0o711)
  server = await startPostgres({
    dataDir: join(folder, 'postgres'),
    settings: { fsync: 'off', max_wal_size: '256MB', max_locks_per_transaction: 16 },
  })
  cluster = await openCluster({ adminUrl: server.url })
  const make = () => provisionWorkspaceDatabase(cluster, { key: generateWorkspaceKey() })
  greedy = await make()
  neighbour = await make()
  watch = watchCluster({
    server: () => server,
    limits: { memoryBytes: 192 * MEGABYTE, disk: 0.9 },
    warn: (line) => void told.push(line),
    findOverQuota: async () => state.overQuota,
    readDisk: async () => state.use,
  })
})
afterAll(async () => {
  await watch.stop()
  await cluster.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => void told.splice(0))

const run = (workspace: WorkspaceDatabase, texts: readonly string[], role: 'rw' | 'ro' = 'rw') =>
  withSession(cluster, { ...workspace, role, limits: { statementMs: 100_000 } }, (session) => runAll(session, texts))

async function runAll(session: Session, texts: readonly string[]): Promise<unknown> {
  let rows: unknown
  for (const text of texts) ({ rows } = await session.query({ text }))
  return rows
}

const failure = async (work: Promise<unknown>) => await work.then(() => undefined).catch((error: unknown) => error)

describe('memory', () => {
  const session = (pid: number, database: string, megabytes: number) => ({
    pid,
    database,
    memoryBytes: megabytes * MEGABYTE,
  })

  test('is taken back from the heaviest session of the heaviest workspace, not from the heaviest session', () => {
    const many = [1, 2, 3].map((pid) => session(pid, 'many', 300 + pid))
    expect(findMemoryHog([session(9, 'one', 500), ...many])?.pid).toBe(3)
    expect(findMemoryHog([session(9, 'small', 10)])).toBeUndefined()
    expect(findMemoryHog([])).toBeUndefined()
  })

  test.runIf(process.platform === 'linux')(
    'a session that takes what it wants is ended and told why, and others go on',
    async () => {
      await withSession(cluster, { ...neighbour, role: 'ro' }, async (before) => {
        const hostile = run(greedy, [
          "set work_mem = '8GB'",
          'select count(*) from (select n from generate_series(1, 100000000) n order by md5(n::text)) s',
        ])
        expect(await failure(hostile)).toMatchObject({
          code: 'resource_limit',
          message: expect.stringContaining('too much memory'),
        })
        expect(await runAll(before, ['select 1'])).toEqual([['1']])
      })
      expect(told[0]).toMatch(/used \d+ MB of memory and was ended/)
      expect(await run(greedy, ['select 1'])).toEqual([['1']])
    },
  )
})

/** Tests may run at low priority. */
const behind = (by: number) => Math.min(19, getPriority() + by)

test.runIf(process.platform === 'linux')('a workspace that burns processors goes behind the others', async () => {
  const stop = new AbortController()
  const burn = 'select count(*) from generate_series(1, 1000000) a, generate_series(1, 100000) b'
  const pids: number[] = []
  const target = { ...greedy, role: 'ro' as const, signal: stop.signal, limits: { statementMs: 100_000 } }
  const burning = [1, 2, 3, 4].map(() =>
    withSession(cluster, target, (session) => {
      pids.push(session.processId)
      return session.query({ text: burn })
    }),
  )
  try {
    await withSession(cluster, { ...neighbour, role: 'ro' }, async (session) => {
      await expect.poll(() => pids.map((pid) => getPriority(pid)), patience).toEqual([1, 2, 3, 4].map(() => behind(10)))
      expect(getPriority(session.processId)).toBe(behind(0))
    })
  } finally {
    stop.abort()
    await Promise.allSettled(burning)
  }
})

describe.runIf(process.platform === 'linux')('processor', () => {
  test('a session that works for long goes behind short ones, and so does one of an outside tool', async () => {
    const ownTestAccess = await testAccess(cluster, { ...greedy, key: greedy.database.slice(2) })
    const tool = await ownTestAccess.connect(await ownTestAccess.login('reader', 'data'))
    try {
      const { rows } = await tool.query<{ pid: number }>('select pg_backend_pid() as pid')
      await expect.poll(() => getPriority(rows[0]?.pid), patience).toBeGreaterThanOrEqual(behind(5))
    } finally {
      await tool.end()
    }
    await withSession(cluster, { ...neighbour, role: 'ro', limits: { statementMs: 100_000 } }, async (session) => {
      expect(getPriority(session.processId)).toBe(behind(0))
      const busy = failure(runAll(session, ['select count(*) from generate_series(1, 2000000000)']))
      await expect.poll(() => getPriority(session.processId), patience).toBeGreaterThanOrEqual(behind(5))
      await cluster.admin.query('select pg_cancel_backend($1)', [session.processId])
      await busy
    })
  })
})

test('a session that takes the locks of all others is ended and told why', async () => {
  const hostile = run(greedy, [
    `do $$ begin for n in 1..1000000 loop execute format('create table many_%s (n int)', n); end loop; end $$`,
  ])
  expect(await failure(hostile)).toMatchObject({
    code: 'resource_limit',
    message: expect.stringContaining('too many locks'),
  })
  expect(told[0]).toMatch(/held \d+ locks and was ended/)
})

describe('disk', () => {
  const GROW = 'create table grown as select repeat(md5(generate_series(1, 100000000)::text), 20) as t'
  const isStopped = async () =>
    (await failure(run(greedy, ['create table tried (n int)', 'drop table tried']))) !== undefined

  test('nearly full, whoever grows is stopped and told what to do; it can make room, and its neighbour writes on', async () => {
    await run(greedy, ['create table big as select 1 as n'])
    const growing = failure(run(greedy, [GROW]))
    state.use = 0.85
    await expect.poll(() => readDatabaseSize(greedy), patience).toBeGreaterThan(20 * MEGABYTE)
    state.use = 0.91
    expect(await growing).toMatchObject({
      code: 'resource_limit',
      message: expect.stringContaining('the disk of the database is nearly full. Delete tables'),
    })
    expect(told[0]).toMatch(/The disk is 91 % full: writing was stopped in w_/)
    expect(await failure(run(greedy, ['insert into big values (2)']))).toMatchObject({
      code: 'resource_limit',
      message: expect.stringContaining('nearly full'),
    })
    expect(await run(greedy, ['select n from big'], 'ro')).toEqual([['1']])
    expect(await run(neighbour, ['create table own as select 1 as n', 'drop table own'])).toEqual([])
    // Deleting by the platform, and sessions that override the write stop.
    const room = { ...greedy, role: 'rw' as const, isMakingRoom: true }
    await withSession(cluster, room, (session) => runAll(session, ['drop table big']))
    await run(greedy, ['begin read write', 'create table small (n int)', 'drop table small', 'commit'])
    state.use = 0.5
    await expect.poll(isStopped, patience).toBe(false)
  })

  test('one that goes on writing although it is stopped is ended, and told why', async () => {
    const growing = failure(run(greedy, [GROW]))
    state.use = 0.85
    await expect.poll(() => readDatabaseSize(greedy), patience).toBeGreaterThan(20 * MEGABYTE)
    state.use = 0.91
    await growing
    const evading = run(greedy, ['begin read write', GROW])
    expect(await failure(evading)).toMatchObject({ code: 'resource_limit' })
    expect(await readDatabaseSize(greedy)).toBeLessThan(200 * MEGABYTE)
    state.use = 0.5
    await expect.poll(isStopped, patience).toBe(false)
  })

  test('one that grows on in short transactions is let in no more for a while and told why; its readers and its neighbour are', async () => {
    await run(greedy, ['create table filled (t text)'])
    const growing = failure(run(greedy, [GROW]))
    state.use = 0.85
    await expect.poll(() => readDatabaseSize(greedy), patience).toBeGreaterThan(20 * MEGABYTE)
    state.use = 0.91
    await growing
    const fill = 'insert into filled select repeat(md5(n::text), 30) from generate_series(1, 5000) n'
    await expect
      .poll(async () => {
        await failure(run(greedy, ['begin read write', fill, 'commit']))
        return told.some((line) => line.includes('for a minute nobody who writes gets in'))
      }, patience)
      .toBe(true)
    await expect
      .poll(() => failure(run(greedy, ['begin read write', 'select 1'])), patience)
      .toMatchObject({
        code: 'resource_limit',
        sqlState: '42501',
        message: expect.stringContaining('nearly full. Delete tables'),
      })
    expect(await run(greedy, ['select count(*) > 0 from filled'], 'ro')).toEqual([['t']])
    expect(await run(neighbour, ['create table own as select 1 as n', 'drop table own'])).toEqual([])
    state.use = 0.5
    await expect.poll(isStopped, patience).toBe(false)
    await run(greedy, ['drop table filled'])
  })

  test('of an account that has used up its storage is stopped in the middle of a load', async () => {
    const growing = failure(run(greedy, [GROW]))
    await expect.poll(() => readDatabaseSize(greedy), patience).toBeGreaterThan(20 * MEGABYTE)
    state.overQuota = new Set([greedy.database])
    expect(await growing).toMatchObject({ code: 'resource_limit', message: expect.stringContaining('larger plan') })
    state.overQuota = new Set()
    await expect.poll(isStopped, patience).toBe(false)
  })
})

async function readDatabaseSize({ database }: WorkspaceDatabase): Promise<number> {
  const { rows } = await cluster.admin.query<{ bytes: number }>('select pg_database_size($1)::float8 as bytes', [
    database,
  ])
  return rows[0]?.bytes ?? 0
}
