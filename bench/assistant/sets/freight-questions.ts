import { type Question, toQuestions } from './question.ts'

const month = (column: string) => `date_trunc('month', ${column} at time zone 'UTC')::date`
const CARRIED = 'dwh.fact_shipment s join dwh.dim_carrier c using (carrier_sk)'
const CLAIMED = 'dwh.fact_damage_claim f join dwh.fact_shipment s using (shipment_sk)'
const KEPT = 'not is_deleted'

/** Soft-deleted rows do not count unless asked for. */
export const FREIGHT_QUESTIONS: readonly Question[] = toQuestions([
  ['count', 'How many clients do we have?', `select count(*) from dwh.dim_client where ${KEPT}`],
  [
    'count',
    'how many express shipments were delivered',
    "select count(*) from dwh.fact_shipment where is_express and shipment_status = 'delivered'",
  ],
  [
    'count',
    'number of shipments from the Hamburg depot',
    "select count(*) from dwh.fact_shipment join dwh.dim_depot using (depot_sk) where depot_name = 'Hamburg'",
  ],
  [
    'total',
    'total freight cost in 2025',
    "select sum(freight_cost_usd) from dwh.fact_shipment where shipped_ts >= '2025-01-01' and shipped_ts < '2026-01-01'",
  ],
  [
    'total',
    'total weight carried by Blue Rail',
    `select sum(weight_kg) from ${CARRIED} where carrier_name = 'Blue Rail'`,
  ],
  [
    'total',
    'how much was approved for broken goods',
    "select sum(approved_usd) from dwh.fact_damage_claim where claim_reason = 'broken'",
  ],
  [
    'average',
    'average distance by transport mode',
    `select transport_mode, avg(distance_km) from ${CARRIED} group by 1`,
  ],
  ['average', 'average freight cost per shipment', 'select avg(freight_cost_usd) from dwh.fact_shipment'],
  [
    'average',
    'average number of shipments per client',
    [
      'select avg(n) from (select count(*) n from dwh.fact_shipment group by client_sk) x',
      `select avg(n) from (select count(*) n from dwh.fact_shipment join dwh.dim_client using (client_sk) where ${KEPT} group by client_sk) x`,
    ],
  ],
  [
    'month',
    'shipments by month in 2025',
    `select ${month('shipped_ts')}, count(*) from dwh.fact_shipment where shipped_ts >= '2025-01-01' and shipped_ts < '2026-01-01' group by 1`,
  ],
  [
    'month',
    'claimed amount per quarter',
    "select date_trunc('quarter', filed_date)::date, sum(claimed_usd) from dwh.fact_damage_claim group by 1",
  ],
  [
    'time',
    'claims filed in the last 60 days',
    [
      "select claim_sk from dwh.fact_damage_claim where filed_date >= '2025-10-16'",
      "select count(*) from dwh.fact_damage_claim where filed_date >= '2025-10-16'",
    ],
  ],
  [
    'time',
    'how many shipments were delivered last month',
    "select count(*) from dwh.fact_shipment where delivered_ts >= '2025-11-01' and delivered_ts < '2025-12-01'",
  ],
  [
    'compare',
    'freight cost this year vs last year',
    "select date_trunc('year', shipped_ts at time zone 'UTC')::date, sum(freight_cost_usd) from dwh.fact_shipment where shipped_ts >= '2024-01-01' and shipped_ts < '2026-01-01' group by 1",
  ],
  [
    'compare',
    'average weight of express versus normal shipments',
    'select is_express, avg(weight_kg) from dwh.fact_shipment group by 1',
  ],
  [
    'top',
    'top 5 clients by freight cost',
    [
      'select client_sk, sum(freight_cost_usd) from dwh.fact_shipment group by 1 order by 2 desc limit 5',
      `select client_sk, sum(freight_cost_usd) from dwh.fact_shipment join dwh.dim_client using (client_sk) where ${KEPT} group by 1 order by 2 desc limit 5`,
    ],
  ],
  ['top', 'heaviest shipment', 'select shipment_sk from dwh.fact_shipment order by weight_kg desc limit 1'],
  [
    'top',
    'which carrier has the most lost shipments?',
    `select carrier_name from ${CARRIED} where shipment_status = 'lost' group by 1 order by count(*) desc limit 1`,
  ],
  [
    'top',
    'most common claim reason',
    'select claim_reason, count(*) from dwh.fact_damage_claim group by 1 order by 2 desc limit 1',
  ],
  [
    'share',
    'what percentage of shipments got lost?',
    "select 100.0 * count(*) filter (where shipment_status = 'lost') / count(*) from dwh.fact_shipment",
  ],
  [
    'share',
    'share of freight cost by region',
    [100, 1].map(
      (whole) =>
        `select region, ${whole}.0 * sum(freight_cost_usd) / sum(sum(freight_cost_usd)) over () from dwh.fact_shipment join dwh.dim_depot using (depot_sk) group by 1`,
    ),
  ],
  [
    'absent',
    'clients without shipments',
    `select client_sk from dwh.dim_client c where ${KEPT} and not exists (select from dwh.fact_shipment s where s.client_sk = c.client_sk)`,
  ],
  [
    'absent',
    'shipments that were never scanned',
    'select shipment_sk from dwh.fact_shipment s where not exists (select from dwh.fact_scan n where n.shipment_sk = s.shipment_sk)',
  ],
  [
    'absent',
    'claims without an approved amount',
    'select claim_sk from dwh.fact_damage_claim where approved_usd is null',
  ],
  [
    'number',
    'depots with a capacity over 500 pallets',
    'select depot_name from dwh.dim_depot where capacity_pallets > 500',
  ],
  [
    'number',
    'clients with more than 60 shipments',
    [
      'select client_sk from dwh.fact_shipment group by 1 having count(*) > 60',
      `select client_sk from dwh.fact_shipment join dwh.dim_client using (client_sk) where ${KEPT} group by 1 having count(*) > 60`,
    ],
  ],
  ['negation', 'carriers that are not certified', 'select carrier_name from dwh.dim_carrier where not is_certified'],
  [
    'negation',
    'how many shipments have not been delivered yet',
    [
      'select count(*) from dwh.fact_shipment where delivered_ts is null',
      "select count(*) from dwh.fact_shipment where shipment_status <> 'delivered'",
    ],
  ],
  [
    'list',
    'names of enterprise clients in Austria',
    `select client_name from dwh.dim_client where segment = 'enterprise' and country = 'Austria' and ${KEPT}`,
  ],
  [
    'join',
    'damage claims by carrier',
    `select carrier_name, count(*) from ${CLAIMED} join dwh.dim_carrier c using (carrier_sk) group by 1`,
  ],
  [
    'join',
    'total claimed by client segment',
    'select segment, sum(claimed_usd) from dwh.fact_damage_claim join dwh.fact_shipment using (shipment_sk) join dwh.dim_client using (client_sk) group by 1',
  ],
])
