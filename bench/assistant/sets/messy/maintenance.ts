import { byEither, listOrCount, month, shares } from '../expected.ts'
import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

/** Abbreviated names, codes explained in comments, hours and costs in headers and lines. */
export const MAINTENANCE_STATEMENTS: readonly string[] = [
  `create table pm.eqp_mst (eqp_id int primary key, eqp_nm text not null, eqp_typ text not null, loc_cd text not null, mfr text, inst_dt date, warr_exp_dt date, crit_lvl int not null, act_flg char(1) not null)`,
  `create table pm.loc (loc_cd text primary key, loc_desc text not null, bldg text not null, flr_no int not null)`,
  `create table pm.tech (tech_id int primary key, tech_nm text not null, craft_cd text not null, hrly_rt numeric(6,2) not null, hire_dt date not null, term_dt date)`,
  `create table pm.wo_hdr (wo_no int primary key, eqp_id int not null, wo_typ char(2) not null, prio int not null, wo_stat char(1) not null, rpt_dt date not null, sched_dt date, strt_dt date, cmpl_dt date, est_hrs numeric(6,1), act_hrs numeric(6,1), tot_cst numeric(10,2), req_by text)`,
  `create table pm.wo_lbr (wo_no int not null, lin_no int not null, tech_id int not null, wrk_dt date not null, hrs numeric(5,1) not null, ot_hrs numeric(5,1) not null, lbr_cst numeric(9,2) not null, primary key (wo_no, lin_no))`,
  `create table pm.wo_prt (wo_no int not null, lin_no int not null, prt_no int not null, qty_used int not null, unit_cst numeric(8,2) not null, ext_cst numeric(9,2) not null, primary key (wo_no, lin_no))`,
  `create table pm.prt_mst (prt_no int primary key, prt_desc text not null, prt_cat text not null, vend_cd text, qty_oh int not null, min_qty int not null, unit_cst numeric(8,2) not null, obs_flg char(1) not null)`,
  `create table pm.mtr_rdg (rdg_id int primary key, eqp_id int not null, rdg_dt timestamp not null, mtr_typ text not null, rdg_val numeric(10,2) not null)`,
  `comment on column pm.wo_hdr.wo_stat is 'O = open, P = in progress, H = on hold, C = completed, X = cancelled'`,
  `comment on column pm.wo_hdr.wo_typ is 'PM = preventive, CM = corrective, EM = emergency'`,
  `insert into pm.loc values ('L1', 'Press hall', 'North', 1), ('L2', 'Paint shop', 'North', 2), ('L3', 'Boiler room', 'South', 0), ('L4', 'Dock', 'South', 1), ('L5', 'Roof', 'North', 3)`,
  `insert into pm.eqp_mst select n, ${pickWord('Pump|Press|Fan|Boiler|Robot', "'ea' || n")} || ' ' || n, ${pickWord('rotating|static|electrical', "'eb' || n")}, ${pickWord('L1|L2|L3|L4', "'ec' || n")}, case when ${pick("'ed' || n", 6)} > 0 then ${pickWord('Kuro|Bohm|Stern', "'ee' || n")} end, case when ${pick("'ef' || n", 8)} > 0 then date '2008-01-01' + ${pick("'eg' || n", 6000)}::int end, case when ${pick("'eh' || n", 2)} = 0 then date '2024-01-01' + ${pick("'ei' || n", 1200)}::int end, 1 + ${pick("'ej' || n", 5)}::int, case when ${pick("'ek' || n", 9)} = 0 then 'N' else 'Y' end from generate_series(1, 150) n`,
  `insert into pm.tech select n, ${pickWord('Gus|Hal|Ivy|Jo', "'ta' || n")} || ' ' || n, ${pickWord('MECH|ELEC|HVAC', "'tb' || n")}, 25 + ${pick("'tc' || n", 3000)} / 100.0, date '2009-01-01' + ${pick("'td' || n", 5600)}::int, case when ${pick("'te' || n", 6)} = 0 then date '2025-01-15' + ${pick("'tf' || n", 300)}::int end from generate_series(1, 36) n`,
  `insert into pm.wo_hdr select n, 1 + ${pick("'wa' || n", 140)}::int, ${pickWord('PM|PM|CM|EM', "'wb' || n")}, 1 + ${pick("'wc' || n", 4)}::int, st, d, case when ${pick("'wd' || n", 5)} > 0 then d + 2 + ${pick("'we' || n", 20)}::int end, case when st in ('P', 'C', 'H') then d + 1 + ${pick("'wf' || n", 15)}::int end, case when st = 'C' then d + 16 + ${pick("'wg' || n", 25)}::int end, case when ${pick("'wh' || n", 4)} > 0 then 1 + ${pick("'wi' || n", 300)} / 10.0 end, case when st = 'C' then 1 + ${pick("'wj' || n", 400)} / 10.0 end, case when st = 'C' then 50 + ${pick("'wk' || n", 400000)} / 100.0 end, case when ${pick("'wl' || n", 5)} > 0 then ${pickWord('Ops|Safety|Quality', "'wm' || n")} end from (select n, date '2023-06-01' + ${pick("'wn' || n", 920)}::int as d, ${pickWord('O|P|H|C|C|C|C|X', "'wo' || n")} as st from generate_series(1, 2100) n) x`,
  `insert into pm.wo_lbr select wo_no, l, 1 + ${pick("'ga' || wo_no || '-' || l", 33)}::int, strt_dt + l, h, case when ${pick("'gb' || wo_no || '-' || l", 5)} = 0 then 1.5 else 0 end, round(h * 38, 2) from (select wo_no, strt_dt, l, 0.5 + ${pick("'gc' || wo_no || '-' || l", 16)} / 2.0 as h from pm.wo_hdr, generate_series(1, 3) l where strt_dt is not null and l <= 1 + wo_no % 3) x`,
  `insert into pm.prt_mst select n, ${pickWord('Seal|Belt|Filter|Fuse', "'pa' || n")} || ' ' || n, ${pickWord('seals|drives|filters|electrics', "'pb' || n")}, case when ${pick("'pc' || n", 6)} > 0 then ${pickWord('V10|V20|V30', "'pd' || n")} end, ${pick("'pe' || n", 80)}::int, 5 + ${pick("'pf' || n", 30)}::int, 2 + ${pick("'pg' || n", 20000)} / 100.0, case when ${pick("'ph' || n", 10)} = 0 then 'Y' else 'N' end from generate_series(1, 130) n`,
  `insert into pm.wo_prt select wo_no, l, prt_no, q, unit_cst, q * unit_cst from (select wo_no, l, 1 + ${pick("'qa' || wo_no || '-' || l", 118)}::int as prt_no, 1 + ${pick("'qb' || wo_no || '-' || l", 6)}::int as q from pm.wo_hdr, generate_series(1, 2) l where wo_stat = 'C' and ${pick("'qc' || wo_no || '-' || l", 2)} = 0) x join pm.prt_mst using (prt_no)`,
  `insert into pm.mtr_rdg select n, 1 + ${pick("'ma' || n", 120)}::int, timestamp '2024-01-01 06:00' + ${pick("'mb' || n", 17000)} * interval '1 hour', ${pickWord('vibration|temperature|runtime', "'mc' || n")}, ${pick("'md' || n", 100000)} / 100.0 from generate_series(1, 4000) n`,
]

const W = 'pm.wo_hdr'
const E = 'pm.eqp_mst'
const PARTS = 'pm.prt_mst'

export const MAINTENANCE_QUESTIONS = toQuestions([
  [
    'q',
    'how many pieces of equipment do we have per location',
    byEither(
      ['loc_cd', 'loc_desc'],
      (key) => `select ${key}, count(*) from ${E} join pm.loc using (loc_cd) group by 1`,
    ),
  ],
  ['q', 'equipment by type', `select eqp_typ, count(*) from ${E} group by 1`],
  [
    'q',
    'equipment in the north building',
    [...listOrCount('eqp_id', `${E} join pm.loc using (loc_cd) where bldg = 'North'`)],
  ],
  ['q', 'inactive equipment', listOrCount('eqp_id', `${E} where act_flg = 'N'`)],
  ['q', 'equipment without a manufacturer', listOrCount('eqp_id', `${E} where mfr is null`)],
  ['q', 'equipment installed before 2012', listOrCount('eqp_id', `${E} where inst_dt < '2012-01-01'`)],
  ['q', 'equipment with criticality level 5', listOrCount('eqp_id', `${E} where crit_lvl = 5`)],
  ['q', 'equipment made by Bohm', listOrCount('eqp_id', `${E} where mfr = 'Bohm'`)],
  ['q', 'open work orders', listOrCount('wo_no', `${W} where wo_stat = 'O'`)],
  ['q', 'work orders by status', `select wo_stat, count(*) from ${W} group by 1`],
  [
    'q',
    'number of emergency work orders per month in 2025',
    `select ${month('rpt_dt')}, count(*) from ${W} where wo_typ = 'EM' and rpt_dt >= '2025-01-01' group by 1`,
  ],
  ['q', 'work orders on hold by priority', `select prio, count(*) from ${W} where wo_stat = 'H' group by 1`],
  ['q', 'cancelled work orders', listOrCount('wo_no', `${W} where wo_stat = 'X'`)],
  [
    'q',
    'work orders completed last month',
    listOrCount('wo_no', `${W} where cmpl_dt >= '2025-11-01' and cmpl_dt < '2025-12-01'`),
  ],
  ['q', 'work orders that have no scheduled date', listOrCount('wo_no', `${W} where sched_dt is null`)],
  [
    'q',
    'total cost of work orders by equipment type',
    `select eqp_typ, sum(tot_cst) from ${W} join ${E} using (eqp_id) group by 1`,
  ],
  ['q', 'average cost of a work order', `select avg(tot_cst) from ${W}`],
  [
    'q',
    'work orders where actual hours exceed the estimate',
    [...listOrCount('wo_no', `${W} where act_hrs > est_hrs`)],
  ],
  ['q', 'average actual hours by work order type', `select wo_typ, avg(act_hrs) from ${W} group by 1`],
  ['q', 'hours by month', []],
  ['q', 'how many days from report to completion on average', `select avg(cmpl_dt - rpt_dt) from ${W}`],
  [
    'q',
    'which equipment has the most work orders',
    byEither(
      ['eqp_id', 'eqp_nm'],
      (key) => `select ${key} from ${W} join ${E} using (eqp_id) group by 1 order by count(*) desc, 1 limit 1`,
    ),
  ],
  [
    'q',
    'equipment that never had a work order',
    listOrCount('eqp_id', `${E} e where not exists (select from ${W} w where w.eqp_id = e.eqp_id)`),
  ],
  ['q', 'work orders requested by Safety', listOrCount('wo_no', `${W} where req_by = 'Safety'`)],
  ['q', 'what share of work orders are preventive', shares("wo_typ = 'PM'", W)],
  [
    'q',
    'top 5 technicians by hours worked',
    byEither(
      ['tech_id', 'tech_nm'],
      (key) => `select ${key} from pm.wo_lbr join pm.tech using (tech_id) group by 1 order by sum(hrs) desc limit 5`,
    ),
  ],
  [
    'q',
    'overtime hours per craft',
    'select craft_cd, sum(ot_hrs) from pm.wo_lbr join pm.tech using (tech_id) group by 1',
  ],
  [
    'q',
    'labor cost by technician in 2025',
    byEither(
      ['tech_id', 'tech_nm'],
      (key) =>
        `select ${key}, sum(lbr_cst) from pm.wo_lbr join pm.tech using (tech_id) where wrk_dt >= '2025-01-01' group by 1`,
    ),
  ],
  ['q', 'average hourly rate of electricians', []],
  ['q', 'average hourly rate by craft', 'select craft_cd, avg(hrly_rt) from pm.tech group by 1'],
  ['q', 'technicians who left', [...listOrCount('tech_id', 'pm.tech where term_dt is not null')]],
  ['q', 'technicians with a rate above 45', listOrCount('tech_id', 'pm.tech where hrly_rt > 45')],
  ['q', 'parts below minimum quantity', listOrCount('prt_no', `${PARTS} where qty_oh < min_qty`)],
  ['q', 'obsolete parts', listOrCount('prt_no', `${PARTS} where obs_flg = 'Y'`)],
  ['q', 'parts per category', `select prt_cat, count(*) from ${PARTS} group by 1`],
  [
    'q',
    'most used part',
    byEither(
      ['prt_no', 'prt_desc'],
      (key) =>
        `select ${key} from pm.wo_prt join ${PARTS} using (prt_no) group by 1 order by sum(qty_used) desc limit 1`,
    ),
  ],
  [
    'q',
    'quantity used by part category',
    `select prt_cat, sum(qty_used) from pm.wo_prt join ${PARTS} using (prt_no) group by 1`,
  ],
  [
    'q',
    'parts cost per equipment',
    byEither(
      ['eqp_id', 'eqp_nm'],
      (key) => `select ${key}, sum(ext_cst) from pm.wo_prt join ${W} using (wo_no) join ${E} using (eqp_id) group by 1`,
    ),
  ],
  [
    'q',
    'parts never used',
    listOrCount('prt_no', `${PARTS} p where not exists (select from pm.wo_prt u where u.prt_no = p.prt_no)`),
  ],
  ['q', 'parts without a vendor', listOrCount('prt_no', `${PARTS} where vend_cd is null`)],
  ['q', 'average temperature reading', `select avg(rdg_val) from pm.mtr_rdg where mtr_typ = 'temperature'`],
  ['q', 'number of readings per meter type', 'select mtr_typ, count(*) from pm.mtr_rdg group by 1'],
  ['q', 'cost by location', []],
  ['q', 'downtime by equipment', []],
  ['q', 'failure rate per manufacturer', []],
])
