export const SAMPLE_SCHEMA = 'shop'

const CUSTOMERS = 800
const PRODUCTS = 48
const ORDERS = 4_000

const buildRandomNumber = (seed: string, below: number) =>
  `(('x' || substr(md5(${seed}), 1, 8))::bit(32)::bigint % ${below})`
const buildTextArray = (words: string) => `array['${words.split(' ').join("', '")}']`
const buildRandomChoice = (words: string, seed: string) =>
  `(${buildTextArray(words)})[1 + ${buildRandomNumber(seed, words.split(' ').length)}]`

const FIRST =
  'Ada Ben Chloe David Elena Farid Grace Hana Ivan Jonas Karin Liam Mina Noah Olga Paul Quinn Rosa Sven Tara'
const LAST =
  'Adler Brandt Costa Dahl Evans Fischer Garcia Haas Ivanov Jensen Keller Lind Moreau Novak Okafor Park Rossi Sato'
const COUNTRIES = 'DE DE DE AT CH FR NL DK PL SE'
const THINGS = 'Lamp Chair Desk Shelf Mug Teapot Blanket Pillow Clock Vase Mirror Basket'
const LOOKS = 'Oak Linen Brass Stone'

const buildTableStatements = (shop: string) => [
  `create table ${shop}.customers (
     id int primary key, first_name text not null, surname text not null, email text not null unique,
     country char(2) not null, joined_on date not null, wants_newsletter boolean not null)`,
  `create table ${shop}.products (
     id int primary key, sku text not null unique, name text not null, category text not null,
     price numeric(10,2) not null, cost numeric(10,2) not null, details jsonb not null)`,
  `create table ${shop}.orders (
     id int primary key, customer_id int not null references ${shop}.customers, ordered_at timestamptz not null,
     status text not null, channel text not null, shipped_on date, note text)`,
  `create table ${shop}.order_items (
     order_id int not null references ${shop}.orders, line int not null, product_id int not null references ${shop}.products,
     quantity int not null, unit_price numeric(10,2) not null, primary key (order_id, line))`,
  `create table ${shop}.ad_spend (
     day date not null, channel text not null, clicks int not null, impressions int not null,
     cost numeric(10,2) not null, primary key (day, channel))`,
]

const buildRowStatements = (shop: string) => [
  `insert into ${shop}.customers
     select n, p.first_name, p.surname, lower(p.first_name || '.' || p.surname || n || '@example.com'),
            ${buildRandomChoice(COUNTRIES, "'country' || n")}, date '2024-01-01' + ${buildRandomNumber("'joined' || n", 700)}::int,
            ${buildRandomNumber("'news' || n", 3)} = 0
       from generate_series(1, ${CUSTOMERS}) n
       cross join lateral (select ${buildRandomChoice(FIRST, "'first' || n")} as first_name, ${buildRandomChoice(LAST, "'last' || n")} as surname) p`,
  `insert into ${shop}.products
     select n, 'SKU-' || lpad(n::text, 4, '0'), p.look || ' ' || lower(p.thing),
            case when (n - 1) % 12 < 4 then 'Furniture' when (n - 1) % 12 < 8 then 'Kitchen and bed' else 'Decoration' end,
            p.price, round(p.price * 0.4 + ${buildRandomNumber("'cost' || n", 300)} / 100.0, 2),
            jsonb_build_object('look', p.look, 'weight_kg', ${buildRandomNumber("'weight' || n", 200)} / 10.0,
                               'colours', jsonb_build_array('natural', case when n % 2 = 0 then 'black' else 'white' end))
       from generate_series(1, ${PRODUCTS}) n
       cross join lateral (
         select (${buildTextArray(THINGS)})[1 + (n - 1) % 12] as thing, (${buildTextArray(LOOKS)})[1 + (n - 1) / 12] as look,
                9.9 + ${buildRandomNumber("'price' || n", 240)} as price) p`,
  `insert into ${shop}.orders
     select n, 1 + ${buildRandomNumber("'buyer' || n", CUSTOMERS)}, o.at,
            case when o.fate < 80 then 'shipped' when o.fate < 90 then 'paid' when o.fate < 96 then 'returned' else 'cancelled' end,
            ${buildRandomChoice('search search social newsletter direct direct', "'channel' || n")},
            case when o.fate < 80 or o.fate between 90 and 95 then o.at::date + 1 + ${buildRandomNumber("'ship' || n", 4)}::int end,
            case when n % 37 = 0 then 'Please leave it with the neighbour.' when n % 101 = 0 then 'Gift: no invoice in the parcel.' end
       from generate_series(1, ${ORDERS}) n
       cross join lateral (
         select timestamptz '2025-01-01 00:00:00+00' + (n * 31536000.0 / ${ORDERS}) * interval '1 second'
                  + ${buildRandomNumber("'hour' || n", 36_000)} * interval '1 second' as spread) s
       cross join lateral (
         -- Without this a few orders are of the next year, and charts by month end near zero.
         select s.spread - case when s.spread >= '2026-01-01 00:00:00+00' then interval '12 hours' else interval '0' end as at,
                ${buildRandomNumber("'fate' || n", 100)} as fate) o`,
  `insert into ${shop}.order_items
     select o.id, l.line, p.id, 1 + ${buildRandomNumber("'many' || o.id || '-' || l.line", 3)}, p.price
       from ${shop}.orders o
       cross join lateral generate_series(1, 1 + ${buildRandomNumber("'lines' || o.id", 4)}::int) l(line)
       join ${shop}.products p on p.id = 1 + ${buildRandomNumber("'what' || o.id || '-' || l.line", PRODUCTS)}`,
  `insert into ${shop}.ad_spend
     select d.day, c.channel, s.clicks, s.clicks * (18 + ${buildRandomNumber("'seen' || d.day || c.channel", 25)})::int,
            round(s.clicks * c.price, 2)
       from (select date '2025-01-01' + n as day from generate_series(0, 364) n) d
       cross join (values ('search', 0.62), ('social', 0.31), ('newsletter', 0.04)) c(channel, price)
       cross join lateral (select (40 + ${buildRandomNumber("'clicks' || d.day || c.channel", 160)})::int as clicks) s`,
]

const buildViewStatement = (shop: string) => `create view ${shop}.daily_revenue as
  select o.ordered_at::date as day, count(distinct o.id) as orders, sum(i.quantity * i.unit_price) as revenue
    from ${shop}.orders o join ${shop}.order_items i on i.order_id = o.id
   where o.status in ('paid', 'shipped') group by 1`

const listComments = (shop: string): [target: string, text: string][] => [
  [`table ${shop}.customers`, 'Everybody who ever bought something. One row per person.'],
  [`column ${shop}.customers.country`, 'Two letters, as in ISO 3166.'],
  [`table ${shop}.products`, 'What the shop sells, with today’s prices.'],
  [`column ${shop}.products.cost`, 'What the shop pays for one piece.'],
  [`table ${shop}.orders`, 'One row per order; what was bought is in order_items.'],
  [`column ${shop}.orders.status`, 'paid, shipped, returned or cancelled'],
  [`column ${shop}.orders.channel`, 'Where the buyer came from; the same words as in ad_spend.'],
  [`table ${shop}.order_items`, 'Lines of an order. The price is the one of the day it was bought.'],
  [`table ${shop}.ad_spend`, 'What was paid for advertising, per day and channel.'],
  [`view ${shop}.daily_revenue`, 'Revenue per day of orders that were paid and kept.'],
]

export const SAMPLE_TABLES = ['customers', 'products', 'orders', 'order_items', 'ad_spend'] as const

export const listSampleStatements = (schema: string): readonly string[] => [
  ...buildTableStatements(schema),
  ...buildRowStatements(schema),
  `create index orders_customer on ${schema}.orders (customer_id)`,
  `create index orders_at on ${schema}.orders (ordered_at)`,
  buildViewStatement(schema),
  ...listComments(schema).map(([target, text]) => `comment on ${target} is '${text}'`),
]

export const SAMPLE_LABELS: readonly { name: string; color: string; tables: readonly string[] }[] = [
  { name: 'Customer data', color: 'purple', tables: ['customers'] },
  { name: 'Reporting', color: 'green', tables: ['daily_revenue', 'ad_spend'] },
]
