import { DEMO_PROJECT } from '../worksheets/worksheets.service.ts'

export const DEMO_WORKSHEETS: Readonly<Record<string, string>> = {
  'Start here.sql': `-- Run the statement the cursor is in, or select a part of it. Everything here reads the schema "shop".
select status, count(*) as orders, min(ordered_at)::date as first_day, max(ordered_at)::date as last_day
from shop.orders
group by status
order by orders desc;

-- A second statement gets a result of its own.
select category, count(*) as products, round(avg(price), 2) as average_price
from shop.products
group by category
order by category;
`,
  'Revenue/Revenue by month.sql': `-- Orders that were paid and kept. The last column compares with the month before.
with months as (
  select date_trunc('month', day)::date as month, sum(orders) as orders, sum(revenue) as revenue
  from shop.daily_revenue
  group by 1
)
select month, orders, revenue, round(revenue / orders, 2) as per_order,
       round(100 * (revenue / lag(revenue) over (order by month) - 1), 1) as growth_percent
from months
order by month;
`,
  'Revenue/Revenue by weekday.sql': `-- On which days do people buy? 1 is Monday.
select extract(isodow from day)::int as weekday, to_char(min(day), 'FMDay') as name,
       round(avg(revenue), 2) as revenue, round(avg(orders), 1) as orders
from shop.daily_revenue
group by 1
order by 1;
`,
  'Revenue/Best products.sql': `-- Margin is what is left of the price after the cost of the product.
select p.name, p.category, sum(i.quantity) as sold, sum(i.quantity * i.unit_price) as revenue,
       sum(i.quantity * (i.unit_price - p.cost)) as margin
from shop.order_items i
join shop.orders o on o.id = i.order_id
join shop.products p on p.id = i.product_id
where o.status in ('paid', 'shipped')
group by p.id
order by margin desc
limit 20;
`,
  'Customers/Customers of a country.sql': `-- :country is a parameter: two letters, such as DE or AT.
select c.first_name, c.surname, count(o.id) as orders, max(o.ordered_at)::date as last_order
from shop.customers c
left join shop.orders o on o.customer_id = c.id
where c.country = :country
group by c.id
order by orders desc, c.surname
limit 100;
`,
  'Customers/Cohorts by quarter.sql': `-- Of those who first bought in a quarter, how many bought again in the quarters after it?
with bought as (
  select customer_id, date_trunc('quarter', ordered_at at time zone 'UTC')::date as quarter
  from shop.orders
  where status <> 'cancelled'
  group by 1, 2
), firsts as (
  select customer_id, min(quarter) as cohort from bought group by 1
)
select f.cohort, count(distinct f.customer_id) as customers,
       count(distinct b.customer_id) filter (where b.quarter = f.cohort + interval '3 months') as after_1,
       count(distinct b.customer_id) filter (where b.quarter = f.cohort + interval '6 months') as after_2,
       count(distinct b.customer_id) filter (where b.quarter = f.cohort + interval '9 months') as after_3
from firsts f
join bought b using (customer_id)
group by f.cohort
order by f.cohort;
`,
  'Marketing/Return on ad spend.sql': `-- Revenue of a channel per unit of money spent on it. Direct visits cost nothing.
with revenue as (
  select o.channel, sum(i.quantity * i.unit_price) as revenue
  from shop.orders o
  join shop.order_items i on i.order_id = o.id
  where o.status in ('paid', 'shipped')
  group by o.channel
), spend as (
  select channel, sum(cost) as cost, sum(clicks) as clicks from shop.ad_spend group by channel
)
select channel, revenue, cost, round(revenue / nullif(cost, 0), 2) as roas, round(cost / nullif(clicks, 0), 2) as per_click
from revenue
left join spend using (channel)
order by revenue desc;
`,
  'Quality/Orders to look at.sql': `-- Paid long ago and not shipped, or shipped before they were ordered: there should be few of the first and none of the second.
select id, status, ordered_at, shipped_on, note,
       case when shipped_on < ordered_at::date then 'shipped too early' else 'not shipped' end as reason
from shop.orders
where (status = 'paid' and shipped_on is null) or shipped_on < ordered_at::date
order by ordered_at
limit 200;
`,
}

export const DEMO_SCHEDULED = {
  projectName: DEMO_PROJECT,
  path: 'Revenue/Revenue by month.sql',
  block_name: 'Revenue by month',
  table: { schema_name: 'data', table_name: 'revenue_by_month' },
  trigger: {
    eventEvaluationType: 'Or',
    actions: {
      daily: {
        action: 'Schedule',
        order: 0,
        actionValue: {
          scheduleType: 'Cron Schedule',
          scheduleArgs: { cronExpression: '30 6 * * ? *', timeStandard: 'UTC' },
        },
      },
    },
    isFormaComplete: true,
  },
} as const
