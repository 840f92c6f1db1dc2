import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const BREWERY_STATEMENTS: readonly string[] = [
  `create table brew.beers (beer_id int primary key, beer_name text not null, style text not null, abv numeric(3,1) not null, launched_on date not null, discontinued boolean not null)`,
  `create table brew.tanks (tank_no text primary key, volume_hl int not null, tank_type text not null, out_of_service boolean not null)`,
  `create table brew.batches (batch_no text primary key, beer_id int not null references brew.beers, tank_no text references brew.tanks, brewed_on date not null, packaged_on date, volume_hl numeric(5,1) not null, target_gravity numeric(5,3) not null, measured_gravity numeric(5,3), batch_status text not null, brewmaster text not null)`,
  `create table brew.bars (bar_id int primary key, bar_name text not null, city text not null, contact_email text, since date not null)`,
  `create table brew.keg_orders (order_no int primary key, bar_id int not null references brew.bars, order_date date not null, delivery_date date, payment_status text not null)`,
  `create table brew.keg_order_items (order_no int not null references brew.keg_orders, beer_id int not null references brew.beers, kegs int not null, price_per_keg numeric(7,2) not null, primary key (order_no, beer_id))`,
  `create table brew.tastings (tasting_id int primary key, batch_no text not null references brew.batches, taster text not null, tasted_on date not null, aroma int not null, flavour int not null, comment text)`,
  `create table brew.purchases (purchase_id int primary key, ingredient text not null, supplier text not null, purchased_on date not null, quantity_kg numeric(8,1) not null, total_cost numeric(9,2) not null)`,
  `insert into brew.beers select n, ${pickWord('Amber|Night|River|Golden', "'ba' || n")} || ' ' || ${pickWord('Fox|Owl|Bear', "'bb' || n")} || ' ' || n, ${pickWord('IPA|Lager|Stout|Wheat', "'bc' || n")}, 3 + ${pick("'bd' || n", 80)} / 10.0, date '2014-01-01' + ${pick("'be' || n", 4200)}::int, ${pick("'bf' || n", 6)} = 0 from generate_series(1, 40) n`,
  `insert into brew.tanks select 'T' || n, 10 * (1 + ${pick("'ta' || n", 9)}::int), ${pickWord('fermenter|bright', "'tb' || n")}, ${pick("'tc' || n", 7)} = 0 from generate_series(1, 22) n`,
  `insert into brew.batches select 'B' || b.n, 1 + ${pick("'ca' || b.n", 37)}::int, case when ${pick("'cb' || b.n", 9)} > 0 then 'T' || (1 + ${pick("'cc' || b.n", 20)}) end, b.day, case when ${pick("'cd' || b.n", 6)} > 0 then b.day + 14 + ${pick("'ce' || b.n", 20)}::int end, 5 + ${pick("'cf' || b.n", 850)} / 10.0, 1.04 + ${pick("'cg' || b.n", 40)} / 1000.0, case when ${pick("'ch' || b.n", 5)} > 0 then 1.04 + ${pick("'ci' || b.n", 42)} / 1000.0 end, ${pickWord('fermenting|packaged|packaged|dumped', "'cj' || b.n")}, ${pickWord('Olga|Piet|Rosa', "'ck' || b.n")} from (select n, date '2023-01-01' + ${pick("'cl' || n", 1070)}::int as day from generate_series(1, 700) n) b`,
  `insert into brew.bars select n, ${pickWord('Anchor|Crown|Lantern|Barrel', "'ra' || n")} || ' ' || n, ${pickWord('Ghent|Leuven|Bruges|Antwerp', "'rb' || n")}, case when ${pick("'rc' || n", 4)} > 0 then 'bar' || n || '@example.com' end, date '2015-01-01' + ${pick("'rd' || n", 3900)}::int from generate_series(1, 130) n`,
  `insert into brew.keg_orders select o.n, 1 + ${pick("'oa' || o.n", 120)}::int, o.day, case when ${pick("'ob' || o.n", 7)} > 0 then o.day + 1 + ${pick("'oc' || o.n", 9)}::int end, ${pickWord('paid|paid|open|reminded', "'od' || o.n")} from (select n, date '2024-01-01' + ${pick("'oe' || n", 713)}::int as day from generate_series(1, 2200) n) o`,
  `insert into brew.keg_order_items select distinct on (1, 2) 1 + ${pick("'ia' || n", 2200)}::int, 1 + ${pick("'ib' || n", 36)}::int, 1 + ${pick("'ic' || n", 12)}::int, 70 + ${pick("'id' || n", 9000)} / 100.0 from generate_series(1, 5200) n`,
  `insert into brew.tastings select n, 'B' || (1 + ${pick("'sa' || n", 640)}), ${pickWord('Jos|Katrien|Lieve|Marc', "'sb' || n")}, date '2023-02-01' + ${pick("'sc' || n", 1040)}::int, 1 + ${pick("'sd' || n", 10)}::int, 1 + ${pick("'se' || n", 10)}::int, case when ${pick("'sf' || n", 3)} = 0 then 'note ' || n end from generate_series(1, 1500) n`,
  `insert into brew.purchases select n, ${pickWord('Pale malt|Hops|Yeast|Wheat malt', "'pa' || n")}, ${pickWord('Maltwerk|Hopfenhaus|Yeastlab', "'pb' || n")}, date '2023-01-03' + ${pick("'pc' || n", 1070)}::int, 5 + ${pick("'pd' || n", 20000)} / 10.0, 30 + ${pick("'pe' || n", 500000)} / 100.0 from generate_series(1, 520) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const VALUE = 'sum(kegs * price_per_keg)'
const ITEMS = 'brew.keg_order_items join brew.keg_orders using (order_no)'

export const BREWERY_QUESTIONS = toQuestions([
  [
    'q',
    'How many beers do we brew?',
    ['select count(*) from brew.beers', 'select count(*) from brew.beers where not discontinued'],
  ],
  ['q', 'beers by style', 'select style, count(*) from brew.beers group by 1'],
  ['q', 'strongest beer', ['select beer_id from brew.beers order by abv desc limit 1']],
  ['q', 'average abv by style', 'select style, avg(abv) from brew.beers group by 1'],
  ['q', 'beers with abv over 8', listOrCount('beer_id', 'brew.beers where abv > 8')],
  ['q', 'discontinued stouts', listOrCount('beer_id', "brew.beers where discontinued and style = 'Stout'")],
  ['q', 'beers launched since 2022', listOrCount('beer_id', "brew.beers where launched_on >= '2022-01-01'")],
  ['q', 'newest beer', 'select beer_id from brew.beers order by launched_on desc limit 1'],
  [
    'q',
    'beers that were never brewed',
    listOrCount('beer_id', 'brew.beers b where not exists (select from brew.batches x where x.beer_id = b.beer_id)'),
  ],
  ['q', 'how many tanks are out of service', 'select count(*) from brew.tanks where out_of_service'],
  ['q', 'total tank volume by type', 'select tank_type, sum(volume_hl) from brew.tanks group by 1'],
  [
    'q',
    'largest fermenter',
    ["select tank_no from brew.tanks where tank_type = 'fermenter' order by volume_hl desc limit 1"],
  ],
  [
    'q',
    'batches per month in 2025',
    [`select ${month('brewed_on')}, count(*) from brew.batches where brewed_on >= '2025-01-01' group by 1`],
  ],
  [
    'q',
    'hectolitres brewed per year',
    ["select date_trunc('year', brewed_on)::date, sum(volume_hl) from brew.batches group by 1"],
  ],
  [
    'q',
    'total volume brewed last month',
    "select sum(volume_hl) from brew.batches where brewed_on >= '2025-11-01' and brewed_on < '2025-12-01'",
  ],
  ['q', 'batches by brewmaster', 'select brewmaster, count(*) from brew.batches group by 1'],
  ['q', 'how many batches did Olga dump', []],
  [
    'q',
    'dumped batches by brewmaster',
    "select brewmaster, count(*) from brew.batches where batch_status = 'dumped' group by 1",
  ],
  [
    'q',
    'what percentage of batches was dumped',
    [100, 1].map(
      (whole) => `select ${whole}.0 * count(*) filter (where batch_status = 'dumped') / count(*) from brew.batches`,
    ),
  ],
  ['q', 'batches still fermenting', listOrCount('batch_no', "brew.batches where batch_status = 'fermenting'")],
  ['q', 'batches without a measured gravity', listOrCount('batch_no', 'brew.batches where measured_gravity is null')],
  ['q', 'batches that missed their target gravity', []],
  ['q', 'batches without a tank', listOrCount('batch_no', 'brew.batches where tank_no is null')],
  [
    'q',
    'average batch volume by style',
    'select style, avg(volume_hl) from brew.batches join brew.beers using (beer_id) group by 1',
  ],
  [
    'q',
    'IPA batches packaged in 2025',
    [
      "select batch_no from brew.batches join brew.beers using (beer_id) where style = 'IPA' and packaged_on >= '2025-01-01'",
      "select count(*) from brew.batches join brew.beers using (beer_id) where style = 'IPA' and packaged_on >= '2025-01-01'",
    ],
  ],
  ['q', 'average fermentation time', []],
  ['q', 'bars by city', 'select city, count(*) from brew.bars group by 1'],
  [
    'q',
    'bars in Ghent without an email',
    listOrCount('bar_id', "brew.bars where city = 'Ghent' and contact_email is null"),
  ],
  [
    'q',
    'bars that have never ordered',
    listOrCount('bar_id', 'brew.bars b where not exists (select from brew.keg_orders o where o.bar_id = b.bar_id)'),
  ],
  ['q', 'bars with more than 25 orders', ['select bar_id from brew.keg_orders group by 1 having count(*) > 25']],
  ['q', 'our oldest customer', []],
  ['q', 'revenue this year', `select ${VALUE} from ${ITEMS} where order_date >= '2025-01-01'`],
  [
    'q',
    'revenue by style',
    `select style, ${VALUE} from brew.keg_order_items join brew.beers using (beer_id) group by 1`,
  ],
  ['q', 'revenue by city', `select city, ${VALUE} from ${ITEMS} join brew.bars using (bar_id) group by 1`],
  ['q', 'top 5 bars by revenue', [`select bar_id from ${ITEMS} group by 1 order by ${VALUE} desc limit 5`]],
  ['q', 'kegs sold per month', `select ${month('order_date')}, sum(kegs) from ${ITEMS} group by 1`],
  ['q', 'best selling beer', ['select beer_id from brew.keg_order_items group by 1 order by sum(kegs) desc limit 1']],
  [
    'q',
    'average price per keg by beer',
    [
      'select beer_name, avg(price_per_keg) from brew.keg_order_items join brew.beers using (beer_id) group by beer_id, beer_name',
    ],
  ],
  ['q', 'open orders', listOrCount('order_no', "brew.keg_orders where payment_status = 'open'")],
  ['q', 'orders not delivered yet', listOrCount('order_no', 'brew.keg_orders where delivery_date is null')],
  [
    'q',
    'orders delivered in November',
    listOrCount('order_no', "brew.keg_orders where delivery_date >= '2025-11-01' and delivery_date < '2025-12-01'"),
  ],
  ['q', 'orders by payment status', 'select payment_status, count(*) from brew.keg_orders group by 1'],
  ['q', 'average delivery time', 'select avg(delivery_date - order_date) from brew.keg_orders'],
  [
    'q',
    'average order value',
    ['select avg(v) from (select sum(kegs * price_per_keg) as v from brew.keg_order_items group by order_no) x'],
  ],
  ['q', 'tastings by taster', 'select taster, count(*) from brew.tastings group by 1'],
  [
    'q',
    'average aroma and flavour by beer',
    [
      'select beer_name, avg(aroma), avg(flavour) from brew.tastings join brew.batches using (batch_no) join brew.beers using (beer_id) group by beer_id, beer_name',
    ],
  ],
  [
    'q',
    'which style has the best flavour',
    [
      'select style from brew.tastings join brew.batches using (batch_no) join brew.beers using (beer_id) group by 1 order by avg(flavour) desc limit 1',
    ],
  ],
  ['q', 'tastings with an aroma below 3', listOrCount('tasting_id', 'brew.tastings where aroma < 3')],
  [
    'q',
    'batches nobody tasted',
    listOrCount(
      'batch_no',
      'brew.batches b where not exists (select from brew.tastings t where t.batch_no = b.batch_no)',
    ),
  ],
  [
    'q',
    'total cost of hops in 2025',
    "select sum(total_cost) from brew.purchases where ingredient = 'Hops' and purchased_on >= '2025-01-01'",
  ],
  ['q', 'kilos bought by supplier', 'select supplier, sum(quantity_kg) from brew.purchases group by 1'],
  ['q', 'most expensive purchase', 'select purchase_id from brew.purchases order by total_cost desc limit 1'],
  ['q', 'purchases per ingredient', ['select ingredient, count(*) from brew.purchases group by 1']],
  ['q', 'cost per hectolitre', []],
  ['q', 'hop price over time', []],
])
