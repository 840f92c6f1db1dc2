import { type Question, toQuestions } from './question.ts'
import { SHOP_TIME_QUESTIONS } from './shop-time-questions.ts'

const REVENUE = 'sum(i.quantity * i.unit_price)'
const LINES = 'shop.orders o join shop.order_items i on i.order_id = o.id'
const BUYERS = `${LINES} join shop.customers c on c.id = o.customer_id`
const SOLD = 'shop.order_items i join shop.products p on p.id = i.product_id'

/** Asked on 15 December 2025. Any of several queries counts as right. */
export const DEMO_QUESTIONS: readonly Question[] = toQuestions([
  ['count', 'How many customers do we have?', 'select count(*) from shop.customers'],
  ['count', 'number of orders', 'select count(*) from shop.orders'],
  ['count', 'count products', 'select count(*) from shop.products'],
  ['count', 'How many orders were cancelled?', "select count(*) from shop.orders where status = 'cancelled'"],
  ['count', 'how many customers are from France (FR)', "select count(*) from shop.customers where country = 'FR'"],
  [
    'count',
    'How many products are in the Furniture category?',
    "select count(*) from shop.products where category = 'Furniture'",
  ],
  [
    'count',
    'how many different countries do our customers come from?',
    'select count(distinct country) from shop.customers',
  ],
  [
    'count',
    'number of customers who want the newsletter',
    'select count(*) from shop.customers where wants_newsletter',
  ],
  ['count', 'How many order items are there', 'select count(*) from shop.order_items'],
  ['count', 'how many distinct channels are in ad spend', 'select count(distinct channel) from shop.ad_spend'],
  ['count', 'How many orders have a note?', 'select count(*) from shop.orders where note is not null'],
  [
    'total',
    'What is our total revenue?',
    [`select ${REVENUE} from shop.order_items i`, 'select sum(revenue) from shop.daily_revenue'],
  ],
  ['total', 'total ad cost', 'select sum(cost) from shop.ad_spend'],
  ['total', 'How many clicks did we get in total?', 'select sum(clicks) from shop.ad_spend'],
  ['total', 'sum of quantity sold', 'select sum(quantity) from shop.order_items'],
  [
    'total',
    'overall number of impressions for social',
    "select sum(impressions) from shop.ad_spend where channel = 'social'",
  ],
  ['total', 'How much did we spend on search ads?', "select sum(cost) from shop.ad_spend where channel = 'search'"],
  ['total', 'revenue from customers in Germany (DE)', `select ${REVENUE} from ${BUYERS} where c.country = 'DE'`],
  [
    'total',
    'total units of Kitchen and bed products sold',
    `select sum(i.quantity) from ${SOLD} where p.category = 'Kitchen and bed'`,
  ],
  ['total', 'revenue of returned orders', `select ${REVENUE} from ${LINES} where o.status = 'returned'`],
  ['total', 'total clicks and impressions', 'select sum(clicks), sum(impressions) from shop.ad_spend'],
  [
    'total',
    'what did newsletter advertising cost in total',
    "select sum(cost) from shop.ad_spend where channel = 'newsletter'",
  ],
  ['average', 'average product price', 'select avg(price) from shop.products'],
  ['average', 'What is the average cost of a product?', 'select avg(cost) from shop.products'],
  [
    'average',
    'mean clicks per day',
    [
      'select avg(clicks) from shop.ad_spend',
      'select avg(s) from (select sum(clicks) s from shop.ad_spend group by day) t',
    ],
  ],
  [
    'average',
    'average order value',
    'select avg(v) from (select sum(quantity * unit_price) v from shop.order_items group by order_id) t',
  ],
  ['average', 'average price by category', 'select category, avg(price) from shop.products group by 1'],
  [
    'average',
    'What is the median price of our products?',
    'select percentile_cont(0.5) within group (order by price) from shop.products',
  ],
  [
    'average',
    'average number of items per order',
    [
      'select avg(n) from (select count(*) n from shop.order_items group by order_id) t',
      'select avg(n) from (select sum(quantity) n from shop.order_items group by order_id) t',
    ],
  ],
  [
    'average',
    'average number of orders per customer',
    [
      'select count(*)::numeric / count(distinct customer_id) from shop.orders',
      'select count(*)::numeric / 800 from shop.orders',
    ],
  ],
  ['average', 'avg daily ad cost for each channel', 'select channel, avg(cost) from shop.ad_spend group by 1'],
  ['average', 'on average, how many units are in an order line', 'select avg(quantity) from shop.order_items'],
  ['average', 'average daily revenue', 'select avg(revenue) from shop.daily_revenue'],
  ['group', 'customers per country', 'select country, count(*) from shop.customers group by 1'],
  ['group', 'orders by status', 'select status, count(*) from shop.orders group by 1'],
  ['group', 'How many orders came through each channel?', 'select channel, count(*) from shop.orders group by 1'],
  ['group', 'revenue by country', `select c.country, ${REVENUE} from ${BUYERS} group by 1`],
  ['group', 'revenue by category', `select p.category, ${REVENUE} from ${SOLD} group by 1`],
  ['group', 'break down the number of products by category', 'select category, count(*) from shop.products group by 1'],
  ['group', 'ad cost per channel', 'select channel, sum(cost) from shop.ad_spend group by 1'],
  ['group', 'units sold for each product', `select p.name, sum(i.quantity) from ${SOLD} group by p.id, p.name`],
  [
    'group',
    'number of orders by country and status',
    'select c.country, o.status, count(*) from shop.orders o join shop.customers c on c.id = o.customer_id group by 1, 2',
  ],
  ['group', 'show clicks and cost by channel', 'select channel, sum(clicks), sum(cost) from shop.ad_spend group by 1'],
  [
    'group',
    'How do newsletter subscribers split by country?',
    'select country, count(*) from shop.customers where wants_newsletter group by 1',
  ],
  [
    'top',
    'top 5 products by revenue',
    `select p.name, ${REVENUE} from ${SOLD} group by p.id, p.name order by 2 desc limit 5`,
  ],
  [
    'top',
    'Which country has the most customers?',
    'select country, count(*) from shop.customers group by 1 order by 2 desc limit 1',
  ],
  ['top', 'most expensive product', 'select name from shop.products order by price desc limit 1'],
  ['top', 'cheapest 3 products', 'select name, price from shop.products order by price limit 3'],
  [
    'top',
    'top 10 customers by number of orders',
    'select c.id, count(*) from shop.orders o join shop.customers c on c.id = o.customer_id group by 1 order by 2 desc, 1 limit 10',
  ],
  [
    'top',
    'which channel brought the fewest orders',
    'select channel, count(*) from shop.orders group by 1 order by 2 limit 1',
  ],
  [
    'top',
    'best selling product',
    [
      `select p.name, sum(i.quantity) from ${SOLD} group by p.id, p.name order by 2 desc limit 1`,
      `select p.name, ${REVENUE} from ${SOLD} group by p.id, p.name order by 2 desc limit 1`,
    ],
  ],
  [
    'top',
    'On which day did we get the most clicks?',
    [
      'select day, sum(clicks) from shop.ad_spend group by 1 order by 2 desc limit 1',
      'select day from shop.ad_spend order by clicks desc limit 1',
    ],
  ],
  [
    'top',
    'highest daily revenue',
    [
      'select max(revenue) from shop.daily_revenue',
      'select day, revenue from shop.daily_revenue order by revenue desc limit 1',
    ],
  ],
  [
    'top',
    'three countries with the highest revenue',
    `select c.country, ${REVENUE} from ${BUYERS} group by 1 order by 2 desc limit 3`,
  ],
  [
    'top',
    'bottom 5 products by units sold',
    `select p.name, sum(i.quantity) from ${SOLD} group by p.id, p.name order by 2 limit 5`,
  ],
  ['value', 'list all Furniture products', "select name from shop.products where category = 'Furniture'"],
  [
    'value',
    'orders from the social channel that were returned',
    "select id from shop.orders where channel = 'social' and status = 'returned'",
  ],
  ['value', 'customers in Sweden or Denmark (SE, DK)', "select id from shop.customers where country in ('SE', 'DK')"],
  [
    'value',
    'how many shipped orders came from newsletter',
    "select count(*) from shop.orders where status = 'shipped' and channel = 'newsletter'",
  ],
  [
    'value',
    'What does the Oak lamp cost to buy, its price?',
    "select price from shop.products where name = 'Oak lamp'",
  ],
  ['value', 'customers with surname Keller', "select id from shop.customers where surname = 'Keller'"],
  ['value', 'how many people named Ada are customers', "select count(*) from shop.customers where first_name = 'Ada'"],
  [
    'value',
    'number of orders that are paid or shipped',
    "select count(*) from shop.orders where status in ('paid', 'shipped')",
  ],
  ['value', 'orders that are not cancelled, how many?', "select count(*) from shop.orders where status <> 'cancelled'"],
  [
    'value',
    'revenue from Decoration products via social',
    `select ${REVENUE} from ${LINES} join shop.products p on p.id = i.product_id where p.category = 'Decoration' and o.channel = 'social'`,
  ],
  ['value', 'show me products except furniture', "select name from shop.products where category <> 'Furniture'"],
  [
    'number',
    'products that cost more than 200',
    ['select name from shop.products where price > 200', 'select name from shop.products where cost > 200'],
  ],
  ['number', 'how many products have a price below 50?', 'select count(*) from shop.products where price < 50'],
  ['number', 'products priced between 50 and 100', 'select name from shop.products where price between 50 and 100'],
  [
    'number',
    'order lines with a quantity of at least 3',
    'select order_id, line from shop.order_items where quantity >= 3',
  ],
  [
    'number',
    'days with more than 190 clicks on search',
    "select day from shop.ad_spend where clicks > 190 and channel = 'search'",
  ],
  ['number', 'how many order items have quantity 2', 'select count(*) from shop.order_items where quantity = 2'],
  [
    'number',
    'products with price over 150 in Decoration',
    "select name from shop.products where price > 150 and category = 'Decoration'",
  ],
  ['number', 'number of products with a cost of 40 or less', 'select count(*) from shop.products where cost <= 40'],
  ['number', 'days with revenue above 3500', 'select day, revenue from shop.daily_revenue where revenue > 3500'],
  ['number', 'how many days had fewer than 5 orders', 'select count(*) from shop.daily_revenue where orders < 5'],
  [
    'number',
    'average price of products costing more than 100',
    ['select avg(price) from shop.products where price > 100', 'select avg(price) from shop.products where cost > 100'],
  ],
  ...SHOP_TIME_QUESTIONS,
])
