import { describe, expect, test } from 'vitest'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { atCursor, SHOP, SHOP_CONTENT } from '../testing.ts'
import { complete } from './complete.ts'

function ask(marked: string) {
  const { sql, offset } = atCursor(marked)
  return complete(sql, offset, { catalogue: SHOP })
}
const labels = (marked: string) => ask(marked).items.map(({ label }) => label)
const first = (marked: string, count = 1) => labels(marked).slice(0, count)
const columns = (marked: string) => ask(marked).items.flatMap(({ kind, insert }) => (kind === 'column' ? [insert] : []))

describe('tables', () => {
  test('stand where a table is expected, those of the search path without their schema', () => {
    const { items } = ask('select * from |')
    const inserts = items.map(({ insert }) => insert)
    expect(inserts).toContain('orders')
    expect(inserts).toContain('ads.spend')
    expect(inserts).toContain('"Odd Table"')
    expect(items.some(({ kind }) => kind === 'column')).toBe(false)
  })
  test('are found by the beginning, by a word, and by letters in order', () => {
    expect(first('select * from ord|', 2)).toEqual(['orders', 'order_items'])
    expect(labels('select * from items|')).toContain('order_items')
    expect(labels('select * from cstm|')).toContain('customers')
    expect(labels('select * from tomer|')).toContain('customers')
  })
  test('keywords only by the beginning of a word: Enter behind a new alias must not take one', () => {
    expect(labels('select * from orders x|')).toEqual([])
    expect(labels('select * from orders left jo|')).toContain('join')
    expect(labels('select * from orders o by|')).toContain('order by')
  })
  test('of a schema behind its name', () => {
    expect(labels('select * from ads.|')).toEqual(['spend'])
    expect(labels('insert into ads.|')).toEqual(['spend'])
    expect(labels('update ads.s|')).toEqual(['spend'])
  })
  test('common table expressions first', () => {
    expect(first('with recent as (select 1) select * from |')).toEqual(['recent'])
  })
  test('inside a quote they are quoted', () => {
    expect(ask('select * from "Odd|').items[0]).toMatchObject({ insert: '"Odd Table"' })
  })
  test('also in a list of them', () => {
    expect(labels('select * from orders o, cust|')).toContain('customers')
  })
})

describe('columns', () => {
  test('of the tables in scope come first, also where FROM is behind the cursor', () => {
    expect(first('select | from orders', 2)).toEqual(['id', 'customer_id'])
    expect(first('select * from orders where sta|')).toEqual(['status'])
    expect(first('select * from orders order by am|')).toEqual(['amount'])
  })
  test('behind an alias only its own', () => {
    expect(labels('select o.| from orders o join customers c on true')).toEqual([
      'id',
      'customer_id',
      'status',
      'amount',
      'order',
      '*',
    ])
    expect(columns('select c.| \nfrom orders o join customers c on true')).toContain('"Full Name"')
    expect(first('select customers.na| from customers')).toEqual(['name'])
    expect(first('select o.st| from data.orders as o')).toEqual(['status'])
  })
  test('with the alias where two tables have the name; reserved words in quotes', () => {
    const found = columns('select | from orders o join customers c on true')
    expect(found).toContain('o.id')
    expect(found).toContain('c.id')
    expect(found).toContain('status')
    expect(found).toContain('"order"')
  })
  test('of common table expressions and subqueries', () => {
    expect(columns('with r as (select id, lower(name) as low, count(*) from customers) select r.| from r')).toEqual([
      'id',
      'low',
      'count',
    ])
    expect(columns('with r (a, b) as (select 1, 2) select | from r')).toEqual(['a', 'b'])
    expect(columns('select s.| from (select o.*, 1 as one from orders o) s')).toEqual([
      'id',
      'customer_id',
      'status',
      'amount',
      '"order"',
      'one',
    ])
    expect(columns('with a as (select id from orders), b as (select * from a) select | from b')).toEqual(['id'])
    expect(columns('select v.| from (values (1, 2)) as v (x, y)')).toEqual(['x', 'y'])
    expect(columns('with gone as (delete from orders returning id, status) select | from gone')).toEqual([
      'id',
      'status',
    ])
    expect(columns('with recursive t as (select id from orders union all select | from t) select 1')).toEqual(['id'])
  })
  test('of the query itself and, correlated, of the one around it', () => {
    const completionAnswer = ask('select * from customers c where exists (select 1 from orders o where |)')
    const inserts = completionAnswer.items.flatMap(({ kind, insert }) => (kind === 'column' ? [insert] : []))
    expect(inserts.slice(0, 3)).toEqual(['id', 'customer_id', 'status'])
    expect(inserts).toContain('c.email')
  })
  test('each side of a union has its own', () => {
    expect(columns('select | from products union select 1 from orders')).toEqual(['id', 'title', 'price'])
    expect(columns('select 1 from products union select | from daily')).toEqual(['day', 'revenue'])
  })
  test('a subquery in FROM sees nothing of its neighbours', () => {
    expect(columns('select * from orders o join (select | from daily) d on true')).toEqual(['day', 'revenue'])
  })
  test('of what is written into', () => {
    expect(labels('insert into orders (|')).toEqual(['id', 'customer_id', 'status', 'amount', 'order'])
    expect(first('insert into orders (id, st|) values (1)')).toEqual(['status'])
    expect(columns('update orders set |')).toContain('status')
    expect(first("update orders set status = 'x', am|")).toEqual(['amount'])
    expect(columns('delete from orders where |')).toContain('status')
  })
  test('of the statement at the cursor alone', () => {
    expect(columns('select 1 from daily; select | from products; select 2')).toEqual(['id', 'title', 'price'])
  })
})

describe('joins', () => {
  test('from foreign keys, both ways, as one item', () => {
    expect(first('select * from customers c join |')).toEqual(['orders o on o.customer_id = c.id'])
    expect(labels('select * from orders o join |')).toEqual(
      expect.arrayContaining(['customers c on c.id = o.customer_id', 'order_items oi on oi.order_id = o.id']),
    )
    expect(first('select * from customers c |')).toEqual(['join orders o on o.customer_id = c.id'])
    expect(first('select * from customers c left join ord|')).toEqual(['orders o on o.customer_id = c.id'])
  })
  test('with an alias that is free', () => {
    expect(first('select * from customers o join |')).toEqual(['orders o2 on o2.customer_id = o.id'])
  })
  test('beside an earlier result', () => {
    const marked = 'select * from @result.0b5f3c1e-9a77-4d2b-8e31-2f6f1c9d0a44 r join customers c on true where c.em|'
    expect(first(marked)).toEqual(['email'])
  })
  test('conditions behind ON', () => {
    expect(first('select * from customers c join orders o on |')).toEqual(['o.customer_id = c.id'])
  })
})

describe('the rest', () => {
  test('keywords by their place, in capitals when typed so', () => {
    expect(labels('sel|')).toContain('select')
    expect(first('SEL|')).toEqual(['SELECT'])
    expect(first('select * from orders wh|')).toEqual(['where'])
    expect(first('select * from orders group |')).toEqual(['by'])
    expect(labels('select * from orders where status is n|')).toEqual(expect.arrayContaining(['not', 'null']))
  })
  test('functions with their arguments', () => {
    expect(ask('select low| from orders').items[0]).toMatchObject({
      label: 'lower',
      insert: 'lower($0)',
      isTemplate: true,
    })
    expect(ask('select no|').items.find(({ label }) => label === 'now')).toMatchObject({ insert: 'now()' })
  })
  test('parameters', () => {
    expect(labels('select :first_day; select * from orders where status = :|')).toEqual(['first_day'])
  })
  test('types behind a cast', () => {
    expect(labels("select '1'::int|")).toContain('integer')
  })
  test('nothing in texts, comments, numbers and new names', () => {
    for (const marked of [
      "select 'ord|",
      '-- ord|',
      'select 1 /* ord| */',
      'select 12|',
      'select id as |',
      'select $$ ord|',
    ])
      expect(labels(marked), marked).toEqual([])
    expect(labels('-- a comment\n|')).toContain('select')
  })
  test('own snippets', () => {
    const snippets = [{ name: 'mine', body: 'select ${1:x}' }]
    expect(complete('mi', 2, { catalogue: SHOP, snippets }).items[0]).toMatchObject({ label: 'mine', isTemplate: true })
  })
})

test('a catalogue of 20,000 tables: the list is cut and asked for again', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => ({ ...SHOP_CONTENT.tables[1], name: `table_${at}` }))
  const catalogue = createCatalogue({
    ...SHOP_CONTENT,
    tables: [...SHOP_CONTENT.tables, ...(many as typeof SHOP_CONTENT.tables)],
  })
  const { items, isCut } = complete('select * from tab', 17, { catalogue })
  expect(items.length).toBeLessThanOrEqual(200)
  expect(isCut).toBe(true)
  expect(complete('select * from table_19999', 25, { catalogue }).items[0]?.label).toBe('table_19999')
})

test('every cut of a text gives an answer, and an item that fits what was typed', () => {
  const text = `with recent as (select o.*, c."Full Name" from data.orders o join customers c on c.id = o.customer_id
    where o.status = :state and note = 'it''s' -- why
    ), totals (n) as (select count(*) from recent) insert into daily (day) select date_trunc('day', now())::date from recent r, totals
    where exists (select 1 from order_items where order_id = r.id) returning day; update orders set status = $$x$$ where id in (1, 2)`
  for (let offset = 0; offset <= text.length; offset += 1) {
    for (const sql of [text, text.slice(0, offset)]) {
      const { start, items } = complete(sql, offset, { catalogue: SHOP })
      expect(start).toBeLessThanOrEqual(Math.max(offset, 0))
      expect(items.length).toBeLessThanOrEqual(200)
    }
  }
})
