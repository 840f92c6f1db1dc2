import { byEither, listOrCount, month, shares } from '../expected.ts'
import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const TELECOM_STATEMENTS: readonly string[] = [
  `create table tel.subscribers (subscriber_id int primary key, msisdn text not null, full_name text not null, birth_date date, city text not null, segment text not null, activation_date date not null, deactivation_date date, referred_by int)`,
  `create table tel.tariffs (tariff_code text primary key, tariff_name text not null, monthly_fee_cents int not null, included_gb int, included_minutes int, valid_from date not null, valid_to date)`,
  `create table tel.contracts (contract_no int primary key, subscriber_id int not null, tariff_code text not null, start_date date not null, end_date date, min_term_months int not null, sales_channel text not null, auto_renew int not null)`,
  `create table tel.call_records (cdr_id int primary key, caller_id int not null, called_number text not null, call_start timestamp not null, duration_sec int not null, call_type text not null, cell_id int not null, charge_cents int not null)`,
  `create table tel.data_usage (usage_id int primary key, subscriber_id int not null, usage_date date not null, mb_down numeric(10,2) not null, mb_up numeric(10,2) not null, roaming char(1) not null)`,
  `create table tel.cells (cell_id int primary key, site_name text not null, region text not null, technology text not null, commissioned_on date, decommissioned_on date)`,
  `create table tel.bills (bill_id int primary key, subscriber_id int not null, period_start date not null, issued_on date not null, due_on date not null, paid_on date, total_cents int not null, status smallint not null)`,
  `create table tel.bill_items (bill_id int not null, item_no int not null, description text not null, amount_cents int not null, primary key (bill_id, item_no))`,
  `create table tel.tickets (ticket_id int primary key, subscriber_id int not null, opened_at timestamp not null, first_response_at timestamp, resolved_at timestamp, category text not null, severity int not null, agent text)`,
  `comment on column tel.bills.status is '1 = draft, 2 = sent, 3 = paid, 4 = disputed'`,
  `insert into tel.subscribers select n, '+4917' || (10000000 + n), ${pickWord('Amy|Ben|Cat|Dov', "'sa' || n")} || ' ' || n, case when ${pick("'sb' || n", 8)} > 0 then date '1950-01-01' + ${pick("'sc' || n", 20000)}::int end, ${pickWord('Oslo|Bergen|Tromso', "'sd' || n")}, ${pickWord('consumer|consumer|business', "'se' || n")}, day, case when ${pick("'sf' || n", 5)} = 0 then least(day + 100 + ${pick("'sg' || n", 900)}::int, date '2025-12-01') end, case when ${pick("'sh' || n", 6)} = 0 and n > 50 then 1 + ${pick("'si' || n", 49)}::int end from (select n, date '2020-01-01' + ${pick("'sj' || n", 2000)}::int as day from generate_series(1, 640) n) x`,
  `insert into tel.tariffs values ('S', 'Small', 999, 3, 100, '2019-01-01', null), ('M', 'Medium', 1999, 10, 500, '2019-01-01', null), ('L', 'Large', 3499, 40, null, '2020-01-01', null), ('XL', 'Unlimited', 5999, null, null, '2021-06-01', null), ('OLD', 'Classic', 1499, 1, 60, '2012-01-01', '2019-12-31'), ('KID', 'Kids', 499, 1, 30, '2022-01-01', '2024-12-31')`,
  `insert into tel.contracts select n, 1 + ${pick("'ca' || n", 600)}::int, ${pickWord('S|M|M|L|XL', "'cb' || n")}, day, case when ${pick("'cc' || n", 3)} = 0 then day + 365 + ${pick("'cd' || n", 700)}::int end, ${pickWord('1|12|24', "'ce' || n")}::int, ${pickWord('shop|online|phone', "'cf' || n")}, ${pick("'cg' || n", 2)}::int from (select n, date '2020-02-01' + ${pick("'ch' || n", 2100)}::int as day from generate_series(1, 850) n) x`,
  `insert into tel.cells select n, 'Site ' || n, ${pickWord('West|East|North', "'la' || n")}, ${pickWord('4G|5G|2G', "'lb' || n")}, case when ${pick("'lc' || n", 6)} > 0 then date '2012-01-01' + ${pick("'ld' || n", 4500)}::int end, case when ${pick("'le' || n", 9)} = 0 then date '2025-03-01' + ${pick("'lf' || n", 200)}::int end from generate_series(1, 70) n`,
  `insert into tel.call_records select n, 1 + ${pick("'ra' || n", 580)}::int, '+47' || (20000000 + ${pick("'rb' || n", 900000)}), timestamp '2024-06-01 06:00' + ${pick("'rc' || n", 800000)} * interval '1 minute', ${pick("'rd' || n", 2400)}::int, ${pickWord('national|international|roaming', "'re' || n")}, 1 + ${pick("'rf' || n", 66)}::int, ${pick("'rg' || n", 900)}::int from generate_series(1, 6000) n`,
  `insert into tel.data_usage select n, 1 + ${pick("'da' || n", 590)}::int, date '2024-06-01' + ${pick("'db' || n", 555)}::int, ${pick("'dc' || n", 400000)} / 100.0, ${pick("'dd' || n", 40000)} / 100.0, ${pickWord('N|N|N|Y', "'de' || n")} from generate_series(1, 5000) n`,
  `insert into tel.bills select n, 1 + ${pick("'ba' || n", 610)}::int, p, p + 32, p + 46, case when st = 3 then p + 32 + ${pick("'bb' || n", 30)}::int end, 0, st from (select n, (date '2024-01-01' + ${pick("'bc' || n", 22)}::int * interval '1 month')::date as p, ${pickWord('1|2|3|3|3|4', "'bd' || n")}::smallint as st from generate_series(1, 3000) n) x`,
  `insert into tel.bill_items select bill_id, i, ${pickWord('Base fee|Extra data|International calls|Device instalment', "'ia' || bill_id || '-' || i")}, 100 + ${pick("'ib' || bill_id || '-' || i", 4000)}::int from tel.bills, generate_series(1, 3) i where i <= 1 + bill_id % 3`,
  `update tel.bills b set total_cents = (select sum(amount_cents) from tel.bill_items i where i.bill_id = b.bill_id)`,
  `insert into tel.tickets select n, 1 + ${pick("'ta' || n", 600)}::int, at, case when ${pick("'tb' || n", 8)} > 0 then at + ${pick("'tc' || n", 2000)} * interval '1 minute' end, case when ${pick("'td' || n", 4)} > 0 then at + (2000 + ${pick("'te' || n", 9000)}) * interval '1 minute' end, ${pickWord('billing|network|device|other', "'tf' || n")}, 1 + ${pick("'tg' || n", 4)}::int, case when ${pick("'th' || n", 7)} > 0 then ${pickWord('Nils|Ola|Siri', "'ti' || n")} end from (select n, timestamp '2024-05-01 08:00' + ${pick("'tj' || n", 840000)} * interval '1 minute' as at from generate_series(1, 1500) n) x`,
]

const S = 'tel.subscribers'
const C = 'tel.call_records'
const B = 'tel.bills'
const T = 'tel.tickets'
const eur = (sum: string, rest: (sum: string) => string) => [rest(sum), rest(`${sum} / 100.0`)]

export const TELECOM_QUESTIONS = toQuestions([
  ['q', 'how many subscribers are there in each city', `select city, count(*) from ${S} group by 1`],
  [
    'q',
    'business subscribers in Oslo',
    listOrCount('subscriber_id', `${S} where segment = 'business' and city = 'Oslo'`),
  ],
  [
    'q',
    'new activations per month in 2025',
    `select ${month('activation_date')}, count(*) from ${S} where activation_date >= '2025-01-01' group by 1`,
  ],
  ['q', 'subscribers who left this year', listOrCount('subscriber_id', `${S} where deactivation_date >= '2025-01-01'`)],
  ['q', 'active subscribers', [...listOrCount('subscriber_id', `${S} where deactivation_date is null`)]],
  ['q', 'subscribers with no birth date', listOrCount('subscriber_id', `${S} where birth_date is null`)],
  ['q', 'oldest subscriber', `select subscriber_id from ${S} order by birth_date limit 1`],
  [
    'q',
    'subscribers that were referred by someone',
    listOrCount('subscriber_id', `${S} where referred_by is not null`),
  ],
  [
    'q',
    'who referred the most subscribers',
    byEither(
      ['r.subscriber_id', 'r.full_name'],
      (key) =>
        `select ${key} from ${S} s join ${S} r on r.subscriber_id = s.referred_by group by 1 order by count(*) desc, 1 limit 1`,
    ),
  ],
  ['q', 'average age of subscribers', []],
  ['q', 'monthly fee of each tariff', eur('monthly_fee_cents', (sum) => `select tariff_name, ${sum} from tel.tariffs`)],
  [
    'q',
    'cheapest tariff',
    byEither(
      ['tariff_code', 'tariff_name'],
      (key) => `select ${key} from tel.tariffs order by monthly_fee_cents limit 1`,
    ),
  ],
  ['q', 'tariffs with more than 5 GB included', listOrCount('tariff_code', 'tel.tariffs where included_gb > 5')],
  [
    'q',
    'tariffs that are no longer valid',
    [
      ...listOrCount('tariff_code', "tel.tariffs where valid_to < '2025-12-15'"),
      ...listOrCount('tariff_code', 'tel.tariffs where valid_to is not null'),
    ],
  ],
  [
    'q',
    'contracts per tariff',
    byEither(
      ['tariff_code', 'tariff_name'],
      (key) => `select ${key}, count(*) from tel.contracts join tel.tariffs using (tariff_code) group by 1`,
    ),
  ],
  [
    'q',
    'tariffs nobody has a contract for',
    listOrCount(
      'tariff_code',
      'tel.tariffs t where not exists (select from tel.contracts c where c.tariff_code = t.tariff_code)',
    ),
  ],
  [
    'q',
    'contracts sold online in 2024',
    listOrCount(
      'contract_no',
      "tel.contracts where sales_channel = 'online' and start_date >= '2024-01-01' and start_date < '2025-01-01'",
    ),
  ],
  [
    'q',
    'contracts with auto renewal by sales channel',
    'select sales_channel, count(*) from tel.contracts where auto_renew = 1 group by 1',
  ],
  [
    'q',
    'contracts with a minimum term of 24 months',
    listOrCount('contract_no', 'tel.contracts where min_term_months = 24'),
  ],
  [
    'q',
    'subscribers without a contract',
    listOrCount(
      'subscriber_id',
      `${S} s where not exists (select from tel.contracts c where c.subscriber_id = s.subscriber_id)`,
    ),
  ],
  [
    'q',
    'total call minutes by call type',
    [
      `select call_type, sum(duration_sec) / 60.0 from ${C} group by 1`,
      `select call_type, sum(duration_sec) from ${C} group by 1`,
    ],
  ],
  [
    'q',
    'average call duration for international calls',
    [
      `select avg(duration_sec) from ${C} where call_type = 'international'`,
      `select avg(duration_sec) / 60.0 from ${C} where call_type = 'international'`,
    ],
  ],
  ['q', 'calls longer than 30 minutes', listOrCount('cdr_id', `${C} where duration_sec > 1800`)],
  ['q', 'calls per region', `select region, count(*) from ${C} join tel.cells using (cell_id) group by 1`],
  ['q', 'longest call', `select cdr_id from ${C} order by duration_sec desc limit 1`],
  [
    'q',
    'top 5 callers by number of calls',
    byEither(
      ['caller_id', 'full_name'],
      (key) =>
        `select ${key}, count(*) from ${C} join ${S} on subscriber_id = caller_id group by 1 order by 2 desc, 1 limit 5`,
    ),
  ],
  [
    'q',
    'charges by call type in November 2025',
    eur(
      'sum(charge_cents)',
      (sum) =>
        `select call_type, ${sum} from ${C} where call_start >= '2025-11-01' and call_start < '2025-12-01' group by 1`,
    ),
  ],
  ['q', '5G cells per region', `select region, count(*) from tel.cells where technology = '5G' group by 1`],
  ['q', 'decommissioned cells', listOrCount('cell_id', 'tel.cells where decommissioned_on is not null')],
  [
    'q',
    'cells without any calls',
    listOrCount('cell_id', `tel.cells x where not exists (select from ${C} c where c.cell_id = x.cell_id)`),
  ],
  [
    'q',
    'total downloaded data per month this year',
    `select ${month('usage_date')}, sum(mb_down) from tel.data_usage where usage_date >= '2025-01-01' group by 1`,
  ],
  [
    'q',
    'data downloaded while roaming by segment',
    `select segment, sum(mb_down) from tel.data_usage join ${S} using (subscriber_id) where roaming = 'Y' group by 1`,
  ],
  ['q', 'data usage by city', []],
  ['q', 'total billed per month', []],
  [
    'q',
    'total of bills issued in October 2025',
    eur(
      'sum(total_cents)',
      (sum) => `select ${sum} from ${B} where issued_on >= '2025-10-01' and issued_on < '2025-11-01'`,
    ),
  ],
  ['q', 'disputed bills', listOrCount('bill_id', `${B} where status = 4`)],
  ['q', 'bills paid after the due date', listOrCount('bill_id', `${B} where paid_on > due_on`)],
  ['q', 'bills over 100 euros', listOrCount('bill_id', `${B} where total_cents > 10000`)],
  [
    'q',
    'average bill per segment',
    eur('avg(total_cents)', (sum) => `select segment, ${sum} from ${B} join ${S} using (subscriber_id) group by 1`),
  ],
  [
    'q',
    'billed amount by item description',
    eur('sum(amount_cents)', (sum) => `select description, ${sum} from tel.bill_items group by 1`),
  ],
  ['q', 'tickets by category and severity', `select category, severity, count(*) from ${T} group by 1, 2`],
  [
    'q',
    'unresolved network tickets',
    listOrCount('ticket_id', `${T} where resolved_at is null and category = 'network'`),
  ],
  [
    'q',
    'average time to first response in minutes',
    `select avg(extract(epoch from first_response_at - opened_at)) / 60 from ${T}`,
  ],
  ['q', 'tickets without an agent', listOrCount('ticket_id', `${T} where agent is null`)],
  ['q', 'share of tickets that are resolved', shares('resolved_at is not null', T)],
  ['q', 'dropped calls per cell', []],
  ['q', 'customer lifetime value', []],
])
