import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from '../cluster.ts'
import { toWorkspaceNames } from '../names.ts'
import { testCluster, testWorkspace, type TestWorkspace } from '../testing.ts'
import { refusedProbes } from './all-probes.ts'
import { computeDatabaseHash } from './database-hash.ts'
import { toStatements, type Probe, type ProbeWords } from './probe.ts'
import { readOnlyProbes } from './read-only.probes.ts'

const SETUP = [
  'create table target (n int primary key, word text)',
  "insert into target values (1, 'one'), (2, 'two')",
  'create view target_view as select * from target',
  'create materialized view stored as select * from target',
  'create sequence counter',
  `create function write_for_reader() returns void security definer language sql as 'insert into data.target values (8, null)'`,
  `create procedure write_by_procedure() security definer language sql as 'insert into data.target values (8, null)'`,
  'create function nothing() returns event_trigger language plpgsql as $$ begin end $$',
]

let cluster: Cluster
let workspace: TestWorkspace
let neighbour: TestWorkspace
let words: ProbeWords

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  neighbour = await testWorkspace(cluster)
  await workspace.runAll('rw', SETUP)
  await neighbour.runAll('rw', ['create table secrets (word text)', "insert into secrets values ('hidden')"])
  const { rows } = await cluster.admin.query<{ name: string }>('select current_user as name')
  words = {
    ...toWorkspaceNames(workspace.key),
    neighbour: neighbour.database,
    neighbourOwner: neighbour.roles.owner,
    neighbourLogin: neighbour.roles.readWrite,
    admin: rows[0]?.name ?? '',
  }
})

type Tried = [title: string, role: 'rw' | 'ro', probe: Probe]

const tries = refusedProbes.flatMap((probe) =>
  (['rw', 'ro'] as const)
    .filter((role) => probe.as === undefined || probe.as === role)
    .map((role): Tried => [`${role}: ${probe.name}`, role, probe]),
)

describe('hostile statements', () => {
  it('are many and each is told apart', () => {
    expect(refusedProbes.length).toBeGreaterThanOrEqual(60)
    expect(new Set(refusedProbes.map((probe) => probe.name)).size).toBe(refusedProbes.length)
  })

  it.each(tries)('%s is refused', async (_, role, probe) => {
    const texts = toStatements(probe, words)
    // Without read-only transactions, so that privileges alone must hold.
    if (role === 'ro') texts.unshift('set default_transaction_read_only = off')
    const outcome: unknown = await workspace.runAll(role, texts).catch((error: unknown) => error)
    expect(outcome).toMatchObject({ name: 'WorkspaceDbError', sqlState: probe.state ?? '42501' })
    expect((outcome as Error).message).not.toMatch(/w_[0-9a-f]{16}/)
  })

  it('left no trace on the neighbour or the cluster', async () => {
    expect((await neighbour.run('ro', 'select word from secrets')).rows).toEqual([['hidden']])
    const { rows } = await cluster.admin.query(
      `select datname as name from pg_database where datname like 'probe%'
       union all select rolname from pg_roles where rolname like 'probe%'`,
    )
    expect(rows).toEqual([])
    await workspace.run('ro', `grant connect on database ${workspace.database} to public`).catch(() => undefined)
    const open = await cluster.admin.query("select has_database_privilege('public', $1, 'connect') as isOpen", [
      workspace.database,
    ])
    expect(open.rows).toEqual([{ isopen: false }])
  })
})

describe('a reader', () => {
  it.each(readOnlyProbes.map((probe) => [probe.name, probe] as const))('can not write: %s', async (_, probe) => {
    const before = await computeDatabaseHash(cluster, workspace.database)
    const texts = toStatements(probe, words)
    const withRights = workspace.runAll('ro', ['set default_transaction_read_only = off', ...texts])
    await expect(withRights).rejects.toMatchObject({ name: 'WorkspaceDbError', code: 'refused', sqlState: '42501' })
    await expect(workspace.runAll('ro', texts)).rejects.toMatchObject({ name: 'WorkspaceDbError' })
    expect(await computeDatabaseHash(cluster, workspace.database)).toEqual(before)
  })

  it('gives nobody a right by trying to', async () => {
    const before = await computeDatabaseHash(cluster, workspace.database)
    await workspace.runAll('ro', ['set default_transaction_read_only = off', 'grant all on target to public'])
    expect(await computeDatabaseHash(cluster, workspace.database)).toEqual(before)
  })

  it('was tried in at least 25 ways, and made no large object', async () => {
    expect(readOnlyProbes.length).toBeGreaterThanOrEqual(25)
    expect((await computeDatabaseHash(cluster, workspace.database)).largeObjects).toBe(0)
  })

  it('can not write through a function a writer gave it, while its transactions are read-only', async () => {
    await workspace.run('rw', `grant execute on function write_for_reader() to ${words.reader}`)
    await expect(workspace.run('ro', 'select write_for_reader()')).rejects.toMatchObject({ sqlState: '25006' })
    await workspace.run('rw', `revoke execute on function write_for_reader() from ${words.reader}`)
  })

  it('is seen by the hash when a writer does write', async () => {
    const before = await computeDatabaseHash(cluster, workspace.database)
    await workspace.run('rw', "update target set word = 'changed' where n = 1")
    expect((await computeDatabaseHash(cluster, workspace.database)).content).not.toBe(before.content)
  })
})

describe('other databases', () => {
  it.each(['rw', 'ro'] as const)('refuse the %s login of a workspace', async (role) => {
    const { readWrite, readOnly } = workspace.roles
    const user = role === 'rw' ? readWrite : readOnly
    const password = role === 'rw' ? workspace.credentials.readWrite : workspace.credentials.readOnly
    for (const database of [neighbour.database, 'postgres', 'template1']) {
      const client = new pg.Client(cluster.loginConfig({ database, user, password }))
      await expect(client.connect()).rejects.toMatchObject({ code: '42501' })
    }
  })
})
