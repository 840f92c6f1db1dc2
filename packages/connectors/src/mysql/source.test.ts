import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SourceChanged } from '@trellis/connector-kit/source-changed'
import { testConformance } from '@trellis/connector-kit/testing/conformance'
import { readAll } from '@trellis/connector-kit/testing/read-all'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import type { FormaValues } from '@trellis/contract/formas/forma'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MariadbServer, hasMariadb, startMariadb } from '../shared/testing/mariadb-server.ts'
import { plainConnect } from '../shared/testing/plain-connect.ts'
import { mysql } from './connector.ts'

const table = (name: string, more: Record<string, unknown> = {}): FormaValues => ({
  query: { kind: 'table', table: { schema: 'shop', table: name }, ...more },
})
const sql = (text: string, more: Record<string, unknown> = {}): FormaValues => ({
  query: { kind: 'sql', sql: text, ...more },
})

describe.skipIf(!hasMariadb())('MariaDB as a source', () => {
  let server: MariadbServer
  beforeAll(async () => {
    server = await startMariadb()
    await server.run(
      `create table keyed (id bigint primary key, name varchar(100), amount decimal(12,2), updated_at timestamp(3) not null default '2026-01-01', note text)`,
      `insert into keyed select seq, if(seq % 7 = 0, null, concat('tab\\t and ''quote'' \\\\ ', seq)), seq * 1.25,
         '2026-01-01' + interval seq minute, repeat(md5(seq), 40) from seq_1_to_2400`,
      'create table twofold (region varchar(10), number int, note text, primary key (region, number))',
      `insert into twofold select concat('r', seq % 3), seq, repeat(md5(seq), 60) from seq_1_to_1500`,
      'create table hashed (id binary(16) primary key, note text)',
      `insert into hashed select unhex(md5(seq)), repeat(md5(seq), 60) from seq_1_to_1500`,
      'create table keyless (note text)',
      `insert into keyless select repeat(md5(seq), 60) from seq_1_to_1500`,
    )
  })
  afterAll(async () => await server?.stop())
  const read = (query: FormaValues, more: { state?: Record<string, unknown>; limit?: number } = {}) =>
    readAll(mysql, server.context(), { query, ...more })

  const breakOff = async (query: FormaValues) => {
    const reading = await mysql.source?.read(server.context(), { query })
    for await (const { state } of reading?.batches ?? []) if (state) return state as Record<string, unknown>
    throw new Error('no checkpoint')
  }
  const countRest = async (query: FormaValues, state: Record<string, unknown>) =>
    (await read(query, { state })).rows.length
  const getCursor = (state: Record<string, unknown>) => Number(state['cursor'])
  const shared = {
    values: {},
    context: ({ values: _, ...options }: Parameters<typeof createTestContext>[0] & object) => server.context(options),
  }
  testConformance(mysql, [
    { name: 'a table by its key', ...shared, query: table('keyed'), minBatches: 3 },
    { name: 'a key of two columns', ...shared, query: table('twofold', { columns: 'note' }), minBatches: 3 },
    { name: 'a key of bytes', ...shared, query: table('hashed'), minBatches: 3 },
    {
      name: 'a cursor',
      ...shared,
      query: table('keyed', { cursor: 'updated_at', filter: 'amount > 5' }),
      minBatches: 3,
    },
    {
      name: 'a number as cursor',
      ...shared,
      query: table('keyed', { cursor: 'id', start: '300' }),
      getCursor,
      minBatches: 2,
    },
    { name: 'a table without a key', ...shared, query: table('keyless'), hasNoKey: true, minBatches: 3 },
    { name: 'a query', ...shared, query: sql('select id, name from keyed where id < 400 order by id'), hasNoKey: true },
  ])

  test('every type arrives as what it is', async () => {
    await server.run(
      `create table kinds (small smallint not null, big bigint, huge bigint unsigned, price decimal(10,2), real_number double, yes boolean,
        day date, at datetime(3), zoned timestamp null, clock time, doc json, bytes varbinary(10), mood enum('good','bad'), bits bit(4), year_of year, id uuid, spot point)`,
      `insert into kinds values (1, 9007199254740993, 18446744073709551615, 1.10, 0.1, true, '2026-02-03', '2026-02-03 04:05:06.789', '2026-02-03 04:05:06',
        '07:08', '{"a": [1]}', x'00ff', 'good', b'101', 2026, '00000000-0000-0000-0000-00000000000a', point(1, 2))`,
      `set session sql_mode = ''`,
      `insert into kinds (small, day, at) values (2, '0000-00-00', '0000-00-00 00:00:00')`,
    )
    const { fields, rows } = await read(table('kinds'))
    expect(Object.fromEntries(fields.map(({ name, type }, at) => [name, [type, rows[0]?.[at]]]))).toEqual({
      small: ['integer', 1],
      big: ['integer', '9007199254740993'],
      huge: ['decimal', '18446744073709551615'],
      price: ['decimal', '1.10'],
      real_number: ['float', 0.1],
      yes: ['integer', 1],
      day: ['date', '2026-02-03'],
      at: ['timestamp', '2026-02-03T04:05:06.789'],
      zoned: ['timestamptz', '2026-02-03T04:05:06Z'],
      clock: ['text', '07:08:00'],
      doc: ['json', '{"a": [1]}'],
      bytes: ['text', String.raw`\x00ff`],
      mood: ['text', 'good'],
      bits: ['decimal', '5'],
      year_of: ['integer', 2026],
      id: ['uuid', '00000000-0000-0000-0000-00000000000a'],
      spot: ['text', 'POINT(1 2)'],
    })
    expect(rows[1]?.slice(6, 8)).toEqual([null, null])
  })

  test('dates that no calendar has are empty, counted by column, and said with an example', async () => {
    await server.run(
      'create table odd_dates (id int primary key, flag tinyint(1), day date, at datetime)',
      `set session sql_mode = 'ALLOW_INVALID_DATES'`,
      `insert into odd_dates values (1, 7, '0000-00-00', '2026-02-31 10:00:00'), (2, 1, '2026-04-31', '2024-02-29 10:00:00'),
        (3, 0, '2023-02-29', null)`,
    )
    const context = server.context()
    const { rows, fields } = await readAll(mysql, context, { query: table('odd_dates') })
    expect(rows).toEqual([
      [1, 7, null, null],
      [2, 1, null, '2024-02-29T10:00:00'],
      [3, 0, null, null],
    ])
    expect(fields[1]?.type).toBe('integer')
    expect(context.logs.filter((line) => line.startsWith('WARNING'))).toEqual([
      'WARNING day: 3 values are no real dates, such as 0000-00-00, and became empty.',
      'WARNING at: 1 value is no real date, such as 2026-02-31 10:00:00, and became empty.',
    ])
  })

  test('all of it comes although rows are added between two parts of the read', async () => {
    await server.run(
      'create table growing (id int primary key, note text)',
      `insert into growing select seq * 2, repeat(md5(seq), 60) from seq_1_to_2000`,
    )
    const seen = new Set<unknown>()
    let state: Record<string, unknown> | undefined
    for (let part = 0; part < 100; part += 1) {
      const reading = await mysql.source?.read(server.context(), { query: table('growing'), ...(state && { state }) })
      const batches = reading?.batches[Symbol.asyncIterator]()
      const { value: batch } = (await batches?.next()) ?? {}
      await batches?.return?.()
      if (batch?.kind !== 'rows') throw new Error('rows were expected')
      for (const [id] of batch.rows) {
        expect(seen.has(id)).toBe(false)
        seen.add(id)
      }
      state = batch.state as Record<string, unknown> | undefined
      if (!state?.['pending']) break
      await server.run(`insert into growing values (${part * 2 + 1}, 'new'), (${100_000 + part}, 'new')`)
    }
    for (let id = 2; id <= 4000; id += 2) expect(seen.has(id)).toBe(true)
  })

  test.each(['id', 'at'])('the cursor %s never passes a transaction that is still open', async (cursor) => {
    await server.run(
      `create table events_${cursor} (id bigint auto_increment primary key, at timestamp(6) default now(6), who varchar(9))`,
    )
    const slow = await server.session()
    await slow.query('start transaction')
    await slow.query(`insert into events_${cursor} (who) values ('slow')`)
    await server.run(`insert into events_${cursor} (who) values ('quick')`)
    const query = table(`events_${cursor}`, { cursor })
    const first = await read(query)
    expect(first.rows.map((row) => row[2])).toEqual(['quick'])
    await slow.query('commit')
    const second = await read(query, { state: first.finalState as Record<string, unknown> })
    expect(second.rows.map((row) => row[2])).toContain('slow')
    const third = await read(query, { state: second.finalState as Record<string, unknown> })
    expect(third.rows).toHaveLength(1)
  })

  test('who may not see transactions reads the last hour again', async () => {
    await server.run(
      `create table dim (id int primary key, at datetime)`,
      `insert into dim values (1, '2026-01-01 10:00:00'), (2, '2026-01-01 12:00:00')`,
      `create user 'dim'@'%' identified by 'secret word'`,
      `grant select on shop.dim to 'dim'@'%'`,
    )
    const context = server.context({ values: server.values({ user: 'dim', password: 'secret word' }) })
    const { finalState } = await readAll(mysql, context, { query: table('dim', { cursor: 'at' }) })
    expect(finalState?.['cursor']).toBe('2026-01-01T11:00:00')
    expect(context.logs.join()).toContain('PROCESS')
  })

  describe('a table whose key was changed while it was read', () => {
    const ROWS = 2400
    beforeEach(async () => {
      await server.run(
        'drop table if exists rekeyed',
        `create table rekeyed (id int, place int not null, code varchar(20) character set utf8mb4 collate utf8mb4_bin not null,
           note text, primary key (id, place), unique (code))`,
        `insert into rekeyed select seq, ${ROWS} - seq, concat(if(seq % 2, 'a', 'B'), seq), repeat(md5(seq), 60) from seq_1_to_${ROWS}`,
      )
    })

    test.each([
      ['another column', 'drop primary key, add primary key (place)'],
      ['fewer columns', 'drop primary key, add primary key (id)'],
      ['another order', 'drop primary key, add primary key (place, id)'],
      ['another type', 'modify id varchar(20) not null'],
      ['no key any more', 'drop primary key, drop index code'],
    ])('%s: it is not read on', async (_, change) => {
      const state = await breakOff(table('rekeyed'))
      expect(state).toHaveProperty('pending')
      await server.run(`alter table rekeyed ${change}`)
      await expect(countRest(table('rekeyed'), state)).rejects.toThrow(SourceChanged)
    })

    test('another collation: it is not read on', async () => {
      await server.run('alter table rekeyed drop primary key')
      const state = await breakOff(table('rekeyed'))
      expect(state).toHaveProperty('pending')
      await server.run('alter table rekeyed modify code varchar(20) collate utf8mb4_general_ci not null')
      await expect(countRest(table('rekeyed'), state)).rejects.toThrow(SourceChanged)
    })

    test('with a cursor: it is not read on', async () => {
      const query = table('rekeyed', { cursor: 'id' })
      const state = await breakOff(query)
      await server.run('alter table rekeyed drop primary key, add primary key (place)')
      await expect(countRest(query, state)).rejects.toThrow(SourceChanged)
    })

    test('the same key beside another index: it is read on', async () => {
      const { pending } = (await breakOff(table('rekeyed'))) as { pending: { after: string[] } }
      await server.run('alter table rekeyed add unique (place)')
      // Earlier versions did not store the key.
      for (const stored of [pending, { ...pending, key: undefined }]) {
        const { rows } = await read(table('rekeyed'), { state: { pending: stored } })
        expect(rows).toHaveLength(ROWS - Number(pending.after[0]))
      }
    })
  })

  test('a key whose values do not order its rows gives no checkpoint, and one of an earlier version is refused', async () => {
    await server.run(
      `create table moods (mood enum('z', 'm', 'a'), id int, note text, primary key (mood, id))`,
      `insert into moods select elt(1 + seq % 3, 'z', 'm', 'a'), seq, repeat(md5(seq), 60) from seq_1_to_1200`,
    )
    const { rows, batches, key } = await read(table('moods'))
    expect(key).toEqual(['mood', 'id'])
    expect(rows).toHaveLength(1200)
    expect(batches.slice(0, -1).flatMap(({ state }) => state ?? [])).toEqual([])
    const pending = { to: null, next: { cursor: null, reached: null, open: [] }, after: ['z', '300'] }
    await expect(countRest(table('moods'), { pending })).rejects.toThrow(SourceChanged)
  })

  test.each([
    ['a second statement', sql('select 1; delete from keyed')],
    ['a change', sql('delete from keyed')],
    ['a condition with a mistake', table('keyed', { filter: 'no_such_column = 1' })],
    ['a condition that leaves its place', table('keyed', { filter: `1 = 1) into outfile '/tmp/trellis-never' -- ` })],
    ['a column twice', sql('select id, id from keyed')],
    ['a column that is not there', table('keyed', { columns: 'id, nome' })],
    ['a cursor without order', table('hashed', { cursor: 'id' })],
    ['a start that is no value', table('keyed', { cursor: 'id', start: 'soon' })],
    ['a start that is no day', table('keyed', { cursor: 'updated_at', start: 'soon' })],
    ['a table that is not there', table('nowhere')],
  ])('%s is refused as something to mend, and changes nothing', async (_, query) => {
    await expect(read(query)).rejects.toMatchObject({ name: 'ConnectorError', kind: 'configuration' })
    expect(await server.run('select count(*) as count from keyed')).toEqual([{ count: 2400 }])
  })

  test('a query that takes too long is ended by its limit', async () => {
    const query = sql('select sleep(60) as nothing', { timeout_minutes: 0.001 })
    await expect(read(query)).rejects.toMatchObject({
      kind: 'configuration',
      message: expect.stringContaining('longer'),
    })
  })

  test('cancelling ends the statement at the server', async () => {
    const cancel = new AbortController()
    const reading = await mysql.source?.read(server.context({ signal: cancel.signal }), {
      query: sql('select sleep(600) as cancelled'),
    })
    const ended = reading?.batches[Symbol.asyncIterator]().next()
    const count = async () =>
      (
        await server.run(
          `select 1 from information_schema.processlist where info like '%cancelled%' and user = 'trellis'`,
        )
      ).length
    await expect.poll(count, { timeout: 30_000 }).toBe(1)
    cancel.abort(new Error('enough'))
    await expect(ended).rejects.toThrow('enough')
    await expect.poll(count, { timeout: 30_000 }).toBe(0)
  })

  test('a read that is ended early ends its statement at the server, which frees the table', async () => {
    // More than the sockets hold, so that the server has to wait for its reader.
    await server.run(
      'create table wide (id int primary key, note longtext)',
      'insert into wide select seq, repeat(md5(seq), 1000) from seq_1_to_1000',
    )
    expect(await breakOff(table('wide'))).toHaveProperty('pending')
    const count = async () =>
      (await server.run(`select 1 from information_schema.processlist where user = 'trellis' and info is not null`))
        .length
    await expect.poll(count, { timeout: 30_000 }).toBe(0)
  })

  test('a connection that is killed is a passing problem, and the read goes on behind the last batch', async () => {
    const whole = (await read(table('keyed'))).rows.map(([id]) => id)
    const reading = await mysql.source?.read(server.context(), { query: table('keyed') })
    const ids: unknown[] = []
    let state: unknown
    const work = async () => {
      for await (const batch of reading?.batches ?? []) {
        if (batch.kind === 'rows') ids.push(...batch.rows.map(([id]) => id))
        ;({ state } = batch)
        // By user, as a connection id may have ended meanwhile.
        await server.run('kill connection user trellis')
      }
    }
    await expect(work()).rejects.toMatchObject({ kind: 'transient' })
    const rest = await read(table('keyed'), { state: state as Record<string, unknown> })
    expect([...ids, ...rest.rows.map(([id]) => id)]).toEqual(whole)
  })

  test('a statement that an administrator ends is a passing problem', async () => {
    const ended = read(sql(`select benchmark(1000000000000, md5('x')) as interrupted`))
    const interrupt = async () => {
      await server.run('kill query user trellis')
      return await Promise.race([
        ended.then(
          () => 'read',
          () => 'ended',
        ),
        sleep(100, 'running'),
      ])
    }
    await expect.poll(interrupt, { timeout: 30_000 }).toBe('ended')
    await expect(ended).rejects.toMatchObject({ kind: 'transient' })
  })

  describe('checking a connection', () => {
    const check = (changes: Record<string, unknown> = {}) =>
      mysql.check(createTestContext({ values: server.values(changes), connect: plainConnect }))

    test('says version, database and how many tables can be read', async () => {
      const found = Object.fromEntries((await check()).map(({ label, value }) => [label, value]))
      expect(found['Version']).toMatch(/^MariaDB \d+/)
      expect(found['Database']).toBe('shop')
      expect((await mysql.tables?.(server.context()))?.schemas.map(({ name }) => name)).toContain('shop')
    })

    test('each mistake has its own sentence', async () => {
      const closed = await new Promise<number>((resolve) => {
        const probe = createServer().listen(0, '127.0.0.1', () => {
          const { port } = probe.address() as { port: number }
          probe.close(() => resolve(port))
        })
      })
      await server.run(`create user 'guest'@'%' identified by 'secret word'`)
      const guest = { user: 'guest', password: 'secret word' }
      const cases: [Record<string, unknown>, string, RegExp][] = [
        [{ password: 'wrong' }, 'connection.password', /password for the user trellis is wrong/],
        [{ database: 'nowhere' }, 'connection.database', /no database called nowhere/],
        [{ host: 'nowhere.invalid' }, 'connection.host', /no host called/],
        [{ port: closed }, 'connection.port', /refuses connections/],
        [{ tls: 'require' }, 'connection.tls', /does not offer encrypted/],
        [guest, 'connection.user', /no right to use the database shop/],
      ]
      for (const [changes, field, message] of cases) {
        await expect(check(changes)).rejects.toMatchObject({
          kind: 'configuration',
          field,
          message: expect.stringMatching(message),
        })
      }
      await server.run(`grant select on shop.keyed to 'guest'@'%'`)
      expect((await check(guest)).at(-1)?.value).toBe('1')
    })
  })
})
