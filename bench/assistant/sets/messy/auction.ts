import { byEither, listOrCount, month, shares } from '../expected.ts'
import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const AUCTION_STATEMENTS: readonly string[] = [
  `create table auc.parties (party_id int primary key, display_name text not null, party_kind text not null, country text not null, email text, kyc_checked_on date, registered_on date not null, blacklisted boolean not null)`,
  `create table auc.sales (sale_no int primary key, title text not null, department text not null, venue text not null, starts_on date not null, ends_on date, status text not null)`,
  `create table auc.lots (lot_id int primary key, sale_no int not null, lot_number int not null, consignor_id int not null, title text not null, artist text, medium text not null, estimate_low numeric(12,2) not null, estimate_high numeric(12,2) not null, reserve_price numeric(12,2), hammer_price numeric(12,2), outcome text not null, received_on date not null, returned_on date)`,
  `create table auc.bids (bid_id int primary key, lot_id int not null, bidder_id int not null, amount numeric(12,2) not null, placed_at timestamp not null, channel text not null, is_winning boolean not null)`,
  `create table auc.invoices (invoice_no int primary key, buyer_id int not null, sale_no int not null, issued_on date not null, due_on date not null, settled_on date, subtotal numeric(12,2) not null, premium numeric(12,2) not null, vat numeric(12,2) not null, total numeric(12,2) not null)`,
  `create table auc.invoice_items (invoice_no int not null, item_no int not null, lot_id int not null, hammer numeric(12,2) not null, premium numeric(12,2) not null, primary key (invoice_no, item_no))`,
  `create table auc.shipments (shipment_id int primary key, invoice_no int not null, carrier text not null, weight_kg numeric(7,2), insured_value numeric(12,2), dispatched_on date, delivered_on date, destination_country text not null)`,
  `create table auc.staff (staff_id int primary key, full_name text not null, department text not null, role text not null, joined_on date not null, left_on date)`,
  `insert into auc.parties select n, ${pickWord('Ash|Birch|Cole|Dunn', "'pa' || n")} || ' ' || n, ${pickWord('private|dealer|museum', "'pb' || n")}, ${pickWord('France|Italy|Japan|Brazil', "'pc' || n")}, case when ${pick("'pd' || n", 5)} > 0 then 'p' || n || '@example.org' end, case when ${pick("'pe' || n", 3)} > 0 then date '2022-01-01' + ${pick("'pf' || n", 1400)}::int end, date '2018-01-01' + ${pick("'pg' || n", 2800)}::int, ${pick("'ph' || n", 25)} = 0 from generate_series(1, 420) n`,
  `insert into auc.sales select n, 'Sale ' || n, ${pickWord('Paintings|Jewels|Books|Wine', "'sa' || n")}, ${pickWord('Paris|Milan|Online', "'sb' || n")}, d, case when ${pick("'sc' || n", 3)} > 0 then d + 1 end, case when d > date '2025-12-15' then 'planned' when ${pick("'sd' || n", 12)} = 0 then 'cancelled' else 'held' end from (select n, date '2023-01-10' + n * 9 as d from generate_series(1, 125) n) x`,
  `insert into auc.lots select n, s, n % 300, 1 + ${pick("'la' || n", 380)}::int, ${pickWord('Landscape|Ring|Atlas|Case of red', "'lb' || n")} || ' ' || n, case when ${pick("'lc' || n", 4)} > 0 then ${pickWord('Moreau|Bianchi|Sato', "'ld' || n")} end, ${pickWord('oil|paper|gold|glass', "'le' || n")}, e, e * 1.5, case when ${pick("'lf' || n", 4)} > 0 then e * 0.8 end, case when o = 'sold' then e * (0.8 + ${pick("'lg' || n", 200)} / 100.0) end, o, date '2022-10-01' + ${pick("'lh' || n", 900)}::int, case when o = 'unsold' and ${pick("'li' || n", 2)} = 0 then date '2025-06-01' + ${pick("'lj' || n", 150)}::int end from (select n, 1 + ${pick("'lk' || n", 112)}::int as s, 100 + 10 * ${pick("'ll' || n", 900)} as e, ${pickWord('sold|sold|unsold|withdrawn', "'lm' || n")} as o from generate_series(1, 2200) n) x`,
  `insert into auc.bids select n, l, 1 + ${pick("'ba' || n", 390)}::int, 100 + 10 * ${pick("'bb' || n", 1500)}, timestamp '2023-02-01 10:00' + ${pick("'bc' || n", 25000)} * interval '1 hour', ${pickWord('room|phone|online', "'bd' || n")}, ${pick("'be' || n", 6)} = 0 from (select n, 1 + ${pick("'bf' || n", 2000)}::int as l from generate_series(1, 6000) n) x`,
  `insert into auc.invoices select n, 1 + ${pick("'ia' || n", 400)}::int, 1 + ${pick("'ib' || n", 110)}::int, d, d + 21, case when ${pick("'ic' || n", 5)} > 0 then d + ${pick("'id' || n", 50)}::int end, 0, 0, 0, 0 from (select n, date '2023-02-01' + ${pick("'ie' || n", 1030)}::int as d from generate_series(1, 800) n) x`,
  `insert into auc.invoice_items select 1 + (row_number() over (order by lot_id) - 1) % 800, row_number() over (order by lot_id), lot_id, hammer_price, round(hammer_price * 0.25, 2) from auc.lots where outcome = 'sold'`,
  `update auc.invoices i set subtotal = h, premium = p, vat = round(p * 0.2, 2), total = h + p + round(p * 0.2, 2) from (select invoice_no, sum(hammer) h, sum(premium) p from auc.invoice_items group by 1) x where x.invoice_no = i.invoice_no`,
  `insert into auc.shipments select n, 1 + ${pick("'ha' || n", 790)}::int, ${pickWord('ArtMove|FastCrate', "'hb' || n")}, case when ${pick("'hc' || n", 7)} > 0 then 1 + ${pick("'hd' || n", 9000)} / 100.0 end, case when ${pick("'he' || n", 3)} > 0 then 100 + ${pick("'hf' || n", 90000)} end, case when ${pick("'hg' || n", 6)} > 0 then d end, case when ${pick("'hg' || n", 6)} > 1 then d + 1 + ${pick("'hh' || n", 20)}::int end, ${pickWord('France|Italy|Japan|Brazil', "'hi' || n")} from (select n, date '2023-03-01' + ${pick("'hj' || n", 1000)}::int as d from generate_series(1, 600) n) x`,
  `insert into auc.staff select n, ${pickWord('Ada|Ben|Cy|Di', "'ta' || n")} || ' ' || n, ${pickWord('Paintings|Jewels|Books|Wine|Finance', "'tb' || n")}, ${pickWord('specialist|registrar|manager', "'tc' || n")}, date '2010-01-01' + ${pick("'td' || n", 5500)}::int, case when ${pick("'te' || n", 5)} = 0 then date '2025-02-01' + ${pick("'tf' || n", 280)}::int end from generate_series(1, 60) n`,
]

const L = 'auc.lots'
const P = 'auc.parties'
const I = 'auc.invoices'
const H = 'auc.shipments'

export const AUCTION_QUESTIONS = toQuestions([
  ['q', 'how many lots did we sell', `select count(*) from ${L} where outcome = 'sold'`],
  ['q', 'lots by outcome', `select outcome, count(*) from ${L} group by 1`],
  [
    'q',
    'unsold lots by department',
    `select department, count(*) from ${L} join auc.sales using (sale_no) where outcome = 'unsold' group by 1`,
  ],
  [
    'q',
    'total hammer price per department',
    `select department, sum(hammer_price) from ${L} join auc.sales using (sale_no) group by 1`,
  ],
  ['q', 'average hammer price by medium', `select medium, avg(hammer_price) from ${L} group by 1`],
  [
    'q',
    'lots that sold for more than the high estimate',
    listOrCount('lot_id', `${L} where hammer_price > estimate_high`),
  ],
  ['q', 'lots without a reserve price', listOrCount('lot_id', `${L} where reserve_price is null`)],
  ['q', 'lots with a hammer price above 5000', listOrCount('lot_id', `${L} where hammer_price > 5000`)],
  ['q', 'most expensive lot', []],
  [
    'q',
    'highest hammer price',
    [
      `select max(hammer_price) from ${L}`,
      `select lot_id from ${L} where hammer_price is not null order by hammer_price desc limit 1`,
    ],
  ],
  [
    'q',
    'which artist has the most lots',
    `select artist from ${L} where artist is not null group by 1 order by count(*) desc limit 1`,
  ],
  ['q', 'lots by Sato', listOrCount('lot_id', `${L} where artist = 'Sato'`)],
  ['q', 'lots with no known artist', listOrCount('lot_id', `${L} where artist is null`)],
  [
    'q',
    'lots returned in August 2025',
    listOrCount('lot_id', `${L} where returned_on >= '2025-08-01' and returned_on < '2025-09-01'`),
  ],
  ['q', 'what percentage of lots was sold', shares("outcome = 'sold'", L)],
  ['q', 'price by department', []],
  [
    'q',
    'private parties from Japan',
    listOrCount('party_id', `${P} where party_kind = 'private' and country = 'Japan'`),
  ],
  ['q', 'blacklisted parties per country', `select country, count(*) from ${P} where blacklisted group by 1`],
  ['q', 'parties without a kyc check', listOrCount('party_id', `${P} where kyc_checked_on is null`)],
  [
    'q',
    'parties who never placed a bid',
    listOrCount('party_id', `${P} p where not exists (select from auc.bids b where b.bidder_id = p.party_id)`),
  ],
  [
    'q',
    'number of parties registered per year',
    `select date_trunc('year', registered_on)::date, count(*) from ${P} group by 1`,
  ],
  [
    'q',
    'top 10 consignors by hammer price',
    byEither(
      ['consignor_id', 'display_name'],
      (key) =>
        `select ${key} from ${L} join ${P} on party_id = consignor_id where hammer_price is not null group by 1 order by sum(hammer_price) desc limit 10`,
    ),
  ],
  ['q', 'bids per channel', 'select channel, count(*) from auc.bids group by 1'],
  ['q', 'average bid placed by phone', `select avg(amount) from auc.bids where channel = 'phone'`],
  [
    'q',
    'winning bids in 2024',
    listOrCount('bid_id', "auc.bids where is_winning and placed_at >= '2024-01-01' and placed_at < '2025-01-01'"),
  ],
  [
    'q',
    'lots with more than 8 bids',
    [
      `select lot_id from auc.bids group by 1 having count(*) > 8`,
      `select count(*) from (select lot_id from auc.bids group by 1 having count(*) > 8) x`,
    ],
  ],
  [
    'q',
    'lots nobody bid on',
    listOrCount('lot_id', `${L} l where not exists (select from auc.bids b where b.lot_id = l.lot_id)`),
  ],
  ['q', 'upcoming sales', []],
  [
    'q',
    'cancelled sales in 2025',
    listOrCount(
      'sale_no',
      "auc.sales where status = 'cancelled' and starts_on >= '2025-01-01' and starts_on < '2026-01-01'",
    ),
  ],
  ['q', 'sales per venue', ['select venue, count(*) from auc.sales group by 1']],
  [
    'q',
    'how many lots are in each sale',
    byEither(
      ['sale_no', 's.title'],
      (key) => `select ${key}, count(*) from ${L} join auc.sales s using (sale_no) group by 1`,
    ),
  ],
  [
    'q',
    'invoice total by month in 2025',
    `select ${month('issued_on')}, sum(total) from ${I} where issued_on >= '2025-01-01' group by 1`,
  ],
  [
    'q',
    'buyer premium earned in 2024',
    [`select sum(premium) from ${I} where issued_on >= '2024-01-01' and issued_on < '2025-01-01'`],
  ],
  ['q', 'invoices not settled', listOrCount('invoice_no', `${I} where settled_on is null`)],
  ['q', 'outstanding amount', []],
  ['q', 'invoices settled after the due date', listOrCount('invoice_no', `${I} where settled_on > due_on`)],
  ['q', 'average days until an invoice is settled', `select avg(settled_on - issued_on) from ${I}`],
  ['q', 'largest invoice', `select invoice_no from ${I} order by total desc limit 1`],
  ['q', 'total vat per quarter', `select date_trunc('quarter', issued_on)::date, sum(vat) from ${I} group by 1`],
  ['q', 'shipments by carrier', `select carrier, count(*) from ${H} group by 1`],
  [
    'q',
    'shipments to Brazil that were not insured',
    listOrCount('shipment_id', `${H} where destination_country = 'Brazil' and insured_value is null`),
  ],
  [
    'q',
    'average delivery time per carrier',
    [`select carrier, avg(delivered_on - dispatched_on) from ${H} group by 1`],
  ],
  ['q', 'shipments still in transit', []],
  [
    'q',
    'heaviest shipment',
    `select shipment_id from ${H} where weight_kg is not null order by weight_kg desc limit 1`,
  ],
  [
    'q',
    'specialists per department',
    `select department, count(*) from auc.staff where role = 'specialist' group by 1`,
  ],
  ['q', 'staff who left this year', listOrCount('staff_id', "auc.staff where left_on >= '2025-01-01'")],
  ['q', 'insurance claims by carrier', []],
  ['q', 'exchange rate by country', []],
])
