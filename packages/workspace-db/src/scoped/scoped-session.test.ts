import { beforeAll, expect, test } from 'vitest'
import type { Cluster } from '../cluster.ts'
import { toWorkspaceNames } from '../names.ts'
import { type TestWorkspace, testCluster, testWorkspace } from '../testing.ts'
import { withScopedSession } from './scoped-session.ts'

let cluster: Cluster
let workspace: TestWorkspace

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  await workspace.runAll('rw', ['create table plain (n int)', 'insert into plain values (1)'])
})

const tables = [{ schema: 'data', name: 'plain' }]
const read = async () => {
  const { database, credentials } = workspace
  return await withScopedSession(cluster, { database, credentials, tables }, async (session) => {
    const { rows } = await session.query({ text: 'select n from data.plain' })
    return rows
  })
}
/** From everyone except its owner and the scoped login. */
const takeAway = async () =>
  await cluster.withAdmin(workspace.database, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select distinct a.grantee::regrole::text as name from pg_class c cross join lateral aclexplode(c.relacl) a
        where c.oid = 'data.plain'::regclass and a.grantee <> c.relowner and a.grantee::regrole::text !~ '_a_[0-9a-f]+$'`,
    )
    for (const { name } of rows) await client.query(`revoke all on data.plain from ${name}`)
  })
const releaseCall = async () =>
  await cluster.withAdmin(
    workspace.database,
    async (client) =>
      void (await client.query(`grant select on data.plain to ${toWorkspaceNames(workspace.key).reader}`)),
  )

test('what is taken from the reader of the workspace is taken from a scoped login too, and given back with it', async () => {
  expect(await read()).toEqual([['1']])
  await takeAway()
  await expect(read()).rejects.toMatchObject({ sqlState: '42501' })
  await releaseCall()
  expect(await read()).toEqual([['1']])
})

test('a table that is made anew is read again', async () => {
  await workspace.runAll('rw', ['drop table plain', 'create table plain (n int)', 'insert into plain values (2)'])
  expect(await read()).toEqual([['2']])
})
