import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCluster, type Cluster } from './cluster.ts'
import { findOpenDatabases } from './harden-cluster.ts'
import { generatePassword } from './provision/credentials.ts'
import { generateWorkspaceKey } from './names.ts'
import { provisionWorkspaceDatabase } from './provision.ts'
import { removeWorkspaceDatabase } from './remove.ts'
import { withSession } from './session.ts'
import type { SessionLimits } from './session/session-options.ts'
import { testCluster, testClusterUrl, testWorkspace } from './testing.ts'

let cluster: Cluster
const suffix = generateWorkspaceKey()
const extra = `closed_${suffix}`

beforeAll(async () => {
  cluster = await testCluster()
  await cluster.admin.query(`create database ${extra}`)
})

afterAll(async () => {
  await cluster.withAdmin(undefined, async (admin) => {
    await admin.query(`drop database if exists ${extra}`)
  })
})

function urlFor(user: string, password: string): string {
  return Object.assign(new URL(testClusterUrl()), { username: user, password }).href
}

describe('hardening', () => {
  it('closes the databases every cluster has, and those it is told', async () => {
    expect(await findOpenDatabases(cluster)).toContain(extra)
    const again = await openCluster({ adminUrl: testClusterUrl(), closeDatabases: [extra] })
    const open = await findOpenDatabases(again)
    await again.close()
    for (const database of ['postgres', 'template1', extra]) expect(open).not.toContain(database)
  })

  it('may run in many processes at once', async () => {
    const openedClusters = await Promise.all([1, 2, 3, 4, 5].map(() => openCluster({ adminUrl: testClusterUrl() })))
    await Promise.all(openedClusters.map((each) => each.close()))
    expect(openedClusters).toHaveLength(5)
  })

  it('ignores options in the address that would overrule the limits of a session', async () => {
    const adminUrl = `${testClusterUrl()}?options=-c%20statement_timeout%3D0&application_name=other`
    const openedCluster = await openCluster({ adminUrl })
    const workspace = await testWorkspace(cluster)
    const result = await withSession(openedCluster, { ...workspace, role: 'ro' }, (session) =>
      session.query({ text: 'show statement_timeout' }),
    )
    await openedCluster.close()
    expect(result.rows).toEqual([['30s']])
  })
})

describe('an administrator', () => {
  it('is reached at a host that is named', async () => {
    await expect(openCluster({ adminUrl: 'postgres:///postgres?host=/tmp' })).rejects.toThrow('must name a host')
  })

  it('without the needed rights is told which', async () => {
    const password = generatePassword()
    await cluster.admin.query(`create role plain_${suffix} login password '${password}'`)
    await cluster.admin.query(`grant connect on database postgres to plain_${suffix}`)
    await expect(openCluster({ adminUrl: urlFor(`plain_${suffix}`, password) })).rejects.toThrow(
      'CREATEDB and CREATEROLE',
    )
    await cluster.admin.query(`revoke connect on database postgres from plain_${suffix}`)
    await cluster.admin.query(`drop role plain_${suffix}`)
  })

  describe('that is no superuser', () => {
    const admin = `admin_${suffix}`
    const key = generateWorkspaceKey()
    let modest: Cluster

    beforeAll(async () => {
      const password = generatePassword()
      await cluster.admin.query(`create role ${admin} login createdb createrole password '${password}'`)
      await cluster.admin.query(`grant connect on database postgres to ${admin}`)
      modest = await openCluster({ adminUrl: urlFor(admin, password) })
    })

    afterAll(async () => {
      await removeWorkspaceDatabase(modest, { key })
      await modest.close()
      await cluster.admin.query(`revoke connect on database postgres from ${admin}`)
      await cluster.admin.query(`drop role ${admin}`)
    })

    it('makes, uses, limits and removes a workspace', async () => {
      const workspace = await provisionWorkspaceDatabase(modest, { key })
      await provisionWorkspaceDatabase(modest, { key, credentials: workspace.credentials })
      const run = (role: 'rw' | 'ro', text: string, limits: Partial<SessionLimits> = {}) =>
        withSession(modest, { ...workspace, role, limits }, (session) => session.query({ text }))
      await run('rw', 'create table t as select 1 as n')
      expect((await run('ro', 'select n from t')).rows).toEqual([['1']])
      await expect(run('ro', 'insert into t values (2)')).rejects.toMatchObject({ code: 'refused' })
      const trapping = `do $$ begin perform set_config('statement_timeout', '0', false);
        loop begin loop end loop; exception when query_canceled then null; end; end loop; end $$`
      await expect(run('rw', trapping, { statementMs: 300 })).rejects.toMatchObject({ code: 'statement_timeout' })
    })

    it('is not locked out by a login that changes itself', async () => {
      const workspace = await provisionWorkspaceDatabase(modest, { key })
      const target = { ...workspace, role: 'rw' as const }
      await withSession(modest, target, async (session) => {
        await session.query({ text: 'set role none' })
        await session.query({ text: "alter role current_user password 'stolen'" })
        await session.query({ text: "alter role current_user set search_path = 'pg_catalog'" })
      })
      const next = await withSession(modest, target, (session) => session.query({ text: 'show search_path' }))
      expect(next.rows).toEqual([['data']])
      const stolen = modest.loginConfig({
        database: workspace.database,
        user: workspace.roles.readWrite,
        password: 'stolen',
      })
      await expect(new pg.Client(stolen).connect()).rejects.toMatchObject({ code: '28P01' })
    })

    it('keeps its workspace away from other databases', async () => {
      const neighbour = await testWorkspace(cluster)
      const { credentials, roles } = await provisionWorkspaceDatabase(modest, { key })
      for (const database of [neighbour.database, 'postgres']) {
        const login = { database, user: roles.readWrite, password: credentials.readWrite }
        await expect(new pg.Client(modest.loginConfig(login)).connect()).rejects.toMatchObject({ code: '42501' })
      }
    })
  })
})
