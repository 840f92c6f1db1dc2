import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const RENTALS_STATEMENTS: readonly string[] = [
  `create table estate.building (id int primary key, name text not null, street text not null, district text not null, built_year int not null, floors int not null, has_lift boolean not null)`,
  `create table estate.flat (id int primary key, building_id int not null references estate.building, flat_no text not null, rooms int not null, area_sqm numeric(6,1) not null, base_rent numeric(8,2) not null, condition text not null)`,
  `comment on column estate.flat.condition is 'N = new, R = renovated, O = outdated'`,
  `create table estate.tenant (id int primary key, full_name text not null, email text, phone text, moved_in date not null, occupation text)`,
  `create table estate.lease (id int primary key, flat_id int not null references estate.flat, tenant_id int not null references estate.tenant, start_date date not null, end_date date, monthly_rent numeric(8,2) not null, deposit numeric(8,2) not null, notice_given_on date)`,
  `create table estate.rent_payment (id int primary key, lease_id int not null references estate.lease, due_date date not null, paid_date date, amount numeric(8,2) not null, method text not null)`,
  `create table estate.contractor (id int primary key, company text not null, trade text not null, hourly_fee numeric(6,2) not null)`,
  `create table estate.repair (id int primary key, flat_id int not null references estate.flat, contractor_id int references estate.contractor, reported_on date not null, completed_on date, cost numeric(8,2), urgency text not null, category text not null)`,
  `insert into estate.building select n, ${pickWord('Linden|Park|River|Station', "'ba' || n")} || ' House ' || n, ${pickWord('Mill Lane|High Street|Quay', "'bb' || n")} || ' ' || n, ${pickWord('Old Town|Harbour|Westend', "'bc' || n")}, 1900 + ${pick("'bd' || n", 120)}::int, 2 + ${pick("'be' || n", 7)}::int, ${pick("'bf' || n", 2)} = 0 from generate_series(1, 25) n`,
  `insert into estate.flat select n, 1 + ${pick("'fa' || n", 24)}::int, 'F' || n, 1 + ${pick("'fb' || n", 5)}::int, 25 + ${pick("'fc' || n", 1200)} / 10.0, 400 + ${pick("'fd' || n", 1600)}, ${pickWord('N|R|R|O', "'fe' || n")} from generate_series(1, 260) n`,
  `insert into estate.tenant select n, ${pickWord('Ana|Bert|Cem|Dana|Emil', "'ta' || n")} || ' ' || n, case when ${pick("'tb' || n", 6)} > 0 then 't' || n || '@example.test' end, case when ${pick("'tc' || n", 3)} > 0 then '030' || n end, date '2015-01-01' + ${pick("'td' || n", 3900)}::int, ${pickWord('teacher|nurse|engineer|retired', "'te' || n")} from generate_series(1, 320) n`,
  `insert into estate.lease select n, 1 + ${pick("'la' || n", 245)}::int, 1 + ${pick("'lb' || n", 300)}::int, date '2018-01-01' + ${pick("'lc' || n", 2800)}::int, case when ${pick("'ld' || n", 3)} = 0 then date '2025-01-01' + ${pick("'le' || n", 340)}::int end, 450 + ${pick("'lf' || n", 1700)}, 900 + ${pick("'lg' || n", 3000)}, case when ${pick("'lh' || n", 8)} = 0 then date '2025-08-01' + ${pick("'li' || n", 130)}::int end from generate_series(1, 340) n`,
  `insert into estate.rent_payment select p.n, 1 + ${pick("'pa' || p.n", 330)}::int, p.due, case when ${pick("'pb' || p.n", 15)} > 0 then p.due + ${pick("'pc' || p.n", 12)}::int end, 300 + ${pick("'pd' || p.n", 1500)}, ${pickWord('transfer|transfer|direct debit|cash', "'pe' || p.n")} from (select n, (date '2024-01-01' + (${pick("'pf' || n", 23)}::int) * interval '1 month')::date as due from generate_series(1, 4000) n) p`,
  `insert into estate.contractor select n, ${pickWord('Rapid|Solid|Bright', "'ca' || n")} || ' ' || ${pickWord('Pipes|Walls|Wires', "'cb' || n")} || ' ' || n, ${pickWord('plumbing|painting|electrical', "'cc' || n")}, 35 + ${pick("'cd' || n", 60)} from generate_series(1, 18) n`,
  `insert into estate.repair select n, 1 + ${pick("'ra' || n", 230)}::int, case when ${pick("'rb' || n", 6)} > 0 then 1 + ${pick("'rc' || n", 16)}::int end, date '2024-01-01' + ${pick("'rd' || n", 700)}::int, case when ${pick("'re' || n", 4)} > 0 then date '2025-12-01' + ${pick("'rf' || n", 13)}::int end, case when ${pick("'re' || n", 4)} > 0 then 50 + ${pick("'rg' || n", 900)} end, ${pickWord('low|medium|high', "'rh' || n")}, ${pickWord('heating|water|windows|locks', "'ri' || n")} from generate_series(1, 700) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const FLATS = 'estate.flat f join estate.building b on b.id = f.building_id'
const REPAIRS = 'estate.repair r join estate.contractor c on c.id = r.contractor_id'

export const RENTALS_QUESTIONS = toQuestions([
  ['q', 'how many flats do we manage?', 'select count(*) from estate.flat'],
  ['q', 'number of flats in the Harbour district', `select count(*) from ${FLATS} where district = 'Harbour'`],
  ['q', 'flats with 4 rooms', listOrCount('id', 'estate.flat where rooms = 4')],
  ['q', 'renovated flats', listOrCount('id', "estate.flat where condition = 'R'")],
  ['q', 'how many flats are outdated', "select count(*) from estate.flat where condition = 'O'"],
  ['q', 'average base rent by district', `select district, avg(base_rent) from ${FLATS} group by 1`],
  [
    'q',
    'average area of flats per building',
    [
      `select b.name, avg(area_sqm) from ${FLATS} group by b.id, b.name`,
      `select b.id, avg(area_sqm) from ${FLATS} group by b.id`,
    ],
  ],
  ['q', 'buildings without a lift', listOrCount('id', 'estate.building where not has_lift')],
  ['q', 'oldest building', 'select id from estate.building order by built_year limit 1'],
  ['q', 'buildings built after 1990', listOrCount('id', 'estate.building where built_year > 1990')],
  ['q', 'biggest flat', 'select id from estate.flat order by area_sqm desc, id limit 1'],
  [
    'q',
    'leases that start in 2025',
    listOrCount('id', "estate.lease where start_date >= '2025-01-01' and start_date < '2026-01-01'"),
  ],
  ['q', 'how many leases have no end date', 'select count(*) from estate.lease where end_date is null'],
  ['q', 'leases where notice was given', listOrCount('id', 'estate.lease where notice_given_on is not null')],
  ['q', 'total deposit', 'select sum(deposit) from estate.lease'],
  [
    'q',
    'highest monthly rent',
    ['select max(monthly_rent) from estate.lease', 'select id from estate.lease order by monthly_rent desc limit 1'],
  ],
  [
    'q',
    'how much rent was paid in October 2025',
    "select sum(amount) from estate.rent_payment where paid_date >= '2025-10-01' and paid_date < '2025-11-01'",
  ],
  ['q', 'rent payments by method', 'select method, count(*) from estate.rent_payment group by 1'],
  ['q', 'unpaid rent payments', listOrCount('id', 'estate.rent_payment where paid_date is null')],
  [
    'q',
    'payments per month in 2025',
    ['due_date', 'paid_date'].flatMap((day) =>
      ['count(*)', 'sum(amount)'].map(
        (what) =>
          `select date_trunc('month', ${day})::date, ${what} from estate.rent_payment where ${day} >= '2025-01-01' and ${day} < '2026-01-01' group by 1`,
      ),
    ),
  ],
  ['q', 'tenants with no phone', listOrCount('id', 'estate.tenant where phone is null')],
  [
    'q',
    'tenants who never signed a lease',
    'select id from estate.tenant t where not exists (select from estate.lease l where l.tenant_id = t.id)',
  ],
  [
    'q',
    'flats that were never rented',
    'select id from estate.flat f where not exists (select from estate.lease l where l.flat_id = f.id)',
  ],
  [
    'q',
    'how many nurses rent from us',
    [
      "select count(*) from estate.tenant where occupation = 'nurse'",
      "select count(distinct tenant_id) from estate.lease l join estate.tenant t on t.id = l.tenant_id where occupation = 'nurse'",
    ],
  ],
  ['q', 'high urgency repairs', listOrCount('id', "estate.repair where urgency = 'high'")],
  ['q', 'open repairs', [...listOrCount('id', 'estate.repair where completed_on is null')]],
  ['q', 'repair cost by category', 'select category, sum(cost) from estate.repair group by 1'],
  [
    'q',
    'which contractor did the most repairs',
    [`select company from ${REPAIRS} group by c.id, company order by count(*) desc, c.id limit 1`],
  ],
  [
    'q',
    'contractors with more than 50 repairs',
    [
      `select company from ${REPAIRS} group by c.id, company having count(*) > 50`,
      'select contractor_id from estate.repair where contractor_id is not null group by 1 having count(*) > 50',
    ],
  ],
  [
    'q',
    'what percentage of repairs are heating repairs',
    ["select 100.0 * count(*) filter (where category = 'heating') / count(*) from estate.repair"],
  ],
  ['q', 'repairs reported in the last 30 days', listOrCount('id', "estate.repair where reported_on >= '2025-11-15'")],
  [
    'q',
    'repair costs this year compared to last year',
    [
      "select date_trunc('year', reported_on)::date, sum(cost) from estate.repair where reported_on >= '2024-01-01' group by 1",
      "select date_trunc('year', completed_on)::date, sum(cost) from estate.repair where completed_on >= '2024-01-01' group by 1",
    ],
  ],
  ['q', 'repairs without a contractor', listOrCount('id', 'estate.repair where contractor_id is null')],
  [
    'q',
    'top 5 buildings by repair cost',
    [
      'select b.name from estate.repair r join estate.flat f on f.id = r.flat_id join estate.building b on b.id = f.building_id group by b.id, b.name order by sum(cost) desc, b.id limit 5',
    ],
  ],
  ['q', 'number of plumbing contractors', "select count(*) from estate.contractor where trade = 'plumbing'"],
  ['q', 'occupancy rate', []],
  ['q', 'which tenants are unhappy', []],
])
