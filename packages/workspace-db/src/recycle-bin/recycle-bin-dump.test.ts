import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Cluster } from '../cluster.ts'
import { type WorkspaceNames, toWorkspaceNames } from '../names.ts'
import { createSchema } from '../schemas/change-schemas.ts'
import { type TestWorkspace, testCluster, testWorkspace } from '../testing.ts'
import { moveToBin } from './move-to-bin.ts'
import { restoreFromBin } from './restore-from-bin.ts'
import { dumpDatabase } from './testing/dump-database.ts'

let cluster: Cluster
let workspace: TestWorkspace
let names: WorkspaceNames

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  names = toWorkspaceNames(workspace.key)
  for (const name of ['shop', 'reports']) await createSchema(cluster, { key: workspace.key, name })
  await workspace.runAll('rw', TABLES)
  await cluster.withAdmin(workspace.database, async (client) => {
    const [first, second] = [`${names.database}_p_0000000a`, `${names.database}_p_0000000b`]
    for (const role of [first, second]) {
      await client.query(`create role ${role}`)
      await client.query(`grant usage on schema shop to ${role}`)
    }
    await client.query(`grant select, update on shop.orders to ${first} with grant option`)
    await client.query(`set role ${first}`)
    await client.query(`grant select on shop.orders to ${second} with grant option`)
    await client.query(`grant update (note) on shop.orders to ${second}`)
    await client.query(`set role ${second}`)
    await client.query(`grant select on shop.orders to ${names.reader}`)
    await client.query('reset role')
    await client.query(`grant execute on function shop.first_order() to ${second}`)
    await client.query(`revoke execute on function shop.first_order() from public`)
    await client.query(`grant insert on shop.log to public`)
    await client.query(`grant usage on sequence shop.log_id_seq to ${first}`)
    await client.query(`grant select (amount), update (at) on shop.events_eu_24 to ${first}`)
    await client.query(`alter table shop.days owner to ${first}`)
  })
})

const TABLES = [
  "create type shop.size as enum ('S', 'M', 'L')",
  'create domain shop.amount as numeric(12, 2) check (value >= 0)',
  'create sequence shop.numbers start 100 increment 5 cache 3',
  'create table shop.customers (id int constraint "key of a customer" primary key, name text not null, email text unique nulls not distinct)',
  `create table shop.orders (
     id bigint generated always as identity (start 10 increment 10 minvalue 10) primary key, legacy serial,
     number int default nextval('shop.numbers') not null, customer_id int constraint "by a customer" references shop.customers
       on delete set null (customer_id) deferrable initially deferred,
     parent_id bigint references shop.orders, total shop.amount default 1.5, size shop.size default 'M',
     twice numeric generated always as (total * 2) stored, half int generated always as (legacy / 2) virtual,
     note text storage external compression pglz collate "C", at timestamptz default now(), tags text[] default '{}',
     constraint "sums fit" check (total < 1000000) not valid, unique (legacy, total) deferrable,
     exclude using hash (note with =)
   ) with (fillfactor = 70, autovacuum_enabled = false, toast.autovacuum_enabled = false)`,
  'create index orders_total on shop.orders using btree (total desc nulls last) include (note) with (fillfactor = 80) where total > 1',
  'create index orders_name on shop.orders (lower(note) text_pattern_ops)',
  'alter index shop.orders_name alter column 1 set statistics 200',
  'alter table shop.orders cluster on orders_pkey',
  'alter table shop.orders replica identity full',
  'alter table shop.orders alter column note set statistics 50, alter column total set (n_distinct = 5)',
  'create statistics shop.orders_stats (dependencies, mcv) on total, legacy from shop.orders',
  'create statistics reports.far_stats on number, total from shop.orders',
  `comment on table shop.orders is 'All orders; "quoted" ''too'''`,
  "comment on column shop.orders.total is 'In euros'",
  "comment on index shop.orders_total is 'For the report'",
  `comment on constraint "sums fit" on shop.orders is 'A bound'`,
  "comment on sequence shop.orders_legacy_seq is 'Old numbers'",
  "comment on statistics shop.orders_stats is 'For the planner'",
  'create table shop.lines (order_id bigint, sku text, constraint "lines of order" foreign key (order_id) references shop.orders on update cascade on delete cascade)',
  `comment on constraint "lines of order" on shop.lines is 'Each line has an order'`,
  'create table reports.reviews (order_id bigint, stars int, foreign key (order_id) references shop.orders (id) match full not enforced)',
  'alter table reports.reviews add constraint "seen later" foreign key (order_id) references shop.orders not valid',
  'create unlogged table shop.log (id serial, order_id bigint references shop.orders)',
  'create table shop.days (at date not null, order_id bigint references shop.orders, primary key (at)) partition by range (at)',
  "create table shop.days_2024 partition of shop.days for values from ('2024-01-01') to ('2025-01-01')",
  'create table shop.days_rest partition of shop.days default',
  'create index on shop.days (order_id)',
  'create table shop.visits (day date references shop.days, who text)',
  'create table shop.base (a int, b text)',
  'create table shop.child (c int, check (c > 0)) inherits (shop.base)',
  'create view shop.totals with (security_barrier, security_invoker) as select customer_id, sum(total) as total from shop.orders group by 1',
  'alter view shop.totals alter column total set default 5',
  "comment on view shop.totals is 'Sums'",
  'create view reports.big as select o.id, c.name from shop.orders o join shop.customers c on c.id = o.customer_id where o.total > 100',
  'create materialized view reports.best with (fillfactor = 90) as select * from shop.totals where total > 10',
  'create unique index best_customer on reports.best (customer_id)',
  'create recursive view shop.chain (id, parent_id) as select id, parent_id from shop.orders union all select o.id, o.parent_id from shop.orders o join chain c on c.parent_id = o.id',
  'create function shop.first_order() returns shop.orders language sql begin atomic select * from shop.orders limit 1; end',
  "create function shop.touch() returns trigger language plpgsql as 'begin return new; end'",
  'create trigger touch before update of total on shop.orders for each row when (old.total is distinct from new.total) execute function shop.touch()',
  'create constraint trigger later after insert on shop.orders deferrable initially deferred for each row execute function shop.touch()',
  'create trigger through instead of insert on shop.totals for each row execute function shop.touch()',
  "comment on trigger touch on shop.orders is 'Touches'",
  `create table shop.events (
     id bigint generated by default as identity, region text not null, at date not null, amount numeric,
     vat numeric generated always as (amount * 0.19) stored, primary key (id, region, at),
     exclude using btree (region with =, at with =, id with =)
   ) partition by list (region)`,
  "create table shop.events_eu partition of shop.events for values in ('eu') partition by range (at)",
  `create table shop.events_eu_24 (at date not null, amount numeric, region text not null, id bigint not null,
     vat numeric generated always as (amount * 0.19) stored)`,
  "alter table shop.events_eu attach partition shop.events_eu_24 for values from ('2024-01-01') to ('2025-01-01')",
  'create index events_amount on shop.events (amount)',
  "comment on column shop.events_eu_24.amount is 'Of one year'",
  'create trigger seen after insert on shop.events for each row execute function shop.touch()',
  'alter table shop.events_eu_24 disable trigger seen',
  'alter table shop.events_eu_24 enable row level security',
  'create policy few on shop.events_eu_24 for select using (amount < 10)',
  'create statistics shop.events_stats on region, amount from shop.events',
  'create materialized view reports.by_region as select region, sum(amount) from shop.events group by 1 with no data',
  'alter table shop.orders disable trigger touch',
  'alter table shop.orders enable always trigger later',
  'create rule quiet as on delete to shop.orders where old.total > 500 do instead nothing',
  "insert into shop.customers values (1, 'Ada', 'a@example.com')",
  "insert into shop.orders (customer_id, total, note) overriding user value values (1, 20, 'a'), (1, 5, 'b')",
  "insert into shop.lines values (10, 'x')",
  "insert into shop.days values ('2024-05-01', 10), ('2031-05-01', 20)",
  "insert into shop.visits values ('2024-05-01', 'Ada')",
  'refresh materialized view reports.best',
  'alter table shop.orders enable row level security',
  'alter table shop.orders force row level security',
  'create policy small on shop.orders as restrictive for select using (total < 1000)',
  'create policy mine on shop.orders for update using (true) with check (total < 10)',
  "comment on policy small on shop.orders is 'Small ones'",
]

/** pg_dump runs hundreds of queries. */
const DUMP_TIMEOUT_MS = 600_000

/** pg_dump writes a random key for \restrict. */
const toLines = (dump: string) => dump.split('\n').filter((line) => !/^-- Dumped|^\\(?:un)?restrict/.test(line))

async function deleteAndRestore(at: { schema: string; table?: string }): Promise<void> {
  const binKey = randomBytes(8).toString('hex')
  const place = { key: workspace.key, binKey }
  await moveToBin(cluster, { ...place, ...at, assertAgreed: () => undefined })
  const { unchecked, notes } = await restoreFromBin(cluster, place)
  expect(notes).toEqual([])
  await cluster.withAdmin(workspace.database, async (client) => {
    for (const { table, name } of unchecked) await client.query(`alter table ${table} validate constraint ${name}`)
  })
}

test(
  'pg_dump writes the same before a table or schema is deleted and when it is restored',
  async () => {
    const before = toLines(await dumpDatabase(workspace.database))
    expect(before).toContain('CREATE TABLE shop.orders (')
    for (const table of ['orders', 'customers', 'days', 'base', 'totals', 'events'])
      await deleteAndRestore({ schema: 'shop', table })
    expect(toLines(await dumpDatabase(workspace.database))).toEqual(before)
    for (const schema of ['shop', 'reports']) await deleteAndRestore({ schema })
    expect(toLines(await dumpDatabase(workspace.database))).toEqual(before)
  },
  DUMP_TIMEOUT_MS,
)
