import { describe, expect, test } from 'vitest'
import { listReferences } from './list-references.ts'
import { parseSql } from './parse.ts'
import type { TableReference } from './references/found.ts'
import { createTableFinder } from './table-finder.ts'

/** `r shop.orders(id)`: reads the column; `?x`: possibly; `*`: all. `w t[a]`: writes it. `d t`: defines the table. */
function describeTable(table: TableReference): string {
  const marks = `${table.isRead ? 'r' : ''}${table.isWritten ? 'w' : ''}${table.isDefined ? 'd' : ''}`
  const read = [
    ...(table.readsAllColumns ? ['*'] : []),
    ...table.columns.toSorted(),
    ...table.possibleColumns.toSorted().map((column) => `?${column}`),
  ]
  const written = [...(table.writesAllColumns ? ['*'] : []), ...table.writtenColumns.toSorted()]
  const name = table.schema === null ? table.name : `${table.schema}.${table.name}`
  return `${marks} ${name}${read.length > 0 ? `(${read.join(',')})` : ''}${written.length > 0 ? `[${written.join(',')}]` : ''}`
}

const findTable = createTableFinder({
  searchPath: ['shop', 'crm'],
  tables: [
    { schema: 'shop', name: 'orders', columns: ['id', 'customer_id', 'total', 'at'] },
    { schema: 'shop', name: 'lines', columns: ['order_id', 'sku', 'price'] },
    { schema: 'crm', name: 'customers', columns: ['id', 'name'] },
    { schema: 'crm', name: 'orders', columns: ['id', 'owner'] },
  ],
})

async function describeSql(sql: string, isResolved = false): Promise<string[]> {
  const { statements, errors } = await parseSql(sql)
  expect(errors, sql).toEqual([])
  return statements
    .flatMap((statement) => listReferences(statement, { findTable: isResolved ? findTable : undefined }).tables)
    .map(describeTable)
    .toSorted()
}

const toList = (references: string): string[] => (references === '' ? [] : references.split('; ').toSorted())

const BY_TEXT: readonly (readonly [sql: string, references: string])[] = [
  ['select 1', ''],
  ['select a, b from t', 'r t(a,b)'],
  ['select * from s.t', 'r s.t(*)'],
  ['select count(*) from t', 'r t'],
  ['select t.a from t', 'r t(a)'],
  ['select s.t.a from s.t', 'r s.t(a)'],
  ['select x.a from s.t x', 'r s.t(a)'],
  ['select x.* from t as x', 'r t(*)'],
  ['select t from t', 'r t(*)'],
  ['select row_to_json(x) from t x', 'r t(*)'],
  ['table t', 'r t(*)'],
  ['select "A b"."Ü" from "S"."A b"', 'r S.A b(Ü)'],
  ['select A from T', 'r t(a)'],
  ['select (x.addr).city from t x', 'r t(addr)'],
  ["select a->>'b', c[1] from t", 'r t(a,c)'],
  ['select a from only t', 'r t(a)'],
  ['select a from t tablesample bernoulli (10)', 'r t(a)'],
  ['select a from t where b = $1 group by c having max(d) > 1 order by e limit 1 offset 2', 'r t(a,b,c,d,e)'],
  ['select a as x from t order by x', 'r t(a)'],
  ["select date_trunc('month', at) as m, count(*) from t group by m order by m", 'r t(at)'],
  ['select distinct on (a) b from t', 'r t(a,b)'],
  ['select sum(a) over (partition by b order by c) from t', 'r t(a,b,c)'],
  ['select sum(a) over w from t window w as (partition by b)', 'r t(a,b)'],
  ['select sum(a) filter (where b) from t', 'r t(a,b)'],
  ['select case when a then b else c end, coalesce(d, e), f::text, not g from t', 'r t(a,b,c,d,e,f,g)'],
  ['select a between b and c, d in (1, 2), e is null, f like g from t', 'r t(a,b,c,d,e,f,g)'],
  ['select x.a from t x(a, b)', 'r t(*)'],
  ['select ctid, xmin from t', 'r t(ctid,xmin)'],
  ['select a from t for update', 'r t(a)'],
  ['select a, x.b from t x, u', 'r t(b,?a); r u(?a)'],
  ['select x.a, y.b from t x join u y on x.id = y.t_id', 'r t(a,id); r u(b,t_id)'],
  ['select 1 from t join u using (id)', 'r t(id); r u(id)'],
  ['select 1 from t natural join u', 'r t(*); r u(*)'],
  ['select j.a from (t join u on t.id = u.id) as j', 'r t(*,id); r u(*,id)'],
  ['select j.id from t join u using (id) as j', 'r t(*,id); r u(*,id)'],
  ['select a.x, b.x from t a join t b on a.id = b.parent', 'r t(id,parent,x)'],
  ['select * from a full join b on true left join c on c.x = a.x', 'r a(*,x); r b(*); r c(*,x)'],
  ['select x.a from s1.t x, s2.t y', 'r s1.t(a); r s2.t'],
  ['select s1.t.a, s2.t.b from s1.t, s2.t', 'r s1.t(a); r s2.t(b)'],
  ['select s.a from (select a from t) s', 'r t(a)'],
  ['select s.z from (select a as z from t) s', 'r t(a)'],
  ['select z, b from (select a as z from t) s, u', 'r t(a); r u(b)'],
  ['select a from t where id in (select t_id from u)', 'r t(a,id,?t_id); r u(?t_id)'],
  ['select a from t x where exists (select 1 from u y where y.t_id = x.id)', 'r t(a,id); r u(t_id)'],
  ['select (select max(u.b) from u where u.id = t.id) from t', 'r t(id); r u(b,id)'],
  ['select a from t, lateral (select b from u where u.id = t.id) l', 'r t(a,id,?b); r u(id,?b)'],
  ['select array(select u.a from u)', 'r u(a)'],
  ['select * from t where a > all (select u.b from u)', 'r t(*,a); r u(b)'],
  ['select a from t union all select b from u order by a', 'r t(a); r u(b)'],
  ['(select a from t) except (select b from u) intersect select c from v', 'r t(a); r u(b); r v(c)'],
  ['select v.a from (values (1), (2)) v(a)', ''],
  ['select v.a, t.b from t, (values (1)) v(a)', 'r t(b)'],
  ['with c as (select a from t) select a from c', 'r t(a)'],
  ['with t as (select a from s.t) select a from t', 'r s.t(a)'],
  ['with c as (select a from t) select a from c, u', 'r t(a); r u'],
  ['with c(z) as (select a from t) select z from c', 'r t(a)'],
  ['with c as (select * from t) select x from c', 'r t(*)'],
  ['with c as (select a from t) select a from s.c', 'r s.c(a); r t(a)'],
  [
    'with recursive c as (select id from t union all select t.id from t join c on t.parent = c.id) select * from c',
    'r t(id,parent)',
  ],
  ['with a as (select x from t), b as (select x from a) select x from b', 'r t(x)'],
  ['with t as (select a from t) select a from t', 'r t(a)'],
  ['select * from (with c as (select a from t) select a from c) s', 'r t(a)'],
  ['with c as (select a from t) select b from u where id in (select a from c)', 'r t(a); r u(b,id)'],
  ['with d as (delete from t where a = 1 returning *) insert into u select * from d', 'rw t(*,a); w u[*]'],
  ['with n as (insert into t (a) values (1) returning id) select id from n', 'rw t(id)[a]'],
  ['select g from generate_series(1, 2) g', ''],
  ['select e.x from t, unnest(t.list) as e(x)', 'r t(list)'],
  ['select r.a from t, jsonb_to_recordset(t.j) as r(a int, b text)', 'r t(j)'],
  ["select k.v from t, json_table(t.j, '$[*]' columns (v int path '$.v')) k", 'r t(j)'],
  ['insert into t values (1)', 'w t[*]'],
  ['insert into t (a, b) select c, d from u', 'r u(c,d); w t[a,b]'],
  ['insert into t as x (a) values (1) on conflict (a) do update set b = excluded.b + x.c where x.d', 'rw t(c,d)[a,b]'],
  ['insert into t (a) values (1) returning id, new.b', 'rw t(b,id)[a]'],
  ['insert into t default values', 'w t[*]'],
  ['update t set a = 1', 'w t[a]'],
  ['update t x set a = y.b from u y where x.id = y.id', 'rw t(id)[a]; r u(b,id)'],
  ['update t set (a, b) = (select c, d from u)', 'r u(?c,?d); w t(?c,?d)[a,b]'],
  ['update only s.t set a = a + 1 where b returning old.c', 'rw s.t(a,b,c)[a]'],
  ['delete from t', 'w t'],
  ['delete from t using u where t.id = u.id and u.gone', 'rw t(id); r u(gone,id)'],
  [
    'merge into t using u on t.id = u.id when matched and u.gone then delete when matched then update set a = u.a when not matched then insert (id, b) values (u.id, u.b)',
    'rw t(id)[a,b,id]; r u(a,b,gone,id)',
  ],
  ['truncate a, s.b', 'w a; w s.b'],
  ['copy t (a, b) from stdin', 'w t[a,b]'],
  ['copy (select a from t) to stdout', 'r t(a)'],
  ['copy t to stdout', 'r t(*)'],
  ['create table t (id int references s.u (id), check (id > 0))', 'd t; r s.u'],
  ['create table t (like u) inherits (v)', 'd t; r u; r v'],
  ['create table t as select a from u', 'd t; r u(a)'],
  ['select a into t from u', 'r u(a); wd t'],
  ['create view s.v as select a from t', 'd s.v; r t(a)'],
  ['create materialized view v as select a from t', 'd v; r t(a)'],
  ['refresh materialized view s.v', 'w s.v'],
  ['create index on s.t (lower(a))', 'd s.t'],
  ['alter table t add column b int, drop column a', 'd t'],
  ['alter table t add foreign key (a) references u (id)', 'd t; r u'],
  ['alter table s.t rename to z', 'd s.t'],
  ['drop table if exists s.t, u cascade', 'd s.t; d u'],
  ['drop view v', 'd v'],
  ['drop index i', ''],
  ['drop trigger x on s.t', 'd s.t'],
  ["comment on table s.t is 'x'", 'd s.t'],
  ["comment on column s.t.a is 'x'", 'd s.t'],
  ['grant select on s.t to r', 'd s.t'],
  ['create trigger x after insert on t for each row execute function f()', 'd t'],
  ['create policy p on t using (a in (select u.b from u))', 'd t; r u(b)'],
  ['create function f() returns int begin atomic; select a from t; end', 'r t(a)'],
  ['create sequence s.q', 'd s.q'],
  ['explain (analyze) select a from t', 'r t(a)'],
  ['lock table t in share mode', 'r t'],
  ['vacuum analyze t', 'r t'],
  ['prepare p as select a from t where b = $1', 'r t(a,b)'],
  ['declare c cursor for select a from t', 'r t(a)'],
  ['set search_path = s', ''],
  ['select a from t; update u set b = 1', 'r t(a); w u[b]'],
]

const BY_CATALOGUE: readonly (readonly [sql: string, references: string])[] = [
  [
    'select total, name from orders o join customers c on c.id = customer_id',
    'r crm.customers(id,name); r shop.orders(customer_id,total)',
  ],
  ['select id from orders, customers', 'r crm.customers(?id); r shop.orders(?id)'],
  ['select owner from crm.orders', 'r crm.orders(owner)'],
  [
    'select sku from lines where order_id in (select id from orders where total > price)',
    'r shop.lines(order_id,price,sku); r shop.orders(id,total)',
  ],
  ['select orders.total from shop.orders', 'r shop.orders(total)'],
  ['select shop.orders.total from orders', 'r shop.orders(total)'],
  ['select total as at, count(*) from orders group by at', 'r shop.orders(at,total)'],
  ['select total as spent, count(*) from orders group by spent', 'r shop.orders(total)'],
  ['insert into orders (id) select order_id from lines', 'r shop.lines(order_id); w shop.orders[id]'],
  ['select x from nowhere', 'r nowhere(x)'],
  ['select total from orders, nowhere', 'r nowhere; r shop.orders(total)'],
]

describe('what a statement reads and writes', () => {
  test.each(BY_TEXT)('%s', async (sql, references) => {
    expect(await describeSql(sql)).toEqual(toList(references))
  })
})

describe('with the catalogue', () => {
  test.each(BY_CATALOGUE)('%s', async (sql, references) => {
    expect(await describeSql(sql, true)).toEqual(toList(references))
  })
})

const listCalled = async (sql: string) => {
  const { statements } = await parseSql(sql)
  return statements.flatMap((statement) =>
    listReferences(statement).functions.map(({ schema, name, position }) => `${schema ?? ''}.${name}@${position}`),
  )
}

test('functions are told with their place', async () => {
  expect(await listCalled('select lower(a), pg_catalog.now() from f(1), t where exists (select g(b))')).toEqual([
    '.f@39',
    '.lower@7',
    'pg_catalog.now@17',
    '.g@68',
  ])
  expect(await listCalled('call s.work(now())')).toEqual(['s.work@5', '.now@12'])
  expect(await listCalled('create index on t (f(a))')).toEqual(['.f@19'])
})

test.each([
  ['do $$ begin delete from t; end $$', true],
  ["create function f() returns int language sql as 'select 1'", true],
  ['execute p', true],
  ['create function f() returns int return 1', false],
  ['select 1', false],
])('%s is opaque: %s', async (sql, isOpaque) => {
  const { statements } = await parseSql(sql)
  expect(statements.map((statement) => listReferences(statement).isOpaque)).toEqual([isOpaque])
})

test('places of a name are offsets in the text, whatever stands before it', async () => {
  const sql = `select 'é😀' as "ü";\nselect * from /* 😀 */ shop.orders o, shop.orders p`
  const { statements } = await parseSql(sql)
  const [table] = listReferences(statements[1] ?? expect.fail('two statements')).tables
  expect(table?.positions.map((position) => sql.slice(position, position + 11))).toEqual(['shop.orders', 'shop.orders'])
})

test('the deepest tree that is read can be walked', async () => {
  const parsed = await Promise.all([1400, 1600].map((count) => parseSql(`select ${'a+'.repeat(count)}b from t`)))
  expect(parsed.map(({ errors }) => errors.length)).toEqual([0, 1])
  const [statement = expect.fail('one statement')] = parsed[0]?.statements ?? []
  expect(listReferences(statement).tables.map(describeTable)).toEqual(['r t(a,b)'])
})
