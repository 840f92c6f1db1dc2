import type { Cluster } from '@trellis/workspace-db/cluster'
import { type Session, withSession } from '@trellis/workspace-db/session'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'
import { type TestWorkspace, testCluster, testWorkspace } from '@trellis/workspace-db/testing'
import { beforeAll, expect, test } from 'vitest'
import { createTable } from './table-steps.ts'

let cluster: Cluster
let workspace: TestWorkspace

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
})

const inSession = <T>(work: (session: Session) => Promise<T>) => {
  const { database, credentials } = workspace
  return withSession(cluster, { database, credentials, role: 'rw', isPlain: true }, work)
}

const create = (session: Session) =>
  createTable(session, { schema: 'data', table: 'first' }, { columns: [], primaryKey: [] })

test('of two first loads into one table the second one may try again', async () => {
  await inSession((session) =>
    inSession(async (other) => {
      const waiting = await inTransaction(session, async () => {
        await create(session)
        const second = create(other)
        second.catch(() => undefined)
        const text = 'select wait_event_type as kind from pg_stat_activity where pid = $1'
        const findWait = async () => (await cluster.admin.query(text, [other.processId])).rows
        await expect.poll(findWait, { timeout: 10_000 }).toEqual([{ kind: 'Lock' }])
        return { second }
      })
      await expect(waiting.second).rejects.toMatchObject({
        code: 'locked',
        message: 'Another run created the table "data.first" at the same time.',
      })
    }),
  )
  await expect(inSession(create)).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining('already exists'),
  })
})
