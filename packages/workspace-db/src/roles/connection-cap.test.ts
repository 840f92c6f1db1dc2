import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Cluster } from '../cluster.ts'
import { EXTERNAL_CONNECTIONS, countWorkspaceConnections, countWriterConnections } from '../provision/logins.ts'
import { testCluster, testWorkspace, type TestWorkspace } from '../testing.ts'
import { findSessions } from './external-sessions.ts'
import { type TestAccess, testAccess } from './testing.ts'

let cluster: Cluster
let workspace: TestWorkspace
let own: TestAccess
const open: pg.Client[] = []

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  own = await testAccess(cluster, workspace)
})
afterAll(async () => {
  for (const client of open) await client.end()
})

async function connectAll(): Promise<unknown> {
  const logins = [
    await own.login('reader', 'data'),
    await own.login('reader', 'data'),
    await own.login('reader', 'data'),
    await own.login('reader', 'data'),
  ]
  for (const profile of own.access.profiles) Object.assign(profile, { connectionLimit: 20 })
  await own.apply()
  for (const login of logins) {
    for (let at = 0; at < 20; at += 1) {
      try {
        open.push(await own.connect(login))
      } catch (error) {
        return error
      }
    }
  }
  return undefined
}

it('holds over all logins of a workspace, keeps some for the platform and never reaches a neighbour', async () => {
  const refused = await connectAll()
  expect(refused).toMatchObject({
    code: '53300',
    message: expect.stringContaining('too many connections for database'),
  })
  expect(open).toHaveLength(countWorkspaceConnections(cluster))

  const neighbour = await testWorkspace(cluster)
  const theirs = await testAccess(cluster, neighbour)
  const login = await theirs.login('reader', 'data')
  expect(await theirs.run(login, 'select 1')).toEqual([[1]])
  expect((await neighbour.run('ro', 'select 1')).rows).toEqual([['1']])

  expect((await workspace.run('rw', 'select 1')).rows).toEqual([['1']])
  const left = (await findSessions(cluster, workspace)).filter(
    (session) => session.user !== workspace.roles.readWrite && session.user !== workspace.roles.readOnly,
  )
  expect(left).toHaveLength(EXTERNAL_CONNECTIONS)
})

it('raises the limits of a workspace that was made when runs had fewer sessions', async () => {
  const older = await testWorkspace(cluster)
  const { readWrite } = older.roles
  await cluster.admin.query(`alter role ${readWrite} connection limit 0`)
  await cluster.admin.query(`alter database ${older.database} connection limit 3`)
  expect((await older.run('rw', 'select 1')).rows).toEqual([['1']])
  const { rows } = await cluster.admin.query(
    'select rolconnlimit, datconnlimit from pg_roles, pg_database where rolname = $1 and datname = $2',
    [readWrite, older.database],
  )
  expect(rows).toEqual([
    { rolconnlimit: countWriterConnections(cluster), datconnlimit: countWorkspaceConnections(cluster) },
  ])
})
