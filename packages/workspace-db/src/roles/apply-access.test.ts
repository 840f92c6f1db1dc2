import { beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from '../cluster.ts'
import { toWorkspaceNames, generateWorkspaceKey } from '../names.ts'
import { generatePassword } from '../provision/credentials.ts'
import { provisionWorkspaceDatabase } from '../provision.ts'
import { removeWorkspaceDatabase } from '../remove.ts'
import { dropSchema } from '../recycle-bin/testing.ts'
import { createSchema, renameSchema } from '../schemas/change-schemas.ts'
import { testCluster, testWorkspace, type TestWorkspace } from '../testing.ts'
import { loginName } from './access-names.ts'
import { previewAccess } from './apply-access.ts'
import { type TestAccess, testAccess } from './testing.ts'

let cluster: Cluster
let workspace: TestWorkspace
let own: TestAccess

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  own = await testAccess(cluster, workspace)
  await createSchema(cluster, { key: workspace.key, name: 'other' })
  await workspace.runAll('rw', [
    'create table data.orders (n int)',
    'insert into data.orders values (1)',
    'create table other.secret as select 9 as n',
  ])
})

const refused = { code: '42501' }

describe('a login', () => {
  it('of a reader reads its schema, and neither writes nor reads another', async () => {
    const reader = await own.login('reader', 'data')
    expect(await own.run(reader, 'select n from data.orders')).toEqual([[1]])
    await expect(own.run(reader, 'insert into data.orders values (2)')).rejects.toMatchObject(refused)
    await expect(own.run(reader, 'select n from other.secret')).rejects.toMatchObject(refused)
  })

  it('of a writer writes, and makes nothing', async () => {
    const writer = await own.login('writer', 'data')
    await own.run(writer, 'insert into data.orders values (2)', 'delete from data.orders where n = 2')
    for (const text of [
      'create table data.mine (n int)',
      'drop table data.orders',
      'alter table data.orders add x int',
    ])
      await expect(own.run(writer, text), text).rejects.toMatchObject(refused)
  })

  it('of an admin makes, changes and drops tables that everybody else can then use', async () => {
    const [admin, reader, writer] = [
      await own.login('admin', 'data'),
      await own.login('reader', 'data'),
      await own.login('writer', 'data'),
    ]
    await own.run(admin, 'create table data.made (id serial, n int)', 'alter table data.made add word text')
    await own.run(writer, "insert into data.made (n, word) values (5, 'five')")
    expect(await own.run(reader, 'select n, word from data.made')).toEqual([[5, 'five']])
    expect((await workspace.run('ro', 'select n from data.made')).rows).toEqual([['5']])
    await workspace.runAll('rw', ['alter table data.made add later int', 'drop table data.made'])
    await expect(own.run(admin, 'create table other.mine (n int)')).rejects.toMatchObject(refused)
    await expect(own.run(admin, 'create schema mine')).rejects.toMatchObject(refused)
  })

  it('of an analyst reads every schema, those made later too, for five minutes at most', async () => {
    const analyst = await own.login('analyst', null)
    expect(await own.run(analyst, 'select n from other.secret')).toEqual([[9]])
    await createSchema(cluster, { key: workspace.key, name: 'tomorrow' })
    await workspace.run('rw', 'create table tomorrow.new as select 3 as n')
    expect(await own.run(analyst, 'select n from tomorrow.new')).toEqual([[3]])
    expect(await own.run(analyst, 'show statement_timeout')).toEqual([['5min']])
    await expect(own.run(analyst, 'insert into data.orders values (2)')).rejects.toMatchObject(refused)
  })

  it('can not act as its login: what it would make has another owner', async () => {
    const admin = await own.login('admin', 'data')
    await expect(own.run(admin, 'set role none', 'create table data.mine (n int)')).rejects.toMatchObject(refused)
    await expect(own.run(admin, 'set role none', 'select n from data.orders')).rejects.toMatchObject(refused)
    expect(await own.run(admin, 'reset role', 'select n from data.orders')).toEqual([[1]])
  })

  it('with two roles reads one schema and makes views of it in another', async () => {
    await createSchema(cluster, { key: workspace.key, name: 'models' })
    const maker = await own.login('admin', 'models')
    const role = own.access.roles.at(-1)
    own.access.roles.push({ slug: '0000aaaa', grants: [{ template: 'reader', tag: await own.readTag('data') }] })
    own.access.profiles = own.access.profiles.map((profile) =>
      profile.slug === maker.slug ? { ...profile, roles: [role?.slug ?? '', '0000aaaa'] } : profile,
    )
    await own.apply()
    await own.run(maker, 'create view models.sums as select sum(n)::int as n from data.orders')
    expect((await workspace.run('ro', 'select n from models.sums')).rows).toEqual([['1']])
  })

  it('gets rights through a group and loses them with it', async () => {
    const reader = await own.login('reader', 'data')
    own.access.roles.push({ slug: '0000bbbb', grants: [{ template: 'writer', tag: await own.readTag('other') }] })
    own.access.groups.push({ slug: '0000cccc', roles: ['0000bbbb'] })
    const inGroups = (groups: string[]) => {
      own.access.profiles = own.access.profiles.map((profile) =>
        profile.slug === reader.slug ? { ...profile, groups } : profile,
      )
    }
    inGroups(['0000cccc'])
    await own.apply()
    await own.run(reader, 'insert into other.secret values (10)', 'delete from other.secret where n = 10')
    inGroups([])
    await own.apply()
    await expect(own.run(reader, 'select n from other.secret')).rejects.toMatchObject(refused)
    own.access.groups = []
    await own.apply()
  })

  it('keeps its rights when its schema is renamed, and has none in one that is gone', async () => {
    await createSchema(cluster, { key: workspace.key, name: 'short' })
    await workspace.run('rw', 'create table short.t as select 1 as n')
    const reader = await own.login('reader', 'short')
    await renameSchema(cluster, { key: workspace.key, name: 'short', newName: 'long' })
    expect(await own.run(reader, 'select n from long.t')).toEqual([[1]])
    await dropSchema(cluster, { key: workspace.key, name: 'long' })
    await own.apply()
    expect(await own.run(reader, 'select 1')).toEqual([[1]])
  })
})

describe('the life of a login', () => {
  it('ends with its time, and its sessions when it is deleted', async () => {
    const reader = await own.login('reader', 'data')
    const change = (logins: { suffix: 'a' | 'b'; validUntil: Date | null }[]) => {
      own.access.profiles = own.access.profiles.map((profile) =>
        profile.slug === reader.slug ? { ...profile, logins } : profile,
      )
    }
    change([{ suffix: 'a', validUntil: new Date(Date.now() - 1000) }])
    await own.apply()
    await expect(own.connect(reader)).rejects.toMatchObject({ code: '28P01' })
    change([{ suffix: 'a', validUntil: null }])
    await own.apply()
    const open = await own.connect(reader)
    const ended = new Promise((resolve) => open.once('end', resolve))
    own.access.profiles = own.access.profiles.filter((profile) => profile.slug !== reader.slug)
    await own.apply()
    await ended
    await expect(own.connect(reader)).rejects.toMatchObject({ code: '28P01' })
  })

  it('has two passwords while one takes over from the other', async () => {
    const oldTestLogin = await own.login('reader', 'data')
    const renewed = { ...oldTestLogin, user: `${oldTestLogin.user}__b`, password: generatePassword() }
    const logins = (list: ('a' | 'b')[]) => {
      own.access.profiles = own.access.profiles.map((profile) =>
        profile.slug === oldTestLogin.slug
          ? { ...profile, logins: list.map((suffix) => ({ suffix, validUntil: null })) }
          : profile,
      )
    }
    logins(['a', 'b'])
    await own.apply({ [renewed.user]: renewed.password })
    expect(await own.run(oldTestLogin, 'select n from data.orders')).toEqual(
      await own.run(renewed, 'select n from data.orders'),
    )
    logins(['b'])
    await own.apply()
    await expect(own.connect(oldTestLogin)).rejects.toMatchObject({ code: '28P01' })
    expect(await own.run(renewed, 'select n from data.orders')).toEqual([[1]])
  })

  it('leaves what its profile made with the schema', async () => {
    const admin = await own.login('admin', 'data')
    await own.run(
      admin,
      'create table data.left_behind as select 4 as n',
      'create view data.left_view as select n from data.left_behind',
      "create type data.mood as enum ('good')",
    )
    own.access.profiles = own.access.profiles.filter((profile) => profile.slug !== admin.slug)
    await own.apply()
    expect((await workspace.run('ro', 'select n from data.left_view')).rows).toEqual([['4']])
    await workspace.runAll('rw', ['drop view data.left_view', 'drop table data.left_behind', 'drop type data.mood'])
  })

  it('is not made without a password, and its settings come back after it changed them', async () => {
    const reader = await own.login('reader', 'data')
    await own.run(reader, 'set role none', 'alter role current_user set statement_timeout = 0')
    expect(await own.run(reader, 'show statement_timeout')).toEqual([['0']])
    await own.apply()
    expect(await own.run(reader, 'show statement_timeout')).toEqual([['1h']])
  })
})

describe('a plan', () => {
  it('is empty when nothing differs, is what is run, and holds no password', async () => {
    expect(await previewAccess(cluster, { key: workspace.key, access: own.access })).toEqual([])
    const before = own.access.profiles.length
    own.access.profiles.push({
      slug: '0000dddd',
      loginName: null,
      roles: ['read'],
      groups: [],
      connectionLimit: 3,
      logins: [{ suffix: 'a', validUntil: null }],
    })
    const shown = await previewAccess(cluster, { key: workspace.key, access: own.access })
    const user = loginName(toWorkspaceNames(workspace.key), { slug: '0000dddd', loginName: null }, 'a')
    expect(await own.apply({ [user]: 'a-password-to-look-for' })).toEqual(shown)
    expect(shown.join('\n')).not.toMatch(/SCRAM|a-password/)
    own.access.profiles.length = before
    await own.apply()
  })
})

describe('another workspace', () => {
  it('is out of reach, and removal takes every role along', async () => {
    const key = generateWorkspaceKey()
    const { database } = await provisionWorkspaceDatabase(cluster, { key })
    const reader = await own.login('bi', null)
    // The firewall would refuse first; here CONNECT alone must hold.
    await expect(own.connect(reader, database)).rejects.toMatchObject({ code: '28000' })
    const { rows } = await cluster.admin.query('select has_database_privilege($1, $2, $3) as can', [
      reader.user,
      database,
      'connect',
    ])
    expect(rows).toEqual([{ can: false }])
    await removeWorkspaceDatabase(cluster, { key })
    const neighbour = await testWorkspace(cluster)
    const theirs = await testAccess(cluster, neighbour)
    const admin = await theirs.login('admin', 'data')
    await theirs.run(admin, 'create table data.t (n int)')
    await removeWorkspaceDatabase(cluster, { key: neighbour.key })
    const left = await cluster.admin.query(
      'select rolname from pg_roles where starts_with(rolname, $1) or rolname = $2',
      [neighbour.database, admin.user],
    )
    expect(left.rows).toEqual([])
  })
})
