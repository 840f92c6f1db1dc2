import { SourceChanged } from '@trellis/connector-kit/source-changed'
import { testConformance } from '@trellis/connector-kit/testing/conformance'
import { readAll } from '@trellis/connector-kit/testing/read-all'
import type { FormaValues } from '@trellis/contract/formas/forma'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../shared/testing/postgres-database.ts'
import { postgresql } from './connector.ts'

const database = await createTestDatabase()
const { admin } = database

const ROWS = 2400
beforeAll(async () => {
  await admin.query(`
    create table keyed (id bigint primary key, name text, amount numeric(12, 2), updated_at timestamptz not null, note text);
    insert into keyed select i, case when i % 7 = 0 then null else E'tab\\tand\\nline \\\\ ' || i end, i * 1.25,
      timestamptz '2026-01-01' + i * interval '1 minute', repeat(md5(i::text), 40) from generate_series(1, ${ROWS}) i;
    create table twofold (region text, number integer, note text, primary key (region, number));
    insert into twofold select 'r' || i % 3, i, repeat(md5(i::text), 50) from generate_series(1, 1400) i;
    create table keyless (at timestamptz, note text);
    insert into keyless select timestamptz '2026-01-01' + i * interval '1 s', repeat(md5(i::text), 50) from generate_series(1, 6000) i;
    create view seen as select id, name, updated_at from keyed where id <= 500;
    analyze`)
})

const table = (name: string, more: Record<string, unknown> = {}): FormaValues => ({
  query: { kind: 'table', table: { schema: 'public', table: name }, ...more },
})
const sql = (text: string, more: Record<string, unknown> = {}): FormaValues => ({
  query: { kind: 'sql', sql: text, ...more },
})
const read = (query: FormaValues, more: { state?: Record<string, unknown>; limit?: number } = {}) =>
  readAll(postgresql, database.context(), { query, ...more })

const getCursor = (state: Record<string, unknown>) => Number(state['cursor'])
const shared = { values: database.values(), context: database.context }
testConformance(postgresql, [
  { name: 'a table by its key', ...shared, query: table('keyed'), minBatches: 5 },
  { name: 'a key of two columns', ...shared, query: table('twofold', { columns: 'note' }), minBatches: 4 },
  {
    name: 'a cursor',
    ...shared,
    query: table('keyed', { cursor: 'updated_at', filter: 'amount > 5' }),
    minBatches: 4,
  },
  {
    name: 'a number as cursor',
    ...shared,
    query: table('keyed', { cursor: 'id', start: '1000' }),
    getCursor,
    minBatches: 3,
  },
  { name: 'a table without a key', ...shared, query: table('keyless'), hasNoKey: true, minBatches: 10 },
  { name: 'a view', ...shared, query: table('seen'), hasNoKey: true },
  { name: 'a query', ...shared, query: sql('select id, name from keyed where id < 400 order by id'), hasNoKey: true },
])

describe('what comes', () => {
  test('every type arrives as what it is', async () => {
    await admin.query(`
      create type mood as enum ('good', 'bad');
      create domain positive as int check (value > 0);
      create table kinds (small smallint not null, big bigint, price numeric, real float8, yes boolean, day date, at timestamp,
        zoned timestamptz, clock time, id uuid, doc jsonb, list int[], bytes bytea, cash money, mood mood, dom positive, span interval);
      insert into kinds values (1, 9007199254740993, 1.10, 0.1, true, '2026-02-03', '2026-02-03 04:05:06.789', '2026-02-03 04:05:06+02',
        '07:08', '00000000-0000-0000-0000-00000000000a', '{"a":[1]}', '{1,2}', '\\x00ff', 12.5, 'good', 3, '1 day 2 hours')`)
    const { fields, rows } = await read(table('kinds'))
    expect(Object.fromEntries(fields.map(({ name, type }, at) => [name, [type, rows[0]?.[at]]]))).toEqual({
      small: ['integer', '1'],
      big: ['integer', '9007199254740993'],
      price: ['decimal', '1.10'],
      real: ['float', '0.1'],
      yes: ['boolean', 't'],
      day: ['date', '2026-02-03'],
      at: ['timestamp', '2026-02-03 04:05:06.789'],
      zoned: ['timestamptz', '2026-02-03 02:05:06+00'],
      clock: ['time', '07:08:00'],
      id: ['uuid', '00000000-0000-0000-0000-00000000000a'],
      doc: ['json', '{"a": [1]}'],
      list: ['json', '[1,2]'],
      bytes: ['text', String.raw`\x00ff`],
      cash: ['decimal', '12.50'],
      mood: ['text', 'good'],
      dom: ['integer', '3'],
      span: ['text', 'P1DT2H'],
    })
    expect(fields.filter(({ isNullable }) => !isNullable).map(({ name }) => name)).toEqual(['small'])
  })

  test('all of it comes although rows are added and changed between two parts of the read', async () => {
    await admin.query(`create table growing (id int primary key, note text);
      insert into growing select i * 2, repeat(md5(i::text), 40) from generate_series(1, 2500) i`)
    const seen = new Map<unknown, unknown>()
    let state: Record<string, unknown> | undefined
    for (let part = 0; part < 100; part += 1) {
      const reading = await postgresql.source?.read(database.context(), {
        query: table('growing'),
        ...(state && { state }),
      })
      const batches = reading?.batches[Symbol.asyncIterator]()
      const { value: batch } = (await batches?.next()) ?? {}
      await batches?.return?.()
      if (batch?.kind !== 'copy') throw new Error('COPY text was expected')
      for (const line of Buffer.from(batch.bytes).toString().split('\n').slice(0, -1)) {
        const [id] = line.split('\t')
        expect(seen.has(id)).toBe(false)
        seen.set(id, line)
      }
      state = batch.state as Record<string, unknown> | undefined
      if (!state?.['pending']) break
      await admin.query(`insert into growing values ($1, 'new'), ($2, 'new')`, [part * 2 + 1, 100_000 + part])
      await admin.query(`update growing set note = note || '!' where id % 100 = 0`)
    }
    for (let id = 2; id <= 5000; id += 2) expect(seen.has(String(id))).toBe(true)
  })

  test('without a key, rows that moved to where the read has been come again instead of being missed', async () => {
    await admin.query(`create table moving (id int, note text);
      insert into moving select i, repeat(md5(i::text), 50) from generate_series(1, 7000) i`)
    const reading = await postgresql.source?.read(database.context(), { query: table('moving') })
    const seen = new Set<string>()
    let state: unknown
    for await (const batch of reading?.batches ?? []) {
      if (batch.kind === 'copy') for (const id of listIds(batch.bytes)) seen.add(id)
      state = batch.state
      if (state) break
    }
    const { rows } = await admin.query<{ id: number }>('select id from moving order by ctid limit 1000')
    await admin.query('delete from moving where id = any ($1)', [rows.map(({ id }) => id)])
    await admin.query('vacuum moving')
    await admin.query(`update moving set note = note where id between 6500 and 6900`)
    const rest = await read(table('moving'), { state: state as Record<string, unknown> })
    for (const [id] of rest.rows) seen.add(String(id))
    for (let id = 1; id <= 7000; id += 1) expect(seen.has(String(id))).toBe(true)
  })

  test('without a key, a read that is broken off again and again gives rows that came in between once', async () => {
    await admin.query(`create table coming (id int, note text);
      insert into coming select i, repeat(md5(i::text), 50) from generate_series(1, 16000) i`)
    const seen: string[] = []
    let state: Record<string, unknown> | undefined
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const reading = await postgresql.source?.read(database.context(), {
        query: table('coming'),
        ...(state && { state }),
      })
      const ids: string[] = []
      for await (const batch of reading?.batches ?? []) {
        if (batch.kind === 'copy') ids.push(...listIds(batch.bytes))
        if (!batch.state) continue
        seen.push(...ids.splice(0))
        state = batch.state
        // Every attempt but the last stops at its first checkpoint.
        if (attempt < 5) break
      }
      if (!state?.['pending']) break
      await admin.query(`insert into coming values (20000 + ${attempt}, 'new')`)
    }
    expect(state?.['pending']).toBeUndefined()
    expect(new Set(seen).size).toBe(seen.length)
    const old = seen.filter((id) => Number(id) <= 16_000)
    expect(old).toHaveLength(16_000)
    expect(seen.length - old.length).toBeGreaterThan(1)
  })

  test.each([
    ['was rewritten', 'vacuum full'],
    ['has a key by now', 'alter table'],
  ])('without a key, a table that %s can not be read on', async (_, change) => {
    await admin.query(`drop table if exists rewritten; create table rewritten (id int, note text);
      insert into rewritten select i, repeat(md5(i::text), 50) from generate_series(1, 7000) i`)
    const reading = await postgresql.source?.read(database.context(), { query: table('rewritten') })
    let state: Record<string, unknown> | undefined
    for await (const batch of reading?.batches ?? []) if ((state = batch.state)) break
    expect(state).toHaveProperty('pending')
    await admin.query(change === 'vacuum full' ? 'vacuum full rewritten' : 'alter table rewritten add primary key (id)')
    await expect(read(table('rewritten'), state && { state })).rejects.toThrow(SourceChanged)
  })

  describe('a table whose key was changed while it was read', () => {
    const ROWS = 7000
    beforeEach(async () => {
      await admin.query(`drop table if exists rekeyed;
        create table rekeyed (id int, place int not null, code text collate "C" not null unique, note text, primary key (id, place));
        insert into rekeyed select i, ${ROWS} - i, case when i % 2 = 0 then 'a' else 'B' end || i, repeat(md5(i::text), 50)
          from generate_series(1, ${ROWS}) i`)
    })
    const breakOff = async (query: FormaValues) => {
      const reading = await postgresql.source?.read(database.context(), { query })
      for await (const batch of reading?.batches ?? []) {
        if (batch.kind === 'copy' && batch.state) return { state: batch.state, count: batch.rowCount }
      }
      throw new Error('no checkpoint')
    }
    const countRest = async (query: FormaValues, state: Record<string, unknown>) =>
      (await read(query, { state })).rows.length

    test.each([
      ['another column', 'drop constraint rekeyed_pkey, add primary key (place)'],
      ['fewer columns', 'drop constraint rekeyed_pkey, add primary key (id)'],
      ['another order', 'drop constraint rekeyed_pkey, add primary key (place, id)'],
      ['another type', 'alter id type text'],
      ['no key any more', 'drop constraint rekeyed_pkey, drop constraint rekeyed_code_key'],
    ])('%s: it is not read on', async (_, change) => {
      const { state } = await breakOff(table('rekeyed'))
      expect(state).toHaveProperty('pending')
      await admin.query(`alter table rekeyed ${change}`)
      await expect(countRest(table('rekeyed'), state)).rejects.toThrow(SourceChanged)
    })

    test('another collation: it is not read on', async () => {
      await admin.query('alter table rekeyed drop constraint rekeyed_pkey')
      const { state } = await breakOff(table('rekeyed'))
      expect(state).toHaveProperty('pending')
      await admin.query('alter table rekeyed alter code type text collate "unicode"')
      await expect(countRest(table('rekeyed'), state)).rejects.toThrow(SourceChanged)
    })

    test('with a cursor: it is not read on', async () => {
      const query = table('rekeyed', { cursor: 'id' })
      const { state } = await breakOff(query)
      await admin.query('alter table rekeyed drop constraint rekeyed_pkey, add primary key (place)')
      await expect(countRest(query, state)).rejects.toThrow(SourceChanged)
    })

    test('the same key beside another index: it is read on', async () => {
      const { state, count } = await breakOff(table('rekeyed'))
      await admin.query('alter table rekeyed add unique (place)')
      const { place, ...pending } = state['pending'] as { place: { ranges: unknown } }
      // Earlier versions did not store the key.
      for (const stored of [place, { ranges: place.ranges }]) {
        const left = await countRest(table('rekeyed'), { ...state, pending: { ...pending, place: stored } })
        expect(left).toBe(ROWS - count)
      }
    })
  })

  test('a look reads no further than it must, and the start is kept to', async () => {
    expect((await read(table('keyed'), { limit: 3 })).rows).toHaveLength(3)
    const { rows } = await read(table('keyed', { cursor: 'id', start: '2399' }))
    expect(rows.map(([id]) => id)).toEqual(['2399', '2400'])
  })

  test('a window reads its stretch alone and leaves no state', async () => {
    const window = { from: '2026-01-01T01:00:00Z', to: '2026-01-01T02:00:00Z' }
    const { rows, finalState } = await readAll(postgresql, database.context(), {
      query: table('keyed', { cursor: 'updated_at' }),
      window,
    })
    expect(rows.map(([id]) => Number(id))).toEqual(Array.from({ length: 61 }, (_, at) => 60 + at))
    expect(finalState).toBeUndefined()
  })
})

const listIds = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[0] ?? '')

describe('transactions that are still open', () => {
  test.each([
    ['a time', 'at', 'now()'],
    ['a sequence', 'id', 'clock_timestamp()'],
  ])('%s as cursor never passes them', async (_, cursor, moment) => {
    const name = `events_${cursor}`
    await admin.query(
      `create table ${name} (id bigint generated always as identity primary key, at timestamptz default ${moment}, who text)`,
    )
    const slow = await database.session()
    await slow.query('begin')
    await slow.query(`insert into ${name} (who) values ('slow')`)
    await admin.query(`insert into ${name} (who) values ('quick')`)
    const query = table(name, { cursor })
    const first = await read(query)
    expect(first.rows.map((row) => row[2])).toEqual(['quick'])
    await slow.query('commit')
    const second = await read(query, { state: first.finalState as Record<string, unknown> })
    expect(second.rows.map((row) => row[2])).toContain('slow')
    const third = await read(query, { state: second.finalState as Record<string, unknown> })
    expect(third.rows).toHaveLength(1)
  })

  test('one that has not written yet holds a time cursor back to its beginning', async () => {
    await admin.query('create table late (id int primary key, at timestamptz default now())')
    const slow = await database.session()
    await slow.query('begin')
    await slow.query('select 1')
    await admin.query('insert into late (id) values (2)')
    const query = table('late', { cursor: 'at' })
    const first = await read(query)
    await slow.query('insert into late (id) values (1)')
    await slow.query('commit')
    const second = await read(query, { state: first.finalState as Record<string, unknown> })
    expect(second.rows.map(([id]) => id)).toEqual(['1', '2'])
  })

  test('what the login may not see holds the cursor at what was reached before it', async () => {
    const login = `reader_${database.address.database}`
    await admin.query(`create table hidden (id int primary key, at timestamptz default now());
      create role ${login} login password 'secret word'; grant select on hidden to ${login}`)
    const values = database.values({ user: login, password: 'secret word' })
    const readAs = (state?: Record<string, unknown>) =>
      readAll(postgresql, database.context({ values }), {
        query: table('hidden', { cursor: 'at' }),
        ...(state && { state }),
      })
    await admin.query('insert into hidden (id) values (1)')
    const first = await readAs()
    const slow = await database.session()
    await slow.query('begin')
    await slow.query('select 1')
    await admin.query('insert into hidden (id) values (2)')
    const second = await readAs(first.finalState as Record<string, unknown>)
    await admin.query('insert into hidden (id) values (3)')
    const third = await readAs(second.finalState as Record<string, unknown>)
    await slow.query('insert into hidden (id) values (4)')
    await slow.query('commit')
    const fourth = await readAs(third.finalState as Record<string, unknown>)
    expect(fourth.rows.map(([id]) => id)).toContain('4')
    await admin.query(`drop owned by ${login}; drop role ${login}`)
  })
})

describe('what a person writes', () => {
  test.each([
    ['a second statement', sql('select 1; delete from keyed')],
    ['a statement that leaves its place', sql(`select 1) as t) to program 'true' --`)],
    ['a change inside a query', sql('with gone as (delete from keyed returning id) select id from gone')],
    ['a condition that leaves its place', table('keyed', { filter: `true) to stdout; delete from keyed; --` })],
    ['a condition with a mistake', table('keyed', { filter: 'no_such_column = 1' })],
    ['a column twice', sql('select id, id from keyed')],
    ['a column that is not there', table('keyed', { columns: 'id, nome' })],
    ['a cursor without order', table('kinds', { cursor: 'doc' })],
    ['a start that is no value', table('keyed', { cursor: 'id', start: 'soon' })],
    ['a table that is not there', table('nowhere')],
  ])('%s is refused as something to mend, and changes nothing', async (_, query) => {
    await expect(read(query)).rejects.toMatchObject({ name: 'ConnectorError', kind: 'configuration' })
    const { rows } = await admin.query<{ count: string }>('select count(*) from keyed')
    expect(rows[0]?.count).toBe(String(ROWS))
  })

  test('a query that takes too long is ended by its limit', async () => {
    const query = sql('select pg_sleep(60)', { timeout_minutes: 0.001 })
    await expect(read(query)).rejects.toMatchObject({
      kind: 'configuration',
      message: expect.stringContaining('longer'),
    })
  })
})

describe('a read that is broken off', () => {
  test('cancelling ends the statement at the server', async () => {
    const cancel = new AbortController()
    const reading = await postgresql.source?.read(database.context({ signal: cancel.signal }), {
      query: sql('select pg_sleep(600) /* cancelled */'),
    })
    const ended = reading?.batches[Symbol.asyncIterator]().next()
    const running = `select count(*)::int as count from pg_stat_activity where datname = current_database() and query like '%cancelled%' and state = 'active' and pid <> pg_backend_pid()`
    const count = async () => (await admin.query<{ count: number }>(running)).rows[0]?.count
    await expect.poll(count, { timeout: 30_000 }).toBe(1)
    cancel.abort(new Error('enough'))
    await expect(ended).rejects.toThrow('enough')
    await expect.poll(count, { timeout: 30_000 }).toBe(0)
  })

  test('a connection that is killed is a passing problem, and the read goes on behind the last batch', async () => {
    const { rows: whole } = await read(table('keyed'))
    const reading = await postgresql.source?.read(database.context(), { query: table('keyed') })
    const rows: unknown[] = []
    let state: unknown
    const work = async () => {
      for await (const batch of reading?.batches ?? []) {
        if (batch.kind === 'copy') rows.push(...listIds(batch.bytes))
        state = batch.state
        await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'trellis reader' and datname = current_database()`,
        )
      }
    }
    await expect(work()).rejects.toMatchObject({ kind: 'transient' })
    const rest = await read(table('keyed'), { state: state as Record<string, unknown> })
    expect([...rows, ...rest.rows.map(([id]) => id)]).toEqual(whole.map(([id]) => id))
  })

  test('a reader that leaves early leaves no connection behind', async () => {
    const reading = await postgresql.source?.read(database.context(), { query: table('keyed') })
    for await (const _batch of reading?.batches ?? []) break
    const count = async () =>
      (
        await admin.query(
          `select from pg_stat_activity where application_name = 'trellis reader' and datname = current_database()`,
        )
      ).rowCount
    await expect.poll(count, { timeout: 30_000 }).toBe(0)
  })
})
