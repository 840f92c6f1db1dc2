import { beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from '../cluster.ts'
import { type SessionTarget, withSession } from '../session.ts'
import { refuseWriterConnections, allowWriterConnections } from '../watch/stop-writes.ts'
import { testCluster, testWorkspace, type TestWorkspace } from '../testing.ts'

let cluster: Cluster
let workspace: TestWorkspace

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
})

const run = async (text: string, more: Partial<SessionTarget> = {}) => {
  const { database, credentials } = workspace
  return await withSession(
    cluster,
    { database, credentials, role: 'rw', isConnectedAhead: true, ...more },
    async (session) => ({ pid: session.processId, rows: (await session.query({ text })).rows }),
  )
}

const listIdle = async () => {
  const text = "select pid from pg_stat_activity where datname = $1 and state = 'idle'"
  const { rows } = await cluster.admin.query<{ pid: number }>(text, [workspace.database])
  return rows.map(({ pid }) => pid)
}

/** In a single query, since they may become busy. */
async function waitForSpares(but: number): Promise<number[]> {
  let spares: number[] = []
  const look = async () => (spares = (await listIdle()).filter((pid) => pid !== but)).length
  await expect.poll(look).toBe(2)
  return spares
}

describe('a connection that was opened ahead', () => {
  it('is used by the next session, and by that one only', async () => {
    const first = await run('select 1')
    const ahead = await waitForSpares(first.pid)
    const second = await run("set work_mem = '1MB'")
    const third = await run('show work_mem')
    expect(ahead).toContain(second.pid)
    expect(ahead).toContain(third.pid)
    expect(new Set([first.pid, second.pid, third.pid]).size).toBe(3)
    expect(third.rows).toEqual([['32MB']])
  })

  it('is not used for a session with other limits', async () => {
    await run('select 1')
    const { rows } = await run('show statement_timeout', { limits: { statementMs: 7_000 } })
    expect(rows).toEqual([['7s']])
  })

  it('is replaced when the server has ended it', async () => {
    await run('select 1')
    await expect.poll(listIdle).toHaveLength(2)
    const text = 'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1'
    await cluster.admin.query(text, [workspace.database])
    expect((await run('select 2')).rows).toEqual([['2']])
  })

  it('is not used after a session stored settings for the login', async () => {
    const { database, credentials } = workspace
    let ahead: number[] = []
    await withSession(cluster, { database, credentials, role: 'rw' }, async (session) => {
      await session.query({ text: 'set role none' })
      const { rows } = await session.query({ text: 'select session_user' })
      await run('select 1')
      ahead = await waitForSpares(session.processId)
      await session.query({ text: `alter role ${rows[0]?.[0]} set enable_seqscan = off` })
    })
    const next = await run('show enable_seqscan')
    expect(next.rows).toEqual([['on']])
    expect(ahead).not.toContain(next.pid)
  })

  it('does not let a writer in who is closed out meanwhile', async () => {
    await run('select 1')
    await expect.poll(listIdle).toHaveLength(2)
    await refuseWriterConnections(cluster.admin, workspace.database)
    try {
      await expect(run('select 1')).rejects.toMatchObject({ name: 'WorkspaceDbError' })
    } finally {
      await allowWriterConnections(cluster.admin, workspace.database)
    }
  })

  it('ends with the cluster', async () => {
    const ownCluster = await testCluster()
    const { database, credentials } = workspace
    await withSession(ownCluster, { database, credentials, role: 'ro', isConnectedAhead: true }, (session) =>
      session.query({ text: 'select 1' }),
    )
    await ownCluster.close()
    const text = 'select from pg_stat_activity where datname = $1 and usename like $2'
    await expect.poll(async () => (await cluster.admin.query(text, [database, '%_ro'])).rowCount).toBe(0)
  })
})
