import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

/** An abbreviated star schema with Y/N flags, epochs, a view, and undeclared keys. */
export const SENSORS_STATEMENTS: readonly string[] = [
  `create table iot.dim_site (site_sk int primary key, site_nm text not null, region_cd text not null, site_typ text not null, cap_pallets int not null, opened_dt date not null)`,
  `create table iot.dim_dev (dev_sk int primary key, dev_serial text not null, dev_model text not null, mfr text not null, site_sk int not null, installed_dt date not null, retired_dt date, fw_ver text not null, batt_flg char(1) not null)`,
  `create table iot.dim_metric (metric_sk int primary key, metric_nm text not null, uom text not null, min_ok numeric(8,2), max_ok numeric(8,2))`,
  `create table iot.fact_reading (reading_id bigint primary key, dev_sk int not null, metric_sk int not null, reading_ts timestamptz not null, reading_val numeric(9,2), qual_cd text not null)`,
  `create table iot.fact_alert (alert_id int primary key, dev_sk int not null, metric_sk int not null, raised_ts timestamptz not null, ack_ts timestamptz, closed_ts timestamptz, sev_lvl int not null, ack_by text)`,
  `create table iot.fact_maint (maint_id int primary key, dev_sk int not null, maint_dt date not null, maint_typ text not null, tech_nm text not null, cost_cents int not null, parts_cnt int not null)`,
  `create view iot.v_open_alert as select alert_id, dev_sk, sev_lvl, raised_ts from iot.fact_alert where closed_ts is null`,
  `insert into iot.dim_site select n, ${pickWord('Harbor|Polar|Summit|Delta', "'sa' || n")} || ' Store ' || n, ${pickWord('NORTH|SOUTH|WEST', "'sb' || n")}, ${pickWord('freezer|chiller|ambient', "'sc' || n")}, 200 + ${pick("'sd' || n", 3000)}::int, date '2012-01-01' + ${pick("'se' || n", 4500)}::int from generate_series(1, 16) n`,
  `insert into iot.dim_dev select n, 'SN' || (9000 + n), ${pickWord('TX100|TX200|HM50', "'da' || n")}, ${pickWord('Sensoro|Kelvix', "'db' || n")}, 1 + ${pick("'dc' || n", 15)}::int, date '2019-01-01' + ${pick("'dd' || n", 2300)}::int, case when ${pick("'de' || n", 7)} = 0 then date '2025-01-10' + ${pick("'df' || n", 300)}::int end, ${pickWord('1.0|1.2|2.0', "'dg' || n")}, ${pickWord('Y|Y|N', "'dh' || n")} from generate_series(1, 240) n`,
  `insert into iot.dim_metric values (1, 'Temperature', 'C', -25, 8), (2, 'Humidity', '%', 30, 80), (3, 'Door openings', 'count', null, 40), (4, 'Vibration', 'mm/s', null, 12)`,
  `insert into iot.fact_reading select n, 1 + ${pick("'ra' || n", 230)}::int, 1 + ${pick("'rb' || n", 3)}::int, timestamptz '2025-06-01 00:00+00' + ${pick("'rc' || n", 284000)} * interval '1 minute', case when ${pick("'rd' || n", 15)} > 0 then ${pick("'re' || n", 9000)} / 100.0 - 20 end, ${pickWord('OK|OK|OK|SUSPECT|BAD', "'rf' || n")} from generate_series(1, 15000) n`,
  `insert into iot.fact_alert select a.n, 1 + ${pick("'aa' || a.n", 220)}::int, 1 + ${pick("'ab' || a.n", 4)}::int, a.at, case when ${pick("'ac' || a.n", 5)} > 0 then a.at + ${pick("'ad' || a.n", 300)} * interval '1 minute' end, case when ${pick("'ae' || a.n", 4)} > 0 then a.at + (300 + ${pick("'af' || a.n", 6000)}) * interval '1 minute' end, 1 + ${pick("'ag' || a.n", 4)}::int, case when ${pick("'ac' || a.n", 5)} > 0 then ${pickWord('mlopez|jdoe|akhan', "'ah' || a.n")} end from (select n, timestamptz '2024-06-01 00:00+00' + ${pick("'ai' || n", 806000)} * interval '1 minute' as at from generate_series(1, 2600) n) a`,
  `insert into iot.fact_maint select n, 1 + ${pick("'ma' || n", 200)}::int, date '2024-01-01' + ${pick("'mb' || n", 713)}::int, ${pickWord('calibration|battery swap|repair', "'mc' || n")}, ${pickWord('Ines Pohl|Karl Wirth|Tom Beck', "'md' || n")}, 1500 + ${pick("'me' || n", 40000)}::int, ${pick("'mf' || n", 5)}::int from generate_series(1, 850) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const shares = (condition: string, rest: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)
/** Cents or whole units. */
const cents = (toQuery: (amount: string) => string) => [toQuery('cost_cents'), toQuery('cost_cents / 100.0')]
const READINGS = 'iot.fact_reading r join iot.dim_dev d using (dev_sk) join iot.dim_site s using (site_sk)'
const ALERTS = 'iot.fact_alert a join iot.dim_dev d using (dev_sk) join iot.dim_site s using (site_sk)'
const MAINT = 'iot.fact_maint m join iot.dim_dev d using (dev_sk) join iot.dim_site s using (site_sk)'

export const SENSORS_QUESTIONS = toQuestions([
  [
    'q',
    'how many devices are installed',
    ['select count(*) from iot.dim_dev', 'select count(*) from iot.dim_dev where retired_dt is null'],
  ],
  ['q', 'devices by model', 'select dev_model, count(*) from iot.dim_dev group by 1'],
  [
    'q',
    'devices per site',
    [
      'select site_sk, count(*) from iot.dim_dev group by 1',
      'select site_nm, count(dev_sk) from iot.dim_site left join iot.dim_dev using (site_sk) group by site_sk, site_nm',
    ],
  ],
  ['q', 'retired devices', listOrCount('dev_sk', 'iot.dim_dev where retired_dt is not null')],
  [
    'q',
    'how many devices were retired in 2025',
    "select count(*) from iot.dim_dev where retired_dt >= '2025-01-01' and retired_dt < '2026-01-01'",
  ],
  ['q', 'battery powered devices', [...listOrCount('dev_sk', "iot.dim_dev where batt_flg = 'Y'")]],
  ['q', 'devices without a battery', listOrCount('dev_sk', "iot.dim_dev where batt_flg = 'N'")],
  [
    'q',
    'devices from Kelvix on firmware 1.0',
    listOrCount('dev_sk', "iot.dim_dev where mfr = 'Kelvix' and fw_ver = '1.0'"),
  ],
  ['q', 'devices installed before 2020', listOrCount('dev_sk', "iot.dim_dev where installed_dt < '2020-01-01'")],
  ['q', 'newest device', 'select dev_sk from iot.dim_dev order by installed_dt desc limit 1'],
  ['q', 'freezer sites', listOrCount('site_sk', "iot.dim_site where site_typ = 'freezer'")],
  ['q', 'sites per region', 'select region_cd, count(*) from iot.dim_site group by 1'],
  ['q', 'total pallet capacity by region', 'select region_cd, sum(cap_pallets) from iot.dim_site group by 1'],
  ['q', 'which site has the largest capacity', 'select site_sk from iot.dim_site order by cap_pallets desc limit 1'],
  ['q', 'sites with a capacity above 1500', listOrCount('site_sk', 'iot.dim_site where cap_pallets > 1500')],
  [
    'q',
    'sites with no devices',
    listOrCount('site_sk', 'iot.dim_site s where not exists (select from iot.dim_dev d where d.site_sk = s.site_sk)'),
  ],
  ['q', 'oldest site', 'select site_sk from iot.dim_site order by opened_dt limit 1'],
  [
    'q',
    'number of readings last month',
    "select count(*) from iot.fact_reading where reading_ts >= '2025-11-01' and reading_ts < '2025-12-01'",
  ],
  [
    'q',
    'readings per day in the last 7 days',
    [
      "select date_trunc('day', reading_ts)::date, count(*) from iot.fact_reading where reading_ts >= '2025-12-08' and reading_ts < '2025-12-16' group by 1",
      "select date_trunc('day', reading_ts)::date, count(*) from iot.fact_reading where reading_ts >= '2025-12-09' and reading_ts < '2025-12-16' group by 1",
      "select date_trunc('day', reading_ts)::date, count(*) from iot.fact_reading where reading_ts >= '2025-12-08' and reading_ts < '2025-12-15' group by 1",
    ],
  ],
  [
    'q',
    'average temperature',
    [
      "select avg(reading_val) from iot.fact_reading join iot.dim_metric using (metric_sk) where metric_nm = 'Temperature'",
    ],
  ],
  [
    'q',
    'avg temperature per site',
    [
      `select site_sk, avg(reading_val) from ${READINGS} join iot.dim_metric using (metric_sk) where metric_nm = 'Temperature' group by 1`,
    ],
  ],
  [
    'q',
    'average humidity by month',
    [
      `select ${month('reading_ts')}, avg(reading_val) from iot.fact_reading join iot.dim_metric using (metric_sk) where metric_nm = 'Humidity' group by 1`,
    ],
  ],
  [
    'q',
    'max reading value by metric',
    [
      'select metric_nm, max(reading_val) from iot.fact_reading join iot.dim_metric using (metric_sk) group by 1',
      'select metric_sk, max(reading_val) from iot.fact_reading group by 1',
    ],
  ],
  ['q', 'readings with bad quality', listOrCount('reading_id', "iot.fact_reading where qual_cd = 'BAD'")],
  ['q', 'readings by quality', 'select qual_cd, count(*) from iot.fact_reading group by 1'],
  ['q', 'what percentage of readings is suspect', shares("qual_cd = 'SUSPECT'", 'iot.fact_reading')],
  ['q', 'readings without a value', listOrCount('reading_id', 'iot.fact_reading where reading_val is null')],
  ['q', 'readings that are not OK', listOrCount('reading_id', "iot.fact_reading where qual_cd <> 'OK'")],
  [
    'q',
    'devices that never sent a reading',
    listOrCount('dev_sk', 'iot.dim_dev d where not exists (select from iot.fact_reading r where r.dev_sk = d.dev_sk)'),
  ],
  [
    'q',
    'metrics without readings',
    listOrCount(
      'metric_sk',
      'iot.dim_metric m where not exists (select from iot.fact_reading r where r.metric_sk = m.metric_sk)',
    ),
  ],
  [
    'q',
    'alerts per month this year',
    `select ${month('raised_ts')}, count(*) from iot.fact_alert where raised_ts >= '2025-01-01' group by 1`,
  ],
  ['q', 'alerts by severity', 'select sev_lvl, count(*) from iot.fact_alert group by 1'],
  ['q', 'open alerts', listOrCount('alert_id', 'iot.fact_alert where closed_ts is null')],
  ['q', 'how many alerts were never acknowledged', 'select count(*) from iot.fact_alert where ack_ts is null'],
  ['q', 'alerts acknowledged by jdoe', listOrCount('alert_id', "iot.fact_alert where ack_by = 'jdoe'")],
  [
    'q',
    'who acknowledged the most alerts',
    'select ack_by from iot.fact_alert where ack_by is not null group by 1 order by count(*) desc limit 1',
  ],
  ['q', 'alerts with severity 4', listOrCount('alert_id', 'iot.fact_alert where sev_lvl = 4')],
  [
    'q',
    'severity 3 or higher alerts raised this month',
    listOrCount('alert_id', "iot.fact_alert where sev_lvl >= 3 and raised_ts >= '2025-12-01'"),
  ],
  [
    'q',
    'sites with the most alerts',
    [
      `select site_sk from ${ALERTS} group by 1 order by count(*) desc limit 1`,
      `select site_sk from ${ALERTS} group by 1 order by count(*) desc limit 10`,
      `select site_sk, count(*) from ${ALERTS} group by 1`,
    ],
  ],
  ['q', 'alerts by region', `select region_cd, count(*) from ${ALERTS} group by 1`],
  [
    'q',
    'temperature alerts by site type',
    `select site_typ, count(*) from ${ALERTS} join iot.dim_metric using (metric_sk) where metric_nm = 'Temperature' group by 1`,
  ],
  [
    'q',
    'devices with more than 15 alerts',
    [
      'select dev_sk from iot.fact_alert group by 1 having count(*) > 15',
      'select count(*) from (select dev_sk from iot.fact_alert group by 1 having count(*) > 15) x',
    ],
  ],
  [
    'q',
    'average time to close an alert',
    [
      'select avg(closed_ts - raised_ts) from iot.fact_alert',
      'select avg(extract(epoch from closed_ts - raised_ts)) / 3600 from iot.fact_alert',
      'select avg(extract(epoch from closed_ts - raised_ts)) / 86400 from iot.fact_alert',
      'select avg(extract(epoch from closed_ts - raised_ts)) / 60 from iot.fact_alert',
    ],
  ],
  [
    'q',
    'alerts this year compared to last year',
    [
      "select date_trunc('year', raised_ts)::date, count(*) from iot.fact_alert where raised_ts >= '2024-01-01' group by 1",
    ],
  ],
  [
    'q',
    'maintenance cost by type',
    cents((amount) => `select maint_typ, sum(${amount}) from iot.fact_maint group by 1`),
  ],
  [
    'q',
    'how much did we spend on maintenance in 2025',
    cents((amount) => `select sum(${amount}) from iot.fact_maint where maint_dt >= '2025-01-01'`),
  ],
  [
    'q',
    'average cost of a repair',
    cents((amount) => `select avg(${amount}) from iot.fact_maint where maint_typ = 'repair'`),
  ],
  ['q', 'maintenance cost per site', cents((amount) => `select site_sk, sum(${amount}) from ${MAINT} group by 1`)],
  ['q', 'maintenance jobs that cost more than 300', listOrCount('maint_id', 'iot.fact_maint where cost_cents > 30000')],
  [
    'q',
    'technician with most calibrations',
    ["select tech_nm from iot.fact_maint where maint_typ = 'calibration' group by 1 order by count(*) desc limit 1"],
  ],
  ['q', 'parts used per technician', 'select tech_nm, sum(parts_cnt) from iot.fact_maint group by 1'],
  [
    'q',
    'devices not maintained this year',
    [
      ...listOrCount(
        'dev_sk',
        "iot.dim_dev d where not exists (select from iot.fact_maint m where m.dev_sk = d.dev_sk and maint_dt >= '2025-01-01')",
      ),
    ],
  ],
  ['q', 'last maintenance date for each device', ['select dev_sk, max(maint_dt) from iot.fact_maint group by 1']],
  [
    'q',
    'distinct manufacturers',
    ['select distinct mfr from iot.dim_dev', 'select count(distinct mfr) from iot.dim_dev'],
  ],
  ['q', 'device utilisation', []],
])
