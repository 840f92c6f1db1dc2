import type { Batch, Field, Value } from '@trellis/connector-kit/batch'
import type { Strategy, WriteRequest } from '@trellis/connector-kit/connector'
import { beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../shared/testing/postgres-database.ts'
import { postgresql } from './connector.ts'

const database = await createTestDatabase()
const { admin } = database

const FIELDS: Field[] = [
  { name: 'id', type: 'integer', isNullable: false },
  { name: 'name', type: 'text', isNullable: true },
  { name: 'at', type: 'timestamptz', isNullable: true },
]
const batch = (rows: Value[][]): Batch => ({ kind: 'rows', rows })
const rowsFrom = (first: number, count: number, name = 'name') =>
  Array.from({ length: count }, (_, at): Value[] => [first + at, `${name} ${first + at}\t\\`, '2026-01-01T00:00:00Z'])

let load = 0
beforeEach(() => {
  load += 1
})
const request = (table: string, strategy: Strategy, more: Partial<WriteRequest> = {}): WriteRequest => ({
  query: { target: { schema: { schema: 'landing' }, table } },
  fields: FIELDS,
  key: ['id'],
  strategy,
  loadId: `load ${load}`,
  ...more,
})
async function write(writeRequest: WriteRequest, batches: Batch[]) {
  const writer = await postgresql.destination?.open(database.context(), writeRequest)
  for (const item of batches.slice(writer?.committedBatches)) await writer?.write(item)
  return await writer?.finish()
}
const readRows = async (table: string) =>
  (await admin.query(`select * from landing.${table} order by id`)).rows as Record<string, unknown>[]
const leftovers = async () =>
  (await admin.query(`select relname from pg_class where relkind = 'r' and relname ~ '^trellis_(load|old)'`)).rows

describe.each(['Append', 'Replace', 'Upsert'] as const)('%s', (strategy) => {
  test('makes the schema and the table, with every sign in place', async () => {
    const done = await write(request(`fresh_${strategy}`.toLowerCase(), strategy), [
      batch(rowsFrom(1, 3)),
      batch(rowsFrom(4, 2)),
    ])
    expect(done).toEqual({ rows: 5 })
    const rows = await readRows(`fresh_${strategy}`.toLowerCase())
    expect(rows.map(({ id, name }) => [id, name])).toEqual(rowsFrom(1, 5).map(([id, name]) => [String(id), name]))
    expect(await leftovers()).toEqual([])
  })

  test('nothing is there twice however often an attempt dies, at any point', async () => {
    const table = `again_${strategy}`.toLowerCase()
    const writeRequest = request(table, strategy)
    const batches = [batch(rowsFrom(1, 10)), batch(rowsFrom(11, 10)), batch(rowsFrom(21, 10))]
    for (let stop = 0; stop < batches.length; stop += 1) {
      const cancel = new AbortController()
      const writer = await postgresql.destination?.open(database.context({ signal: cancel.signal }), writeRequest)
      expect(writer?.committedBatches).toBe(stop)
      await writer?.write(batches[stop] as Batch)
      cancel.abort(new Error('killed'))
      await expect(writer?.write(batches[stop] as Batch)).rejects.toThrow('killed')
    }
    expect(await write(writeRequest, batches)).toEqual({ rows: 30 })
    expect(await write(writeRequest, batches)).toEqual({ rows: 30 })
    expect(await readRows(table)).toHaveLength(30)
  })

  test('is not to be seen before it is finished, and not at all when abandoned', async () => {
    const table = `hidden_${strategy}`.toLowerCase()
    await write(request(table, strategy, { loadId: 'before' }), [batch(rowsFrom(1, 2))])
    const writer = await postgresql.destination?.open(database.context(), request(table, strategy))
    await writer?.write(batch(rowsFrom(1, 50, 'other')))
    expect(await readRows(table)).toHaveLength(2)
    await writer?.abandon()
    expect((await readRows(table)).map(({ name }) => name)).toEqual(['name 1\t\\', 'name 2\t\\'])
    expect(await leftovers()).toEqual([])
  })

  test('a new column is added, one that is not sent stays', async () => {
    const table = `wider_${strategy}`.toLowerCase()
    await admin.query(
      `create schema if not exists landing; create table landing.${table} (id bigint primary key, name varchar(50), own text default 'kept')`,
    )
    await write(request(table, strategy), [batch(rowsFrom(1, 2))])
    const [first] = await readRows(table)
    expect(first).toMatchObject({ id: '1', own: 'kept', at: new Date('2026-01-01T00:00:00Z') })
  })
})

test('COPY text goes through as it is', async () => {
  const bytes = Buffer.from('1\tone\t\\N\n2\t\\N\t2026-01-01 00:00:00+00\n')
  await write(request('copied', 'Append'), [{ kind: 'copy', bytes, rowCount: 2 }])
  expect((await readRows('copied')).map(({ name }) => name)).toEqual(['one', null])
})

test('upsert changes what is there, adds what is not, and takes the latest of several', async () => {
  await write(request('merged', 'Upsert', { loadId: 'first' }), [batch(rowsFrom(1, 4))])
  await admin.query(`alter table landing.merged add own text; update landing.merged set own = 'mine'`)
  await write(request('merged', 'Upsert'), [
    batch([
      [2, 'old', null],
      [9, 'new', null],
    ]),
    batch([[2, 'newest', null]]),
  ])
  const rows = await readRows('merged')
  expect(rows.map(({ id, name, own }) => [id, name, own])).toEqual([
    ['1', 'name 1\t\\', 'mine'],
    ['2', 'newest', 'mine'],
    ['3', 'name 3\t\\', 'mine'],
    ['4', 'name 4\t\\', 'mine'],
    ['9', 'new', null],
  ])
})

test('replace keeps rights, indexes and views', async () => {
  const role = `looker_${database.address.database}`
  await admin.query(`create role ${role}; create schema if not exists landing;
    create table landing.swapped (id bigint primary key, name text, at timestamptz); create index on landing.swapped (name);
    insert into landing.swapped values (99, 'gone'); grant select on landing.swapped to ${role};
    create table landing.viewed (id bigint primary key, name text, at timestamptz); create view landing.view_of as select * from landing.viewed`)
  await write(request('swapped', 'Replace'), [batch(rowsFrom(1, 2))])
  await write(request('viewed', 'Replace'), [batch(rowsFrom(1, 2))])
  expect((await readRows('swapped')).map(({ id }) => id)).toEqual(['1', '2'])
  expect(await readRows('view_of')).toHaveLength(2)
  const { rows } = await admin.query(
    `select has_table_privilege('${role}', 'landing.swapped', 'select') as can, (select count(*)::int from pg_indexes where tablename = 'swapped') as indexes`,
  )
  expect(rows).toEqual([{ can: true, indexes: 2 }])
  await admin.query(`drop owned by ${role}; drop role ${role}`)
})

test('a value that does not fit is told and leaves the table as it was', async () => {
  await admin.query(
    'create schema if not exists landing; create table landing.strict (id bigint, name text, at timestamptz)',
  )
  const writer = await postgresql.destination?.open(database.context(), request('strict', 'Append'))
  await expect(writer?.write(batch([['not a number', null, null]]))).rejects.toMatchObject({ kind: 'configuration' })
  await writer?.write(batch(rowsFrom(1, 1)))
  expect(await writer?.finish()).toEqual({ rows: 1 })
})

test('upsert without a key is refused', async () => {
  const opened = postgresql.destination?.open(database.context(), request('x', 'Upsert', { key: [] }))
  await expect(opened).rejects.toMatchObject({ kind: 'configuration', message: expect.stringContaining('told apart') })
})
