import { describe, expect, test } from 'vitest'
import { createCatalogue, EMPTY_CATALOGUE } from '../catalogue/catalogue.ts'
import { formatSql } from '../format/format.ts'
import { atCursor, SHOP, SHOP_CONTENT } from '../testing.ts'
import { createDiagnoser } from './diagnose.ts'
import { describeAt } from './hover.ts'
import { findNearestName } from './nearest-name.ts'
import { toParsable } from './parsable.ts'
import { findSignature } from './signature.ts'

const RESULT = '0b5f3c1e-9a77-4d2b-8e31-2f6f1c9d0a44'

const hover = (marked: string) => {
  const { sql, offset } = atCursor(marked)
  return describeAt(sql, offset, SHOP)
}

describe('hover', () => {
  test('columns with type and comment, tables, aliases and functions', () => {
    expect(hover('select c.em|ail from customers c')).toMatchObject({ code: 'c.email text', text: 'Where to write' })
    expect(hover('select ema|il from customers c')).toMatchObject({ code: 'c.email text' })
    expect(hover('select * from cust|omers')?.code).toContain('table data.customers\n  id bigint')
    expect(hover('select c|.id from customers c')?.text).toBe('Who buys')
    expect(hover('select low|er(name) from customers')).toMatchObject({ code: 'lower(text) → text' })
    expect(hover('sel|ect 1')).toBeUndefined()
    expect(hover("select 'cust|omers'")).toBeUndefined()
  })
})

describe('signatures', () => {
  const ask = (marked: string) => {
    const { sql, offset } = atCursor(marked)
    return findSignature(sql, offset, SHOP)
  }
  test('the function and the argument at the cursor', () => {
    expect(ask('select net(1, |')).toMatchObject({
      argument: 1,
      signatures: [{ parameters: ['gross numeric', 'rate numeric DEFAULT 0.19'] }],
    })
    expect(ask("select date_trunc('day', lower(|x))")?.signatures[0]?.label).toBe('lower(text) → text')
    expect(ask('select (1, |')).toBeUndefined()
  })
  test('commas within types part nothing', () => {
    const half = { schema: 'data', name: 'half', arguments: 'a numeric(10,2), b text', result: 'text' }
    const functions = [{ ...half, kind: 'function' as const, comment: null }]
    const catalogue = createCatalogue({ ...SHOP_CONTENT, functions })
    expect(findSignature('select half(', 12, catalogue)?.signatures[0]?.parameters).toEqual([
      'a numeric(10,2)',
      'b text',
    ])
  })
})

describe('diagnostics', () => {
  const diagnose = (sql: string, catalogue = SHOP) => createDiagnoser(catalogue, () => Promise.resolve())(sql)
  const found = async (sql: string) =>
    (await diagnose(sql)).map(({ start, end, replacement }) => [sql.slice(start, end), replacement])
  test('syntax errors at their place, by the grammar; other statements are still looked at', async () => {
    const sql = 'select 1;\nselect from where;\nselect * from ordrs'
    const [error, warning] = await diagnose(sql)
    expect(error).toMatchObject({ severity: 'error', message: 'Syntax error at or near "where"' })
    expect(sql.slice(error?.start, error?.end)).toBe('where')
    expect(warning).toMatchObject({ severity: 'warning', message: 'Table ordrs does not exist. Did you mean orders?' })
  })
  test('unknown tables and columns with what was meant', async () => {
    expect(await found('select * from data.custmers')).toEqual([['data.custmers', 'data.customers']])
    expect(await found('select * from spend')).toEqual([['spend', 'ads.spend']])
    expect(await found('select o.statsu from orders o')).toEqual([['statsu', 'status']])
    expect(await found('select ordes.id from orders')).toEqual([['ordes', 'orders']])
    expect(await found('select x.id from orders o')).toEqual([['x', null]])
    expect(await found('select emial from customers')).toEqual([['emial', 'email']])
    expect(await found('update orders set status = 1 where amuont = 2')).toEqual([['amuont', 'amount']])
    expect(await found('with r as (select id from orders) select r.idd from r')).toEqual([['idd', 'id']])
  })
  test('what exists is left alone', async () => {
    for (const sql of [
      'select o.id, "Full Name", ctid from orders o join customers c on c.id = o.customer_id order by o.id',
      'select count(*) as n from orders group by status having count(*) > 1 order by n',
      'with r as (select id, name as label from customers) select label from r where exists (select 1 from orders where customer_id = r.id)',
      'select * from pg_class; select * from information_schema.tables',
      'create temp table mine as select 1 as one; select one from mine',
      'insert into orders (id) values (1) on conflict (id) do update set status = excluded.status returning status',
      'select g.n from generate_series(1, 3) as g (n)',
      'select x from generate_series(1, 3) x',
      'select c from customers c',
      `select r.anything from @result.${RESULT} r where id = :first and name = :n::text`,
      `select * from @result.${RESULT}_2`,
      '\\d orders\nselect 1',
      'select d.day, s.cost from daily d join ads.spend s using (day) where day > now()',
      'select (select max(id) from orders where customer_id = c.id) from customers c, lateral (select c.name as x) l where x is not null',
      'delete from orders using customers where customers.id = orders.customer_id',
    ])
      expect(await found(sql), sql).toEqual([])
  })
  test('what did not change keeps its place in a longer text', async () => {
    const again = createDiagnoser(SHOP, () => Promise.resolve())
    expect((await again('select * from ordrs; select 1')).map(({ start }) => start)).toEqual([14])
    expect((await again('select 22; select * from ordrs; select * from ordrs')).map(({ start }) => start)).toEqual([
      25, 46,
    ])
  })
  test('without a catalogue only the grammar speaks', async () => {
    expect(await diagnose('select * from nowhere', EMPTY_CATALOGUE)).toEqual([])
  })
})

test('the nearest name', () => {
  expect(findNearestName('custmer', ['orders', 'customer', 'costs'])).toBe('customer')
  expect(findNearestName('odrers', ['orders'])).toBe('orders')
  expect(findNearestName('xyz', ['orders'])).toBeUndefined()
})

test('what the grammar reads has the same length', () => {
  for (const sql of ['select :a, :first_day::date', `\\d x\nselect * from @result.${RESULT}_2`, "select ':a' -- :b"])
    expect(toParsable(sql)).toHaveLength(sql.length)
})

describe('format', () => {
  const options = { tabSize: 2, keywordCase: 'upper' as const }
  test('keeps comments, quotes, parameters and meaning', async () => {
    const sql = `select a,b -- why\n, $$ keep  this $$ as c, 'x  y' from orders /* all */ where id=:first_id and "Odd"->>'k'='v'::text; select 1`
    const answer = await formatSql(sql, options)
    if ('problem' in answer) throw new Error(answer.problem)
    for (const part of ['-- why', '$$ keep  this $$', "'x  y'", '/* all */', ':first_id', `"Odd" ->> 'k'`])
      expect(answer.text).toContain(part)
    expect(answer.text.split('\n').length).toBeGreaterThan(5)
    expect(await formatSql(answer.text, options)).toEqual(answer)
  })
  test('keeps the name of a result', async () => {
    const answer = await formatSql(`select * from @result.${RESULT}_2 r where r.id = 1`, options)
    expect(answer).toMatchObject({ text: expect.stringContaining(`@result.${RESULT}_2 r`) })
  })
  test('refuses what can not be read', async () => {
    expect(await formatSql('select from where', options)).toMatchObject({
      problem: expect.stringContaining('syntax error'),
    })
    expect(await formatSql('\\d orders', options)).toHaveProperty('problem')
  })
  test('a function body stays as it is', async () => {
    const body = 'create function f() returns int language plpgsql as $f$ begin   return 1; end $f$'
    const answer = await formatSql(body, options)
    if ('text' in answer) expect(answer.text).toContain('$f$ begin   return 1; end $f$')
  })
})
