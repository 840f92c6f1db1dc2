import type { WrittenQuestion } from './question.ts'

const REVENUE = 'sum(i.quantity * i.unit_price)'
const LINES = 'shop.orders o join shop.order_items i on i.order_id = o.id'
const BUYERS = `${LINES} join shop.customers c on c.id = o.customer_id`
const SOLD = 'shop.order_items i join shop.products p on p.id = i.product_id'

export const SHOP_TIME_QUESTIONS: readonly WrittenQuestion[] = [
  [
    'time',
    'orders in the last 30 days',
    [
      "select id from shop.orders where ordered_at >= '2025-11-15'",
      "select count(*) from shop.orders where ordered_at >= '2025-11-15'",
    ],
  ],
  [
    'time',
    'How many orders did we get in March 2025?',
    "select count(*) from shop.orders where ordered_at >= '2025-03-01' and ordered_at < '2025-04-01'",
  ],
  [
    'time',
    'how many customers joined in 2024',
    "select count(*) from shop.customers where joined_on >= '2024-01-01' and joined_on < '2025-01-01'",
  ],
  [
    'time',
    'revenue last month',
    [
      `select ${REVENUE} from ${LINES} where o.ordered_at >= '2025-11-01' and o.ordered_at < '2025-12-01'`,
      "select sum(revenue) from shop.daily_revenue where day >= '2025-11-01' and day < '2025-12-01'",
    ],
  ],
  [
    'time',
    'ad cost this month',
    "select sum(cost) from shop.ad_spend where day >= '2025-12-01' and day < '2026-01-01'",
  ],
  ['time', 'number of orders since October', "select count(*) from shop.orders where ordered_at >= '2025-10-01'"],
  ['time', 'customers who joined before 2024-06-01', "select id from shop.customers where joined_on < '2024-06-01'"],
  [
    'time',
    'clicks in the second quarter of 2025',
    "select sum(clicks) from shop.ad_spend where day >= '2025-04-01' and day < '2025-07-01'",
  ],
  [
    'time',
    'how many orders yesterday?',
    "select count(*) from shop.orders where ordered_at >= '2025-12-14' and ordered_at < '2025-12-15'",
  ],
  [
    'time',
    'orders between 1 May 2025 and 31 May 2025, count',
    "select count(*) from shop.orders where ordered_at >= '2025-05-01' and ordered_at < '2025-06-01'",
  ],
  [
    'time',
    'how much did we spend on ads last week',
    "select sum(cost) from shop.ad_spend where day >= '2025-12-08' and day < '2025-12-15'",
  ],
  ['trend', 'orders per month', "select date_trunc('month', ordered_at), count(*) from shop.orders group by 1"],
  [
    'trend',
    'revenue by month',
    [
      `select date_trunc('month', o.ordered_at), ${REVENUE} from ${LINES} group by 1`,
      "select date_trunc('month', day), sum(revenue) from shop.daily_revenue group by 1",
    ],
  ],
  ['trend', 'new customers per year', "select date_trunc('year', joined_on), count(*) from shop.customers group by 1"],
  ['trend', 'weekly ad cost', "select date_trunc('week', day), sum(cost) from shop.ad_spend group by 1"],
  [
    'trend',
    'monthly clicks by channel',
    "select date_trunc('month', day), channel, sum(clicks) from shop.ad_spend group by 1, 2",
  ],
  [
    'trend',
    'How did the number of returned orders develop month by month?',
    "select date_trunc('month', ordered_at), count(*) from shop.orders where status = 'returned' group by 1",
  ],
  [
    'trend',
    'orders per day in June 2025',
    "select ordered_at::date, count(*) from shop.orders where ordered_at >= '2025-06-01' and ordered_at < '2025-07-01' group by 1",
  ],
  [
    'trend',
    'quarterly revenue for Germany (DE)',
    `select date_trunc('quarter', o.ordered_at), ${REVENUE} from ${BUYERS} where c.country = 'DE' group by 1`,
  ],
  [
    'trend',
    'trend of units sold per month',
    "select date_trunc('month', o.ordered_at), sum(i.quantity) from shop.orders o join shop.order_items i on i.order_id = o.id group by 1",
  ],
  [
    'trend',
    'signups by month in 2025',
    "select date_trunc('month', joined_on), count(*) from shop.customers where joined_on >= '2025-01-01' and joined_on < '2026-01-01' group by 1",
  ],
  [
    'trend',
    'orders per month for the last 3 months',
    [
      "select date_trunc('month', ordered_at), count(*) from shop.orders where ordered_at >= '2025-09-15' group by 1",
      "select date_trunc('month', ordered_at), count(*) from shop.orders where ordered_at >= '2025-09-01' and ordered_at < '2025-12-01' group by 1",
    ],
  ],
  [
    'never',
    'customers who never ordered',
    'select id from shop.customers c where not exists (select from shop.orders o where o.customer_id = c.id)',
  ],
  [
    'never',
    'how many customers have not placed any order?',
    'select count(*) from shop.customers c where not exists (select from shop.orders o where o.customer_id = c.id)',
  ],
  ['never', 'orders without a note', 'select id from shop.orders where note is null'],
  [
    'never',
    'how many orders have not been shipped yet (no ship date)',
    [
      'select count(*) from shop.orders where shipped_on is null',
      "select count(*) from shop.orders where status <> 'shipped'",
    ],
  ],
  [
    'never',
    'products that were never sold',
    'select id from shop.products p where not exists (select from shop.order_items i where i.product_id = p.id)',
  ],
  ['never', 'customers who do not want the newsletter', 'select id from shop.customers where not wants_newsletter'],
  ['never', 'how many customers have at least one order', 'select count(distinct customer_id) from shop.orders'],
  [
    'never',
    'customers without orders in Poland (PL)',
    "select id from shop.customers c where country = 'PL' and not exists (select from shop.orders o where o.customer_id = c.id)",
  ],
  [
    'never',
    'which customers have never returned an order?',
    "select id from shop.customers c where not exists (select from shop.orders o where o.customer_id = c.id and o.status = 'returned')",
  ],
  ['never', 'orders missing a shipping date', 'select id from shop.orders where shipped_on is null'],
  [
    'never',
    'how many customers have no order in 2025-12',
    "select count(*) from shop.customers c where not exists (select from shop.orders o where o.customer_id = c.id and o.ordered_at >= '2025-12-01' and o.ordered_at < '2026-01-01')",
  ],
  [
    'having',
    'customers with more than 10 orders',
    'select customer_id, count(*) from shop.orders group by 1 having count(*) > 10',
  ],
  [
    'having',
    'How many customers placed more than 5 orders?',
    'select count(*) from (select customer_id from shop.orders group by 1 having count(*) > 5) t',
  ],
  [
    'having',
    'products sold at least 450 times',
    [
      `select p.name, sum(i.quantity) from ${SOLD} group by p.id, p.name having sum(i.quantity) >= 450`,
      `select p.name, count(*) from ${SOLD} group by p.id, p.name having count(*) >= 450`,
    ],
  ],
  [
    'having',
    'countries with fewer than 80 customers',
    'select country, count(*) from shop.customers group by 1 having count(*) < 80',
  ],
  [
    'having',
    'categories with revenue above 400000',
    `select p.category, ${REVENUE} from ${SOLD} group by 1 having ${REVENUE} > 400000`,
  ],
  ['having', 'orders with more than 3 items', 'select order_id from shop.order_items group by 1 having count(*) > 3'],
  [
    'having',
    'customers who spent more than 3000',
    `select o.customer_id, ${REVENUE} from ${LINES} group by 1 having ${REVENUE} > 3000`,
  ],
  [
    'having',
    'channels with more than 600 orders',
    'select channel, count(*) from shop.orders group by 1 having count(*) > 600',
  ],
  [
    'having',
    'which surnames do more than 50 customers share',
    'select surname, count(*) from shop.customers group by 1 having count(*) > 50',
  ],
  [
    'having',
    'days with at least 20 orders',
    [
      'select ordered_at::date, count(*) from shop.orders group by 1 having count(*) >= 20',
      'select day from shop.daily_revenue where orders >= 20',
    ],
  ],
  ['having', 'customers with exactly one order', 'select customer_id from shop.orders group by 1 having count(*) = 1'],
  [
    'share',
    'share of orders by status',
    'select status, count(*)::numeric / (select count(*) from shop.orders) from shop.orders group by 1',
  ],
  [
    'share',
    'What percentage of orders were returned?',
    "select 100.0 * count(*) filter (where status = 'returned') / count(*) from shop.orders",
  ],
  [
    'share',
    'share of revenue per category',
    `select p.category, ${REVENUE} / (select sum(quantity * unit_price) from shop.order_items) from ${SOLD} group by 1`,
  ],
  [
    'share',
    'percentage of customers who want the newsletter',
    'select 100.0 * count(*) filter (where wants_newsletter) / count(*) from shop.customers',
  ],
  [
    'share',
    'what fraction of customers are in Austria (AT)?',
    "select count(*) filter (where country = 'AT')::numeric / count(*) from shop.customers",
  ],
  [
    'share',
    'percent of orders by channel',
    'select channel, 100.0 * count(*) / (select count(*) from shop.orders) from shop.orders group by 1',
  ],
  ['share', 'cost per click by channel', 'select channel, sum(cost) / sum(clicks) from shop.ad_spend group by 1'],
  [
    'share',
    'compare orders in November 2025 and October 2025',
    "select date_trunc('month', ordered_at), count(*) from shop.orders where ordered_at >= '2025-10-01' and ordered_at < '2025-12-01' group by 1",
  ],
  ['share', 'ratio of clicks to impressions', 'select sum(clicks)::numeric / sum(impressions) from shop.ad_spend'],
  ['share', 'profit margin per product: price minus cost', 'select name, price - cost from shop.products'],
  [
    'share',
    'paid versus shipped orders',
    "select status, count(*) from shop.orders where status in ('paid', 'shipped') group by 1",
  ],
]
