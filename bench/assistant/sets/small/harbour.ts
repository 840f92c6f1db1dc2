import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

/** Prefixed names and one-letter flags, planned and actual times. */
export const HARBOUR_STATEMENTS: readonly string[] = [
  `create table port.t_company (company_id int primary key, company_name text not null, hq_country text not null, credit_limit numeric(12,2))`,
  `create table port.t_vessel (vessel_id int primary key, imo_no text not null, vessel_name text not null, vessel_type text not null, flag_state text not null, built_year int not null, length_m numeric(5,1) not null, gross_tonnage int not null, owner_id int not null references port.t_company (company_id), manager_id int references port.t_company (company_id), scrapped_on date)`,
  `create table port.t_berth (berth_code text primary key, terminal text not null, max_length_m numeric(5,1) not null, depth_m numeric(4,1) not null, shore_power char(1) not null)`,
  `create table port.t_port_call (call_id int primary key, vessel_id int not null references port.t_vessel, berth_code text references port.t_berth, eta timestamptz not null, arrived_at timestamptz, departed_at timestamptz, pilot_name text, purpose text not null, cancelled boolean not null)`,
  `create table port.t_container (cntr_no text primary key, call_id int not null references port.t_port_call, size_ft int not null, cargo_type text not null, weight_kg int not null, reefer boolean not null, released_on date)`,
  `create table port.t_inspection (insp_id int primary key, vessel_id int not null references port.t_vessel, inspector text not null, insp_date date not null, result text not null, deficiencies int not null, follow_up_due date)`,
  `create table port.t_invoice (inv_no text primary key, call_id int not null references port.t_port_call, company_id int not null references port.t_company, issued_on date not null, due_on date not null, paid_on date, amount_eur numeric(10,2) not null)`,
  `insert into port.t_company select n, ${pickWord('Nordic|Atlas|Coral|Delta', "'ca' || n")} || ' Shipping ' || n, ${pickWord('Greece|Denmark|Panama|Malta', "'cb' || n")}, case when ${pick("'cc' || n", 4)} > 0 then 10000 + ${pick("'cd' || n", 900000)} end from generate_series(1, 55) n`,
  `insert into port.t_vessel select n, 'IMO' || (9000000 + n), ${pickWord('MV Aurora|MV Borealis|MV Cygnus|MV Draco', "'va' || n")} || ' ' || n, ${pickWord('container|tanker|bulk carrier|ferry', "'vb' || n")}, ${pickWord('Panama|Malta|Liberia', "'vc' || n")}, 1985 + ${pick("'vd' || n", 40)}::int, 60 + ${pick("'ve' || n", 3000)} / 10.0, 900 + ${pick("'vf' || n", 150000)}::int, 1 + ${pick("'vg' || n", 50)}::int, case when ${pick("'vh' || n", 3)} > 0 then 1 + ${pick("'vi' || n", 48)}::int end, case when ${pick("'vj' || n", 15)} = 0 then date '2024-06-01' + ${pick("'vk' || n", 400)}::int end from generate_series(1, 210) n`,
  `insert into port.t_berth select 'B' || n, ${pickWord('East|West|Cruise', "'ba' || n")}, 120 + ${pick("'bb' || n", 2500)} / 10.0, 8 + ${pick("'bc' || n", 90)} / 10.0, ${pickWord('Y|N', "'bd' || n")} from generate_series(1, 18) n`,
  `insert into port.t_port_call select p.n, 1 + ${pick("'pa' || p.n", 195)}::int, case when ${pick("'pb' || p.n", 12)} > 0 then 'B' || (1 + ${pick("'pc' || p.n", 17)}) end, p.at, case when p.s > 0 then p.at + (${pick("'pd' || p.n", 600)} - 120) * interval '1 minute' end, case when p.s > 0 and ${pick("'pe' || p.n", 30)} > 0 then p.at + (600 + ${pick("'pf' || p.n", 4000)}) * interval '1 minute' end, case when ${pick("'pg' || p.n", 4)} > 0 then ${pickWord('H Berg|L Costa|P Novak', "'ph' || p.n")} end, ${pickWord('loading|unloading|bunkering|repair', "'pi' || p.n")}, p.s = 0 from (select n, timestamptz '2023-06-01 00:00+00' + ${pick("'pj' || n", 1330000)} * interval '1 minute' as at, ${pick("'pk' || n", 16)} as s from generate_series(1, 3200) n) p`,
  `insert into port.t_container select 'CN' || (100000 + n), 1 + ${pick("'na' || n", 3000)}::int, ${pickWord('20|40|45', "'nb' || n")}::int, ${pickWord('general|food|chemicals|machinery', "'nc' || n")}, 2000 + ${pick("'nd' || n", 28000)}::int, ${pick("'ne' || n", 6)} = 0, case when ${pick("'nf' || n", 5)} > 0 then date '2023-07-01' + ${pick("'ng' || n", 890)}::int end from generate_series(1, 9000) n`,
  `insert into port.t_inspection select i.n, 1 + ${pick("'ia' || i.n", 180)}::int, ${pickWord('R Holm|S Ivers|T Juric', "'ib' || i.n")}, i.day, ${pickWord('passed|passed|failed|detained', "'ic' || i.n")}, ${pick("'id' || i.n", 9)}::int, case when ${pick("'ie' || i.n", 3)} = 0 then i.day + 30 + ${pick("'if' || i.n", 60)}::int end from (select n, date '2023-01-15' + ${pick("'ig' || n", 1060)}::int as day from generate_series(1, 640) n) i`,
  `insert into port.t_invoice select 'INV' || v.n, 1 + ${pick("'xa' || v.n", 3100)}::int, 1 + ${pick("'xb' || v.n", 52)}::int, v.day, v.day + 30, case when ${pick("'xc' || v.n", 5)} > 0 then v.day + ${pick("'xd' || v.n", 70)}::int end, 300 + ${pick("'xe' || v.n", 5000000)} / 100.0 from (select n, date '2023-06-10' + ${pick("'xf' || n", 840)}::int as day from generate_series(1, 2700) n) v`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const shares = (condition: string, rest: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)
const V = 'port.t_vessel'
const C = 'port.t_port_call'
const N = 'port.t_container'
const I = 'port.t_inspection'
const X = 'port.t_invoice'

export const HARBOUR_QUESTIONS = toQuestions([
  ['q', 'how many vessels are in the database?', `select count(*) from ${V}`],
  ['q', 'vessels by type', `select vessel_type, count(*) from ${V} group by 1`],
  [
    'q',
    'tankers under the flag of Malta',
    listOrCount('vessel_id', `${V} where vessel_type = 'tanker' and flag_state = 'Malta'`),
  ],
  ['q', 'ships built before 2000', listOrCount('vessel_id', `${V} where built_year < 2000`)],
  ['q', 'longest vessel', `select vessel_id from ${V} order by length_m desc limit 1`],
  ['q', 'vessels longer than 300 m', listOrCount('vessel_id', `${V} where length_m > 300`)],
  ['q', 'avg gross tonnage per vessel type', `select vessel_type, avg(gross_tonnage) from ${V} group by 1`],
  ['q', 'vessels without a manager', listOrCount('vessel_id', `${V} where manager_id is null`)],
  ['q', 'which owner has the most vessels', `select owner_id from ${V} group by 1 order by count(*) desc, 1 limit 1`],
  ['q', 'scrapped vessels', listOrCount('vessel_id', `${V} where scrapped_on is not null`)],
  ['q', 'vessels that never called here', []],
  [
    'q',
    'vessels with no port calls',
    listOrCount('vessel_id', `${V} v where not exists (select from ${C} c where c.vessel_id = v.vessel_id)`),
  ],
  ['q', 'newest 5 vessels', `select vessel_id from ${V} order by built_year desc, vessel_id limit 5`],
  ['q', 'number of different flag states', `select count(distinct flag_state) from ${V}`],
  ['q', 'berths per terminal', 'select terminal, count(*) from port.t_berth group by 1'],
  ['q', 'berths with shore power', listOrCount('berth_code', "port.t_berth where shore_power = 'Y'")],
  [
    'q',
    'berths without shore power at the East terminal',
    listOrCount('berth_code', "port.t_berth where shore_power = 'N' and terminal = 'East'"),
  ],
  ['q', 'deepest berth', 'select berth_code from port.t_berth order by depth_m desc limit 1'],
  [
    'q',
    'berths that were never used',
    listOrCount('berth_code', `port.t_berth b where not exists (select from ${C} c where c.berth_code = b.berth_code)`),
  ],
  [
    'q',
    'busiest berth',
    `select berth_code from ${C} where berth_code is not null group by 1 order by count(*) desc, 1 limit 1`,
  ],
  [
    'q',
    'port calls per month in 2025',
    [
      `select ${month('eta')}, count(*) from ${C} where eta >= '2025-01-01' and eta < '2026-01-01' group by 1`,
      `select ${month('arrived_at')}, count(*) from ${C} where arrived_at >= '2025-01-01' and arrived_at < '2026-01-01' group by 1`,
    ],
  ],
  ['q', 'calls by purpose', `select purpose, count(*) from ${C} group by 1`],
  ['q', 'cancelled port calls', listOrCount('call_id', `${C} where cancelled`)],
  ['q', 'what percentage of calls was cancelled', shares('cancelled', C)],
  ['q', 'calls where the ship has not departed', listOrCount('call_id', `${C} where departed_at is null`)],
  [
    'q',
    'vessels that arrived yesterday',
    [
      `select distinct vessel_id from ${C} where arrived_at >= '2025-12-14' and arrived_at < '2025-12-15'`,
      `select count(distinct vessel_id) from ${C} where arrived_at >= '2025-12-14' and arrived_at < '2025-12-15'`,
    ],
  ],
  [
    'q',
    'how many ships arrived last week',
    [
      `select count(*) from ${C} where arrived_at >= '2025-12-08' and arrived_at < '2025-12-15'`,
      `select count(distinct vessel_id) from ${C} where arrived_at >= '2025-12-08' and arrived_at < '2025-12-15'`,
    ],
  ],
  [
    'q',
    'average time between arrival and departure',
    [3600, 86400].map((unit) => `select avg(extract(epoch from departed_at - arrived_at)) / ${unit} from ${C}`),
  ],
  [
    'q',
    'average stay in hours by vessel type',
    `select vessel_type, avg(extract(epoch from departed_at - arrived_at)) / 3600 from ${C} join ${V} using (vessel_id) group by 1`,
  ],
  [
    'q',
    'calls that stayed longer than 2 days',
    listOrCount('call_id', `${C} where extract(epoch from departed_at - arrived_at) / 86400 > 2`),
  ],
  [
    'q',
    'which pilot handled the most calls',
    `select pilot_name from ${C} where pilot_name is not null group by 1 order by count(*) desc limit 1`,
  ],
  ['q', 'calls without a pilot', listOrCount('call_id', `${C} where pilot_name is null`)],
  ['q', 'calls by flag state', `select flag_state, count(*) from ${C} join ${V} using (vessel_id) group by 1`],
  [
    'q',
    'vessels with more than 20 calls',
    [
      `select vessel_id from ${C} group by 1 having count(*) > 20`,
      `select count(*) from (select vessel_id from ${C} group by 1 having count(*) > 20) x`,
    ],
  ],
  ['q', 'containers by cargo type', `select cargo_type, count(*) from ${N} group by 1`],
  ['q', 'refrigerated containers', []],
  ['q', 'reefer containers with food', listOrCount('cntr_no', `${N} where reefer and cargo_type = 'food'`)],
  ['q', 'total container weight by size', `select size_ft, sum(weight_kg) from ${N} group by 1`],
  ['q', 'containers heavier than 25 tonnes', listOrCount('cntr_no', `${N} where weight_kg > 25000`)],
  ['q', 'containers not released yet', listOrCount('cntr_no', `${N} where released_on is null`)],
  ['q', 'average containers per port call', []],
  ['q', '40 ft containers', listOrCount('cntr_no', `${N} where size_ft = 40`)],
  [
    'q',
    'containers released in november',
    listOrCount('cntr_no', `${N} where released_on >= '2025-11-01' and released_on < '2025-12-01'`),
  ],
  ['q', 'inspections per inspector', `select inspector, count(*) from ${I} group by 1`],
  [
    'q',
    'failed inspections this year',
    listOrCount('insp_id', `${I} where result = 'failed' and insp_date >= '2025-01-01'`),
  ],
  ['q', 'inspections with more than 5 deficiencies', listOrCount('insp_id', `${I} where deficiencies > 5`)],
  [
    'q',
    'average deficiencies per vessel type',
    `select vessel_type, avg(deficiencies) from ${I} join ${V} using (vessel_id) group by 1`,
  ],
  [
    'q',
    'vessels detained in 2025',
    [
      `select distinct vessel_id from ${I} where result = 'detained' and insp_date >= '2025-01-01'`,
      `select count(distinct vessel_id) from ${I} where result = 'detained' and insp_date >= '2025-01-01'`,
    ],
  ],
  [
    'q',
    'share of inspections by result',
    [100, 1].map((whole) => `select result, ${whole}.0 * count(*) / (select count(*) from ${I}) from ${I} group by 1`),
  ],
  [
    'q',
    'vessels never inspected',
    listOrCount('vessel_id', `${V} v where not exists (select from ${I} i where i.vessel_id = v.vessel_id)`),
  ],
  ['q', 'invoice amount per company', `select company_id, sum(amount_eur) from ${X} group by 1`],
  ['q', 'unpaid invoices over 20000', listOrCount('inv_no', `${X} where paid_on is null and amount_eur > 20000`)],
  ['q', 'total invoiced in 2025', [`select sum(amount_eur) from ${X} where issued_on >= '2025-01-01'`]],
  ['q', 'how many days does it take to pay an invoice on average', `select avg(paid_on - issued_on) from ${X}`],
  ['q', 'invoices paid late', []],
  ['q', 'outstanding amount', []],
  [
    'q',
    'companies from Greece without a credit limit',
    listOrCount('company_id', "port.t_company where hq_country = 'Greece' and credit_limit is null"),
  ],
  [
    'q',
    'invoices issued per quarter, 2024 vs 2025',
    `select date_trunc('quarter', issued_on)::date, count(*) from ${X} where issued_on >= '2024-01-01' and issued_on < '2026-01-01' group by 1`,
  ],
])
