import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from '../cluster.ts'
import { withSession } from '../session.ts'
import { testCluster, testWorkspace, type TestWorkspace } from '../testing.ts'
import { bombs } from './bomb.probes.ts'

let cluster: Cluster
let workspace: TestWorkspace
let neighbour: TestWorkspace

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  neighbour = await testWorkspace(cluster)
})

/** As the login itself, the only role whose password and defaults a writer could change. */
const asLogin = (...texts: string[]) => workspace.runAll('rw', ['set role none', ...texts])
const stolen = () =>
  new pg.Client(
    cluster.loginConfig({ database: workspace.database, user: workspace.roles.readWrite, password: 'stolen' }),
  )

describe('a login that changes itself', () => {
  it('has the right password again after the session', async () => {
    await asLogin("alter role current_user password 'stolen'")
    await expect(stolen().connect()).rejects.toMatchObject({ code: '28P01' })
    expect((await workspace.run('rw', 'select 1')).rows).toEqual([['1']])
  })

  it('puts out whoever came in with the changed password', async () => {
    const intruder = stolen()
    intruder.on('error', () => undefined)
    await withSession(cluster, { ...workspace, role: 'rw' }, async (session) => {
      await session.query({ text: 'set role none' })
      await session.query({ text: "alter role current_user password 'stolen'" })
      await intruder.connect()
    })
    await expect(intruder.query('select 1')).rejects.toThrow(/terminat|not queryable/)
  })

  it('does not lock the platform out when nothing could be put back in time', async () => {
    for (const change of ["password 'stolen'", 'password null']) {
      await cluster.admin.query(`alter role ${workspace.roles.readWrite} ${change}`)
      expect((await workspace.run('rw', 'select 1')).rows).toEqual([['1']])
      await expect(stolen().connect()).rejects.toMatchObject({ code: '28P01' })
    }
  })

  const defaults = [
    'statement_timeout = 0',
    "work_mem = '8GB'",
    "search_path = 'pg_catalog'",
    'default_transaction_read_only = on',
    "local_preload_libraries = 'no_such_library'",
    "role = 'none'",
    'lock_timeout = 1',
    "datestyle = 'German'",
    'idle_in_transaction_session_timeout = 0',
  ]
  it.each(defaults)('has no effect on the next session with %s', async (setting) => {
    const look = () =>
      workspace.run(
        'rw',
        `select current_user, current_setting('statement_timeout'), current_setting('work_mem'),
           current_setting('search_path'), current_setting('transaction_read_only'), current_setting('lock_timeout'),
           current_setting('datestyle'), current_setting('idle_in_transaction_session_timeout')`,
      )
    const before = await look()
    // As if the process died before resetting it.
    await cluster.admin.query(`alter role ${workspace.roles.readWrite} set ${setting}`)
    expect((await look()).rows).toEqual(before.rows)
    await asLogin(`alter role current_user set ${setting}`)
    expect((await look()).rows).toEqual(before.rows)
    const { rows } = await cluster.admin.query('select rolconfig from pg_roles where rolname = $1', [
      workspace.roles.readWrite,
    ])
    expect(rows).toEqual([{ rolconfig: ['temp_file_limit=1GB'] }])
  })

  it('can not take its limit on temporary files away', async () => {
    await asLogin('alter role current_user reset all')
    expect((await workspace.run('rw', 'show temp_file_limit')).rows).toEqual([['1GB']])
  })
})

describe('what a session leaves behind', () => {
  const leftovers: [kind: string, leave: string[], seen: [look: string, clean: string | null]][] = [
    ['a setting', ["set work_mem = '1GB'"], ['show work_mem', '32MB']],
    ['a search path', ['set search_path = pg_catalog'], ['show search_path', 'data']],
    ['a setting of its own', ["set probe.word = 'x'"], ["select current_setting('probe.word', true)", null]],
    ['a role', ['set role none'], ['select current_user <> session_user', 't']],
    ['a prepared statement', ['prepare p as select 1'], ['select count(*) from pg_prepared_statements', '0']],
    [
      'a held cursor',
      ['declare c cursor with hold for select 1'],
      ["select count(*) from pg_cursors where name <> ''", '0'],
    ],
    ['a listener', ['listen probe'], ['select count(*) from pg_listening_channels()', '0']],
    ['an open transaction', ['begin', 'create table never (n int)'], ["select to_regclass('never')", null]],
    ['a time zone', ["set timezone = 'Asia/Tokyo'"], ['show timezone', 'UTC']],
    ['writing turned off', ['set default_transaction_read_only = on'], ['show transaction_read_only', 'off']],
  ]
  it.each(leftovers)('%s is gone in the next one', async (_, leave, [look, clean]) => {
    const left = await workspace.runAll('rw', [...leave, look]).then((result) => result.rows[0]?.[0])
    expect(left).not.toBe(clean)
    expect((await workspace.run('rw', look)).rows).toEqual([[clean]])
  })
})

describe('bombs', () => {
  it('are at least twelve', () => expect(bombs.length).toBeGreaterThanOrEqual(12))

  it.each(bombs.map((bomb) => [bomb.name, bomb] as const))('%s hurts nobody', async (_, bomb) => {
    const texts = typeof bomb.sql === 'string' ? [bomb.sql] : bomb.sql
    await withSession(cluster, { ...neighbour, role: 'ro' }, async (session) => {
      const exploded = workspace.runAll('rw', texts, { statementMs: 400 }).catch((error: unknown) => error)
      const bombing = { isOver: false }
      void exploded.then(() => (bombing.isOver = true))
      // A backend crash would also end this session.
      while (!bombing.isOver) expect((await session.query({ text: 'select 1' })).rows).toEqual([['1']])
      const outcome: unknown = await exploded
      expect(outcome).toMatchObject({ name: 'WorkspaceDbError' })
      expect(bomb.ends).toContain((outcome as { code: string }).code)
      expect((await session.query({ text: 'select 1' })).rows).toEqual([['1']])
    })
  })

  it('stop at the limit on temporary files', async () => {
    const sql = `with m as materialized (select repeat('x', 8000) as t from generate_series(1, 300000))
      select count(t) from m`
    await expect(workspace.run('ro', sql, { statementMs: 25_000, workMemMb: 1 })).rejects.toMatchObject({
      code: 'resource_limit',
      sqlState: '53400',
    })
  })
})
