import { beforeAll, expect, it } from 'vitest'
import type { Cluster } from '../cluster.ts'
import { testCluster, testWorkspace, type TestWorkspace } from '../testing.ts'
import { type TestAccess, type TestLogin, testAccess } from './testing.ts'

let cluster: Cluster
let workspace: TestWorkspace
let own: TestAccess

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  own = await testAccess(cluster, workspace)
})

async function demote({ slug }: TestLogin): Promise<void> {
  const tag = await own.readTag('data')
  const role = own.access.profiles.find((profile) => profile.slug === slug)?.roles[0]
  own.access.roles = own.access.roles.map((accessRole) =>
    accessRole.slug === role ? { ...accessRole, grants: [{ template: 'reader', tag }] } : accessRole,
  )
  await own.apply()
}

it('what a login made is no longer its own once it may only read', async () => {
  const admin = await own.login('admin', 'data')
  await own.run(admin, 'create table data.made (n int)', 'create view data.seen as select n from data.made')
  await demote(admin)
  expect(await own.run(admin, 'select n from data.made')).toEqual([])
  for (const text of ['insert into data.made values (1)', 'drop view data.seen', 'drop table data.made'])
    await expect(own.run(admin, text), text).rejects.toMatchObject({ code: '42501' })
  expect((await workspace.run('ro', 'select n from data.seen')).rows).toEqual([])
})

it('a login that keeps a table locked can neither stay what it was nor stay at all', async () => {
  const admin = await own.login('admin', 'data')
  await own.run(admin, 'create table data.held (n int)')
  const holding = await own.connect(admin)
  await holding.query('begin')
  await holding.query('lock table data.held in access share mode')
  await demote(admin)
  await expect(own.run(admin, 'drop table data.held')).rejects.toMatchObject({ code: '42501' })
  const again = await own.login('admin', 'data')
  await own.run(again, 'create table data.kept (n int)')
  const keeping = await own.connect(again)
  await keeping.query('begin')
  await keeping.query('lock table data.kept in access share mode')
  own.access.profiles = own.access.profiles.filter((profile) => profile.slug !== again.slug)
  await own.apply()
  await expect(own.connect(again)).rejects.toMatchObject({ code: expect.stringMatching(/^28/) })
})
