import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const DELIVERY_STATEMENTS: readonly string[] = [
  `create table food.restaurants (restaurant_id int primary key, restaurant_name text not null, cuisine text not null, city text not null, commission_pct numeric(4,1) not null, opened_on date not null, closed_on date)`,
  `create table food.dishes (dish_id int primary key, restaurant_id int not null references food.restaurants, dish_name text not null, price numeric(6,2) not null, is_vegan boolean not null, spice_level int)`,
  `create table food.couriers (courier_id int primary key, courier_name text not null, vehicle_type text not null, city text not null, joined_on date not null, is_active boolean not null)`,
  `create table food.eaters (eater_id int primary key, eater_name text not null, city text not null, registered_at timestamp not null, newsletter boolean not null)`,
  `create table food.orders (order_id int primary key, eater_id int not null references food.eaters, restaurant_id int not null references food.restaurants, courier_id int references food.couriers, ordered_at timestamp not null, delivered_at timestamp, order_status text not null, tip numeric(6,2), delivery_fee numeric(5,2) not null, voucher_code text)`,
  `create table food.order_lines (order_id int not null references food.orders, dish_id int not null references food.dishes, quantity int not null, unit_price numeric(6,2) not null, primary key (order_id, dish_id))`,
  `create table food.reviews (review_id int primary key, order_id int not null references food.orders, stars int not null, review_text text, reviewed_at timestamp not null)`,
  `insert into food.restaurants select n, ${pickWord('Golden|Happy|Blue|Royal', "'ra' || n")} || ' ' || ${pickWord('Wok|Grill|Kitchen|Table', "'rb' || n")} || ' ' || n, ${pickWord('Thai|Italian|Indian|Burgers', "'rc' || n")}, ${pickWord('Berlin|Hamburg|Munich', "'rd' || n")}, 10 + ${pick("'re' || n", 200)} / 10.0, date '2017-01-01' + ${pick("'rf' || n", 3000)}::int, case when ${pick("'rg' || n", 10)} = 0 then date '2025-10-01' end from generate_series(1, 70) n`,
  `insert into food.dishes select n, 1 + ${pick("'da' || n", 66)}::int, ${pickWord('Curry|Pasta|Soup|Salad', "'db' || n")} || ' ' || n, 4 + ${pick("'dc' || n", 2200)} / 100.0, ${pick("'dd' || n", 4)} = 0, case when ${pick("'de' || n", 3)} > 0 then 1 + ${pick("'df' || n", 5)}::int end from generate_series(1, 500) n`,
  `insert into food.couriers select n, ${pickWord('Mo|Lea|Kim|Raj', "'ca' || n")} || ' ' || n, ${pickWord('bike|bike|scooter|car', "'cb' || n")}, ${pickWord('Berlin|Hamburg|Munich', "'cc' || n")}, date '2020-01-01' + ${pick("'cd' || n", 2100)}::int, ${pick("'ce' || n", 5)} > 0 from generate_series(1, 90) n`,
  `insert into food.eaters select n, ${pickWord('Ida|Jan|Leo|Mia', "'ea' || n")} || ' ' || n, ${pickWord('Berlin|Hamburg|Munich|Cologne', "'eb' || n")}, timestamp '2021-01-01' + ${pick("'ec' || n", 2500000)} * interval '1 minute', ${pick("'ed' || n", 3)} = 0 from generate_series(1, 800) n`,
  `insert into food.orders select o.n, 1 + ${pick("'oa' || o.n", 720)}::int, 1 + ${pick("'ob' || o.n", 64)}::int, case when ${pick("'oc' || o.n", 8)} > 0 then 1 + ${pick("'od' || o.n", 82)}::int end, o.at, case when ${pick("'oe' || o.n", 9)} > 0 then o.at + (15 + ${pick("'of' || o.n", 60)}) * interval '1 minute' end, ${pickWord('delivered|delivered|delivered|cancelled|preparing', "'og' || o.n")}, case when ${pick("'oh' || o.n", 2)} = 0 then ${pick("'oi' || o.n", 900)} / 100.0 end, 1 + ${pick("'oj' || o.n", 400)} / 100.0, case when ${pick("'ok' || o.n", 6)} = 0 then 'V' || ${pick("'ol' || o.n", 9)} end from (select n, timestamp '2024-01-01' + ${pick("'om' || n", 1025000)} * interval '1 minute' as at from generate_series(1, 4000) n) o`,
  `insert into food.order_lines select distinct on (1, 2) 1 + ${pick("'la' || n", 4000)}::int, 1 + ${pick("'lb' || n", 470)}::int, 1 + ${pick("'lc' || n", 3)}::int, 4 + ${pick("'ld' || n", 2200)} / 100.0 from generate_series(1, 8000) n`,
  `insert into food.reviews select n, 1 + ${pick("'va' || n", 4000)}::int, 1 + ${pick("'vb' || n", 5)}::int, case when ${pick("'vc' || n", 3)} > 0 then 'text ' || n end, timestamp '2024-01-02' + ${pick("'vd' || n", 1020000)} * interval '1 minute' from generate_series(1, 1500) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const VALUE = 'sum(quantity * unit_price)'
const month = (column: string) => `date_trunc('month', ${column})::date`

export const DELIVERY_QUESTIONS = toQuestions([
  ['q', 'How many restaurants are in Berlin?', "select count(*) from food.restaurants where city = 'Berlin'"],
  ['q', 'restaurants by cuisine', 'select cuisine, count(*) from food.restaurants group by 1'],
  [
    'q',
    'average dish price per cuisine',
    'select cuisine, avg(price) from food.dishes join food.restaurants using (restaurant_id) group by 1',
  ],
  ['q', 'how many vegan dishes do we have', 'select count(*) from food.dishes where is_vegan'],
  ['q', 'cheapest dish', 'select dish_id from food.dishes order by price, dish_id limit 1'],
  ['q', 'dishes over 20 euros', listOrCount('dish_id', 'food.dishes where price > 20')],
  ['q', 'dishes without a spice level', listOrCount('dish_id', 'food.dishes where spice_level is null')],
  [
    'q',
    'active couriers by vehicle type',
    'select vehicle_type, count(*) from food.couriers where is_active group by 1',
  ],
  ['q', 'how many couriers ride a scooter', "select count(*) from food.couriers where vehicle_type = 'scooter'"],
  [
    'q',
    'couriers who joined in 2024',
    listOrCount('courier_id', "food.couriers where joined_on >= '2024-01-01' and joined_on < '2025-01-01'"),
  ],
  [
    'q',
    'total tips by courier',
    [
      'select courier_id, sum(tip) from food.orders where courier_id is not null group by 1',
      'select courier_name, sum(tip) from food.orders join food.couriers using (courier_id) group by 1',
    ],
  ],
  [
    'q',
    'which courier got the most tips?',
    [
      'select courier_name from food.orders join food.couriers using (courier_id) group by courier_id, courier_name order by sum(tip) desc nulls last limit 1',
      'select courier_name from food.orders join food.couriers using (courier_id) group by courier_id, courier_name order by count(tip) desc limit 1',
    ],
  ],
  ['q', 'average delivery fee', 'select avg(delivery_fee) from food.orders'],
  [
    'q',
    'number of cancelled orders last month',
    "select count(*) from food.orders where order_status = 'cancelled' and ordered_at >= '2025-11-01' and ordered_at < '2025-12-01'",
  ],
  [
    'q',
    'what share of orders is cancelled',
    [100, 1].map(
      (whole) => `select ${whole}.0 * count(*) filter (where order_status = 'cancelled') / count(*) from food.orders`,
    ),
  ],
  [
    'q',
    'orders per month in 2025',
    `select ${month('ordered_at')}, count(*) from food.orders where ordered_at >= '2025-01-01' group by 1`,
  ],
  [
    'q',
    'revenue by city',
    [
      `select r.city, ${VALUE} from food.order_lines join food.orders using (order_id) join food.restaurants r using (restaurant_id) group by 1`,
      `select e.city, ${VALUE} from food.order_lines join food.orders using (order_id) join food.eaters e using (eater_id) group by 1`,
    ],
  ],
  [
    'q',
    'top 5 restaurants by revenue',
    [
      `select restaurant_name from food.order_lines join food.orders using (order_id) join food.restaurants using (restaurant_id) group by restaurant_id, restaurant_name order by ${VALUE} desc limit 5`,
      `select restaurant_name from food.order_lines join food.dishes using (dish_id) join food.restaurants using (restaurant_id) group by restaurant_id, restaurant_name order by ${VALUE} desc limit 5`,
    ],
  ],
  [
    'q',
    'revenue in 2025 vs 2024',
    `select date_trunc('year', ordered_at)::date, ${VALUE} from food.order_lines join food.orders using (order_id) where ordered_at >= '2024-01-01' group by 1`,
  ],
  [
    'q',
    'most ordered dish',
    [
      'select dish_name from food.order_lines join food.dishes using (dish_id) group by dish_id, dish_name order by sum(quantity) desc, dish_id limit 1',
      'select dish_name from food.order_lines join food.dishes using (dish_id) group by dish_id, dish_name order by count(*) desc, dish_id limit 1',
    ],
  ],
  [
    'q',
    'dishes nobody ordered',
    'select dish_id from food.dishes d where not exists (select from food.order_lines l where l.dish_id = d.dish_id)',
  ],
  [
    'q',
    'eaters who have never placed an order',
    'select eater_id from food.eaters e where not exists (select from food.orders o where o.eater_id = e.eater_id)',
  ],
  ['q', 'how many eaters get the newsletter', 'select count(*) from food.eaters where newsletter'],
  ['q', 'orders without a courier', listOrCount('order_id', 'food.orders where courier_id is null')],
  ['q', 'how many orders used a voucher', 'select count(*) from food.orders where voucher_code is not null'],
  [
    'q',
    'average stars by restaurant',
    [
      'select restaurant_name, avg(stars) from food.reviews join food.orders using (order_id) join food.restaurants using (restaurant_id) group by restaurant_id, restaurant_name',
    ],
  ],
  ['q', 'reviews with 1 star', listOrCount('review_id', 'food.reviews where stars = 1')],
  ['q', 'reviews with no text', listOrCount('review_id', 'food.reviews where review_text is null')],
  ['q', 'restaurants that have closed', listOrCount('restaurant_id', 'food.restaurants where closed_on is not null')],
  [
    'q',
    'eaters with more than 8 orders',
    [
      'select eater_id from food.orders group by 1 having count(*) > 8',
      'select eater_name from food.orders join food.eaters using (eater_id) group by eater_id, eater_name having count(*) > 8',
    ],
  ],
  [
    'q',
    'Thai restaurants with a commission above 20',
    listOrCount('restaurant_id', "food.restaurants where cuisine = 'Thai' and commission_pct > 20"),
  ],
  ['q', 'orders that are still preparing', listOrCount('order_id', "food.orders where order_status = 'preparing'")],
  ['q', 'new eaters this year', listOrCount('eater_id', "food.eaters where registered_at >= '2025-01-01'")],
  ['q', 'how fast do we deliver', []],
  ['q', 'profit margin per restaurant', []],
])
