import { beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from '../cluster.ts'
import { toWorkspaceNames } from '../names.ts'
import { provisionWorkspaceDatabase } from '../provision.ts'
import { testCluster, testWorkspace, type TestWorkspace } from '../testing.ts'
import { dropSchema } from '../recycle-bin/testing.ts'
import { createSchema, renameSchema } from './change-schemas.ts'
import { findSchema, findSchemas } from './find-schemas.ts'
import { getSchemaRoles } from './schema-roles.ts'
import { buildSchemaTagQuery, buildTableGrants } from './table-rights.ts'

let cluster: Cluster
let workspace: TestWorkspace

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
})

const found = (name: string) =>
  cluster.withAdmin(workspace.database, (client) => findSchema(client, toWorkspaceNames(workspace.key), name))
const names = async () =>
  (await cluster.withAdmin(workspace.database, (client) => findSchemas(client, toWorkspaceNames(workspace.key)))).map(
    (schema) => schema.name,
  )
const countRoles = async (tag: string | null | undefined) => {
  const { rows } = await cluster.admin.query<{ name: string }>(
    'select rolname as name from pg_roles where rolname = any($1)',
    [Object.values(getSchemaRoles(toWorkspaceNames(workspace.key), tag ?? ''))],
  )
  return rows.length
}
const place = (name: string) => ({ key: workspace.key, name })

describe('a schema', () => {
  it('is writable by the owner and readable by the reader from its first table on', async () => {
    await createSchema(cluster, place('sales'))
    await workspace.runAll('rw', ['create table sales.orders (n int)', 'insert into sales.orders values (7)'])
    expect((await workspace.run('ro', 'select n from sales.orders')).rows).toEqual([['7']])
    await expect(workspace.run('ro', 'insert into sales.orders values (8)')).rejects.toMatchObject({ code: 'refused' })
  })

  it('keeps its roles and rights when it is renamed', async () => {
    await createSchema(cluster, place('before'))
    const tag = (await found('before'))?.tag
    await renameSchema(cluster, { ...place('before'), newName: 'after' })
    expect(await found('before')).toBeUndefined()
    expect((await found('after'))?.tag).toBe(tag)
    await workspace.run('rw', 'create table after.made_later as select 1 as n')
    expect((await workspace.run('ro', 'select n from after.made_later')).rows).toEqual([['1']])
  })

  it('goes for good with its roles', async () => {
    await createSchema(cluster, place('old'))
    await workspace.run('rw', 'create table old.kept (n int)')
    const tag = (await found('old'))?.tag
    expect(await countRoles(tag)).toBe(3)
    await dropSchema(cluster, place('old'))
    expect(await found('old')).toBeUndefined()
    expect(await countRoles(tag)).toBe(0)
  })

  it('leaves a table behind that was moved away from it', async () => {
    await createSchema(cluster, place('origin'))
    const owner = getSchemaRoles(toWorkspaceNames(workspace.key), (await found('origin'))?.tag ?? '').owner
    await workspace.runAll('rw', [
      `set role ${owner}`,
      'create table origin.moved as select 5 as n',
      `set role ${workspace.roles.owner}`,
      'alter table origin.moved set schema data',
    ])
    await dropSchema(cluster, place('origin'))
    expect((await workspace.run('ro', 'select n from data.moved')).rows).toEqual([['5']])
    await workspace.run('rw', 'drop table data.moved')
  })

  it('leaves its owner behind with a view that lies elsewhere, which would get the rights of another', async () => {
    await createSchema(cluster, place('maker'))
    await createSchema(cluster, place('other'))
    const owner = getSchemaRoles(toWorkspaceNames(workspace.key), (await found('maker'))?.tag ?? '').owner
    await workspace.runAll('rw', [
      `set role ${owner}`,
      'create view maker.seen as select 1 as n',
      `set role ${workspace.roles.owner}`,
      'alter view maker.seen set schema other',
    ])
    await dropSchema(cluster, place('maker'))
    expect((await workspace.run('ro', 'select n from other.seen')).rows).toEqual([['1']])
    expect((await workspace.run('ro', "select viewowner from pg_views where viewname = 'seen'")).rows).toEqual([
      [owner],
    ])
    await dropSchema(cluster, place('other'))
  })

  it('is not there under another name, and a taken name is refused', async () => {
    await expect(renameSchema(cluster, { ...place('nowhere'), newName: 'x' })).rejects.toMatchObject({
      code: 'missing',
    })
    await expect(dropSchema(cluster, place('trellis_loads'))).rejects.toMatchObject({
      code: 'missing',
    })
    await expect(createSchema(cluster, place('data'))).rejects.toMatchObject({ sqlState: '42P06' })
    for (const name of ['', 'pg_x', 'trellis_x', 'TRELLIS', 'public', 'information_schema', 'a\0b', 'ä'.repeat(32)]) {
      await expect(createSchema(cluster, place(name)), name).rejects.toMatchObject({ code: 'refused' })
    }
  })

  it.each(['"; drop schema data cascade; --', "o'clock", '$$', 'Größe 1', 'select', '%s {x}', '👩‍🚀'])(
    'takes %j as a name and nothing else',
    async (name) => {
      await createSchema(cluster, place(name))
      expect(await names()).toContain(name)
      await renameSchema(cluster, { ...place(name), newName: `${name}!` })
      await dropSchema(cluster, place(`${name}!`))
      expect(await names()).not.toContain(`${name}!`)
      expect(await names()).toContain('data')
    },
  )

  it('runs nothing of its people as the administrator when it goes', async () => {
    await createSchema(cluster, place('trap'))
    await workspace.runAll('rw', [
      'create table data.seen (who text)',
      `create function trap.spring() returns trigger language plpgsql
         as $$ begin insert into data.seen values (current_user); return null; end $$`,
      'create table trap.bait (n int)',
      'create trigger spring after insert or delete or truncate on trap.bait execute function trap.spring()',
      'insert into trap.bait values (1)',
    ])
    await renameSchema(cluster, { ...place('trap'), newName: 'sprung' })
    await dropSchema(cluster, place('sprung'))
    expect((await workspace.run('ro', 'select * from data.seen')).rows).toEqual([[workspace.roles.owner]])
  })
})

describe('a table that moves into a schema', () => {
  it('gets the rights of its new schema from whoever moves it', async () => {
    await createSchema(cluster, place('target'))
    const all = toWorkspaceNames(workspace.key)
    const movedResult = await workspace.runAll('rw', [
      'create table trellis_loads.stage_x as select 1 as n',
      'alter table trellis_loads.stage_x set schema target',
    ])
    expect(movedResult.rows).toEqual([])
    const { text, values } = buildSchemaTagQuery(all, 'target')
    const { rows } = await cluster.withAdmin(workspace.database, (client) =>
      client.query<{ tag: string }>(text, values),
    )
    const tag = rows[0]?.tag ?? ''
    expect(tag).toBe((await found('target'))?.tag)
    await workspace.runAll('rw', buildTableGrants(all, tag, 'target.stage_x'))
    const can = await cluster.withAdmin(workspace.database, (client) =>
      client.query(
        `select has_table_privilege($1, 'target.stage_x', 'select') as read,
                has_table_privilege($2, 'target.stage_x', 'insert') as write`,
        [getSchemaRoles(all, tag).reader, getSchemaRoles(all, tag).writer],
      ),
    )
    expect(can.rows).toEqual([{ read: true, write: true }])
  })
})

describe('a workspace from before schemas had roles', () => {
  it('has its schema and tables taken in by the next provisioning, more than once', async () => {
    const before = await found('data')
    await workspace.run('rw', 'create table data.early as select 1 as n')
    const { owner, writer, reader } = getSchemaRoles(toWorkspaceNames(workspace.key), before?.tag ?? '')
    await cluster.withAdmin(workspace.database, async (client) => {
      for (const role of [owner, writer, reader]) {
        await client.query(`drop owned by ${role}`)
        await client.query(`drop role ${role}`)
      }
    })
    expect((await found('data'))?.tag).toBeNull()
    const { key, credentials } = workspace
    await provisionWorkspaceDatabase(cluster, { key, credentials })
    const after = await found('data')
    await provisionWorkspaceDatabase(cluster, { key, credentials })
    expect(await found('data')).toEqual(after)
    const roles = getSchemaRoles(toWorkspaceNames(key), after?.tag ?? '')
    const { rows } = await cluster.withAdmin(workspace.database, (client) =>
      client.query("select has_table_privilege($1, 'data.early', 'select') as can", [roles.reader]),
    )
    expect(rows).toEqual([{ can: true }])
  })

  it('does not get back a schema that was renamed', async () => {
    await renameSchema(cluster, { ...place('data'), newName: 'mine' })
    await provisionWorkspaceDatabase(cluster, { key: workspace.key, credentials: workspace.credentials })
    expect(await names()).not.toContain('data')
    await renameSchema(cluster, { ...place('mine'), newName: 'data' })
  })
})
