import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import * as z from 'zod/mini'

interface DemoSpark {
  readonly name: string
  readonly description: string
  buildContent(integrationCode: string): SparkContent
}

interface Draft {
  readonly sources: Readonly<Record<string, readonly [name: string, sql: string]>>
  readonly parameters?: readonly object[]
  readonly body: object
}

const build = (integrationCode: string, { sources, ...rest }: Draft) =>
  z.parse(SparkContent, {
    ...rest,
    sources: Object.entries(sources).map(([key, [name, sql]]) => ({
      key,
      name,
      sql,
      integration_trellis_code: integrationCode,
    })),
  })

type Axes = { readonly x: string; readonly y: string }

const createChart = (kind: ChartSpec['kind'], { x, y }: Axes, more: Partial<ChartSpec> = {}) => ({
  kind,
  x,
  y: [{ column: y }],
  ...more,
})

const SOLD = `shop.orders o
join shop.order_items i on i.order_id = o.id
join shop.products p on p.id = i.product_id
join shop.customers c on c.id = o.customer_id`
const CHOSEN = `o.status in ('paid', 'shipped')
  and (:country is null or c.country = :country)
  and (:category is null or p.category = :category)`

/** Relative to the newest row, since sample data does not age. */
const TOTALS = `with lines as (
  select o.id, i.quantity * i.unit_price as revenue, o.ordered_at::date as day,
         max(o.ordered_at::date) over () as last_day
  from ${SOLD}
  where ${CHOSEN}
)
select sum(revenue) filter (where day > last_day - 30) as revenue,
       sum(revenue) filter (where day <= last_day - 30) as revenue_before,
       count(distinct id) filter (where day > last_day - 30) as orders,
       count(distinct id) filter (where day <= last_day - 30) as orders_before,
       round(sum(revenue) filter (where day > last_day - 30) / nullif(count(distinct id) filter (where day > last_day - 30), 0), 2) as per_order,
       round(sum(revenue) filter (where day <= last_day - 30) / nullif(count(distinct id) filter (where day <= last_day - 30), 0), 2) as per_order_before
from lines
where day > last_day - 60`

const createNumber = (title: string, column: string, format: object = {}) => ({
  kind: 'number',
  width: 'third',
  source: 'totals',
  title,
  column,
  compare_column: `${column}_before`,
  format: { style: 'number', decimals: 0, ...format },
})

const shopPerformance: DemoSpark = {
  name: 'Shop performance',
  description: 'Revenue and orders of the last 30 days, by week, category and product.',
  buildContent: (code) =>
    build(code, {
      sources: {
        totals: ['Last 30 days', TOTALS],
        weeks: [
          'Revenue by week',
          `select date_trunc('week', o.ordered_at)::date as week, p.category, sum(i.quantity * i.unit_price) as revenue
from ${SOLD}
where ${CHOSEN}
  and o.ordered_at < (select date_trunc('week', max(ordered_at)::date + 1) from shop.orders)
group by 1, 2
order by 1, 2`,
        ],
        products: [
          'Best products',
          `select p.name as product, p.category, sum(i.quantity) as sold, sum(i.quantity * i.unit_price) as revenue,
       sum(i.quantity * (i.unit_price - p.cost)) as margin
from ${SOLD}
where ${CHOSEN}
group by p.id
order by revenue desc
limit 20`,
        ],
        countries: ['Countries', 'select country from shop.customers group by 1 order by count(*) desc, 1'],
        categories: ['Categories', 'select category from shop.products group by 1 order by 1'],
      },
      parameters: [
        { key: 'country', label: 'Country', type: 'text', options_from: 'countries' },
        { key: 'category', label: 'Category', type: 'text', options_from: 'categories' },
      ],
      body: {
        kind: 'blocks',
        blocks: [
          { kind: 'filters' },
          createNumber('Revenue', 'revenue', { suffix: ' €' }),
          createNumber('Orders', 'orders'),
          createNumber('Revenue per order', 'per_order', { decimals: 2, suffix: ' €' }),
          {
            kind: 'chart',
            source: 'weeks',
            title: 'Revenue by week (whole weeks)',
            chart: createChart('area', { x: 'week', y: 'revenue' }, { split_by: 'category', is_stacked: true }),
          },
          {
            kind: 'chart',
            source: 'products',
            width: 'half',
            title: 'Best products',
            chart: createChart('bar', { x: 'product', y: 'revenue' }, { top: 8, show_other: false }),
          },
          { kind: 'table', source: 'products', width: 'half', title: 'Products with their margin' },
        ],
      },
    }),
}

const channelsAndCustomers: DemoSpark = {
  name: 'Channels and customers',
  description: 'Which channels bring revenue for their cost, how orders end, and who comes back.',
  buildContent: (code) =>
    build(code, {
      sources: {
        channels: [
          'Channels',
          `with revenue as (
  select o.channel, sum(i.quantity * i.unit_price) as revenue
  from shop.orders o
  join shop.order_items i on i.order_id = o.id
  where o.status in ('paid', 'shipped')
  group by o.channel
), spend as (
  select channel, sum(cost) as cost from shop.ad_spend group by channel
)
select channel, revenue, coalesce(cost, 0) as cost, round(revenue / nullif(cost, 0), 1) as revenue_per_cost
from revenue
left join spend using (channel)
order by revenue desc`,
        ],
        statuses: [
          'How orders end',
          `select step, orders
from (
  select 1 as place, 'Ordered' as step, count(*) as orders from shop.orders
  union all
  select 2, 'Paid', count(*) from shop.orders where status <> 'cancelled'
  union all
  select 3, 'Shipped', count(*) from shop.orders where shipped_on is not null
  union all
  select 4, 'Kept', count(*) from shop.orders where status = 'shipped'
) s
order by place`,
        ],
        cohorts: [
          'Customers who came back',
          `with bought as (
  select distinct customer_id, date_trunc('quarter', ordered_at)::date as quarter
  from shop.orders
  where status <> 'cancelled'
), firsts as (
  select customer_id, min(quarter) as cohort from bought group by 1
)
select f.cohort, ((extract(year from b.quarter) - extract(year from f.cohort)) * 4
         + (extract(month from b.quarter) - extract(month from f.cohort)) / 3)::int as quarters_after,
       count(*) as customers
from firsts f
join bought b using (customer_id)
group by 1, 2
order by 1, 2`,
        ],
      },
      body: {
        kind: 'blocks',
        blocks: [
          {
            kind: 'chart',
            source: 'channels',
            width: 'half',
            title: 'Revenue by channel',
            chart: createChart('bar', { x: 'channel', y: 'revenue' }),
          },
          {
            kind: 'funnel',
            source: 'statuses',
            width: 'half',
            title: 'How orders end',
            step_column: 'step',
            value_column: 'orders',
          },
          { kind: 'table', source: 'channels', title: 'Channels with their cost' },
          {
            kind: 'cohort',
            source: 'cohorts',
            title: 'Customers who came back, by quarter after the first order',
            group_column: 'cohort',
            period_column: 'quarters_after',
            value_column: 'customers',
          },
        ],
      },
    }),
}

export const DEMO_SPARKS: readonly DemoSpark[] = [shopPerformance, channelsAndCustomers]
