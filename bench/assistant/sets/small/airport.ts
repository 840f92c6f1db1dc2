import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const AIRPORT_STATEMENTS: readonly string[] = [
  `create table ops.airline (iata text primary key, airline_name text not null, alliance text, home_country text not null)`,
  `create table ops.gate (gate_no text primary key, terminal text not null, has_jet_bridge boolean not null)`,
  `create table ops.flight (flight_id int primary key, flight_no text not null, iata text not null references ops.airline, kind text not null, other_city text not null, scheduled_time timestamp not null, actual_time timestamp, delay_minutes int, gate_no text references ops.gate, aircraft_type text not null, seats int not null, passengers int, flight_status text not null)`,
  `create table ops.bag (bag_tag int primary key, flight_id int not null references ops.flight, weight_kg numeric(4,1) not null, is_transfer boolean not null, bag_status text not null)`,
  `create table ops.shop (shop_id int primary key, shop_name text not null, terminal text not null, category text not null, monthly_rent numeric(8,2) not null, lease_start date not null, lease_end date)`,
  `create table ops.shop_turnover (shop_id int not null references ops.shop, month_start date not null, turnover numeric(10,2) not null, receipts int not null, primary key (shop_id, month_start))`,
  `create table ops.incident (incident_id int primary key, flight_id int references ops.flight, reported_at timestamp not null, severity text not null, area text not null, resolved_at timestamp, cost numeric(9,2))`,
  `create table ops.security_wait (lane text not null, measured_at timestamp not null, wait_minutes int not null, officers int not null, primary key (lane, measured_at))`,
  `insert into ops.airline select 'A' || n, ${pickWord('Blue|North|Sun|Sky', "'aa' || n")} || ' ' || ${pickWord('Air|Wings|Jet', "'ab' || n")} || ' ' || n, case when ${pick("'ac' || n", 3)} > 0 then ${pickWord('Star|Oneworld|SkyTeam', "'ad' || n")} end, ${pickWord('Denmark|Spain|Greece|Turkey', "'ae' || n")} from generate_series(1, 24) n`,
  `insert into ops.gate select chr(65 + n / 12) || (n % 12 + 1), 'T' || (1 + n / 12), ${pick("'ga' || n", 3)} > 0 from generate_series(0, 35) n`,
  `insert into ops.flight select f.n, 'F' || (100 + ${pick("'fa' || f.n", 400)}), 'A' || (1 + ${pick("'fb' || f.n", 22)}), ${pickWord('arrival|departure', "'fc' || f.n")}, ${pickWord('Lisbon|Oslo|Athens|Dublin|Prague', "'fd' || f.n")}, f.at, case when ${pick("'fe' || f.n", 12)} > 0 then f.at + ${pick("'ff' || f.n", 90)} * interval '1 minute' end, case when ${pick("'fe' || f.n", 12)} > 0 then ${pick("'ff' || f.n", 90)}::int end, (select gate_no from ops.gate order by gate_no offset ${pick("'fg' || f.n", 30)}::int limit 1), ${pickWord('A320|A321|B737|E190', "'fh' || f.n")}, 100 + 20 * ${pick("'fi' || f.n", 6)}::int, case when ${pick("'fe' || f.n", 12)} > 0 then 40 + ${pick("'fj' || f.n", 60)}::int end, case when ${pick("'fe' || f.n", 12)} = 0 then 'cancelled' else ${pickWord('on time|on time|delayed|diverted', "'fk' || f.n")} end from (select n, timestamp '2024-06-01' + ${pick("'fl' || n", 810000)} * interval '1 minute' as at from generate_series(1, 5000) n) f`,
  `insert into ops.bag select n, 1 + ${pick("'ba' || n", 4900)}::int, 5 + ${pick("'bb' || n", 280)} / 10.0, ${pick("'bc' || n", 4)} = 0, ${pickWord('delivered|delivered|delivered|lost|damaged', "'bd' || n")} from generate_series(1, 9000) n`,
  `insert into ops.shop select n, ${pickWord('Corner|Runway|Global|Swift', "'sa' || n")} || ' ' || n, 'T' || (1 + ${pick("'sb' || n", 3)}), ${pickWord('Food|Fashion|Books|Electronics', "'sc' || n")}, 2000 + ${pick("'sd' || n", 1500000)} / 100.0, date '2018-01-01' + ${pick("'se' || n", 2500)}::int, case when ${pick("'sf' || n", 3)} > 0 then date '2025-09-01' + ${pick("'sg' || n", 900)}::int end from generate_series(1, 45) n`,
  `insert into ops.shop_turnover select s, date '2024-01-01' + m * interval '1 month', 10000 + ${pick("'ta' || s || '-' || m", 9000000)} / 100.0, 500 + ${pick("'tb' || s || '-' || m", 4000)}::int from generate_series(1, 43) s, generate_series(0, 22) m`,
  `insert into ops.incident select i.n, case when ${pick("'ia' || i.n", 3)} > 0 then 1 + ${pick("'ib' || i.n", 4800)}::int end, i.at, ${pickWord('minor|minor|major|critical', "'ic' || i.n")}, ${pickWord('Runway|Apron|Terminal|Baggage hall', "'id' || i.n")}, case when ${pick("'ie' || i.n", 6)} > 0 then i.at + ${pick("'if' || i.n", 3000)} * interval '1 minute' end, case when ${pick("'ig' || i.n", 4)} = 0 then 100 + ${pick("'ih' || i.n", 900000)} / 100.0 end from (select n, timestamp '2024-06-02' + ${pick("'ii' || n", 805000)} * interval '1 minute' as at from generate_series(1, 340) n) i`,
  `insert into ops.security_wait select 'Lane ' || l, timestamp '2025-11-01' + h * interval '1 hour', 1 + ${pick("'wa' || l || '-' || h", 45)}::int, 2 + ${pick("'wb' || l || '-' || h", 5)}::int from generate_series(1, 4) l, generate_series(0, 1000) h`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const shares = (condition: string, rest: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)

export const AIRPORT_QUESTIONS = toQuestions([
  [
    'q',
    'How many flights were cancelled in November?',
    "select count(*) from ops.flight where flight_status = 'cancelled' and scheduled_time >= '2025-11-01' and scheduled_time < '2025-12-01'",
  ],
  ['q', 'flights per month', [`select ${month('scheduled_time')}, count(*) from ops.flight group by 1`]],
  ['q', 'flights by status', 'select flight_status, count(*) from ops.flight group by 1'],
  ['q', 'departures to Oslo', listOrCount('flight_id', "ops.flight where kind = 'departure' and other_city = 'Oslo'")],
  [
    'q',
    'how many arrivals were there last week',
    [
      "select count(*) from ops.flight where kind = 'arrival' and scheduled_time >= '2025-12-08' and scheduled_time < '2025-12-15'",
    ],
  ],
  [
    'q',
    'average delay by airline',
    [
      'select airline_name, avg(delay_minutes) from ops.flight join ops.airline using (iata) group by iata, airline_name',
    ],
  ],
  ['q', 'average delay in minutes', 'select avg(delay_minutes) from ops.flight'],
  ['q', 'flights delayed by more than 60 minutes', listOrCount('flight_id', 'ops.flight where delay_minutes > 60')],
  [
    'q',
    'which airline has the most flights?',
    [
      'select airline_name from ops.flight join ops.airline using (iata) group by iata, airline_name order by count(*) desc limit 1',
    ],
  ],
  ['q', 'top 5 destinations', []],
  [
    'q',
    'total passengers this year',
    "select sum(passengers) from ops.flight where scheduled_time >= '2025-01-01' and scheduled_time < '2026-01-01'",
  ],
  [
    'q',
    'passengers per airline',
    ['select airline_name, sum(passengers) from ops.flight join ops.airline using (iata) group by iata, airline_name'],
  ],
  [
    'q',
    'passengers by terminal',
    'select terminal, sum(passengers) from ops.flight join ops.gate using (gate_no) group by 1',
  ],
  ['q', 'average passengers per flight', 'select avg(passengers) from ops.flight'],
  ['q', 'load factor by airline', []],
  ['q', 'flights by aircraft type', 'select aircraft_type, count(*) from ops.flight group by 1'],
  [
    'q',
    'seats offered per month in 2025',
    `select ${month('scheduled_time')}, sum(seats) from ops.flight where scheduled_time >= '2025-01-01' and scheduled_time < '2026-01-01' group by 1`,
  ],
  ['q', 'share of flights on time', shares("flight_status = 'on time'", 'ops.flight')],
  [
    'q',
    'diverted flights in 2025',
    listOrCount(
      'flight_id',
      "ops.flight where flight_status = 'diverted' and scheduled_time >= '2025-01-01' and scheduled_time < '2026-01-01'",
    ),
  ],
  ['q', 'flights with fewer than 50 passengers', listOrCount('flight_id', 'ops.flight where passengers < 50')],
  [
    'q',
    'Greek airlines',
    [
      "select iata from ops.airline where home_country = 'Greece'",
      "select count(*) from ops.airline where home_country = 'Greece'",
    ],
  ],
  ['q', 'airlines without an alliance', listOrCount('iata', 'ops.airline where alliance is null')],
  [
    'q',
    'airlines that had no flight',
    listOrCount('iata', 'ops.airline a where not exists (select from ops.flight f where f.iata = a.iata)'),
  ],
  ['q', 'flights by alliance', ['select alliance, count(*) from ops.flight join ops.airline using (iata) group by 1']],
  ['q', 'gates per terminal', 'select terminal, count(*) from ops.gate group by 1'],
  ['q', 'gates without a jet bridge', listOrCount('gate_no', 'ops.gate where not has_jet_bridge')],
  ['q', 'busiest gate', ['select gate_no from ops.flight group by 1 order by count(*) desc limit 1']],
  ['q', 'how many bags were lost', "select count(*) from ops.bag where bag_status = 'lost'"],
  [
    'q',
    'lost bags by airline',
    [
      "select airline_name, count(*) from ops.bag join ops.flight using (flight_id) join ops.airline using (iata) where bag_status = 'lost' group by iata, airline_name",
    ],
  ],
  ['q', 'average bag weight', 'select avg(weight_kg) from ops.bag'],
  ['q', 'bags heavier than 30 kg', listOrCount('bag_tag', 'ops.bag where weight_kg > 30')],
  ['q', 'percentage of transfer bags', shares('is_transfer', 'ops.bag')],
  ['q', 'bags per flight', ['select flight_id, count(*) from ops.bag group by 1', 'select 9000.0 / 5000']],
  ['q', 'bags by status', 'select bag_status, count(*) from ops.bag group by 1'],
  ['q', 'shops by category', 'select category, count(*) from ops.shop group by 1'],
  ['q', 'total monthly rent by terminal', 'select terminal, sum(monthly_rent) from ops.shop group by 1'],
  ['q', 'food shops in T2', listOrCount('shop_id', "ops.shop where category = 'Food' and terminal = 'T2'")],
  ['q', 'which shop pays the highest rent', 'select shop_name from ops.shop order by monthly_rent desc limit 1'],
  [
    'q',
    'leases ending next year',
    listOrCount('shop_id', "ops.shop where lease_end >= '2026-01-01' and lease_end < '2027-01-01'"),
  ],
  ['q', 'shops without a lease end', listOrCount('shop_id', 'ops.shop where lease_end is null')],
  [
    'q',
    'turnover by category',
    'select category, sum(turnover) from ops.shop_turnover join ops.shop using (shop_id) group by 1',
  ],
  [
    'q',
    'top 3 shops by turnover in 2025',
    [
      "select shop_id from ops.shop_turnover where month_start >= '2025-01-01' group by 1 order by sum(turnover) desc limit 3",
    ],
  ],
  ['q', 'turnover per month', [`select ${month('month_start')}, sum(turnover) from ops.shop_turnover group by 1`]],
  ['q', 'average receipt', []],
  ['q', 'turnover per passenger', []],
  ['q', 'critical incidents', listOrCount('incident_id', "ops.incident where severity = 'critical'")],
  ['q', 'open incidents', []],
  ['q', 'unresolved incidents', listOrCount('incident_id', 'ops.incident where resolved_at is null')],
  ['q', 'incidents by area and severity', 'select area, severity, count(*) from ops.incident group by 1, 2'],
  ['q', 'what did incidents cost us in 2025', ["select sum(cost) from ops.incident where reported_at >= '2025-01-01'"]],
  ['q', 'incidents on the runway', listOrCount('incident_id', "ops.incident where area = 'Runway'")],
  ['q', 'average time to resolve an incident', ['select avg(resolved_at - reported_at) from ops.incident']],
  ['q', 'average wait by lane', 'select lane, avg(wait_minutes) from ops.security_wait group by 1'],
  ['q', 'longest wait at security', ['select wait_minutes from ops.security_wait order by wait_minutes desc limit 1']],
  [
    'q',
    'wait times over 40 minutes',
    [
      `select lane, measured_at from ops.security_wait where wait_minutes > 40`,
      `select count(*) from ops.security_wait where wait_minutes > 40`,
    ],
  ],
  ['q', 'night flights', []],
  [
    'q',
    'cancelled flights in 2025 versus 2024',
    "select date_trunc('year', scheduled_time)::date, count(*) from ops.flight where flight_status = 'cancelled' and scheduled_time >= '2024-01-01' and scheduled_time < '2026-01-01' group by 1",
  ],
])
