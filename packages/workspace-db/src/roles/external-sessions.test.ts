import { beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from '../cluster.ts'
import { toWorkspaceNames } from '../names.ts'
import { createSchema } from '../schemas/change-schemas.ts'
import { getSchemaRoles } from '../schemas/schema-roles.ts'
import { testCluster, testWorkspace, type TestWorkspace } from '../testing.ts'
import { endOverdueSessions, endSession, findSessions } from './external-sessions.ts'
import { applyTableRights } from './apply-table-rights.ts'
import { type TestAccess, testAccess } from './testing.ts'

let cluster: Cluster
let workspace: TestWorkspace
let own: TestAccess

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  own = await testAccess(cluster, workspace)
  await workspace.run('rw', 'create table data.orders as select 1 as n')
})

describe('sessions past their time', () => {
  it('end although they switched their timeout off, and others go on', async () => {
    const [slow, idle] = [await own.login('reader', 'data'), await own.login('reader', 'data')]
    const running = await own.connect(slow)
    const waiting = await own.connect(idle)
    await running.query('set statement_timeout = 0')
    const statement = running
      .query('select count(*) from generate_series(1, 100000000000) a')
      .catch((error: unknown) => error)
    await expect
      .poll(async () => (await findSessions(cluster, workspace)).find((session) => session.user === slow.user)?.state)
      .toBe('active')
    await endOverdueSessions(cluster, [{ user: slow.user, statementMinutes: 60 }])
    expect((await findSessions(cluster, workspace)).map((session) => session.user)).toContain(slow.user)
    await endOverdueSessions(cluster, [{ user: slow.user, statementMinutes: 0 }])
    expect(await statement).toBeInstanceOf(Error)
    expect((await waiting.query('select n from data.orders')).rows).toEqual([{ n: 1 }])
    await waiting.end()
  })

  it('end when their login has run out while they were connected', async () => {
    const login = await own.login('reader', 'data')
    const open = await own.connect(login)
    const ended = new Promise((resolve) => open.once('end', resolve))
    await cluster.admin.query(`alter role ${login.user} valid until '2020-01-01'`)
    await endOverdueSessions(cluster, [])
    await ended
  })

  it('are ended one by one only in their own database', async () => {
    const neighbour = await testWorkspace(cluster)
    const login = await own.login('reader', 'data')
    const open = await own.connect(login)
    const pid = (await findSessions(cluster, workspace)).find((session) => session.user === login.user)?.pid ?? 0
    expect(await endSession(cluster, { key: neighbour.key, pid })).toBe(false)
    await open.query('select 1')
    const ended = new Promise((resolve) => open.once('end', resolve))
    expect(await endSession(cluster, { key: workspace.key, pid })).toBe(true)
    await ended
  })
})

describe('tables', () => {
  it('of one who may make them can be changed by the others after a while, and views stay as they are', async () => {
    await createSchema(cluster, { key: workspace.key, name: 'shared' })
    const [testLogin, other] = [await own.login('admin', 'shared'), await own.login('admin', 'shared')]
    await own.run(testLogin, 'create table shared.t (n int)', 'create view shared.v as select n from shared.t')
    await workspace.run('rw', 'create table shared.from_here (n int)')
    await expect(own.run(other, 'alter table shared.t add m int')).rejects.toMatchObject({ code: '42501' })
    expect(await applyTableRights(cluster, workspace)).toBe(2)
    await own.run(other, 'alter table shared.t add m int', 'alter table shared.from_here add m int')
    await own.run(testLogin, 'alter table shared.t add k int')
    await workspace.runAll('rw', ['alter table shared.t add l int', 'drop table shared.from_here'])
    expect((await workspace.run('ro', 'select n from shared.v')).rows).toEqual([])
    expect(await applyTableRights(cluster, workspace)).toBe(0)
  })

  it('that were moved in are seen by those who read the schema', async () => {
    const reader = await own.login('reader', 'shared')
    await workspace.runAll('rw', [
      'create table trellis_loads.stage_y as select 2 as n',
      'alter table trellis_loads.stage_y set schema shared',
    ])
    await expect(own.run(reader, 'select n from shared.stage_y')).rejects.toMatchObject({ code: '42501' })
    await applyTableRights(cluster, workspace)
    expect(await own.run(reader, 'select n from shared.stage_y')).toEqual([[2]])
  })

  it('are left alone where nobody else may make them', async () => {
    const names = toWorkspaceNames(workspace.key)
    const owner = getSchemaRoles(names, await own.readTag('data')).owner
    await applyTableRights(cluster, workspace)
    const { rows } = await workspace.run('ro', "select relowner::regrole::text from pg_class where relname = 'orders'")
    expect(rows).toEqual([[names.owner]])
    expect(owner).not.toBe(names.owner)
  })
})
