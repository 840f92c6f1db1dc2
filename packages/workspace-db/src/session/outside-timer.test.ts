import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from '../cluster.ts'
import { withSession } from '../session.ts'
import { endStraySessions } from '../stray-sessions.ts'
import { testCluster, testWorkspace, type TestWorkspace } from '../testing.ts'

const ENDLESS = 'do $$ begin loop end loop; end $$'
const TRAPPING = `do $$ begin
  perform set_config('statement_timeout', '0', false), set_config('client_connection_check_interval', '0', false);
  loop begin loop end loop; exception when query_canceled then null; end; end loop; end $$`
const SLOW = 'select count(*) from generate_series(1, 2000000000)'

let cluster: Cluster
let workspace: TestWorkspace

beforeAll(async () => {
  cluster = await testCluster({ sessions: { perWorkspace: 2, waiting: 1, waitMs: 30_000 } })
  workspace = await testWorkspace(cluster)
})

const patience = { timeout: 30_000, interval: 20 }

async function sessionsLeft(): Promise<number | null> {
  const text = 'select pid from pg_stat_activity where datname = $1'
  return (await cluster.admin.query(text, [workspace.database])).rowCount
}

describe('time', () => {
  it.each([
    ['a plain slow statement', SLOW, '57014'],
    ['an endless loop', ENDLESS, '57014'],
    ['a loop that switches off its timeout and traps every cancel', TRAPPING, '57P01'],
  ])('ends %s', async (_, text, sqlState) => {
    const running = workspace.run('rw', text, { statementMs: 300 })
    await expect(running).rejects.toMatchObject({ code: 'statement_timeout', sqlState })
    await expect.poll(sessionsLeft, patience).toBe(0)
  })

  it.skipIf(process.platform === 'win32')(
    'is told of a session that does not answer, which keeps its place until it is gone',
    async () => {
      const small = await testCluster({ sessions: { perWorkspace: 1, waiting: 1, waitMs: 30_000 } })
      const { database, credentials } = workspace
      const target = { database, credentials, role: 'rw' as const, limits: { statementMs: 200 }, isEndAwaited: false }
      let pid = Number.NaN
      const running = withSession(small, target, async (session) => {
        pid = session.processId
        process.kill(pid, 'SIGSTOP')
        await session.query({ text: SLOW })
      })
      try {
        await expect(running).rejects.toMatchObject({ code: 'statement_timeout' })
        expect([small.gate.hasRoom(database), await sessionsLeft()]).toEqual([false, 1])
      } finally {
        process.kill(pid, 'SIGCONT')
      }
      await expect.poll(sessionsLeft, patience).toBe(0)
      await expect.poll(() => small.gate.hasRoom(database), patience).toBe(true)
    },
  )

  it('counts the time a reader takes', async () => {
    const { database, credentials } = workspace
    const limits = { statementMs: 200, maxBytes: Infinity, maxRows: Infinity }
    const reading = withSession(cluster, { database, credentials, role: 'ro', limits }, async (session) => {
      for await (const batch of session.stream({
        text: 'select repeat(n::text, 100) from generate_series(1, 100000000) n',
      })) {
        if (batch.rows.length > 10) await new Promise((resolve) => setTimeout(resolve, 500))
      }
    })
    await expect(reading).rejects.toMatchObject({ code: 'statement_timeout' })
    await expect.poll(sessionsLeft, patience).toBe(0)
  })

  it('gives up waiting for a lock', async () => {
    await workspace.run('rw', 'create table locked (n int)')
    const { database, credentials } = workspace
    await withSession(cluster, { database, credentials, role: 'rw' }, async (session) => {
      await session.query({ text: 'begin' })
      await session.query({ text: 'lock table locked in access exclusive mode' })
      await expect(workspace.run('ro', 'select * from locked', { lockMs: 50 })).rejects.toMatchObject({
        code: 'locked',
      })
    })
  })

  it('ends a session that sits in a transaction', async () => {
    const { database, credentials } = workspace
    const limits = { idleInTransactionMs: 50 }
    const idle = withSession(cluster, { database, credentials, role: 'rw', limits }, async (session) => {
      await session.query({ text: 'begin' })
      await expect.poll(sessionsLeft, patience).toBe(0)
      return session.query({ text: 'select 1' })
    })
    await expect(idle).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('cancelling', () => {
  it.each([
    ['a running statement', SLOW],
    ['one that traps every cancel', TRAPPING],
  ])('ends %s', async (_, text) => {
    const controller = new AbortController()
    const { database, credentials } = workspace
    const target = { database, credentials, role: 'rw' as const, signal: controller.signal }
    const running = withSession(cluster, target, (session) => {
      setTimeout(() => controller.abort(), 100)
      return session.query({ text })
    })
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    await expect.poll(sessionsLeft, patience).toBe(0)
  })

  it('starts nothing when the caller has already given up', async () => {
    const { database, credentials } = workspace
    const target = { database, credentials, role: 'rw' as const, signal: AbortSignal.abort() }
    await expect(withSession(cluster, target, async () => 'ran')).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('ends a statement nobody waits for', async () => {
    const { database, credentials } = workspace
    let abandoned: Promise<unknown> = Promise.resolve()
    await withSession(cluster, { database, credentials, role: 'rw' }, async (session) => {
      abandoned = session.query({ text: TRAPPING }).catch((error: unknown) => error)
      await new Promise((resolve) => setTimeout(resolve, 100))
    })
    expect(await abandoned).toMatchObject({ name: 'WorkspaceDbError' })
    await expect.poll(sessionsLeft, patience).toBe(0)
  })
})

describe('many at once', () => {
  it('queues a few, turns away the rest and serves the neighbour', async () => {
    const neighbour = await testWorkspace(cluster)
    const controller = new AbortController()
    const { database, credentials } = workspace
    const target = { database, credentials, role: 'ro' as const, signal: controller.signal }
    const slow = () => withSession(cluster, target, (session) => session.query({ text: SLOW })).catch((e: unknown) => e)
    const three = [slow(), slow(), slow()]
    await expect(withSession(cluster, target, async () => 'ran')).rejects.toMatchObject({ code: 'busy' })
    expect((await neighbour.run('ro', 'select 1')).rows).toEqual([['1']])
    controller.abort()
    for (const outcome of await Promise.all(three)) expect(outcome).toMatchObject({ code: 'cancelled' })
  })
})

describe('sessions without a timer', () => {
  it('are ended when they are older than any statement may be', async () => {
    const { database, roles, credentials } = workspace
    const login = { database, user: roles.readWrite, password: credentials.readWrite }
    const stray = new pg.Client({ ...cluster.loginConfig(login), options: `-c role=${roles.owner}` })
    stray.on('error', () => undefined)
    await stray.connect()
    const running = stray.query(TRAPPING).catch((error: unknown) => error)
    expect(await endStraySessions(cluster, { database })).toBe(0)
    await expect.poll(() => endStraySessions(cluster, { olderThanMs: 1, database }), patience).toBe(1)
    expect(await running).toMatchObject({ code: '57P01' })
  })
})
