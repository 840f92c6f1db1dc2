import type { Batch, Field, Value } from '@trellis/connector-kit/batch'
import type { Strategy, WriteRequest } from '@trellis/connector-kit/connector'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MariadbServer, hasMariadb, startMariadb } from '../shared/testing/mariadb-server.ts'
import { mysql } from './connector.ts'

const FIELDS: Field[] = [
  { name: 'id', type: 'integer', isNullable: false },
  { name: 'name', type: 'text', isNullable: true },
  { name: 'at', type: 'timestamptz', isNullable: true },
]
const batch = (rows: Value[][]): Batch => ({ kind: 'rows', rows })
const rowsFrom = (first: number, count: number, name = 'name') =>
  Array.from({ length: count }, (_, at): Value[] => [
    first + at,
    `${name}'s ${first + at}\t\\"`,
    '2026-01-01T02:00:00.5+02:00',
  ])

describe.skipIf(!hasMariadb())('MariaDB as a destination', () => {
  let server: MariadbServer
  beforeAll(async () => {
    server = await startMariadb()
    await server.run('create database landing')
  })
  afterAll(async () => await server?.stop())

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
    const writer = await mysql.destination?.open(server.context(), writeRequest)
    for (const item of batches.slice(writer?.committedBatches)) await writer?.write(item)
    return await writer?.finish()
  }
  const readRows = (table: string) =>
    server.run(`select *, cast(at as char) as moment from landing.${table} order by id`)
  const leftovers = () =>
    server.run(
      `select table_name from information_schema.tables where table_name like 'trellis\\_load%' or table_name like 'trellis\\_old%'`,
    )

  describe.each(['Append', 'Replace', 'Upsert'] as const)('%s', (strategy) => {
    const nameIt = (what: string) => `${what}_${strategy}`.toLowerCase()

    test('makes the table, with every sign in place', async () => {
      const done = await write(request(nameIt('fresh'), strategy), [batch(rowsFrom(1, 3)), batch(rowsFrom(4, 2))])
      expect(done).toEqual({ rows: 5 })
      const rows = await readRows(nameIt('fresh'))
      expect(rows.map(({ id, name }) => [id, name])).toEqual(rowsFrom(1, 5).map(([id, name]) => [id, name]))
      expect(rows[0]?.['moment']).toBe('2026-01-01 00:00:00.500000')
      expect(await leftovers()).toEqual([])
    })

    test('nothing is there twice however often an attempt dies, at any point', async () => {
      const writeRequest = request(nameIt('again'), strategy)
      const batches = [batch(rowsFrom(1, 10)), batch(rowsFrom(11, 10)), batch(rowsFrom(21, 10))]
      for (let stop = 0; stop < batches.length; stop += 1) {
        const cancel = new AbortController()
        const writer = await mysql.destination?.open(server.context({ signal: cancel.signal }), writeRequest)
        expect(writer?.committedBatches).toBe(stop)
        await writer?.write(batches[stop] as Batch)
        cancel.abort(new Error('killed'))
        await expect(writer?.write(batches[stop] as Batch)).rejects.toThrow('killed')
      }
      expect(await write(writeRequest, batches)).toEqual({ rows: 30 })
      expect(await write(writeRequest, batches)).toEqual({ rows: 30 })
      expect(await readRows(nameIt('again'))).toHaveLength(30)
    })

    test('is not to be seen before it is finished, and not at all when abandoned', async () => {
      const table = nameIt('hidden')
      await write(request(table, strategy, { loadId: `before ${strategy}` }), [batch(rowsFrom(1, 2))])
      const writer = await mysql.destination?.open(server.context(), request(table, strategy))
      await writer?.write(batch(rowsFrom(1, 50, 'other')))
      expect(await readRows(table)).toHaveLength(2)
      await writer?.abandon()
      expect((await readRows(table)).map(({ id }) => id)).toEqual([1, 2])
      expect(await leftovers()).toEqual([])
    })

    test('a new column is added, one that is not sent stays', async () => {
      const table = nameIt('wider')
      await server.run(
        `create table landing.${table} (id bigint primary key, name varchar(50), own varchar(9) default 'kept')`,
      )
      await write(request(table, strategy), [batch(rowsFrom(1, 2))])
      expect((await readRows(table))[0]).toMatchObject({ id: 1, own: 'kept', moment: '2026-01-01 00:00:00.500000' })
    })
  })

  test('COPY text arrives as values', async () => {
    const bytes = Buffer.from('1\tone\\ttab\t\\N\n2\t\\N\t2026-01-01 00:00:00.25+00\n')
    await write(request('copied', 'Append'), [{ kind: 'copy', bytes, rowCount: 2 }])
    const rows = await readRows('copied')
    expect(rows.map(({ name, moment }) => [name, moment])).toEqual([
      ['one\ttab', null],
      [null, '2026-01-01 00:00:00.250000'],
    ])
  })

  test('upsert changes what is there, adds what is not, and takes the latest of several', async () => {
    await write(request('merged', 'Upsert', { loadId: 'first' }), [batch(rowsFrom(1, 2))])
    await server.run(`alter table landing.merged add own varchar(9)`, `update landing.merged set own = 'mine'`)
    await write(request('merged', 'Upsert'), [
      batch([
        [2, 'old', null],
        [9, 'new', null],
      ]),
      batch([[2, 'newest', null]]),
    ])
    const rows = await readRows('merged')
    expect(rows.map(({ id, name, own }) => [id, name, own])).toEqual([
      [1, `name's 1\t\\"`, 'mine'],
      [2, 'newest', 'mine'],
      [9, 'new', null],
    ])
  })

  test('a process that dies right behind the swap does not swap again', async () => {
    const writeRequest = request('swapped', 'Replace')
    await server.run(
      'create table landing.swapped (id bigint primary key, name text, at datetime(6))',
      `insert into landing.swapped values (99, 'gone', null)`,
    )
    const writer = await mysql.destination?.open(server.context(), writeRequest)
    await writer?.write(batch(rowsFrom(1, 2)))
    const [stage] = await leftovers()
    await server.run(
      `insert into landing.trellis_receipts (load_id, table_name, batch, row_count) values ('${writeRequest.loadId}', 'swapped', -1, 2)`,
      `rename table landing.swapped to landing.gone, landing.${String(stage?.['table_name'])} to landing.swapped`,
    )
    const again = await mysql.destination?.open(server.context(), writeRequest)
    expect(again?.committedBatches).toBe(1)
    expect(await again?.finish()).toEqual({ rows: 2 })
    expect((await readRows('swapped')).map(({ id }) => id)).toEqual([1, 2])
    expect(await leftovers()).toEqual([])
  })

  test('a table with a trigger is filled in its place', async () => {
    await server.run(
      'create table landing.triggered (id bigint primary key, name text, at datetime(6))',
      'create trigger landing.shout before insert on landing.triggered for each row set new.name = upper(new.name)',
    )
    await write(request('triggered', 'Replace'), [batch([[1, 'quiet', null]])])
    await write(request('triggered', 'Replace', { loadId: 'second' }), [batch([[2, 'quiet', null]])])
    expect((await readRows('triggered')).map(({ id, name }) => [id, name])).toEqual([[2, 'QUIET']])
  })

  test('a value that does not fit is told, not cut to size', async () => {
    await server.run('create table landing.strict_table (id bigint, name varchar(3), at datetime)')
    const writer = await mysql.destination?.open(server.context(), request('strict_table', 'Append'))
    await expect(writer?.write(batch([[1, 'too long', null]]))).rejects.toMatchObject({ kind: 'configuration' })
    await writer?.write(batch([[1, 'ok', null]]))
    expect(await writer?.finish()).toEqual({ rows: 1 })
  })
})
