import { beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from '../cluster.ts'
import { createSchema, renameSchema } from '../schemas/change-schemas.ts'
import { testCluster, testWorkspace, type TestWorkspace } from '../testing.ts'
import { isForAllSchemas, TEMPLATES, type Template } from './templates.ts'
import { type TestAccess, type TestLogin, testAccess } from './testing.ts'

const OTHER = 'Other "one"'

let cluster: Cluster
let workspace: TestWorkspace
let own: TestAccess

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  own = await testAccess(cluster, workspace)
  await createSchema(cluster, { key: workspace.key, name: OTHER })
  await workspace.runAll('rw', [
    'create table data.orders as select 7 as n',
    'create table "Other ""one""".t as select 8 as n',
  ])
})

const loginFor = (template: Template): Promise<TestLogin> =>
  own.login(template, isForAllSchemas(template) ? null : 'data')

describe.each(TEMPLATES)('a tool that connects as %s', (template) => {
  it('has temporary tables, DO blocks and snapshots to share', async () => {
    const login = await loginFor(template)
    expect(
      await own.run(
        login,
        'create temp table basket as select n from orders',
        'do $$ begin insert into basket select n + 1 from basket; end $$',
        'select array_agg(n order by n)::text from basket',
      ),
    ).toEqual([['{7,8}']])
    const first = await own.connect(login)
    const second = await own.connect(login)
    await first.query('begin isolation level repeatable read read only')
    const { rows } = await first.query<{ id: string }>('select pg_export_snapshot() as id')
    await second.query('begin isolation level repeatable read read only')
    await second.query(`set transaction snapshot '${rows[0]?.id}'`)
    expect((await second.query('select n from orders')).rows).toEqual([{ n: 7 }])
    await Promise.all([first.end(), second.end()])
  })
})

describe('the search path', () => {
  it('names the schemas a login may use, and follows a schema that is renamed', async () => {
    const [reader, bi] = [await own.login('reader', OTHER), await own.login('bi', null)]
    expect(await own.run(reader, 'select n from t')).toEqual([[8]])
    await expect(own.run(reader, 'select n from orders')).rejects.toMatchObject({ code: '42P01' })
    expect(await own.run(bi, 'select orders.n, t.n from orders, t')).toEqual([[7, 8]])
    expect(await own.apply()).toEqual([])
    await renameSchema(cluster, { key: workspace.key, name: OTHER, newName: 'later' })
    await own.apply()
    expect(await own.run(reader, 'select n from t')).toEqual([[8]])
    await renameSchema(cluster, { key: workspace.key, name: 'later', newName: OTHER })
  })
})

describe('activity', () => {
  it('shows the sessions of the own profile and the locks of the own database, and nothing of others', async () => {
    const neighbour = await testWorkspace(cluster)
    const theirs = await testAccess(cluster, neighbour)
    const foreign = await theirs.connect(await theirs.login('bi', null))
    await foreign.query("set application_name = 'a neighbour'")
    const mine = await own.login('bi', null)
    const colleague = await own.connect(await own.login('bi', null))
    const [one, two] = [await own.connect(mine), await own.connect(mine)]
    await two.query('begin')
    await two.query('lock table data.orders in access share mode')
    const sessions = await one.query<{ usename: string; query: string }>('select usename, query from pg_stat_activity')
    expect(sessions.rows.map((row) => row.usename)).toEqual([mine.user, mine.user])
    expect(sessions.rows.map((row) => row.query)).toContain('lock table data.orders in access share mode')
    const locks = await one.query(
      "select mode from pg_locks l join pg_stat_activity a using (pid) where relation = 'data.orders'::regclass",
    )
    expect(locks.rows).toEqual([{ mode: 'AccessShareLock' }])
    const outside = await one.query(
      `select from pg_locks
        where database not in (0, (select oid from pg_database where datname = current_database()))`,
    )
    expect(outside.rowCount).toBe(0)
    await Promise.all([one, two, colleague, foreign].map((client) => client.end()))
  })

  it('stays complete for the administrator', async () => {
    const seen = await cluster.withAdmin(workspace.database, (inside) =>
      inside.query('select count(distinct datname)::int > 1 as "isWhole" from pg_stat_activity'),
    )
    expect(seen.rows).toEqual([{ isWhole: true }])
  })
})

describe('logins and roles', () => {
  it('of neighbours are not listed, and the administrator still sees all', async () => {
    const theirs = await testAccess(cluster, await testWorkspace(cluster))
    const foreign = await theirs.login('bi', null)
    const mine = await own.login('bi', null)
    const lists = [
      'select array_agg(rolname::text) from pg_roles',
      'select array_agg(usename::text) from pg_user',
      'select array_agg(groname::text) from pg_group',
    ]
    const names: string[] = []
    for (const list of lists) names.push(...((await own.run(mine, list)) as string[][][]).flat(2))
    expect(names.filter((name) => name === mine.user)).toEqual([mine.user, mine.user])
    expect(names).toContain('pg_read_all_data')
    expect(names).not.toContain(foreign.user)
    expect(names.filter((name) => name.startsWith('w_') && !name.startsWith(workspace.database))).toEqual([])
    const owners = 'select from pg_class c where not exists (select from pg_roles r where r.oid = c.relowner)'
    expect(await own.run(mine, owners)).toEqual([])
    const all = await cluster.withAdmin(workspace.database, (inside) =>
      inside.query('select from pg_roles where rolname = $1', [foreign.user]),
    )
    expect(all.rowCount).toBe(1)
  })
})
