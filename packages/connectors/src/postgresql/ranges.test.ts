import { readAll } from '@trellis/connector-kit/testing/read-all'
import type { ReadState } from '@trellis/connector-kit/batch'
import type { FormaValues } from '@trellis/contract/formas/forma'
import type { TestContextOptions } from '@trellis/connector-kit/testing/test-context'
import { beforeAll, describe, expect, test } from 'vitest'
import { plainConnect } from '../shared/testing/plain-connect.ts'
import { createTestDatabase } from '../shared/testing/postgres-database.ts'
import { postgresql } from './connector.ts'

const database = await createTestDatabase()
const { admin } = database

const ROWS = 60_000
const NOTE = `repeat(md5(i::text), 2)`
const STILL = 'with (autovacuum_enabled = false)'
const all = `from generate_series(1, ${ROWS}) i`

beforeAll(async () => {
  // New statistics would change the ranges.
  await admin.query(`
    create table large (id bigint primary key, updated_at timestamptz not null, note text) ${STILL};
    insert into large select i, timestamptz '2026-01-01' + i * interval '1 s', ${NOTE} ${all};
    create table uuids (id uuid primary key, note text) ${STILL};
    insert into uuids select md5(i::text)::uuid, ${NOTE} ${all};
    create collation backwards (provider = icu, locale = 'und-u-kf-upper-kn-true');
    create table names (name text collate backwards primary key, note text) ${STILL};
    insert into names select (array['Ä', 'a', 'B', 'ß''\\', '_', '10', '9'])[1 + i % 7] || i, ${NOTE} ${all};
    create table regions (region varchar(20) collate "C", number integer, note text, primary key (region, number)) ${STILL};
    insert into regions select case when i % 10 < 8 then 'most' else 'r' || i % 3 end, i, ${NOTE} ${all};
    create table lopsided (id integer primary key, note text) ${STILL};
    insert into lopsided select case when i < 10 then -i * 100000000 else i end, ${NOTE} ${all};
    create table one_region (region text, number integer, note text, primary key (region, number)) ${STILL};
    insert into one_region select 'only', i, ${NOTE} ${all};
    analyze;
    create table unknown_values (id integer primary key, note text) ${STILL};
    alter table unknown_values alter id set statistics 0;
    insert into unknown_values select case when i = 1 then -2000000000 else i end, ${NOTE} ${all};
    analyze unknown_values`)
})

const table = (name: string, more: Record<string, unknown> = {}): FormaValues => ({
  query: { kind: 'table', table: { schema: 'public', table: name }, ...more },
})
interface Range {
  from: string | null
  to: string | null
  after: string[] | null
}
const getRanges = (state: ReadState | undefined): Range[] =>
  (state as { pending?: { place: { ranges: Range[] } } } | undefined)?.pending?.place.ranges ?? []

const CURSOR: Record<string, object> = { large: { cursor: 'updated_at', filter: 'id > 0' } }

interface ReadOptions extends TestContextOptions {
  readonly isInKeyOrder?: boolean
}

async function* readBatches(name: string, state?: ReadState, { isInKeyOrder = false, ...options }: ReadOptions = {}) {
  const reading = await postgresql.source?.read(database.context(options), {
    query: table(name, { ...CURSOR[name] }),
    isInKeyOrder,
    ...(state && { state }),
  })
  for await (const batch of reading?.batches ?? []) {
    if (batch.kind !== 'copy') throw new Error('COPY text was expected')
    yield { lines: Buffer.from(batch.bytes).toString().split('\n').slice(0, -1), state: batch.state }
  }
}

async function readLines(name: string, state?: ReadState, options?: ReadOptions) {
  const batches: { lines: string[]; state: ReadState | undefined }[] = []
  for await (const batch of readBatches(name, state, options)) batches.push(batch)
  return { batches, lines: batches.flatMap(({ lines }) => lines) }
}

const stored = async (name: string) =>
  (await admin.query<{ count: number }>(`select count(*)::int as count from ${name}`)).rows[0]?.count

const readers = async () =>
  (
    await admin.query(
      `select from pg_stat_activity where application_name = 'trellis reader' and datname = current_database()`,
    )
  ).rowCount

describe('a large table is read in two ranges of its key', () => {
  test.each(['large', 'uuids', 'names', 'regions', 'lopsided', 'unknown_values'])(
    'of %s, and resuming behind any batch equals a whole read',
    async (name) => {
      const { batches, lines } = await readLines(name)
      expect(new Set(lines).size).toBe(await stored(name))
      expect(lines).toHaveLength(ROWS)
      expect(getRanges(batches[0]?.state)).toHaveLength(2)
      expect((await readLines(name)).lines.join('\n') === lines.join('\n')).toBe(true)
      let before: string[] = []
      for (const batch of batches.slice(0, -1)) {
        before = [...before, ...batch.lines]
        const rest = await readLines(name, batch.state)
        expect([...before, ...rest.lines].join('\n') === lines.join('\n')).toBe(true)
      }
    },
  )

  test('one after the other when its order is wanted, and resumed behind any batch', async () => {
    const { batches, lines } = await readLines('large', undefined, { isInKeyOrder: true })
    expect(lines.map((line) => Number(line.split('\t')[0]))).toEqual(Array.from({ length: ROWS }, (_, at) => at + 1))
    for (const at of [0, Math.floor(batches.length / 2), batches.length - 2]) {
      const before = batches.slice(0, at + 1).flatMap((batch) => batch.lines)
      const rest = await readLines('large', batches[at]?.state, { isInKeyOrder: true })
      expect([...before, ...rest.lines].join('\n') === lines.join('\n')).toBe(true)
    }
  })

  test('both halves hold about as much, also where few values make up the first column', async () => {
    for (const name of ['large', 'uuids', 'names', 'lopsided', 'regions']) {
      const [first] = (await readLines(name)).batches
      const bound = getRanges(first?.state).find(({ to }) => to !== null)?.to ?? ''
      const key = name === 'names' ? 'name' : name === 'regions' ? 'region' : 'id'
      const below = await admin.query<{ share: number }>(
        `select count(*) filter (where ${key} < $1)::float / count(*) as share from ${name}`,
        [bound],
      )
      expect(below.rows[0]?.share).toBeGreaterThan(name === 'regions' ? 0.7 : 0.4)
      expect(below.rows[0]?.share).toBeLessThan(name === 'regions' ? 0.9 : 0.6)
    }
  })

  test('a first column of one value leaves one range', async () => {
    const { batches, lines } = await readLines('one_region')
    expect(lines).toHaveLength(ROWS)
    expect(getRanges(batches[0]?.state)).toMatchObject([{ from: null, to: null }])
  })

  test('a bound below or above every row leaves a range empty and nothing out', async () => {
    for (const middle of ['-5', '70000']) {
      const ranges = [
        { from: null, to: middle, after: null },
        { from: middle, to: null, after: null },
      ]
      const nowhere = { cursor: null, reached: null, open: [] }
      const state = { ...nowhere, pending: { to: null, next: nowhere, place: { ranges } } }
      expect((await readLines('large', state)).lines).toHaveLength(ROWS)
    }
  })

  test('rows added, changed and deleted between two parts: nothing lost, nothing twice', async () => {
    await admin.query(`create table changing (id int primary key, note text);
      insert into changing select i * 2, ${NOTE} ${all}; analyze changing`)
    const seen = new Set<number>()
    const added: number[] = []
    let state: ReadState | undefined
    for (let part = 0; part < 100; part += 1) {
      for await (const batch of readBatches('changing', state)) {
        for (const line of batch.lines) {
          const id = Number(line.split('\t')[0])
          expect(seen.has(id)).toBe(false)
          seen.add(id)
        }
        state = batch.state
        break
      }
      if (getRanges(state).length === 0) break
      // After each range's position, and beyond both ends.
      for (const { after, from } of getRanges(state)) {
        const id = Number(after?.[0] ?? from ?? 0) + 1
        if (!seen.has(id) && !added.includes(id)) added.push(id)
      }
      added.push(1_000_001 + part)
      await admin.query(`insert into changing select unnest($1::int[]), 'new' on conflict do nothing`, [added])
      await admin.query(`update changing set note = note || '!' where id % 100 = 0`)
      await admin.query(`delete from changing where id = any ($1)`, [[...seen].slice(-20)])
    }
    for (let id = 2; id <= ROWS * 2; id += 2) expect(seen.has(id)).toBe(true)
    expect(added.filter((id) => !seen.has(id))).toEqual([])
  })

  test('both connections see one moment', async () => {
    await admin.query(`create table pairs (id int primary key, note text);
      insert into pairs select i, ${NOTE} ${all}; analyze pairs`)
    let connections = 0
    const connect = async (target: { host: string; port: number }) => {
      connections += 1
      // Between the first connection's snapshot and the second's first read.
      if (connections === 2)
        await admin.query(`delete from pairs where id % 2 = 0; insert into pairs values (-1), (99999)`)
      return await plainConnect(target)
    }
    const { lines } = await readLines('pairs', undefined, { connect })
    expect(connections).toBe(2)
    expect(lines).toHaveLength(ROWS)
  })
})

describe('a second connection', () => {
  test.each(['large', 'names'])('that is refused leaves the ranges of %s to the first one', async (name) => {
    await admin.query(`drop role if exists single; create role single login password 'single' connection limit 1;
      grant usage on schema public to single; grant select on all tables in schema public to single`)
    const values = database.values({ user: 'single', password: 'single' })
    const { batches, lines } = await readLines(name, undefined, { values })
    await admin.query('drop owned by single; drop role single')
    expect(lines).toHaveLength(ROWS)
    expect(new Set(lines).size).toBe(ROWS)
    const middle = batches[Math.floor(batches.length / 2)]
    expect(getRanges(middle?.state)).toHaveLength(2)
    const before = batches.slice(0, batches.indexOf(middle as never) + 1).flatMap((batch) => batch.lines)
    // Interrupted on one connection, resumed on two.
    const rest = await readLines(name, middle?.state)
    expect([...before, ...rest.lines].toSorted()).toEqual(lines.toSorted())
  })

  test('is not opened for a look or a small table', async () => {
    await admin.query(
      `create table small (id int primary key); insert into small select generate_series(1, 100); analyze small`,
    )
    let connections = 0
    const connect = async (target: { host: string; port: number }) => {
      connections += 1
      return await plainConnect(target)
    }
    await readAll(postgresql, database.context({ connect }), { query: table('small') })
    await readAll(postgresql, database.context({ connect }), { query: table('large'), limit: 5 })
    expect(connections).toBe(2)
  })

  test('ends with the first when the reader leaves or cancels', async () => {
    await expect.poll(readers, { timeout: 30_000 }).toBe(0)
    for await (const _batch of readBatches('large')) {
      expect(await readers()).toBe(2)
      break
    }
    await expect.poll(readers, { timeout: 30_000 }).toBe(0)
    const cancel = new AbortController()
    const work = async () => {
      for await (const _batch of readBatches('large', undefined, { signal: cancel.signal }))
        cancel.abort(new Error('enough'))
    }
    await expect(work()).rejects.toThrow('enough')
    await expect.poll(readers, { timeout: 30_000 }).toBe(0)
  })

  test('that is killed is a passing problem, and the read goes on behind the last batch', async () => {
    const wholeLine = await readLines('large')
    const lines: string[] = []
    let state: ReadState | undefined
    const work = async () => {
      for await (const batch of readBatches('large')) {
        lines.push(...batch.lines)
        state = batch.state
        await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'trellis reader'
             and datname = current_database() order by backend_start desc limit 1`,
        )
      }
    }
    await expect(work()).rejects.toMatchObject({ kind: 'transient' })
    expect([...lines, ...(await readLines('large', state)).lines]).toEqual(wholeLine.lines)
    await expect.poll(readers, { timeout: 30_000 }).toBe(0)
  })
})
