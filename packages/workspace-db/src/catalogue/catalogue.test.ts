import { beforeAll, describe, expect, test } from 'vitest'
import type { Cluster } from '../cluster.ts'
import type { Session } from '../session.ts'
import { type TestWorkspace, testCluster, testWorkspace } from '../testing.ts'
import { readStatistics } from './column-statistics.ts'
import { readDependents, toDependents } from './dependents.ts'
import { describeTable } from './describe.ts'
import { findSchema, findTable } from './find-table.ts'
import { listTables } from './list-tables.ts'
import { withCatalogueSession } from './plain-session.ts'
import { type NamesCache, createNamesCache, readNames } from './read-names.ts'
import { searchNames } from './search-names.ts'
import { readTableDetails } from './table-details.ts'

let cluster: Cluster
let workspace: TestWorkspace

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  await workspace.runAll('rw', [
    'create table data.customers (id int primary key, email text not null unique, joined date default current_date)',
    "comment on table data.customers is 'Who buys'",
    "comment on column data.customers.email is 'Where to write'",
    `create table data.orders (id int primary key, customer_id int references data.customers,
       total numeric(10,2) generated always as (1) stored, tags text[], state text)`,
    "insert into data.customers select n, n || '@example.com' from generate_series(1, 500) n",
    `insert into data.orders (id, customer_id, tags, state)
       select n, n, array['a','b'], case n % 2 when 0 then 'open' else repeat('x', 300) end from generate_series(1, 500) n`,
    'create view data.recent as select * from data.orders',
    'create view data.summary as select count(*) from data.recent',
    'create materialized view data.kept as select 1 as one from data.customers',
    'create function data.latest() returns setof data.orders language sql begin atomic select * from data.orders; end',
    'create table data.measures (at int) partition by range (at)',
    'create table data.measures_1 partition of data.measures for values from (0) to (10)',
    'analyze',
  ])
})

const inside = <T>(work: (session: Session) => Promise<T>, role: 'ro' | 'rw' = 'ro') =>
  withCatalogueSession(cluster, { ...workspace, role }, work)

async function getTable(session: Session, name: string) {
  const table = await findTable(session, { schema: 'data', name })
  if (!table) throw new Error(`no table ${name}`)
  return table
}

describe('names', () => {
  const read = (cache: NamesCache) => inside((session) => readNames(session, { database: workspace.database, cache }))
  const listNamesIn = async (cache: NamesCache) => (await read(cache)).tables.map((table) => table.name)

  test('hide what belongs to Postgres and the platform', async () => {
    const { schemas, tables } = await read(createNamesCache())
    expect(schemas.map((schema) => schema.name)).toEqual(['data'])
    expect(tables.every((table) => table.schema === 'data')).toBe(true)
    expect(tables.find((table) => table.name === 'kept')?.kind).toBe('materialized_view')
  })

  test('follow what is made, renamed and dropped, as if read anew', async () => {
    const cache = createNamesCache()
    await read(cache)
    const steps = [
      'create table data.first (id int)',
      'alter table data.first rename to second',
      'create view data.on_second as select * from data.second',
      'alter table data.second add column note text',
      'drop view data.on_second',
      'drop table data.second',
    ]
    for (const step of steps) {
      await workspace.run('rw', step)
      expect(await listNamesIn(cache)).toEqual(await listNamesIn(createNamesCache()))
    }
  })

  test('of a transaction that began before the last look and ends after it are not missed', async () => {
    const cache = createNamesCache()
    await withCatalogueSession(cluster, { ...workspace, role: 'rw' }, async (session) => {
      await session.query({ text: 'begin' })
      await session.query({ text: 'create table data.slow (id int)' })
      await workspace.run('rw', 'create table data.quick (id int)')
      expect(await listNamesIn(cache)).toContain('quick')
      await session.query({ text: 'commit' })
    })
    expect(await listNamesIn(cache)).toContain('slow')
    await workspace.runAll('rw', ['drop table data.slow', 'drop table data.quick'])
  })

  test('are listed in pages, searched, and found by column', async () => {
    const cache = createNamesCache()
    await inside(async (session) => {
      const names = await readNames(session, { database: workspace.database, cache })
      const first = await listTables(session, names, { schema: 'data', limit: 2 })
      expect(first.items.map((item) => item.name)).toEqual(['customers', 'kept'])
      expect(first.items[0]).toMatchObject({ rowsEstimate: 500, description: 'Who buys' })
      expect(first.items[0]?.sizeBytes).toBeGreaterThan(8192)
      const rest = await listTables(session, names, { schema: 'data', limit: 99, after: first.nextAfter ?? '' })
      expect(rest.nextAfter).toBeNull()
      expect(rest.items[0]?.name).toBe('measures')
      const table = await listTables(session, names, { schema: 'data', limit: 9, search: 'MEAS' })
      expect(table.items.map((item) => item.name)).toEqual(['measures', 'measures_1'])
      const hits = await searchNames(session, names, { search: 'custom', limit: 10 })
      expect(hits[0]).toEqual({ schema: 'data', table: 'customers', kind: 'table', column: null })
      expect(hits).toContainEqual({ schema: 'data', table: 'orders', kind: 'table', column: 'customer_id' })
    })
  })
})

describe('a table', () => {
  test('is found by its exact name only', async () => {
    await inside(async (session) => {
      expect(await findTable(session, { schema: 'data', name: 'customers' })).toMatchObject({
        quoted: 'data.customers',
      })
      for (const name of ['Customers', 'customers ', 'data.customers', '"customers"', 'customers\0', '%', '']) {
        expect(await findTable(session, { schema: 'data', name })).toBeUndefined()
      }
      for (const schema of ['pg_catalog', 'information_schema', 'trellis', 'trellis_loads', 'public', 'nope']) {
        expect(await findTable(session, { schema, name: 'receipts' })).toBeUndefined()
        expect(await findSchema(session, schema)).toBeUndefined()
      }
    })
  })

  test('with a name of 63 bytes is not found by a longer one', async () => {
    const long = 'n'.repeat(63)
    await workspace.run('rw', `create table data.${long} (id int)`)
    await inside(async (session) => {
      expect(await findTable(session, { schema: 'data', name: long })).toBeDefined()
      expect(await findTable(session, { schema: 'data', name: `${long}n` })).toBeUndefined()
    })
    await workspace.run('rw', `drop table data.${long}`)
  })

  test('tells its parts', async () => {
    await inside(async (session) => {
      const orders = await readTableDetails(session, await getTable(session, 'orders'))
      expect(orders.columns.map((column) => column.name)).toEqual(['id', 'customer_id', 'total', 'tags', 'state'])
      expect(orders.columns[2]).toMatchObject({ type: 'numeric(10,2)', isGenerated: true, isNullable: true })
      expect(orders.references).toEqual([
        expect.objectContaining({ columns: ['customer_id'], table: 'customers', otherColumns: ['id'] }),
      ])
      expect(orders.analyzedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
      const customers = await readTableDetails(session, await getTable(session, 'customers'))
      expect(customers.indexes.map((index) => [index.name, index.isUnique])).toEqual([
        ['customers_pkey', true],
        ['customers_email_key', true],
      ])
      expect(customers.referencedBy).toEqual([
        expect.objectContaining({ columns: ['id'], table: 'orders', otherColumns: ['customer_id'] }),
      ])
      const view = await readTableDetails(session, await getTable(session, 'recent'))
      expect(view.viewDefinition).toContain('FROM data.orders')
    })
  })

  test('tells what the planner knows of its columns, cut', async () => {
    const statistics = await inside(async (session) => readStatistics(session, await getTable(session, 'orders')))
    const of = (name: string) => statistics.find((statistic) => statistic.column === name)
    expect(
      of('state')
        ?.common.map((item) => item.value)
        .toSorted(),
    ).toEqual(['open', 'x'.repeat(100)])
    expect(of('id')).toMatchObject({ nullFraction: 0, distinct: -1, lowest: '1', highest: '500' })
    expect(of('tags')).toBeDefined()
  })

  test('is described by comments, whatever is in them', async () => {
    const nasty = "it's \\ $$ '; drop table data.orders; --\r\nsecond line 😀"
    await inside(async (session) => {
      const table = await getTable(session, 'orders')
      await describeTable(session, table, { table: nasty, columns: [{ name: 'state', description: nasty }] })
      const details = await readTableDetails(session, table)
      expect(details.description).toBe(nasty.replace('\r\n', '\n'))
      expect(details.columns.at(-1)?.description).toBe(nasty.replace('\r\n', '\n'))
      await describeTable(session, table, { table: '' })
      expect((await readTableDetails(session, table)).description).toBeNull()
    }, 'rw')
  })
})

describe('dependents', () => {
  test('of a table are views on views, foreign keys and functions', async () => {
    const found = await inside(async (session) => ({
      orders: toDependents(
        await readDependents(session, { kind: 'table', oid: (await getTable(session, 'orders')).oid }),
      ),
      customers: toDependents(
        await readDependents(session, { kind: 'table', oid: (await getTable(session, 'customers')).oid }),
      ),
      measures: toDependents(
        await readDependents(session, { kind: 'table', oid: (await getTable(session, 'measures')).oid }),
      ),
    }))
    expect(found.orders.map((order) => `${order.kind} ${order.name}`)).toEqual([
      'function latest',
      'view recent',
      'view summary',
    ])
    expect(found.customers.map((customer) => `${customer.kind} ${customer.name}`)).toEqual([
      'foreign_key orders_customer_id_fkey',
      'materialized_view kept',
    ])
    expect(found.measures).toEqual([
      { kind: 'table', schema: 'data', name: 'measures_1', detail: 'Is a partition of it' },
    ])
  })

  test('of a schema are what lies outside of it', async () => {
    const dependents = await inside(async (session) =>
      toDependents(
        await readDependents(session, { kind: 'schema', oid: (await findSchema(session, 'data'))?.oid ?? 0 }),
      ),
    )
    expect(dependents).toEqual([])
  })
})
