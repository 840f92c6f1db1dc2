import { type Question, toQuestions } from './question.ts'

const STAYS = 'pms.resv r join pms.htl h using (htl_id)'
const GUESTS = 'deleted_at is null'

export const HOTEL_QUESTIONS: readonly Question[] = toQuestions([
  ['count', 'How many hotels do we have?', 'select count(*) from pms.htl'],
  ['count', 'how many reservations were cancelled', "select count(*) from pms.resv where resv_stat = 'CXL'"],
  ['count', 'number of VIP guests', [`select count(*) from pms.guest where vip_yn = 'Y' and ${GUESTS}`]],
  ['count', 'how many guests have no email', [`select count(*) from pms.guest where email is null and ${GUESTS}`]],
  [
    'count',
    'how many bookings came through expedia this year?',
    "select count(*) from pms.resv where channel = 'expedia' and booked_at >= '2025-01-01'",
  ],
  [
    'count',
    'how many different guests stayed at the Alpenhof?',
    [
      'select count(distinct guest_id) from pms.resv where htl_id = 2',
      "select count(distinct guest_id) from pms.resv where htl_id = 2 and resv_stat = 'CKOUT'",
      `select count(distinct guest_id) from pms.resv join pms.guest using (guest_id) where htl_id = 2 and ${GUESTS}`,
    ],
  ],
  ['total', 'total revenue by hotel', `select htl_name, sum(total_amt) from ${STAYS} group by 1`],
  [
    'total',
    'total number of nights in October 2025',
    [
      "select sum(nights) from pms.resv where arr_dt >= '2025-10-01' and arr_dt < '2025-11-01'",
      "select sum(nights) from pms.resv where booked_at >= '2025-10-01' and booked_at < '2025-11-01'",
    ],
  ],
  ['total', 'how much was paid in cash?', "select sum(pmt_amt::numeric) from pms.pmt where pmt_method = 'cash'"],
  ['total', 'how much did we earn with spa access', ["select sum(line_amt) from pms.resv_svc where svc_code = 'SPA'"]],
  [
    'average',
    'average length of stay',
    ['select avg(nights) from pms.resv', 'select avg(dep_dt - arr_dt) from pms.resv'],
  ],
  [
    'average',
    'average review score per hotel',
    'select htl_name, avg(score) from pms.review join pms.resv using (resv_no) join pms.htl using (htl_id) group by 1',
  ],
  ['average', 'average number of nights by channel', 'select channel, avg(nights) from pms.resv group by 1'],
  ['average', "what's the average payment?", 'select avg(pmt_amt::numeric) from pms.pmt'],
  ['group', 'reservations per channel', 'select channel, count(*) from pms.resv group by 1'],
  [
    'group',
    'how many bookings per room type',
    [
      'select rt_code, count(*) from pms.resv group by 1',
      'select rt_descr, count(*) from pms.resv join pms.rm_type using (rt_code) group by 1',
    ],
  ],
  ['group', 'guests by nationality', `select nationality, count(*) from pms.guest where ${GUESTS} group by 1`],
  ['group', 'number of rooms by country', 'select country_iso, sum(rm_cnt) from pms.htl group by 1'],
  [
    'group',
    'revenue by service category',
    'select svc_cat, sum(line_amt) from pms.resv_svc join pms.svc using (svc_code) group by 1',
  ],
  [
    'month',
    'arrivals per month in 2025',
    "select date_trunc('month', arr_dt)::date, count(*) from pms.resv where arr_dt >= '2025-01-01' and arr_dt < '2026-01-01' group by 1",
  ],
  [
    'month',
    'bookings by quarter',
    ["select date_trunc('quarter', booked_at)::date, count(*) from pms.resv group by 1"],
  ],
  [
    'time',
    'guests arriving in the next 7 days',
    [
      "select resv_no from pms.resv where arr_dt >= '2025-12-15' and arr_dt < '2025-12-22'",
      "select distinct guest_id from pms.resv where arr_dt >= '2025-12-15' and arr_dt < '2025-12-22'",
      "select distinct guest_id from pms.resv join pms.guest using (guest_id) where arr_dt >= '2025-12-15' and arr_dt < '2025-12-22' and deleted_at is null",
    ],
  ],
  [
    'time',
    'how many reservations were made last month',
    "select count(*) from pms.resv where booked_at >= '2025-11-01' and booked_at < '2025-12-01'",
  ],
  [
    'compare',
    'revenue this year vs last year',
    [
      "select date_trunc('year', booked_at)::date, sum(total_amt) from pms.resv where booked_at >= '2024-01-01' and booked_at < '2026-01-01' group by 1",
      "select date_trunc('year', arr_dt)::date, sum(total_amt) from pms.resv where arr_dt >= '2024-01-01' and arr_dt < '2026-01-01' group by 1",
    ],
  ],
  ['compare', 'hotels with more than 100 rooms', ['select htl_name from pms.htl where rm_cnt > 100']],
  [
    'compare',
    'reservations longer than 7 nights in Venice',
    [
      `select resv_no from ${STAYS} where nights > 7 and city = 'Venice'`,
      `select count(*) from ${STAYS} where nights > 7 and city = 'Venice'`,
    ],
  ],
  [
    'top',
    'which hotel has the most reservations?',
    `select htl_name from ${STAYS} group by 1 order by count(*) desc limit 1`,
  ],
  [
    'top',
    'top 5 guests by revenue',
    [
      'select guest_id from pms.resv group by 1 order by sum(total_amt) desc limit 5',
      `select guest_id from pms.resv join pms.guest using (guest_id) where ${GUESTS} group by 1 order by sum(total_amt) desc limit 5`,
    ],
  ],
  ['top', 'the most expensive booking ever', 'select resv_no from pms.resv order by total_amt desc limit 1'],
  ['top', 'oldest hotel', 'select htl_name from pms.htl order by open_dt limit 1'],
  [
    'top',
    'what is the most popular service?',
    [
      'select svc_name from pms.resv_svc join pms.svc using (svc_code) group by 1 order by count(*) desc limit 1',
      'select svc_name from pms.resv_svc join pms.svc using (svc_code) group by 1 order by sum(qty) desc limit 1',
    ],
  ],
  [
    'share',
    'what share of bookings are no-shows',
    "select 1.0 * count(*) filter (where resv_stat = 'NOSHOW') / count(*) from pms.resv",
  ],
  [
    'share',
    'percentage of reservations by channel',
    'select channel, 100.0 * count(*) / sum(count(*)) over () from pms.resv group by 1',
  ],
  [
    'absence',
    'guests who never booked',
    [
      `select guest_id from pms.guest g where not exists (select from pms.resv r where r.guest_id = g.guest_id) and ${GUESTS}`,
    ],
  ],
  [
    'absence',
    'which services were never ordered',
    'select svc_name from pms.svc s where not exists (select from pms.resv_svc r where r.svc_code = s.svc_code)',
  ],
  [
    'absence',
    'how many reservations have no payment',
    'select count(*) from pms.resv r where not exists (select from pms.pmt p where p.resv_no = r.resv_no)',
  ],
  ['list', 'list all 5 star hotels', 'select htl_name from pms.htl where stars = 5'],
  ['list', 'show me hotels in Austria', "select htl_name from pms.htl where country_iso = 'AT'"],
  ['unclear', 'what is our occupancy rate', []],
  ['unclear', 'which hotels are profitable', []],
])
