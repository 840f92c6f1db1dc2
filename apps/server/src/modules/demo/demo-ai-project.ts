import type { SampleProject } from '../ai/sample-project.service.ts'
import { SAMPLE_SCHEMA, SAMPLE_TABLES } from '@trellis/workspace-db/samples/shop'

export const DEMO_AI_PROJECT: SampleProject = {
  name: 'Demo shop',
  description: 'Orders, customers, products and advertising of the demo shop.',
  tables: [...SAMPLE_TABLES, 'daily_revenue'].map((table_name) => ({ schema_name: SAMPLE_SCHEMA, table_name })),
  contexts: [
    {
      kind: 'text',
      name: 'Revenue',
      text: 'Quantity times unit price of orders that were paid or shipped. Returned and cancelled orders do not count.',
    },
    {
      kind: 'metric',
      name: 'Net revenue',
      text: 'Returned and cancelled orders do not count.',
      sql: "sum(order_items.quantity * order_items.unit_price) filter (where orders.status in ('paid', 'shipped'))",
    },
    { kind: 'synonym', name: 'customers', text: 'buyers, clients, shoppers' },
    { kind: 'synonym', name: 'ad_spend', text: 'advertising, ads, marketing spend' },
    {
      kind: 'verified_question',
      name: 'What is our revenue by month?',
      text: '',
      sql: `select date_trunc('month', day)::date as month, sum(orders) as orders, sum(revenue) as revenue
from shop.daily_revenue
group by 1
order by 1`,
    },
    {
      kind: 'verified_question',
      name: 'Which channel brings the most revenue per advertising cost?',
      text: '',
      sql: `with revenue as (
  select o.channel, sum(i.quantity * i.unit_price) as revenue
  from shop.orders o
  join shop.order_items i on i.order_id = o.id
  where o.status in ('paid', 'shipped')
  group by o.channel
), spend as (
  select channel, sum(cost) as cost from shop.ad_spend group by channel
)
select channel, revenue, cost, round(revenue / nullif(cost, 0), 2) as revenue_per_cost
from revenue
join spend using (channel)
order by revenue_per_cost desc`,
    },
    {
      kind: 'verified_question',
      name: 'Best customers in :country',
      text: '',
      sql: `select c.first_name, c.surname, count(distinct o.id) as orders, sum(i.quantity * i.unit_price) as revenue
from shop.customers c
join shop.orders o on o.customer_id = c.id
join shop.order_items i on i.order_id = o.id
where o.status in ('paid', 'shipped') and c.country = :country
group by c.id
order by revenue desc
limit 10`,
    },
  ],
  documents: [
    {
      name: 'Returns and shipping.md',
      text: `# Returns
Customers can return a product within 30 days after it was shipped. The order then has the status "returned" and its
revenue does not count. Furniture is collected by us; the customer pays nothing for it.

# Shipping
Orders that are paid before noon are shipped on the next working day. Delivery in Germany takes two days, in all other
countries up to five. Shipping is free from an order value of 80 euros.

# Warranty
Lamps and clocks have a warranty of three years, everything else of two years.
`,
    },
  ],
}
