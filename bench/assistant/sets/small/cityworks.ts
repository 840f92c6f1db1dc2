import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const CITYWORKS_STATEMENTS: readonly string[] = [
  `create table city.districts (district_id int primary key, district_name text not null, population int not null, area_km2 numeric(6,2) not null)`,
  `create table city.crews (crew_id int primary key, crew_name text not null, specialty text not null, members int not null)`,
  `create table city.service_requests (request_id int primary key, district_id int not null references city.districts, crew_id int references city.crews, category text not null, priority text not null, status text not null, submitted_at timestamp not null, resolved_at timestamp, source text not null, satisfaction int)`,
  `create table city.assets (asset_id int primary key, asset_type text not null, district_id int not null references city.districts, installed_year int not null, condition_score int, replacement_cost numeric(10,2) not null, retired boolean not null)`,
  `create table city.inspections (inspection_id int primary key, asset_id int not null references city.assets, inspector text not null, inspected_on date not null, passed boolean not null, remarks text)`,
  `create table city.permits (permit_no text primary key, applicant text not null, permit_type text not null, applied_on date not null, granted_on date, fee numeric(8,2) not null, decision text)`,
  `create table city.contracts (contract_id int primary key, vendor text not null, title text not null, contract_value numeric(12,2) not null, signed_on date not null, ends_on date not null)`,
  `create table city.contract_payments (payment_id int primary key, contract_id int not null references city.contracts, paid_on date not null, amount numeric(10,2) not null)`,
  `insert into city.districts select n, ${pickWord('Mill|Castle|Lake|Forest', "'da' || n")} || ' ' || n, 5000 + ${pick("'db' || n", 60000)}::int, 2 + ${pick("'dc' || n", 4000)} / 100.0 from generate_series(1, 14) n`,
  `insert into city.crews select n, 'Crew ' || n, ${pickWord('Roads|Lighting|Parks|Water', "'ca' || n")}, 3 + ${pick("'cb' || n", 8)}::int from generate_series(1, 18) n`,
  `insert into city.service_requests select r.n, 1 + ${pick("'ra' || r.n", 14)}::int, case when ${pick("'rb' || r.n", 6)} > 0 then 1 + ${pick("'rc' || r.n", 17)}::int end, ${pickWord('Pothole|Street light|Graffiti|Fallen tree', "'rd' || r.n")}, ${pickWord('low|normal|normal|urgent', "'re' || r.n")}, ${pickWord('new|in progress|resolved|resolved|rejected', "'rf' || r.n")}, r.at, case when ${pick("'rg' || r.n", 3)} > 0 then r.at + ${pick("'rh' || r.n", 400)} * interval '1 hour' end, ${pickWord('phone|app|app|website', "'ri' || r.n")}, case when ${pick("'rj' || r.n", 2)} = 0 then 1 + ${pick("'rk' || r.n", 5)}::int end from (select n, timestamp '2024-01-01' + ${pick("'rl' || n", 1028000)} * interval '1 minute' as at from generate_series(1, 5200) n) r`,
  `insert into city.assets select n, ${pickWord('Bridge|Lamp post|Bench|Hydrant', "'aa' || n")}, 1 + ${pick("'ab' || n", 13)}::int, 1950 + ${pick("'ac' || n", 75)}::int, case when ${pick("'ad' || n", 8)} > 0 then 1 + ${pick("'ae' || n", 10)}::int end, 100 + ${pick("'af' || n", 9000000)} / 100.0, ${pick("'ag' || n", 12)} = 0 from generate_series(1, 900) n`,
  `insert into city.inspections select n, 1 + ${pick("'ia' || n", 820)}::int, ${pickWord('R Haddad|S Novak|T Lind', "'ib' || n")}, date '2023-01-01' + ${pick("'ic' || n", 1075)}::int, ${pick("'id' || n", 6)} > 0, case when ${pick("'ie' || n", 3)} = 0 then 'note ' || n end from generate_series(1, 1900) n`,
  `insert into city.permits select 'PM' || p.n, ${pickWord('Arc Build|Jonas Ltd|Mira Homes', "'pa' || p.n")} || ' ' || ${pick("'pb' || p.n", 90)}, ${pickWord('Building|Event|Excavation', "'pc' || p.n")}, p.day, case when ${pick("'pd' || p.n", 3)} > 0 then p.day + ${pick("'pe' || p.n", 90)}::int end, 50 + ${pick("'pf' || p.n", 200000)} / 100.0, case when ${pick("'pg' || p.n", 5)} > 0 then ${pickWord('approved|approved|refused', "'ph' || p.n")} end from (select n, date '2023-06-01' + ${pick("'pi' || n", 920)}::int as day from generate_series(1, 1100) n) p`,
  `insert into city.contracts select c.n, ${pickWord('Paveco|Lumen|Greenway', "'ka' || c.n")}, 'Works ' || c.n, 10000 + ${pick("'kb' || c.n", 90000000)} / 100.0, c.day, c.day + 180 + ${pick("'kc' || c.n", 900)}::int from (select n, date '2021-01-01' + ${pick("'kd' || n", 1700)}::int as day from generate_series(1, 80) n) c`,
  `insert into city.contract_payments select n, 1 + ${pick("'ma' || n", 76)}::int, date '2022-01-01' + ${pick("'mb' || n", 1440)}::int, 500 + ${pick("'mc' || n", 5000000)} / 100.0 from generate_series(1, 700) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const shares = (condition: string, rest: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)

export const CITYWORKS_QUESTIONS = toQuestions([
  [
    'q',
    'How many service requests came in last month?',
    "select count(*) from city.service_requests where submitted_at >= '2025-11-01' and submitted_at < '2025-12-01'",
  ],
  ['q', 'requests by category', 'select category, count(*) from city.service_requests group by 1'],
  ['q', 'requests per district', ['select district_id, count(*) from city.service_requests group by 1']],
  [
    'q',
    'urgent pothole requests',
    listOrCount('request_id', "city.service_requests where priority = 'urgent' and category = 'Pothole'"),
  ],
  [
    'q',
    'requests that are in progress',
    listOrCount('request_id', "city.service_requests where status = 'in progress'"),
  ],
  ['q', 'requests without a crew', listOrCount('request_id', 'city.service_requests where crew_id is null')],
  [
    'q',
    'how many requests were rejected in 2025',
    "select count(*) from city.service_requests where status = 'rejected' and submitted_at >= '2025-01-01'",
  ],
  [
    'q',
    'requests resolved last week',
    [
      "select request_id from city.service_requests where resolved_at >= '2025-12-08' and resolved_at < '2025-12-15'",
      "select count(*) from city.service_requests where resolved_at >= '2025-12-08' and resolved_at < '2025-12-15'",
    ],
  ],
  ['q', 'open requests', []],
  ['q', 'share of requests from the app', shares("source = 'app'", 'city.service_requests')],
  [
    'q',
    'requests by source and priority',
    'select source, priority, count(*) from city.service_requests group by 1, 2',
  ],
  [
    'q',
    'requests per month in 2025',
    `select ${month('submitted_at')}, count(*) from city.service_requests where submitted_at >= '2025-01-01' group by 1`,
  ],
  [
    'q',
    'average satisfaction by crew',
    [
      'select crew_name, avg(satisfaction) from city.service_requests join city.crews using (crew_id) group by crew_id, crew_name',
    ],
  ],
  [
    'q',
    'average satisfaction with street light requests',
    "select avg(satisfaction) from city.service_requests where category = 'Street light'",
  ],
  [
    'q',
    'how long does it take to resolve a request',
    [3600, 86400].map(
      (unit) => `select avg(extract(epoch from resolved_at - submitted_at)) / ${unit} from city.service_requests`,
    ),
  ],
  [
    'q',
    'which district has the most graffiti requests?',
    [
      "select district_name from city.service_requests join city.districts using (district_id) where category = 'Graffiti' group by district_id, district_name order by count(*) desc limit 1",
    ],
  ],
  ['q', 'requests per 1000 inhabitants', []],
  [
    'q',
    'top 3 crews by number of requests',
    [
      'select crew_id from city.service_requests where crew_id is not null group by 1 order by count(*) desc, crew_id limit 3',
    ],
  ],
  [
    'q',
    'most common category in the last 30 days',
    [
      "select category from city.service_requests where submitted_at >= '2025-11-15' group by 1 order by count(*) desc limit 1",
    ],
  ],
  ['q', 'crews with more than 8 members', listOrCount('crew_id', 'city.crews where members > 8')],
  ['q', 'crews by specialty', 'select specialty, count(*) from city.crews group by 1'],
  ['q', 'total population', 'select sum(population) from city.districts'],
  ['q', 'largest district by population', 'select district_id from city.districts order by population desc limit 1'],
  ['q', 'smallest district', []],
  ['q', 'population density', []],
  [
    'q',
    'districts with more than 40000 residents',
    listOrCount('district_id', 'city.districts where population > 40000'),
  ],
  ['q', 'assets by type', 'select asset_type, count(*) from city.assets group by 1'],
  [
    'q',
    'bridges installed before 1970',
    listOrCount('asset_id', "city.assets where asset_type = 'Bridge' and installed_year < 1970"),
  ],
  [
    'q',
    'oldest bridge',
    ["select asset_id from city.assets where asset_type = 'Bridge' order by installed_year limit 1"],
  ],
  ['q', 'average condition score by asset type', 'select asset_type, avg(condition_score) from city.assets group by 1'],
  ['q', 'assets with a condition score below 3', listOrCount('asset_id', 'city.assets where condition_score < 3')],
  ['q', 'assets without a condition score', listOrCount('asset_id', 'city.assets where condition_score is null')],
  [
    'q',
    'total replacement cost by district',
    [
      'select district_name, sum(replacement_cost) from city.assets join city.districts using (district_id) group by district_id, district_name',
    ],
  ],
  ['q', 'retired assets', listOrCount('asset_id', 'city.assets where retired')],
  [
    'q',
    'assets that were never inspected',
    listOrCount(
      'asset_id',
      'city.assets a where not exists (select from city.inspections i where i.asset_id = a.asset_id)',
    ),
  ],
  [
    'q',
    'assets not inspected this year',
    listOrCount(
      'asset_id',
      "city.assets a where not exists (select from city.inspections i where i.asset_id = a.asset_id and inspected_on >= '2025-01-01')",
    ),
  ],
  ['q', 'inspections by inspector', 'select inspector, count(*) from city.inspections group by 1'],
  ['q', 'how many inspections failed', ['select count(*) from city.inspections where not passed']],
  ['q', 'share of inspections that passed', shares('passed', 'city.inspections')],
  ['q', 'pass rate by inspector', []],
  ['q', 'inspections without remarks', listOrCount('inspection_id', 'city.inspections where remarks is null')],
  [
    'q',
    'inspections of hydrants in 2025',
    listOrCount(
      'inspection_id',
      "city.inspections join city.assets using (asset_id) where asset_type = 'Hydrant' and inspected_on >= '2025-01-01'",
    ),
  ],
  ['q', 'permits by type', 'select permit_type, count(*) from city.permits group by 1'],
  [
    'q',
    'permit fees in 2025',
    [
      "select sum(fee) from city.permits where applied_on >= '2025-01-01'",
      "select sum(fee) from city.permits where granted_on >= '2025-01-01'",
    ],
  ],
  [
    'q',
    'permits granted this month',
    listOrCount('permit_no', "city.permits where granted_on >= '2025-12-01' and granted_on < '2026-01-01'"),
  ],
  [
    'q',
    'refused building permits',
    listOrCount('permit_no', "city.permits where decision = 'refused' and permit_type = 'Building'"),
  ],
  ['q', 'permits without a decision', listOrCount('permit_no', 'city.permits where decision is null')],
  ['q', 'average fee per permit type', 'select permit_type, avg(fee) from city.permits group by 1'],
  ['q', 'approval rate', []],
  ['q', 'contracts by vendor', 'select vendor, count(*) from city.contracts group by 1'],
  ['q', 'total contract value by vendor', 'select vendor, sum(contract_value) from city.contracts group by 1'],
  [
    'q',
    'contracts ending in 2026',
    listOrCount('contract_id', "city.contracts where ends_on >= '2026-01-01' and ends_on < '2027-01-01'"),
  ],
  [
    'q',
    'how much did we pay Paveco in 2025',
    "select sum(amount) from city.contract_payments join city.contracts using (contract_id) where vendor = 'Paveco' and paid_on >= '2025-01-01'",
  ],
  [
    'q',
    'payments per quarter',
    [
      "select date_trunc('quarter', paid_on)::date, sum(amount) from city.contract_payments group by 1",
      "select date_trunc('quarter', paid_on)::date, count(*) from city.contract_payments group by 1",
    ],
  ],
  [
    'q',
    'contracts with no payments',
    listOrCount(
      'contract_id',
      'city.contracts c where not exists (select from city.contract_payments p where p.contract_id = c.contract_id)',
    ),
  ],
  ['q', 'remaining value per contract', []],
])
