import { beforeAll, describe, expect, test } from 'vitest'
import { type CatalogueTable, findTable } from '../catalogue/find-table.ts'
import { withCatalogueSession } from '../catalogue/plain-session.ts'
import type { Cluster } from '../cluster.ts'
import type { Session } from '../session.ts'
import { type TestWorkspace, testCluster, testWorkspace } from '../testing.ts'
import { countRows, findCell } from './read-cell.ts'
import type { PageRequest } from './plan-page.ts'
import { type Page, readPage } from './read-page.ts'

let cluster: Cluster
let workspace: TestWorkspace

const ROWS = 1000

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  await workspace.runAll('rw', [
    "create type data.mood as enum ('low', 'high')",
    `create table data.plain (id bigint primary key, word text, number numeric, day date, mood data.mood, doc jsonb, raw json,
       code char(5), tags text[])`,
    `insert into data.plain
       select n, case when n % 7 = 0 then null else 'w' || (n % 50) end, case when n % 11 = 0 then null else n % 13 / 3.0 end,
              date '2024-02-29' + n % 30, case n % 3 when 0 then 'low' when 1 then 'high' end::data.mood,
              jsonb_build_object('n', n), json_build_object('n', n), 'c' || n % 5, array['a', 'b' || n % 4]
         from generate_series(1, ${ROWS}) n`,
    'create table data.keyless as select * from data.plain',
    'create table data.pair (a int, b text, note text, primary key (a, b))',
    "insert into data.pair select n % 10, 'b' || n, 'x' from generate_series(1, 200) n",
    'create view data.seen as select id, word from data.plain',
    'create table data.parts (id int primary key, at int) partition by range (id)',
    'create table data.parts_1 partition of data.parts for values from (0) to (100)',
    'create table data.parts_2 partition of data.parts for values from (100) to (1000)',
    'insert into data.parts select n, n % 5 from generate_series(0, 499) n',
    'create table data.long (id int primary key, body text)',
    "insert into data.long values (1, repeat('é', 5000)), (2, repeat('😀', 2048)), (3, repeat('😀', 2049)), (4, null)",
    'create index on data.plain (word)',
    'analyze',
  ])
})

async function read<T>(name: string, work: (session: Session, table: CatalogueTable) => Promise<T>): Promise<T> {
  return await withCatalogueSession(cluster, { ...workspace, role: 'ro' }, async (session) => {
    const table = await findTable(session, { schema: 'data', name })
    if (!table) throw new Error(`no table ${name}`)
    return await work(session, table)
  })
}

const page = (name: string, request: Partial<PageRequest> = {}) =>
  read(name, (session, table) => readPage(session, table, { limit: 100, filters: [], ...request }))

test('by its key a row that is updated stays where it is; as rows lie it moves to the end', async () => {
  await workspace.runAll('rw', [
    'create table data.edited (id int primary key, word text)',
    "insert into data.edited select n, 'w' from generate_series(1, 5) n",
    "update data.edited set word = 'new' where id = 2",
  ])
  const ids = async (request: Partial<PageRequest>) =>
    (await readAll('edited', { limit: 2, ...request })).map(({ cells }) => cells[0])
  expect(await ids({})).toEqual(['1', '3', '4', '5', '2'])
  expect(await ids({ isByKey: true })).toEqual(['1', '2', '3', '4', '5'])
  expect(await ids({ isByKey: true, sort: 'id', direction: 'desc' })).toEqual(['5', '4', '3', '2', '1'])
  expect(await readAll('keyless', { isByKey: true })).toHaveLength(ROWS)
})

async function readAll(name: string, request: Partial<PageRequest>): Promise<Page['rows']> {
  const rows: Page['rows'][number][] = []
  let after: string | undefined
  for (let pages = 0; pages < 500; pages += 1) {
    const foundPage = await page(name, { ...request, after })
    rows.push(...foundPage.rows)
    if (foundPage.next === null) return rows
    after = foundPage.next
  }
  throw new Error('the pages never ended')
}

describe('pages', () => {
  test.each(['plain', 'keyless', 'pair', 'parts', 'seen'])('of %s hold every row once', async (name) => {
    const rows = await readAll(name, { limit: 37 })
    const count = await read(name, (session, table) => countRows(session, table, []))
    expect(rows).toHaveLength(count)
    expect(new Set(rows.map((row) => row.cells.join('|'))).size).toBe(count)
  })

  const sorts = ['word', 'number', 'day', 'mood', 'doc', 'code', 'tags', 'id']
  const cases = ['plain', 'keyless'].flatMap((name) =>
    sorts.flatMap((sort) => (['asc', 'desc'] as const).map((direction) => [name, sort, direction] as const)),
  )
  test.each(cases)('of %s sorted by %s %s come in the order of Postgres', async (name, sort, direction) => {
    const rows = await readAll(name, { limit: 170, sort, direction })
    const table = await read(name, (_, knownCatalogueTable) => Promise.resolve(knownCatalogueTable))
    const at = table.columns.findIndex((column) => column.name === sort)
    const expected = await workspace.run(
      'ro',
      `select ${sort}::text from data.${name} t order by t.${sort} ${direction}`,
    )
    expect(rows.map((row) => row.cells[at]).join('|')).toBe(expected.rows.map((row) => row[0]).join('|'))
    expect(new Set(rows.map((row) => row.cells[0])).size).toBe(ROWS)
  })

  test('of a table with a key of several columns sort by each of them', async () => {
    for (const sort of ['a', 'b', 'note']) {
      for (const direction of ['asc', 'desc'] as const) {
        const rows = await readAll('pair', { limit: 9, sort, direction })
        expect(new Set(rows.map((row) => row.cells.join('|'))).size).toBe(200)
      }
    }
  })

  test('deep in a table are read from where they lie', async () => {
    const plan = await read('keyless', async (session) => {
      await session.query({ text: "select set_config('enable_indexscan', 'off', false)" })
      const { rows } = await session.query({
        text: 'explain select id from data.keyless where ctid > $1::tid limit 100',
        values: ['(3,1)'],
      })
      return rows.join('\n')
    })
    expect(plan).toContain('Tid Range Scan')
  })

  test('keep the filters, and an index on the filtered column does not change what comes', async () => {
    const filters = [{ column: 'word', operator: 'eq', value: 'w3' }] as const
    const rows = await readAll('plain', { limit: 3, filters })
    const count = await read('plain', (session, table) => countRows(session, table, filters))
    expect(count).toBeGreaterThan(10)
    expect(rows.map((row) => row.cells[1])).toEqual(Array.from({ length: count }, () => 'w3'))
    expect(new Set(rows.map((row) => row.cells[0])).size).toBe(count)
  })

  test('of a view say how far they go', async () => {
    const foundPage = await page('seen', { limit: 10 })
    expect(foundPage.note).toMatch(/10,000 rows/)
    expect(foundPage.next).not.toBeNull()
    expect(foundPage.rows[0]?.key).toBeNull()
    expect((await page('plain', { limit: 10 })).note).toBeNull()
  })

  test('refuse a cursor of another table, another order or nobody', async () => {
    const { next } = await page('plain', { limit: 5 })
    const bad = [
      next ?? '',
      'nonsense',
      Buffer.from('["x","values",null,["(0,1)"],0]').toString('base64url'),
      Buffer.from('{}').toString('base64url'),
    ]
    for (const after of bad) {
      await expect(page('keyless', { after })).rejects.toMatchObject({ code: 'bad_value' })
    }
    await expect(page('plain', { after: next ?? '', sort: 'id' })).rejects.toMatchObject({ code: 'bad_value' })
  })

  test('refuse a cursor that carries SQL in place of a place', async () => {
    const { next } = await page('plain', { limit: 5 })
    const parts = JSON.parse(Buffer.from(next ?? '', 'base64url').toString()) as unknown[]
    parts[3] = ["(0,1)'; drop table data.plain; --"]
    const after = Buffer.from(JSON.stringify(parts)).toString('base64url')
    await expect(page('plain', { after })).rejects.toMatchObject({ code: 'bad_value' })
  })
})

describe('cells', () => {
  test('are cut at 2,048 characters and brought whole by the key of their row', async () => {
    const { rows } = await page('long')
    expect(rows.map((row) => row.cut)).toEqual([[1], [], [1], []])
    expect(Array.from(rows[0]?.cells[1] ?? '')).toHaveLength(2048)
    const find = (key: string, column = 'body') =>
      read('long', (session, table) => findCell(session, table, { column, key }))
    expect(await find(rows[0]?.key ?? '')).toEqual({ value: 'é'.repeat(5000), bytes: 10_000, isCut: false })
    expect(await find(rows[3]?.key ?? '')).toMatchObject({ value: null })
    await expect(find('rubbish')).rejects.toMatchObject({ code: 'bad_value' })
    await expect(find(rows[0]?.key ?? '', 'nope')).rejects.toMatchObject({ code: 'bad_value' })
    expect(await find(Buffer.from('["p","999"]').toString('base64url'))).toBeUndefined()
  })

  test('of a table without a key are found by their place', async () => {
    const { rows } = await page('keyless', { limit: 2 })
    const key = rows[1]?.key ?? ''
    const cell = await read('keyless', (session, table) => findCell(session, table, { column: 'id', key }))
    expect(cell?.value).toBe('2')
  })
})

describe('filters', () => {
  const count = (filters: PageRequest['filters']) =>
    read('plain', (session, table) => countRows(session, table, filters))

  test('compare by the type of the column, not by text', async () => {
    expect(await count([{ column: 'id', operator: 'lt', value: '9' }])).toBe(8)
    expect(await count([{ column: 'day', operator: 'eq', value: '2024-03-01' }])).toBeGreaterThan(0)
    expect(await count([{ column: 'mood', operator: 'gt', value: 'low' }])).toBeGreaterThan(0)
    expect(await count([{ column: 'code', operator: 'eq', value: 'c1' }])).toBe(200)
    expect(await count([{ column: 'code', operator: 'eq', value: 'c1xxxxxxx' }])).toBe(0)
    expect(await count([{ column: 'raw', operator: 'contains', value: '"n" : 17}' }])).toBe(1)
    expect(await count([{ column: 'id', operator: 'in', value: '1\n2\r\n3' }])).toBe(3)
    expect(await count([{ column: 'word', operator: 'starts_with', value: 'W4' }])).toBeGreaterThan(0)
  })

  test.each([
    ['id', 'eq', 'abc'],
    ['id', 'in', '1\nx'],
    ['id', 'eq', '99999999999999999999'],
    ['day', 'gt', '2024-02-30'],
    ['mood', 'eq', 'sideways'],
    ['number', 'lte', "1'; drop table data.plain; --"],
    ['doc', 'eq', '{'],
    ['word', 'eq', 'a\0b'],
  ] as const)('on %s (%s) refuse %j with the name of the column', async (column, operator, value) => {
    const fault = count([
      { column: 'word', operator: 'ne', value: 'fine' },
      { column, operator, value },
    ])
    await expect(fault).rejects.toMatchObject({ code: 'bad_value' })
    await expect(fault).rejects.toThrow(`the column "${column}"`)
  })
})
