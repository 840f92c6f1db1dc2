import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Cluster } from '../cluster.ts'
import { testCluster, testWorkspace, type TestWorkspace } from '../testing.ts'
import { createSchema } from '../schemas/change-schemas.ts'
import { findSchema } from '../schemas/find-schemas.ts'
import { toWorkspaceNames } from '../names.ts'
import { getSchemaRoles } from '../schemas/schema-roles.ts'
import type { DeletedObjects } from './deleted-objects.ts'
import { moveToBin } from './move-to-bin.ts'
import { listWorkspaceBinKeys, purgeFromBin } from './purge-bin.ts'
import { restoreFromBin } from './restore-from-bin.ts'
import { allowWrites, stopWrites } from '../watch/stop-writes.ts'

let cluster: Cluster
let workspace: TestWorkspace

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
})

const newBinKey = () => randomBytes(8).toString('hex')
const yes = () => undefined

interface At {
  readonly schema: string
  readonly table?: string
}

async function remove(at: At, agree: (deletedObjects: DeletedObjects) => void = yes) {
  const binKey = newBinKey()
  const deleted = await moveToBin(cluster, { key: workspace.key, binKey, ...at, assertAgreed: agree })
  return { binKey, deleted }
}

const restore = (binKey: string, newName?: string) => restoreFromBin(cluster, { key: workspace.key, binKey, newName })

/** Everything a dump would contain, without oids. */
const CATALOGUE = `
  select * from (
    select 'schema' as what, n.nspname as name, concat_ws(' ', pg_get_userbyid(n.nspowner), obj_description(n.oid),
             (select string_agg(a.x, ' ' order by a.x) from (select unnest(n.nspacl)::text as x) a)) as text
      from pg_namespace n where n.nspname !~ '^(pg_|trellis|information_schema|public)'
    union all
    select 'relation', c.oid::regclass::text, concat_ws(' ', c.relkind, c.relpersistence, pg_get_userbyid(c.relowner), c.reloptions::text,
             c.relrowsecurity, obj_description(c.oid, 'pg_class'), pg_get_expr(c.relpartbound, c.oid), pg_get_partkeydef(c.oid),
             case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end,
             (select string_agg(a.x, ' ' order by a.x) from (select unnest(c.relacl)::text as x) a))
      from pg_class c where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all
    select 'column', a.attrelid::regclass || '.' || a.attname, concat_ws(' ', a.attnum, format_type(a.atttypid, a.atttypmod), a.attnotnull,
             a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid), col_description(a.attrelid, a.attnum), a.attstattarget,
             (select string_agg(x.x, ' ' order by x.x) from (select unnest(a.attacl)::text as x) x))
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attnum > 0 and not a.attisdropped
    union all
    select 'constraint', k.conrelid::regclass || '.' || k.conname, concat_ws(' ', pg_get_constraintdef(k.oid), k.convalidated, obj_description(k.oid, 'pg_constraint'))
      from pg_constraint k where k.conrelid <> 0
    union all
    select 'index', i.indexrelid::regclass::text, concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid, obj_description(i.indexrelid, 'pg_class')) from pg_index i
    union all
    select 'trigger', t.tgrelid::regclass || '.' || t.tgname, concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled) from pg_trigger t where not t.tgisinternal
    union all
    select 'policy', p.polrelid::regclass || '.' || p.polname, pg_get_expr(p.polqual, p.polrelid) from pg_policy p
    union all
    select 'owned', s.objid::regclass::text, concat_ws(' ', s.refobjid::regclass, s.refobjsubid, s.deptype)
      from pg_depend s join pg_class c on c.oid = s.objid and c.relkind = 'S' where s.deptype in ('a', 'i')
    union all
    select 'sequence', s.seqrelid::regclass::text, concat_ws(' ', s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax,
             s.seqcache, s.seqcycle, pg_sequence_last_value(s.seqrelid))
      from pg_sequence s
    union all
    select 'function', p.oid::regprocedure::text, concat_ws(' ', pg_get_userbyid(p.proowner), p.proacl::text,
             case when p.prokind in ('f', 'p') then pg_get_functiondef(p.oid) end)
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname !~ '^(pg_|trellis|information_schema|public)'
    union all
    select 'statistics', x.oid::text, pg_get_statisticsobjdef(x.oid) from pg_statistic_ext x
    union all
    select 'default rights', concat_ws(' ', d.defaclnamespace::regnamespace, pg_get_userbyid(d.defaclrole), d.defaclobjtype), d.defaclacl::text from pg_default_acl d
  ) all_of_it
  where name !~ '^"?(pg_|trellis|information_schema|public)' order by 1, 2, 3`

const describeCatalogue = async () => {
  const rows = await cluster.withAdmin(workspace.database, async (client) => {
    await client.query('set search_path = pg_catalog')
    return (await client.query<{ what: string; name: string; text: string }>(CATALOGUE)).rows
  })
  return rows.map(({ what, name, text }) => `${what} ${name}: ${text}`)
}

async function makeShop(name: string): Promise<string> {
  await createSchema(cluster, { key: workspace.key, name })
  const tag = (
    await cluster.withAdmin(workspace.database, (client) => findSchema(client, toWorkspaceNames(workspace.key), name))
  )?.tag
  const { writer } = getSchemaRoles(toWorkspaceNames(workspace.key), tag ?? '')
  await workspace.runAll('rw', [
    `create table ${name}.customers (id int primary key, name text not null)`,
    `create table ${name}.orders (id int generated always as identity primary key, legacy serial, customer_id int
       references ${name}.customers on delete cascade, total numeric(10, 2) default 1.5 check (total >= 0),
       twice numeric generated always as (total * 2) stored, note text collate "C", unique (legacy, total))`,
    `create index orders_total on ${name}.orders using btree (total desc) include (note) where total > 1`,
    `create statistics ${name}.orders_stats on total, legacy from ${name}.orders`,
    `comment on table ${name}.orders is 'All orders; "quoted" ''too'''`,
    `comment on column ${name}.orders.total is 'In euros'`,
    `create table ${name}.lines (order_id int, sku text, constraint "lines of order" foreign key (order_id) references ${name}.orders on update cascade)`,
    `comment on constraint "lines of order" on ${name}.lines is 'Each line has an order'`,
    `create view ${name}.totals with (security_barrier) as select customer_id, sum(total) as total from ${name}.orders group by 1`,
    `create materialized view ${name}.best as select * from ${name}.totals where total > 10`,
    `create unique index best_customer on ${name}.best (customer_id)`,
    `create view data.${name}_orders as select id, total from ${name}.orders`,
    `create function ${name}.first_order() returns ${name}.orders language sql begin atomic select * from ${name}.orders limit 1; end`,
    `create function ${name}.touch() returns trigger language plpgsql as 'begin return new; end'`,
    `create trigger touch before update on ${name}.orders for each row execute function ${name}.touch()`,
    `alter table ${name}.orders disable trigger touch`,
    `alter table ${name}.orders enable row level security`,
    `create policy small on ${name}.orders using (total < 1000)`,
    `alter table ${name}.orders alter column note set statistics 50`,
    `grant select on ${name}.totals to ${writer} with grant option`,
    `grant update (note) on ${name}.orders to ${writer}`,
    `insert into ${name}.customers values (1, 'Ada')`,
    `insert into ${name}.orders (customer_id, total) values (1, 20), (1, 5)`,
    `insert into ${name}.lines values (1, 'x')`,
    `refresh materialized view ${name}.best`,
  ])
  return name
}

const readKinds = (deletedObjects: DeletedObjects) => ({
  relations: deletedObjects.relations.map(({ schema, name }) => `${schema}.${name}`),
  functions: deletedObjects.functions.map(({ name }) => name),
  keys: deletedObjects.keys.map(({ name, isIncoming }) => `${name}${isIncoming ? ' in' : ' out'}`),
})

test('a table comes back as it was, with all that depended on it', async () => {
  await makeShop('shop')
  const before = await describeCatalogue()
  const { binKey, deleted } = await remove({ schema: 'shop', table: 'orders' })
  expect(readKinds(deleted)).toEqual({
    relations: ['data.shop_orders', 'shop.best', 'shop.orders', 'shop.totals'],
    functions: ['first_order'],
    keys: ['lines of order in', 'orders_customer_id_fkey out'],
  })
  const between = await describeCatalogue()
  expect(between.filter((line) => /shop\.(orders|totals|best)\b|shop_orders|first_order/.test(line))).toEqual([])
  await workspace.runAll('rw', [
    "insert into shop.lines values (99, 'y')",
    'delete from shop.lines where order_id = 99',
  ])
  await expect(workspace.run('rw', `select * from trellis_bin_${binKey}_1.orders`)).rejects.toMatchObject({
    code: 'refused',
  })
  await expect(workspace.run('ro', `select * from trellis_bin_${binKey}_1.orders`)).rejects.toMatchObject({
    code: 'refused',
  })
  const seenResult = await workspace.run(
    'ro',
    "select table_name from information_schema.tables where table_schema like 'trellis_bin%'",
  )
  expect(seenResult.rows).toEqual([])

  const { unchecked, notes } = await restore(binKey)
  expect(notes.toSorted()).toEqual([])
  for (const { table, name } of unchecked) await workspace.run('rw', `alter table ${table} validate constraint ${name}`)
  expect(await describeCatalogue()).toEqual(before)
  expect((await workspace.run('ro', 'select count(*) from shop.totals')).rows).toEqual([['1']])
  await expect(workspace.run('rw', "insert into shop.lines values (99, 'y')")).rejects.toMatchObject({
    sqlState: '23503',
  })
  await expect(restore(binKey)).rejects.toMatchObject({ code: 'missing' })
  expect(await listWorkspaceBinKeys(cluster, { key: workspace.key })).toEqual([])
})

test('a schema comes back as it was, and nobody reaches it meanwhile', async () => {
  await makeShop('store')
  await workspace.runAll('rw', [
    'create table data.reviews (order_id int references store.orders, stars int)',
    "create type store.size as enum ('S', 'L')",
    'create sequence store.numbers start 7',
    'create table store.parts (id int, at date) partition by range (at)',
    "create table store.parts_2024 partition of store.parts for values from ('2024-01-01') to ('2025-01-01')",
  ])
  const before = await describeCatalogue()
  const { binKey, deleted } = await remove({ schema: 'store' })
  expect(deleted.relations.filter(({ isNamed }) => !isNamed).map(({ name }) => name)).toEqual(['store_orders'])
  expect(readKinds(deleted).keys).toEqual(['reviews_order_id_fkey in'])
  expect((await describeCatalogue()).filter((line) => line.includes('store'))).toEqual([])
  await expect(workspace.run('rw', `create table trellis_bin_${binKey}_0.x (n int)`)).rejects.toMatchObject({
    code: 'refused',
  })

  const { unchecked } = await restore(binKey)
  for (const { table, name } of unchecked) await workspace.run('rw', `alter table ${table} validate constraint ${name}`)
  expect(await describeCatalogue()).toEqual(before)
})

test('what was loaded into a table is known again when it is back', async () => {
  await workspace.runAll('rw', [
    'create table data.loaded (n int)',
    `insert into trellis_loads.receipts (load_id, schema_name, table_name, mode, source, rows) values (gen_random_uuid(), 'data', 'loaded', 'new', 'a.csv', 1)`,
  ])
  const loads = async () =>
    (await workspace.run('rw', "select schema_name, table_name from trellis_loads.receipts where source = 'a.csv'"))
      .rows
  const { binKey } = await remove({ schema: 'data', table: 'loaded' })
  expect(await loads()).not.toEqual([['data', 'loaded']])
  await workspace.run('rw', 'create table data.loaded (other int)')
  await expect(restore(binKey)).rejects.toMatchObject({
    sqlState: '42P07',
    message: 'data.loaded exists already. Choose another name.',
  })
  await restore(binKey, 'loaded before')
  expect(await loads()).toEqual([['data', 'loaded before']])
})

test('under another name it comes back with its keys, whatever took its names', async () => {
  await workspace.runAll('rw', [
    'create table data.goods (id int primary key, at serial)',
    'create table data.stock (goods_id int references data.goods)',
    'create view data.all_goods as select * from data.goods',
  ])
  const { binKey } = await remove({ schema: 'data', table: 'goods' })
  await workspace.runAll('rw', ['create table data.goods (id int primary key, at serial)'])
  const { table, notes, unchecked } = await restore(binKey, 'old goods')
  expect(table).toBe('old goods')
  expect(notes.toSorted()).toEqual(
    [
      'The sequence goods_at_seq is named goods_at_seq_1 now, since its name was taken.',
      'The index goods_pkey is named goods_pkey_1 now, since its name was taken.',
    ].toSorted(),
  )
  expect(unchecked).toEqual([{ table: '"data"."stock"', name: '"stock_goods_id_fkey"' }])
  await expect(workspace.run('rw', 'insert into data.stock values (1)')).rejects.toThrow(/old goods|stock/)
  await workspace.runAll('rw', ['insert into data."old goods" (id) values (1)', 'insert into data.stock values (1)'])
  expect((await workspace.run('ro', 'select id from data.all_goods')).rows).toEqual([['1']])
})

test('a key whose rows no longer fit comes back without being checked', async () => {
  await workspace.runAll('rw', [
    'create table data.parents (id int primary key)',
    'create table data.children (parent_id int references data.parents)',
  ])
  const { binKey } = await remove({ schema: 'data', table: 'parents' })
  await workspace.run('rw', 'insert into data.children values (5)')
  const { unchecked } = await restore(binKey)
  await expect(
    workspace.run('rw', `alter table ${unchecked[0]?.table} validate constraint ${unchecked[0]?.name}`),
  ).rejects.toMatchObject({ sqlState: '23503' })
  await expect(workspace.run('rw', 'insert into data.children values (6)')).rejects.toMatchObject({ sqlState: '23503' })
})

test('what can neither go along nor stay is named, and nothing is deleted', async () => {
  await workspace.runAll('rw', [
    'create table data.numbered (n serial)',
    "create table data.borrower (n int default nextval('data.numbered_n_seq'))",
    'create table data.days (at date) partition by range (at)',
    "create table data.days_2024 partition of data.days for values from ('2024-01-01') to ('2025-01-01')",
  ])
  await expect(remove({ schema: 'data', table: 'numbered' })).rejects.toThrow(
    /default value for column n of table data\.borrower/,
  )
  await expect(remove({ schema: 'data', table: 'days_2024' })).rejects.toThrow(
    /table data\.days, which it is a part of/,
  )
  expect((await workspace.run('ro', 'select count(*) from data.numbered')).rows).toEqual([['0']])
  const { deleted } = await remove({ schema: 'data', table: 'days' })
  expect(readKinds(deleted).relations).toEqual(['data.days', 'data.days_2024'])
})

test('nothing moves when what is found is not agreed to, or when a table is in use', async () => {
  await workspace.run('rw', 'create table data.busy (n int)')
  const refuse = () => {
    throw new Error('not this')
  }
  await expect(remove({ schema: 'data', table: 'busy' }, refuse)).rejects.toThrow()
  await cluster.withAdmin(workspace.database, async (other) => {
    await other.query('begin')
    await other.query('lock table data.busy in row exclusive mode')
    await expect(remove({ schema: 'data', table: 'busy' })).rejects.toMatchObject({ code: 'locked' })
    await other.query('rollback')
  })
  await workspace.run('rw', 'insert into data.busy values (1)')
})

test('deleted for good, nothing of it is left, and views deleted before it come first', async () => {
  await createSchema(cluster, { key: workspace.key, name: 'brief' })
  await workspace.runAll('rw', ['create table brief.t (n int)', 'create view brief.v as select n from brief.t'])
  const view = await remove({ schema: 'brief', table: 'v' })
  const table = await remove({ schema: 'brief', table: 't' })
  expect(readKinds(table.deleted).relations).toEqual(['brief.t'])
  const purge = (binKey: string) => purgeFromBin(cluster, { key: workspace.key, binKey })
  await expect(purge(table.binKey)).rejects.toThrow('v in the recycle bin reads it')
  await expect(restore(view.binKey)).rejects.toThrow('It reads t, which is in the recycle bin. Restore that first.')
  const schema = await remove({ schema: 'brief' })
  await expect(restore(table.binKey)).rejects.toThrow('The schema brief no longer exists.')
  expect([await purge(view.binKey), await purge(table.binKey), await purge(schema.binKey)]).toEqual([true, true, true])
  expect(await purge(schema.binKey)).toBe(false)
  const left = await cluster.withAdmin(workspace.database, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select nspname as name from pg_namespace where nspname like 'trellis_bin%'",
    )
    return rows.map(({ name }) => name)
  })
  expect(left.filter((name) => [view, table, schema].some(({ binKey }) => name.includes(binKey)))).toEqual([])
})

test('what somebody made outlives their profile in the bin, and goes to the owner of the schema then', async () => {
  const names = toWorkspaceNames(workspace.key)
  await createSchema(cluster, { key: workspace.key, name: 'made' })
  const tag = (await cluster.withAdmin(workspace.database, (client) => findSchema(client, names, 'made')))?.tag ?? ''
  const [stays, leaves] = [`${names.database}_p_00000001`, `${names.database}_p_00000002`]
  await cluster.withAdmin(workspace.database, async (client) => {
    for (const role of [stays, leaves]) {
      await client.query(`create role ${role}`)
      await client.query(`grant ${getSchemaRoles(names, tag).owner} to ${role}`)
      await client.query(`set role ${role}`)
      await client.query(`create table made.by_${role} (n int)`)
      await client.query(`grant select on made.by_${role} to ${names.reader}`)
      await client.query('reset role')
    }
  })
  const before = await describeCatalogue()
  const { binKey } = await remove({ schema: 'made' })
  await restore(binKey)
  expect(await describeCatalogue()).toEqual(before)
  const again = await remove({ schema: 'made' })
  await cluster.withAdmin(workspace.database, async (client) => {
    await client.query(`drop owned by ${leaves}`)
    await client.query(`drop role ${leaves}`)
  })
  await restore(again.binKey)
  const owners = await workspace.run(
    'ro',
    "select pg_get_userbyid(relowner) from pg_class where relnamespace = 'made'::regnamespace order by relname",
  )
  expect(owners.rows).toEqual([[stays], [getSchemaRoles(names, tag).owner]])
})

test('names that hold anything are taken as names', async () => {
  const names = ['"; drop schema data cascade; --', "o'clock", 'Größe 1', 'select', '👩‍🚀']
  for (const name of names) {
    const quoted = `"${name.replaceAll('"', '""')}"`
    await createSchema(cluster, { key: workspace.key, name })
    await workspace.runAll('rw', [
      `create table ${quoted}.${quoted} (${quoted} int primary key)`,
      `create table data."of ${name.replaceAll('"', '""')}" (n int references ${quoted}.${quoted})`,
      `create view ${quoted}.seen as select ${quoted} from ${quoted}.${quoted}`,
    ])
  }
  const before = await describeCatalogue()
  for (const name of names) {
    const table = await remove({ schema: name, table: name })
    const schema = await remove({ schema: name })
    for (const { binKey } of [schema, table]) {
      const { unchecked } = await restore(binKey)
      for (const key of unchecked) await workspace.run('rw', `alter table ${key.table} validate constraint ${key.name}`)
    }
  }
  expect(await describeCatalogue()).toEqual(before)
})

test('where writing is stopped for want of space, tables and schemas are deleted, brought back and deleted for good', async () => {
  const full = await testWorkspace(cluster)
  const at = { key: full.key }
  await createSchema(cluster, { ...at, name: 'old' })
  await full.runAll('rw', ['create table old.a as select 1 as n', 'create table data.b as select 2 as n'])
  await stopWrites(cluster.admin, full.database, 'disk')
  await expect(full.run('rw', 'insert into data.b values (3)')).rejects.toMatchObject({ code: 'resource_limit' })
  const [table, schema] = [newBinKey(), newBinKey()]
  await moveToBin(cluster, { ...at, binKey: table, schema: 'data', table: 'b', assertAgreed: yes })
  await moveToBin(cluster, { ...at, binKey: schema, schema: 'old', assertAgreed: yes })
  await restoreFromBin(cluster, { ...at, binKey: table, newName: undefined })
  expect((await full.run('ro', 'select n from data.b')).rows).toEqual([['2']])
  await moveToBin(cluster, { ...at, binKey: table, schema: 'data', table: 'b', assertAgreed: yes })
  expect(await purgeFromBin(cluster, { ...at, binKey: table })).toBe(true)
  expect(await purgeFromBin(cluster, { ...at, binKey: schema })).toBe(true)
  expect(await listWorkspaceBinKeys(cluster, at)).toEqual([])
  await allowWrites(cluster.admin, full.database)
  await full.run('rw', 'create table data.c (n int)')
})
