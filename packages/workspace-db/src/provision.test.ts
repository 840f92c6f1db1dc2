import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from './cluster.ts'
import { generateWorkspaceKey, toWorkspaceNames } from './names.ts'
import { provisionWorkspaceDatabase } from './provision.ts'
import { removeWorkspaceDatabase } from './remove.ts'
import { withSession } from './session.ts'
import { testCluster, testWorkspace } from './testing.ts'

let cluster: Cluster

beforeAll(async () => {
  cluster = await testCluster()
})

async function traces(key: string): Promise<string[]> {
  const { rows } = await cluster.admin.query<{ name: string }>(
    `select datname as name from pg_database where starts_with(datname, $1)
     union all select rolname from pg_roles where starts_with(rolname, $1) order by 1`,
    [toWorkspaceNames(key).database],
  )
  return rows.map((row) => row.name)
}

describe('a new workspace', () => {
  it('lets its writer make tables and its reader read them, also those made later', async () => {
    const workspace = await testWorkspace(cluster)
    await workspace.run('rw', 'create table today (n int)')
    await workspace.run('rw', 'insert into today values (1)')
    await workspace.run('rw', 'create view tomorrow as select n + 1 as n from today')
    expect((await workspace.run('ro', 'select n from today')).rows).toEqual([['1']])
    expect((await workspace.run('ro', 'select n from tomorrow')).rows).toEqual([['2']])
  })

  it('gives everything made by the writer to the owner, whatever the writer does', async () => {
    const workspace = await testWorkspace(cluster)
    await workspace.run('rw', 'create table one (n int)')
    await workspace.runAll('rw', ['reset role', 'create table two (n int)'])
    await expect(workspace.runAll('rw', ['set role none', 'create table data.three (n int)'])).rejects.toMatchObject({
      code: 'refused',
    })
    const owners = await workspace.run('ro', "select distinct tableowner from pg_tables where schemaname = 'data'")
    expect(owners.rows).toEqual([[workspace.roles.owner]])
  })

  it('lets a second login alter the same tables when it is made a member of the owner', async () => {
    const workspace = await testWorkspace(cluster)
    const { owner, readWrite } = workspace.roles
    await workspace.run('rw', 'create table shared (n int)')
    const second = `${workspace.database}_second`
    await cluster.admin.query(`create role ${second} login noinherit password 'p'`)
    await cluster.admin.query(`grant ${owner} to ${second} with inherit false, set true`)
    await cluster.admin.query(`grant connect on database ${workspace.database} to ${second}`)
    await cluster.admin.query(`alter role ${second} set role = ${owner}`)
    const client = new pg.Client(cluster.loginConfig({ database: workspace.database, user: second, password: 'p' }))
    await client.connect()
    await client.query('alter table shared add column added text')
    await client.query('create table theirs (n int)')
    await client.end()
    await workspace.run('rw', 'alter table theirs rename to ours')
    expect((await workspace.run('ro', 'select added from shared')).columns).toHaveLength(1)
    expect(readWrite).not.toBe(second)
  })

  it('keeps the platform schema and the public schema shut', async () => {
    const workspace = await testWorkspace(cluster)
    for (const role of ['rw', 'ro'] as const) {
      for (const schema of ['trellis', 'public']) {
        await expect(workspace.run(role, `create table ${schema}.x (n int)`)).rejects.toMatchObject({ code: 'refused' })
      }
    }
  })

  it('never has its passwords in what the server stores or shows', async () => {
    const workspace = await testWorkspace(cluster)
    const { rows } = await cluster.admin.query<{ rolpassword: string }>(
      'select rolpassword from pg_authid where rolname = any($1)',
      [[workspace.roles.readWrite, workspace.roles.readOnly]],
    )
    expect(rows).toHaveLength(2)
    for (const { rolpassword } of rows) expect(rolpassword).toMatch(/^SCRAM-SHA-256\$4096:/)
  })
})

describe('repeating', () => {
  it('keeps data, and passwords when they are given', async () => {
    const workspace = await testWorkspace(cluster)
    await workspace.runAll('rw', ['create table kept (n int)', 'insert into kept values (7)'])
    const same = await provisionWorkspaceDatabase(cluster, { key: workspace.key, credentials: workspace.credentials })
    expect(same).toEqual({
      database: workspace.database,
      roles: workspace.roles,
      credentials: workspace.credentials,
    })
    expect((await workspace.run('ro', 'select n from kept')).rows).toEqual([['7']])
    const renewed = await provisionWorkspaceDatabase(cluster, { key: workspace.key })
    expect(renewed.credentials.readWrite).not.toBe(workspace.credentials.readWrite)
    const rows = await withSession(cluster, { ...renewed, role: 'ro' }, (session) =>
      session.query({ text: 'select n from kept' }),
    )
    expect(rows.rows).toEqual([['7']])
  })

  it('never runs code of the workspace as the administrator', async () => {
    const workspace = await testWorkspace(cluster)
    await workspace.runAll('rw', [
      'create table caught (who text)',
      `create function has_function_privilege(text, oid, text) returns boolean language sql
         as 'insert into data.caught values (current_user) returning true'`,
      `create function starts_with(name, text) returns boolean language sql
         as 'insert into data.caught values (current_user) returning true'`,
    ])
    await provisionWorkspaceDatabase(cluster, { key: workspace.key, credentials: workspace.credentials })
    expect((await workspace.run('ro', 'select who from caught')).rows).toEqual([])
  })

  it('does not let a caller with old passwords bring them back', async () => {
    const workspace = await testWorkspace(cluster)
    const renewed = await provisionWorkspaceDatabase(cluster, { key: workspace.key })
    await expect(workspace.run('rw', 'select 1')).rejects.toMatchObject({ code: 'unavailable' })
    const result = await withSession(cluster, { ...renewed, role: 'rw' }, async (session) => {
      await expect(workspace.run('ro', 'select 1')).rejects.toMatchObject({ code: 'unavailable' })
      return session.query({ text: 'select 1' })
    })
    expect(result.rows).toEqual([['1']])
  })

  it('finishes the work of several at once', async () => {
    const key = generateWorkspaceKey()
    const credentials = { readWrite: 'a'.repeat(43), readOnly: 'b'.repeat(43) }
    await Promise.all([1, 2, 3].map(() => provisionWorkspaceDatabase(cluster, { key, credentials })))
    expect(await traces(key)).toHaveLength(11)
    await removeWorkspaceDatabase(cluster, { key })
  })

  const cuts = [
    'create role',
    'grant',
    'create database',
    'revoke all on database',
    'create schema',
    'comment on database',
  ]
  it.each(cuts)('finishes after a crash before "%s"', async (step) => {
    const key = generateWorkspaceKey()
    await expect(provisionWorkspaceDatabase(breakingAt(cluster, step, 'crash'), { key })).rejects.toThrow('lost')
    const workspace = await provisionWorkspaceDatabase(cluster, { key })
    const result = await withSession(cluster, { ...workspace, role: 'rw' }, (session) =>
      session.query({ text: 'create table works (n int)' }),
    )
    expect(result.command).toBe('CREATE TABLE')
    await removeWorkspaceDatabase(cluster, { key })
    expect(await traces(key)).toEqual([])
  })

  it.each(cuts)('leaves nothing behind when "%s" fails', async (step) => {
    const key = generateWorkspaceKey()
    await expect(provisionWorkspaceDatabase(breakingAt(cluster, step, 'fails'), { key })).rejects.toThrow(
      'division by zero',
    )
    expect(await traces(key)).toEqual([])
  })

  it('never drops a finished database because a later call failed', async () => {
    const workspace = await testWorkspace(cluster)
    await workspace.run('rw', 'create table precious (n int)')
    const again = provisionWorkspaceDatabase(breakingAt(cluster, 'create schema', 'fails'), {
      key: workspace.key,
      credentials: workspace.credentials,
    })
    await expect(again).rejects.toThrow('division by zero')
    expect((await workspace.run('ro', 'select * from precious')).rowCount).toBe(0)
  })
})

describe('removal', () => {
  it('ends open sessions and takes database and roles away, more than once', async () => {
    const key = generateWorkspaceKey()
    const workspace = await provisionWorkspaceDatabase(cluster, { key })
    const open = withSession(cluster, { ...workspace, role: 'rw' }, async (session) => {
      await session.query({ text: 'begin' })
      await removeWorkspaceDatabase(cluster, { key })
      return session.query({ text: 'select 1' })
    })
    await expect(open).rejects.toMatchObject({ code: 'unavailable' })
    expect(await traces(key)).toEqual([])
    await removeWorkspaceDatabase(cluster, { key })
  })

  it('takes roles made later for the same workspace with it', async () => {
    const key = generateWorkspaceKey()
    await provisionWorkspaceDatabase(cluster, { key })
    await cluster.admin.query(`create role ${toWorkspaceNames(key).database}_later login`)
    await removeWorkspaceDatabase(cluster, { key })
    expect(await traces(key)).toEqual([])
  })

  it('is not held up by rights a neighbour gave to its roles', async () => {
    const neighbour = await testWorkspace(cluster)
    const key = generateWorkspaceKey()
    const { roles } = await provisionWorkspaceDatabase(cluster, { key })
    await neighbour.runAll('rw', [
      'create table bait (n int)',
      `grant select on bait to ${roles.owner}, ${roles.readOnly}`,
      `alter default privileges in schema data grant select on tables to ${roles.readWrite}`,
      `create policy trap on bait to ${roles.readOnly} using (true)`,
    ])
    await removeWorkspaceDatabase(cluster, { key })
    expect(await traces(key)).toEqual([])
    expect((await neighbour.run('ro', 'select * from bait')).rowCount).toBe(0)
  })

  it('leaves the neighbour alone', async () => {
    const neighbour = await testWorkspace(cluster)
    const key = generateWorkspaceKey()
    await provisionWorkspaceDatabase(cluster, { key })
    await removeWorkspaceDatabase(cluster, { key })
    expect((await neighbour.run('ro', 'select 1')).rows).toEqual([['1']])
  })
})

type Query = (text: string, values?: unknown[]) => Promise<pg.QueryResult>

/** Makes a statement that starts with `step` fail, or, as in a crash, drops every administrator connection. */
function breakingAt(inner: Cluster, step: string, how: 'fails' | 'crash'): Cluster {
  let isDead = false
  return {
    ...inner,
    withAdmin: (database, work) =>
      inner.withAdmin(database, (client) => {
        const query = client.query.bind(client) as Query
        const wrapped: Query = (text, values) => {
          const isHit = text.startsWith(step)
          isDead ||= isHit && how === 'crash'
          if (isDead) return Promise.reject(new Error('lost'))
          return isHit ? query('select 1/0') : query(text, values)
        }
        return work(Object.assign(client, { query: wrapped }))
      }),
  }
}
