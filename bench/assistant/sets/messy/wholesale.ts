import { byEither, listOrCount, month, shares } from '../expected.ts'
import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

/** Abbreviated names, no foreign keys, totals in headers and lines, status codes. */
export const WHOLESALE_STATEMENTS: readonly string[] = [
  `create table erp.cust_mst (cust_no int primary key, cust_nm text not null, cust_grp char(2) not null, ctry_cd char(2) not null, cr_lmt numeric(10,2), crt_dt date not null, blk_flg char(1) not null, rep_cd text)`,
  `create table erp.slsrep (rep_cd text primary key, rep_nm text not null, rgn text not null, hire_dt date not null)`,
  `create table erp.itm_mst (itm_no int primary key, itm_desc text not null, itm_cat text not null, uom text not null, std_cst numeric(8,2) not null, lst_prc numeric(8,2) not null, act_flg char(1) not null)`,
  `create table erp.whs (whs_cd text primary key, whs_nm text not null, city text not null)`,
  `create table erp.so_hdr (so_no int primary key, cust_no int not null, so_dt date not null, req_dt date not null, shp_dt date, so_stat char(1) not null, frt_amt numeric(8,2) not null, tot_amt numeric(10,2) not null, whs_cd text not null)`,
  `create table erp.so_lin (so_no int not null, lin_no int not null, itm_no int not null, qty_ord int not null, qty_shp int not null, unit_prc numeric(8,2) not null, disc_pct numeric(4,1) not null, lin_amt numeric(10,2) not null, primary key (so_no, lin_no))`,
  `create table erp.inv_hdr (inv_no int primary key, so_no int not null, cust_no int not null, inv_dt date not null, due_dt date not null, pd_dt date, net_amt numeric(10,2) not null, tax_amt numeric(8,2) not null)`,
  `create table erp.stk (itm_no int not null, whs_cd text not null, qty_oh int not null, qty_rsv int not null, rord_pt int not null, primary key (itm_no, whs_cd))`,
  `comment on column erp.so_hdr.so_stat is 'O = open, S = shipped, C = closed, X = cancelled'`,
  `insert into erp.slsrep select 'R' || n, ${pickWord('Ann|Bob|Cleo|Dan', "'ra' || n")} || ' ' || n, ${pickWord('North|South|East|West', "'rb' || n")}, date '2015-01-01' + ${pick("'rc' || n", 3800)}::int from generate_series(1, 14) n`,
  `insert into erp.whs values ('ATL', 'Atlanta DC', 'Atlanta'), ('RNO', 'Reno DC', 'Reno'), ('DAL', 'Dallas DC', 'Dallas')`,
  `insert into erp.cust_mst select n, 'Customer ' || n, ${pickWord('RT|WS|GV', "'ca' || n")}, ${pickWord('US|US|CA|MX', "'cb' || n")}, case when ${pick("'cc' || n", 5)} > 0 then 1000 * (1 + ${pick("'cd' || n", 80)}) end, date '2018-01-01' + ${pick("'ce' || n", 2900)}::int, case when ${pick("'cf' || n", 12)} = 0 then 'Y' else 'N' end, case when ${pick("'cg' || n", 9)} > 0 then 'R' || (1 + ${pick("'ch' || n", 12)}) end from generate_series(1, 320) n`,
  `insert into erp.itm_mst select n, ${pickWord('Bolt|Hinge|Valve|Cable|Drill', "'ia' || n")} || ' ' || n, ${pickWord('Fasteners|Plumbing|Electrical|Tools', "'ib' || n")}, ${pickWord('EA|BX|M', "'ic' || n")}, 1 + ${pick("'id' || n", 9000)} / 100.0, 2 + ${pick("'ie' || n", 18000)} / 100.0, case when ${pick("'if' || n", 8)} = 0 then 'N' else 'Y' end from generate_series(1, 180) n`,
  `insert into erp.so_hdr select n, 1 + ${pick("'oa' || n", 290)}::int, day, day + 3 + ${pick("'ob' || n", 20)}::int, case when stat in ('S', 'C') then day + 1 + ${pick("'oc' || n", 30)}::int end, stat, ${pick("'od' || n", 15000)} / 100.0, 0, ${pickWord('ATL|RNO|DAL', "'oe' || n")} from (select n, date '2023-01-02' + ${pick("'of' || n", 1070)}::int as day, ${pickWord('O|S|C|C|C|X', "'og' || n")} as stat from generate_series(1, 2400) n) x`,
  `insert into erp.so_lin select so_no, l, i.itm_no, q, case when so_stat in ('S', 'C') then q else 0 end, lst_prc, d, round(q * lst_prc * (1 - d / 100), 2) from (select so_no, so_stat, l, 1 + ${pick("'la' || so_no || '-' || l", 165)}::int as itm_no, 1 + ${pick("'lb' || so_no || '-' || l", 40)}::int as q, 5.0 * ${pick("'lc' || so_no || '-' || l", 4)} as d from erp.so_hdr, generate_series(1, 1 + so_no % 3) l) x join erp.itm_mst i using (itm_no)`,
  `update erp.so_hdr h set tot_amt = frt_amt + (select sum(lin_amt) from erp.so_lin l where l.so_no = h.so_no)`,
  `insert into erp.inv_hdr select 90000 + so_no, so_no, cust_no, shp_dt, shp_dt + 30, case when ${pick("'va' || so_no", 6)} > 0 then shp_dt + ${pick("'vb' || so_no", 60)}::int end, tot_amt, round(tot_amt * 0.08, 2) from erp.so_hdr where so_stat = 'C'`,
  `insert into erp.stk select itm_no, whs_cd, ${pick("'sa' || itm_no || whs_cd", 500)}::int, ${pick("'sb' || itm_no || whs_cd", 60)}::int, 20 + ${pick("'sc' || itm_no || whs_cd", 100)}::int from erp.itm_mst, erp.whs where ${pick("'sd' || itm_no || whs_cd", 5)} > 0`,
]

const SO = 'erp.so_hdr'
const CUST = 'erp.cust_mst'
const INV = 'erp.inv_hdr'
const LINES = 'erp.so_lin join erp.itm_mst using (itm_no)'

export const WHOLESALE_QUESTIONS = toQuestions([
  ['q', 'how many customers do we have', `select count(*) from ${CUST}`],
  ['q', 'customers per country', `select ctry_cd, count(*) from ${CUST} group by 1`],
  ['q', 'which customers are blocked', listOrCount('cust_no', `${CUST} where blk_flg = 'Y'`)],
  ['q', 'customers with a credit limit above 50000', listOrCount('cust_no', `${CUST} where cr_lmt > 50000`)],
  ['q', 'customers without a credit limit', listOrCount('cust_no', `${CUST} where cr_lmt is null`)],
  ['q', 'customers in Canada', listOrCount('cust_no', `${CUST} where ctry_cd = 'CA'`)],
  ['q', 'average credit limit by customer group', `select cust_grp, avg(cr_lmt) from ${CUST} group by 1`],
  ['q', 'customers with no sales rep', listOrCount('cust_no', `${CUST} where rep_cd is null`)],
  ['q', 'sales reps per region', 'select rgn, count(*) from erp.slsrep group by 1'],
  [
    'q',
    'how many customers does each sales rep have',
    byEither(
      ['r.rep_cd', 'rep_nm'],
      (key) =>
        `select ${key}, count(c.cust_no) from erp.slsrep r left join ${CUST} c on c.rep_cd = r.rep_cd group by 1`,
    ).concat(
      byEither(
        ['r.rep_cd', 'rep_nm'],
        (key) => `select ${key}, count(*) from erp.slsrep r join ${CUST} c on c.rep_cd = r.rep_cd group by 1`,
      ),
    ),
  ],
  [
    'q',
    'number of sales orders per month in 2025',
    `select ${month('so_dt')}, count(*) from ${SO} where so_dt >= '2025-01-01' group by 1`,
  ],
  ['q', 'open sales orders', listOrCount('so_no', `${SO} where so_stat = 'O'`)],
  [
    'q',
    'cancelled orders by warehouse',
    byEither(
      ['whs_cd', 'whs_nm', 'city'],
      (key) => `select ${key}, count(*) from ${SO} join erp.whs using (whs_cd) where so_stat = 'X' group by 1`,
    ),
  ],
  [
    'q',
    'total order amount by warehouse',
    byEither(
      ['whs_cd', 'whs_nm'],
      (key) => `select ${key}, sum(tot_amt) from ${SO} join erp.whs using (whs_cd) group by 1`,
    ),
  ],
  ['q', 'total order amount this year', `select sum(tot_amt) from ${SO} where so_dt >= '2025-01-01'`],
  ['q', 'sales by item category', `select itm_cat, sum(lin_amt) from ${LINES} group by 1`],
  [
    'q',
    'top 5 customers by order total',
    byEither(
      ['cust_no', 'cust_nm'],
      (key) => `select ${key} from ${SO} join ${CUST} using (cust_no) group by 1 order by sum(tot_amt) desc limit 5`,
    ),
  ],
  ['q', 'average freight per order', `select avg(frt_amt) from ${SO}`],
  [
    'q',
    'freight by month for 2024',
    `select ${month('so_dt')}, sum(frt_amt) from ${SO} where so_dt >= '2024-01-01' and so_dt < '2025-01-01' group by 1`,
  ],
  ['q', 'orders that shipped after the requested date', listOrCount('so_no', `${SO} where shp_dt > req_dt`)],
  ['q', 'orders not shipped yet', listOrCount('so_no', `${SO} where shp_dt is null`)],
  [
    'q',
    'orders shipped last month',
    listOrCount('so_no', `${SO} where shp_dt >= '2025-11-01' and shp_dt < '2025-12-01'`),
  ],
  ['q', 'how long does it take to ship an order on average', `select avg(shp_dt - so_dt) from ${SO}`],
  [
    'q',
    'customers who never ordered anything',
    listOrCount('cust_no', `${CUST} c where not exists (select from ${SO} o where o.cust_no = c.cust_no)`),
  ],
  ['q', 'orders with a total over 10000', listOrCount('so_no', `${SO} where tot_amt > 10000`)],
  [
    'q',
    'most ordered item by quantity',
    byEither(
      ['itm_no', 'itm_desc'],
      (key) => `select ${key} from ${LINES} group by 1 order by sum(qty_ord) desc limit 1`,
    ),
  ],
  ['q', 'quantity shipped per item category', `select itm_cat, sum(qty_shp) from ${LINES} group by 1`],
  ['q', 'average discount by item category', `select itm_cat, avg(disc_pct) from ${LINES} group by 1`],
  [
    'q',
    'items that were never ordered',
    listOrCount('itm_no', `erp.itm_mst i where not exists (select from erp.so_lin l where l.itm_no = i.itm_no)`),
  ],
  ['q', 'inactive items', listOrCount('itm_no', `erp.itm_mst where act_flg = 'N'`)],
  [
    'q',
    'most expensive item',
    byEither(['itm_no'], (key) => `select ${key} from erp.itm_mst order by lst_prc desc limit 1`),
  ],
  [
    'q',
    'items where the standard cost is higher than the list price',
    listOrCount('itm_no', 'erp.itm_mst where std_cst > lst_prc'),
  ],
  ['q', 'unpaid invoices', listOrCount('inv_no', `${INV} where pd_dt is null`)],
  ['q', 'overdue invoices', [...listOrCount('inv_no', `${INV} where pd_dt is null and due_dt < '2025-12-15'`)]],
  [
    'q',
    'total tax on invoices in 2024',
    `select sum(tax_amt) from ${INV} where inv_dt >= '2024-01-01' and inv_dt < '2025-01-01'`,
  ],
  [
    'q',
    'invoiced net amount per customer group',
    `select cust_grp, sum(net_amt) from ${INV} join ${CUST} using (cust_no) group by 1`,
  ],
  ['q', 'invoices paid late', listOrCount('inv_no', `${INV} where pd_dt > due_dt`)],
  ['q', 'what share of invoices is unpaid', shares('pd_dt is null', INV)],
  [
    'q',
    'stock on hand by warehouse',
    byEither(
      ['whs_cd', 'whs_nm', 'city'],
      (key) => `select ${key}, sum(qty_oh) from erp.stk join erp.whs using (whs_cd) group by 1`,
    ),
  ],
  [
    'q',
    'items below reorder point in Reno',
    byEither(
      ['itm_no', 'itm_desc', 'count(*)'],
      (key) =>
        `select ${key} from erp.stk join erp.whs using (whs_cd) join erp.itm_mst using (itm_no) where city = 'Reno' and qty_oh < rord_pt`,
    ),
  ],
  ['q', 'profit by customer', []],
  ['q', 'returns by month', []],
  ['q', 'which supplier delivers the most items', []],
  ['q', 'amount by month', []],
  [
    'q',
    'orders by date in march',
    `select so_dt, count(*) from ${SO} where so_dt >= '2025-03-01' and so_dt < '2025-04-01' group by 1`,
  ],
  [
    'q',
    'sales per rep for customers in Mexico',
    byEither(
      ['rep_cd', 'rep_nm'],
      (key) =>
        `select ${key}, sum(tot_amt) from ${SO} join ${CUST} using (cust_no) join erp.slsrep using (rep_cd) where ctry_cd = 'MX' group by 1`,
    ),
  ],
])
