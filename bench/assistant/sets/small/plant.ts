import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const PLANT_STATEMENTS: readonly string[] = [
  `create table plant.machines (machine_no text primary key, machine_name text not null, hall text not null, maker text not null, commissioned date not null, hourly_rate numeric(7,2) not null, status text not null)`,
  `create table plant.products (sku text primary key, product_name text not null, product_group text not null, unit_cost numeric(8,2) not null, weight_kg numeric(6,2), discontinued boolean not null)`,
  `create table plant.work_orders (wo_no int primary key, sku text not null references plant.products, machine_no text not null references plant.machines, planned_qty int not null, produced_qty int not null, scrap_qty int not null, planned_start date not null, started_at timestamp, finished_at timestamp, priority text not null)`,
  `create table plant.downtimes (id int primary key, machine_no text not null references plant.machines, began_at timestamp not null, minutes int not null, reason text not null, shift text not null)`,
  `create table plant.operators (badge int primary key, name text not null, hall text not null, hired_on date not null, left_on date)`,
  `create table plant.inspections (insp_id int primary key, wo_no int not null references plant.work_orders, badge int not null references plant.operators, inspected_at timestamp not null, result char(1) not null, defect_count int not null)`,
  `comment on column plant.inspections.result is 'P = passed, F = failed, R = rework'`,
  `create table plant.stock (sku text primary key references plant.products, on_hand int not null, reorder_level int not null, last_counted date)`,
  `insert into plant.machines select 'M' || n, ${pickWord('Press|Lathe|Mill|Robot', "'ma' || n")} || ' ' || n, ${pickWord('North|South|East', "'mb' || n")}, ${pickWord('Trumpf|Fanuc|Haas', "'mc' || n")}, date '2008-01-01' + ${pick("'md' || n", 6000)}::int, 20 + ${pick("'me' || n", 8000)} / 100.0, ${pickWord('running|running|idle|maintenance', "'mf' || n")} from generate_series(1, 40) n`,
  `insert into plant.products select 'SKU-' || n, ${pickWord('Gear|Shaft|Housing|Valve', "'pa' || n")} || ' ' || n, ${pickWord('Drives|Hydraulics|Frames', "'pb' || n")}, 2 + ${pick("'pc' || n", 20000)} / 100.0, case when ${pick("'pd' || n", 7)} > 0 then ${pick("'pe' || n", 4000)} / 100.0 end, ${pick("'pf' || n", 9)} = 0 from generate_series(1, 120) n`,
  `insert into plant.work_orders select w.n, 'SKU-' || (1 + ${pick("'wa' || w.n", 110)}), 'M' || (1 + ${pick("'wb' || w.n", 37)}), 50 + ${pick("'wc' || w.n", 500)}::int, 40 + ${pick("'wd' || w.n", 500)}::int, ${pick("'we' || w.n", 30)}::int, w.day, case when ${pick("'wf' || w.n", 10)} > 0 then w.day + interval '7 hours' end, case when ${pick("'wf' || w.n", 10)} > 1 then w.day + ${pick("'wh' || w.n", 3000)} * interval '1 minute' + interval '8 hours' end, ${pickWord('high|normal|normal|low', "'wi' || w.n")} from (select n, date '2024-01-01' + ${pick("'wg' || n", 700)}::int as day from generate_series(1, 2000) n) w`,
  `insert into plant.downtimes select n, 'M' || (1 + ${pick("'da' || n", 35)}), timestamp '2024-01-01' + ${pick("'db' || n", 1020000)} * interval '1 minute', 3 + ${pick("'dc' || n", 400)}::int, ${pickWord('tool change|breakdown|no material|cleaning', "'dd' || n")}, ${pickWord('early|late|night', "'de' || n")} from generate_series(1, 1800) n`,
  `insert into plant.operators select n, ${pickWord('Ada|Bo|Cy|Dee|Eli', "'oa' || n")} || ' ' || n, ${pickWord('North|South|East', "'ob' || n")}, date '2010-01-01' + ${pick("'oc' || n", 5700)}::int, case when ${pick("'od' || n", 6)} = 0 then date '2025-01-01' + ${pick("'oe' || n", 340)}::int end from generate_series(1, 70) n`,
  `insert into plant.inspections select n, 1 + ${pick("'na' || n", 1900)}::int, 1 + ${pick("'nb' || n", 60)}::int, timestamp '2024-01-05' + ${pick("'nc' || n", 1010000)} * interval '1 minute', ${pickWord('P|P|P|F|R', "'nd' || n")}, ${pick("'ne' || n", 8)}::int from generate_series(1, 2500) n`,
  `insert into plant.stock select 'SKU-' || n, ${pick("'sa' || n", 900)}::int, 100 + ${pick("'sb' || n", 300)}::int, case when ${pick("'sc' || n", 5)} > 0 then date '2025-06-01' + ${pick("'sd' || n", 190)}::int end from generate_series(1, 115) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const byMachine = (rest: string) => [
  `select machine_no, ${rest}`,
  `select machine_name, ${rest.replace('from plant.downtimes', 'from plant.downtimes join plant.machines using (machine_no)').replace('from plant.work_orders', 'from plant.work_orders join plant.machines using (machine_no)')}`,
]

export const PLANT_QUESTIONS = toQuestions([
  ['q', 'how many machines do we have in the North hall?', "select count(*) from plant.machines where hall = 'North'"],
  ['q', 'how many machines are idle', "select count(*) from plant.machines where status = 'idle'"],
  [
    'q',
    'downtime by machine',
    byMachine('sum(minutes) from plant.downtimes group by 1').concat(
      byMachine('count(*) from plant.downtimes group by 1'),
    ),
  ],
  ['q', 'total downtime minutes by reason', 'select reason, sum(minutes) from plant.downtimes group by 1'],
  [
    'q',
    'total downtime minutes in November 2025',
    "select sum(minutes) from plant.downtimes where began_at >= '2025-11-01' and began_at < '2025-12-01'",
  ],
  [
    'q',
    'which machine had the most breakdowns?',
    byMachine("count(*) from plant.downtimes where reason = 'breakdown' group by 1 order by 2 desc, 1 limit 1"),
  ],
  [
    'q',
    'scrap by product group',
    'select product_group, sum(scrap_qty) from plant.work_orders join plant.products using (sku) group by 1',
  ],
  [
    'q',
    'produced quantity per month in 2025',
    [
      "select date_trunc('month', started_at)::date, sum(produced_qty) from plant.work_orders where started_at >= '2025-01-01' group by 1",
      "select date_trunc('month', finished_at)::date, sum(produced_qty) from plant.work_orders where finished_at >= '2025-01-01' group by 1",
      "select date_trunc('month', planned_start)::date, sum(produced_qty) from plant.work_orders where planned_start >= '2025-01-01' group by 1",
    ],
  ],
  ['q', 'work orders that have not been finished', listOrCount('wo_no', 'plant.work_orders where finished_at is null')],
  [
    'q',
    'how many high priority work orders are not started yet',
    "select count(*) from plant.work_orders where priority = 'high' and started_at is null",
  ],
  ['q', 'failed inspections', listOrCount('insp_id', "plant.inspections where result = 'F'")],
  [
    'q',
    'what share of inspections passed?',
    [100, 1].map(
      (whole) => `select ${whole}.0 * count(*) filter (where result = 'P') / count(*) from plant.inspections`,
    ),
  ],
  [
    'q',
    'inspections per operator',
    [
      'select badge, count(*) from plant.inspections group by 1',
      'select name, count(*) from plant.inspections join plant.operators using (badge) group by 1',
      'select name, count(insp_id) from plant.operators left join plant.inspections using (badge) group by 1',
    ],
  ],
  [
    'q',
    'operators who have never done an inspection',
    'select badge from plant.operators o where not exists (select from plant.inspections i where i.badge = o.badge)',
  ],
  ['q', 'average number of defects per inspection', 'select avg(defect_count) from plant.inspections'],
  [
    'q',
    'products below their reorder level',
    [
      'select sku from plant.stock where on_hand < reorder_level',
      'select count(*) from plant.stock where on_hand < reorder_level',
    ],
  ],
  [
    'q',
    'products that are not in stock',
    [
      'select sku from plant.products p where not exists (select from plant.stock s where s.sku = p.sku)',
      'select sku from plant.stock where on_hand = 0',
    ],
  ],
  ['q', 'most expensive product', 'select sku from plant.products order by unit_cost desc, sku limit 1'],
  ['q', '5 heaviest products', 'select sku from plant.products order by weight_kg desc nulls last, sku limit 5'],
  ['q', 'products with no weight', listOrCount('sku', 'plant.products where weight_kg is null')],
  ['q', 'how many products are discontinued', 'select count(*) from plant.products where discontinued'],
  ['q', 'average hourly rate by maker', 'select maker, avg(hourly_rate) from plant.machines group by 1'],
  ['q', 'oldest machine', 'select machine_no from plant.machines order by commissioned limit 1'],
  [
    'q',
    'machines commissioned before 2012',
    listOrCount('machine_no', "plant.machines where commissioned < '2012-01-01'"),
  ],
  [
    'q',
    'machines without downtime',
    [
      'select machine_no from plant.machines m where not exists (select from plant.downtimes d where d.machine_no = m.machine_no)',
    ],
  ],
  ['q', 'downtimes longer than 6 hours', listOrCount('id', 'plant.downtimes where minutes > 360')],
  [
    'q',
    'operators who left this year',
    listOrCount('badge', "plant.operators where left_on >= '2025-01-01' and left_on < '2026-01-01'"),
  ],
  [
    'q',
    'number of operators by hall',
    [
      'select hall, count(*) from plant.operators group by 1',
      'select hall, count(*) from plant.operators where left_on is null group by 1',
    ],
  ],
  [
    'q',
    'work orders per priority last month',
    ['planned_start', 'started_at', 'finished_at'].map(
      (column) =>
        `select priority, count(*) from plant.work_orders where ${column} >= '2025-11-01' and ${column} < '2025-12-01' group by 1`,
    ),
  ],
  ['q', 'average downtime per shift', 'select shift, avg(minutes) from plant.downtimes group by 1'],
  [
    'q',
    'total planned quantity of Hydraulics',
    "select sum(planned_qty) from plant.work_orders join plant.products using (sku) where product_group = 'Hydraulics'",
  ],
  [
    'q',
    'top 3 products by scrap',
    [
      'select sku from plant.work_orders group by 1 order by sum(scrap_qty) desc, 1 limit 3',
      'select product_name from plant.work_orders join plant.products using (sku) group by sku, product_name order by sum(scrap_qty) desc, sku limit 3',
    ],
  ],
  [
    'q',
    'breakdowns in the night shift this year',
    [
      "select id from plant.downtimes where reason = 'breakdown' and shift = 'night' and began_at >= '2025-01-01'",
      "select count(*) from plant.downtimes where reason = 'breakdown' and shift = 'night' and began_at >= '2025-01-01'",
    ],
  ],
  [
    'q',
    'downtime in 2025 compared to 2024',
    [
      "select date_trunc('year', began_at)::date, sum(minutes) from plant.downtimes where began_at >= '2024-01-01' group by 1",
      "select date_trunc('year', began_at)::date, count(*) from plant.downtimes where began_at >= '2024-01-01' group by 1",
    ],
  ],
  [
    'q',
    'stock last counted more than 60 days ago',
    listOrCount('sku', "plant.stock where last_counted < '2025-10-16'"),
  ],
  ['q', 'overall equipment effectiveness', []],
  ['q', 'energy use per machine', []],
])
