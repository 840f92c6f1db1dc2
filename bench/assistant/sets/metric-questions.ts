import { type Question, toQuestions } from './question.ts'

/** With user-defined metrics. */
export const METRIC_SCHEMA = 'defined_shop'

export const METRICS: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: 'net revenue',
    sql: "sum(order_items.quantity * order_items.unit_price) filter (where orders.status in ('paid', 'shipped'))",
  },
  { name: 'return rate', sql: "avg((orders.status = 'returned')::int)" },
  { name: 'gross margin', sql: 'sum(order_items.quantity * (order_items.unit_price - products.cost))' },
  {
    name: 'average order value',
    sql: 'sum(order_items.quantity * order_items.unit_price) / count(distinct order_items.order_id)',
  },
  { name: 'CTR', sql: 'sum(ad_spend.clicks)::numeric / nullif(sum(impressions), 0)' },
  { name: 'cost of goods', sql: 'sum(order_items.quantity * products.cost)' },
  { name: 'lost sales', sql: 'sum(orders.lost_amount)' },
]

const S = METRIC_SCHEMA
const LINES = `${S}.order_items i join ${S}.orders o on o.id = i.order_id`
const NET = "sum(i.quantity * i.unit_price) filter (where o.status in ('paid', 'shipped'))"
const RETURNED = "avg((status = 'returned')::int)"
const month = (column: string) => `date_trunc('month', ${column} at time zone 'UTC')::date`

export const METRIC_QUESTIONS: readonly Question[] = toQuestions([
  ['plain', 'what is our net revenue?', `select ${NET} from ${LINES}`],
  ['time', 'net revenue by month', `select ${month('o.ordered_at')}, ${NET} from ${LINES} group by 1`],
  [
    'time',
    'net revenue last quarter',
    `select ${NET} from ${LINES} where o.ordered_at >= '2025-07-01' and o.ordered_at < '2025-10-01'`,
  ],
  ['group', 'net revenue by channel', `select o.channel, ${NET} from ${LINES} group by 1`],
  [
    'group',
    'Net revenue by country in 2025',
    `select c.country, ${NET} from ${LINES} join ${S}.customers c on c.id = o.customer_id
      where o.ordered_at >= '2025-01-01' and o.ordered_at < '2026-01-01' group by 1`,
  ],
  [
    'filter',
    'net revenue of furniture',
    `select ${NET} from ${LINES} join ${S}.products p on p.id = i.product_id where p.category = 'Furniture'`,
  ],
  ['filter', 'net revenue from social', `select ${NET} from ${LINES} where o.channel = 'social'`],
  [
    'top',
    'top 5 products by net revenue',
    `select p.name, ${NET} from ${LINES} join ${S}.products p on p.id = i.product_id group by p.id order by 2 desc limit 5`,
  ],
  [
    'top',
    'which channel has the highest return rate',
    `select channel, ${RETURNED} from ${S}.orders group by 1 order by 2 desc limit 1`,
  ],
  ['plain', 'return rate', `select ${RETURNED} from ${S}.orders`],
  ['time', 'return rate per month', `select ${month('ordered_at')}, ${RETURNED} from ${S}.orders group by 1`],
  [
    'filter',
    'what was the return rate of newsletter orders in March 2025',
    `select ${RETURNED} from ${S}.orders where channel = 'newsletter' and ordered_at >= '2025-03-01' and ordered_at < '2025-04-01'`,
  ],
  [
    'group',
    'gross margin by category',
    `select p.category, sum(i.quantity * (i.unit_price - p.cost)) from ${S}.order_items i join ${S}.products p on p.id = i.product_id group by 1`,
  ],
  [
    'plain',
    'average order value',
    `select sum(quantity * unit_price) / count(distinct order_id) from ${S}.order_items`,
  ],
  [
    'time',
    'average order value by month',
    `select ${month('o.ordered_at')}, sum(i.quantity * i.unit_price) / count(distinct i.order_id) from ${LINES} group by 1`,
  ],
  ['group', 'CTR by channel', `select channel, sum(clicks)::numeric / sum(impressions) from ${S}.ad_spend group by 1`],
  [
    'filter',
    'ctr in October 2025',
    `select sum(clicks)::numeric / sum(impressions) from ${S}.ad_spend where day >= '2025-10-01' and day < '2025-11-01'`,
  ],
  [
    'plain',
    'what was the cost of the goods in 2025',
    `select sum(i.quantity * p.cost) from ${LINES} join ${S}.products p on p.id = i.product_id
      where o.ordered_at >= '2025-01-01' and o.ordered_at < '2026-01-01'`,
  ],
  [
    'having',
    'customers with net revenue above 5000',
    `select c.id, ${NET} from ${LINES} join ${S}.customers c on c.id = o.customer_id group by 1 having ${NET} > 5000`,
  ],
  [
    'several',
    'net revenue and gross margin by category',
    `select p.category, ${NET}, sum(i.quantity * (i.unit_price - p.cost)) from ${LINES}
       join ${S}.products p on p.id = i.product_id group by 1`,
  ],
  [
    'share',
    'share of net revenue by channel',
    [
      `select o.channel, ${NET}, 100.0 * ${NET} / sum(${NET}) over () from ${LINES} group by 1`,
      `select o.channel, ${NET}, 1.0 * ${NET} / sum(${NET}) over () from ${LINES} group by 1`,
    ],
  ],
  [
    'average',
    'average net revenue per month',
    `select avg(net) from (select ${month('o.ordered_at')}, ${NET} as net from ${LINES} group by 1) m`,
  ],
  // Must be refused: a missing column, and an average of a metric.
  ['refused', 'lost sales by month', []],
  ['refused', 'median net revenue by country', []],
])
