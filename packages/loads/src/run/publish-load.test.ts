import { randomUUID } from 'node:crypto'
import type { Cluster } from '@trellis/workspace-db/cluster'
import { type Session, withSession } from '@trellis/workspace-db/session'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'
import { type TestWorkspace, testCluster, testWorkspace } from '@trellis/workspace-db/testing'
import { beforeAll, expect, test } from 'vitest'
import { closeReceipt } from '../receipts.ts'
import { deleteOlderUndos } from './publish-load.ts'

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

const table = { schema: 'data', table: 'goods' }

async function openReceipt(): Promise<string> {
  const loadId = randomUUID()
  const text = `insert into trellis_loads.receipts (load_id, schema_name, table_name, mode, source, rows, writer, undo)
    values ($1, 'data', 'goods', 'append', 'Test', 1, 'writer', '{}')`
  await inSession((session) => session.query({ text, values: [loadId] }))
  return loadId
}

async function countUndoable(): Promise<number> {
  const text = 'select from trellis_loads.receipts where undo is not null'
  return (await inSession((session) => session.query({ text }))).rows.length
}

test('loads into one table that end at the same time do not wait for each other, and the next one forgets both', async () => {
  const [first, second] = [await openReceipt(), await openReceipt()]
  await inSession((session) =>
    inSession((other) =>
      inTransaction(session, () =>
        inTransaction(other, async () => {
          await closeReceipt(session, first, { undo: { kind: 'chunks' } })
          await closeReceipt(other, second, { undo: { kind: 'chunks' } })
          await deleteOlderUndos(session, { table, loadId: first })
          await deleteOlderUndos(other, { table, loadId: second })
        }),
      ),
    ),
  )
  expect(await countUndoable()).toBe(2)
  await inSession((session) => deleteOlderUndos(session, { table, loadId: randomUUID() }))
  expect(await countUndoable()).toBe(0)
})
