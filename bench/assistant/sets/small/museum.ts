import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const MUSEUM_STATEMENTS: readonly string[] = [
  `create table museum.artist (artist_id int primary key, artist_name text not null, born_year int, died_year int, nationality text)`,
  `create table museum.object (inventory_no text primary key, title text not null, artist_id int references museum.artist, object_type text not null, material text not null, acquired_on date not null, acquisition_mode text not null, insured_value numeric(12,2), gallery_id int, on_display boolean not null)`,
  `create table museum.gallery (gallery_id int primary key, gallery_name text not null, floor int not null, area_sqm int not null)`,
  `create table museum.exhibition (exhibition_id int primary key, title text not null, curator text not null, opens_on date not null, closes_on date not null, budget numeric(10,2) not null)`,
  `create table museum.exhibition_object (exhibition_id int not null references museum.exhibition, inventory_no text not null references museum.object, primary key (exhibition_id, inventory_no))`,
  `create table museum.outgoing_loan (loan_id int primary key, inventory_no text not null references museum.object, borrower text not null, country text not null, sent_on date not null, due_back date not null, returned_on date)`,
  `create table museum.ticket_sale (sale_id int primary key, sold_at timestamp not null, ticket_type text not null, price_cents int not null, sold_via text not null, exhibition_id int references museum.exhibition)`,
  `create table museum.treatment (treatment_id int primary key, inventory_no text not null references museum.object, conservator text not null, started_on date not null, finished_on date, hours_spent numeric(5,1), severity int not null)`,
  `comment on column museum.treatment.severity is '1 = light, 5 = severe'`,
  `alter table museum.object add foreign key (gallery_id) references museum.gallery`,
  `insert into museum.artist select n, ${pickWord('Anna|Bruno|Clara|Diego', "'aa' || n")} || ' ' || ${pickWord('Haas|Ivanov|Jung|Klee', "'ab' || n")} || ' ' || n, case when ${pick("'ac' || n", 8)} > 0 then 1750 + ${pick("'ad' || n", 230)}::int end, case when ${pick("'ae' || n", 3)} > 0 then 1830 + ${pick("'af' || n", 190)}::int end, case when ${pick("'ag' || n", 9)} > 0 then ${pickWord('German|French|Dutch|Japanese', "'ah' || n")} end from generate_series(1, 120) n`,
  `insert into museum.gallery select n, ${pickWord('Red|Blue|Long|Sky', "'ga' || n")} || ' Room ' || n, ${pick("'gb' || n", 4)}::int, 40 + ${pick("'gc' || n", 300)}::int from generate_series(1, 22) n`,
  `insert into museum.object select 'M' || n, ${pickWord('Portrait|Landscape|Still life|Study', "'oa' || n")} || ' ' || n, case when ${pick("'ob' || n", 6)} > 0 then 1 + ${pick("'oc' || n", 110)}::int end, ${pickWord('painting|painting|drawing|sculpture|photograph', "'od' || n")}, ${pickWord('oil|paper|bronze|marble|wood', "'oe' || n")}, date '1950-01-01' + ${pick("'of' || n", 27600)}::int, ${pickWord('purchase|donation|bequest', "'og' || n")}, case when ${pick("'oh' || n", 7)} > 0 then 500 + ${pick("'oi' || n", 90000000)} / 100.0 end, case when ${pick("'oj' || n", 3)} > 0 then 1 + ${pick("'ok' || n", 21)}::int end, ${pick("'ol' || n", 4)} = 0 from generate_series(1, 1500) n`,
  `insert into museum.exhibition select n, ${pickWord('Light|Forms|Voices|Roots', "'ea' || n")} || ' ' || n, ${pickWord('Dr Lang|Dr Meyer|Ms Ortiz', "'eb' || n")}, e.day, e.day + 60 + ${pick("'ec' || n", 120)}::int, 20000 + ${pick("'ed' || n", 30000000)} / 100.0 from (select n, date '2020-01-01' + ${pick("'ee' || n", 2150)}::int as day from generate_series(1, 40) n) e`,
  `insert into museum.exhibition_object select distinct 1 + ${pick("'xa' || n", 38)}::int, 'M' || (1 + ${pick("'xb' || n", 1200)}) from generate_series(1, 1400) n`,
  `insert into museum.outgoing_loan select n, 'M' || (1 + ${pick("'la' || n", 1400)}), ${pickWord('Louvre|Prado|Tate|Met', "'lb' || n")}, ${pickWord('France|Spain|UK|USA', "'lc' || n")}, l.day, l.day + 180, case when ${pick("'ld' || n", 4)} > 0 then l.day + 150 + ${pick("'le' || n", 60)}::int end from (select n, date '2021-01-01' + ${pick("'lf' || n", 1700)}::int as day from generate_series(1, 260) n) l`,
  `insert into museum.ticket_sale select n, timestamp '2024-01-02 09:00' + ${pick("'ta' || n", 1020000)} * interval '1 minute', ${pickWord('adult|adult|reduced|child|family', "'tb' || n")}, 100 * (4 + ${pick("'tc' || n", 16)}::int), ${pickWord('online|desk|desk|group office', "'td' || n")}, case when ${pick("'te' || n", 2)} = 0 then 1 + ${pick("'tf' || n", 40)}::int end from generate_series(1, 9000) n`,
  `insert into museum.treatment select n, 'M' || (1 + ${pick("'ra' || n", 1300)}), ${pickWord('Sato|Weiss|Bell', "'rb' || n")}, r.day, case when ${pick("'rc' || n", 5)} > 0 then r.day + 5 + ${pick("'rd' || n", 90)}::int end, case when ${pick("'re' || n", 6)} > 0 then 1 + ${pick("'rf' || n", 800)} / 10.0 end, 1 + ${pick("'rg' || n", 5)}::int from (select n, date '2022-01-01' + ${pick("'rh' || n", 1420)}::int as day from generate_series(1, 420) n) r`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const units = (rest: string) => [`select sum(price_cents) ${rest}`, `select sum(price_cents) / 100.0 ${rest}`]

export const MUSEUM_QUESTIONS = toQuestions([
  ['q', 'how many objects are in the collection?', ['select count(*) from museum.object']],
  ['q', 'how many paintings do we own', "select count(*) from museum.object where object_type = 'painting'"],
  ['q', 'objects by type', 'select object_type, count(*) from museum.object group by 1'],
  ['q', 'objects by material and type', 'select material, object_type, count(*) from museum.object group by 1, 2'],
  ['q', 'how many objects are on display', 'select count(*) from museum.object where on_display'],
  [
    'q',
    'share of objects on display',
    [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where on_display) / count(*) from museum.object`),
  ],
  ['q', 'objects by unknown artists', listOrCount('inventory_no', 'museum.object where artist_id is null')],
  ['q', 'objects without an artist', listOrCount('inventory_no', 'museum.object where artist_id is null')],
  ['q', 'objects with no insured value', listOrCount('inventory_no', 'museum.object where insured_value is null')],
  ['q', 'total insured value', 'select sum(insured_value) from museum.object'],
  [
    'q',
    'insured value by gallery',
    [
      'select gallery_name, sum(insured_value) from museum.object join museum.gallery using (gallery_id) group by gallery_id, gallery_name',
    ],
  ],
  [
    'q',
    'most valuable object',
    'select inventory_no from museum.object order by insured_value desc nulls last limit 1',
  ],
  [
    'q',
    'bronze sculptures',
    listOrCount('inventory_no', "museum.object where material = 'bronze' and object_type = 'sculpture'"),
  ],
  [
    'q',
    'objects acquired in 2020',
    listOrCount('inventory_no', "museum.object where acquired_on >= '2020-01-01' and acquired_on < '2021-01-01'"),
  ],
  [
    'q',
    'acquisitions per year since 2015',
    [
      "select date_trunc('year', acquired_on)::date, count(*) from museum.object where acquired_on >= '2015-01-01' group by 1",
    ],
  ],
  [
    'q',
    'how many works came to us as a donation',
    "select count(*) from museum.object where acquisition_mode = 'donation'",
  ],
  ['q', 'objects by acquisition mode', 'select acquisition_mode, count(*) from museum.object group by 1'],
  [
    'q',
    'number of objects per artist',
    ['select artist_id, count(*) from museum.object where artist_id is not null group by 1'],
  ],
  [
    'q',
    'artist with the most works',
    [
      'select artist_name from museum.object join museum.artist using (artist_id) group by artist_id, artist_name order by count(*) desc, artist_id limit 1',
    ],
  ],
  ['q', 'French artists', listOrCount('artist_id', "museum.artist where nationality = 'French'")],
  [
    'q',
    'works by Dutch artists',
    listOrCount('inventory_no', "museum.object join museum.artist using (artist_id) where nationality = 'Dutch'"),
  ],
  ['q', 'artists born before 1800', listOrCount('artist_id', 'museum.artist where born_year < 1800')],
  ['q', 'living artists', []],
  [
    'q',
    'artists we have nothing of',
    listOrCount(
      'artist_id',
      'museum.artist a where not exists (select from museum.object o where o.artist_id = a.artist_id)',
    ),
  ],
  ['q', 'galleries on floor 2', listOrCount('gallery_id', 'museum.gallery where floor = 2')],
  ['q', 'largest gallery', 'select gallery_id from museum.gallery order by area_sqm desc limit 1'],
  ['q', 'total area by floor', 'select floor, sum(area_sqm) from museum.gallery group by 1'],
  [
    'q',
    'which exhibitions open next year',
    listOrCount('exhibition_id', "museum.exhibition where opens_on >= '2026-01-01' and opens_on < '2027-01-01'"),
  ],
  ['q', 'current exhibitions', []],
  ['q', 'average exhibition budget by curator', 'select curator, avg(budget) from museum.exhibition group by 1'],
  ['q', 'most expensive exhibition', ['select exhibition_id from museum.exhibition order by budget desc limit 1']],
  [
    'q',
    'exhibitions with more than 40 objects',
    ['select exhibition_id from museum.exhibition_object group by 1 having count(*) > 40'],
  ],
  [
    'q',
    'objects that were never exhibited',
    listOrCount(
      'inventory_no',
      'museum.object o where not exists (select from museum.exhibition_object e where e.inventory_no = o.inventory_no)',
    ),
  ],
  ['q', 'how many exhibitions did Dr Lang curate?', "select count(*) from museum.exhibition where curator = 'Dr Lang'"],
  ['q', 'loans to the Louvre', listOrCount('loan_id', "museum.outgoing_loan where borrower = 'Louvre'")],
  ['q', 'loans by country', 'select country, count(*) from museum.outgoing_loan group by 1'],
  ['q', 'loans that have not been returned', listOrCount('loan_id', 'museum.outgoing_loan where returned_on is null')],
  ['q', 'overdue loans', []],
  [
    'q',
    'loans due back this month',
    listOrCount('loan_id', "museum.outgoing_loan where due_back >= '2025-12-01' and due_back < '2026-01-01'"),
  ],
  [
    'q',
    'who borrows the most?',
    ['select borrower from museum.outgoing_loan group by 1 order by count(*) desc limit 1'],
  ],
  [
    'q',
    'how many tickets did we sell last month',
    "select count(*) from museum.ticket_sale where sold_at >= '2025-11-01' and sold_at < '2025-12-01'",
  ],
  ['q', 'ticket revenue in 2025', units("from museum.ticket_sale where sold_at >= '2025-01-01'")],
  [
    'q',
    'ticket sales by type',
    [
      'select ticket_type, count(*) from museum.ticket_sale group by 1',
      'select ticket_type, sum(price_cents) from museum.ticket_sale group by 1',
    ],
  ],
  [
    'q',
    'tickets sold online per month',
    [`select ${month('sold_at')}, count(*) from museum.ticket_sale where sold_via = 'online' group by 1`],
  ],
  [
    'q',
    'average ticket price',
    ['select avg(price_cents) from museum.ticket_sale', 'select avg(price_cents) / 100 from museum.ticket_sale'],
  ],
  ['q', 'tickets over 15 euros', listOrCount('sale_id', 'museum.ticket_sale where price_cents > 1500')],
  [
    'q',
    'what percentage of tickets is sold at the desk',
    [100, 1].map(
      (whole) => `select ${whole}.0 * count(*) filter (where sold_via = 'desk') / count(*) from museum.ticket_sale`,
    ),
  ],
  [
    'q',
    'top 3 exhibitions by tickets sold',
    [
      'select exhibition_id from museum.ticket_sale where exhibition_id is not null group by 1 order by count(*) desc, exhibition_id limit 3',
    ],
  ],
  [
    'q',
    'tickets in 2025 vs 2024',
    "select date_trunc('year', sold_at)::date, count(*) from museum.ticket_sale where sold_at >= '2024-01-01' group by 1",
  ],
  ['q', 'hours spent by conservator', 'select conservator, sum(hours_spent) from museum.treatment group by 1'],
  ['q', 'average treatment hours', 'select avg(hours_spent) from museum.treatment'],
  ['q', 'treatments still in progress', listOrCount('treatment_id', 'museum.treatment where finished_on is null')],
  [
    'q',
    'unfinished treatments by conservator',
    'select conservator, count(*) from museum.treatment where finished_on is null group by 1',
  ],
  [
    'q',
    'severe treatments',
    [
      'select treatment_id from museum.treatment where severity = 5',
      'select count(*) from museum.treatment where severity = 5',
    ],
  ],
  ['q', 'average severity by conservator', 'select conservator, avg(severity) from museum.treatment group by 1'],
  ['q', 'how long does a treatment take', 'select avg(finished_on - started_on) from museum.treatment'],
  ['q', 'visitors per day', []],
])
