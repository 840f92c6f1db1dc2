import { type Question, toQuestions } from './question.ts'

const STAFF = 'hr.tbl_emp e join hr.tbl_dept d on d.dept_cd = e.emp_dept_cd'
const LEAVE =
  'hr.tbl_lv_req l join hr.tbl_emp e on e.emp_no = l.lv_emp_no join hr.tbl_dept d on d.dept_cd = e.emp_dept_cd'
const TRAINING = 'hr.tbl_trn_att t join hr.tbl_trn_crs c on c.crs_no = t.att_crs_no'
const CURRENT = 'emp_term_dt is null'

export const HR_QUESTIONS: readonly Question[] = toQuestions([
  [
    'count',
    'How many employees do we have?',
    [`select count(*) from hr.tbl_emp where ${CURRENT}`, 'select count(*) from hr.tbl_emp'],
  ],
  [
    'count',
    'how many employees left in 2025',
    "select count(*) from hr.tbl_emp where emp_term_dt >= '2025-01-01' and emp_term_dt < '2026-01-01'",
  ],
  [
    'count',
    'number of remote employees',
    [
      `select count(*) from hr.tbl_emp where emp_is_remote`,
      `select count(*) from hr.tbl_emp where emp_is_remote and ${CURRENT}`,
    ],
  ],
  [
    'count',
    'how many departments are in Germany',
    "select count(*) from hr.tbl_dept d join hr.tbl_loc l on l.loc_cd = d.dept_loc_cd where loc_ctry = 'Germany'",
  ],
  [
    'count',
    'how many different courses were attended in 2025',
    "select count(distinct att_crs_no) from hr.tbl_trn_att where att_dt >= '2025-01-01' and att_dt < '2026-01-01'",
  ],
  [
    'total',
    'total salary of permanent employees',
    [
      "select sum(emp_sal_amt) from hr.tbl_emp where emp_ctrct_typ = 'permanent'",
      `select sum(emp_sal_amt) from hr.tbl_emp where emp_ctrct_typ = 'permanent' and ${CURRENT}`,
    ],
  ],
  [
    'total',
    'total leave days in 2025',
    "select sum(lv_days_cnt) from hr.tbl_lv_req where lv_start_dt >= '2025-01-01' and lv_start_dt < '2026-01-01'",
  ],
  [
    'total',
    'total sick days by department',
    `select dept_desc, sum(lv_days_cnt) from ${LEAVE} where lv_typ = 'sick' group by 1`,
  ],
  [
    'average',
    'average salary by department',
    [
      `select dept_desc, avg(emp_sal_amt) from ${STAFF} group by 1`,
      `select dept_desc, avg(emp_sal_amt) from ${STAFF} where ${CURRENT} group by 1`,
    ],
  ],
  [
    'average',
    'average score per course',
    [
      `select crs_ttl, avg(att_score) from ${TRAINING} group by 1`,
      'select crs_ttl, avg(att_score) from hr.tbl_trn_crs left join hr.tbl_trn_att on att_crs_no = crs_no group by 1',
    ],
  ],
  ['average', 'average performance rating for 2024', 'select avg(rvw_rtg) from hr.tbl_perf_rvw where rvw_yr = 2024'],
  ['average', 'what is the average number of leave days per request?', 'select avg(lv_days_cnt) from hr.tbl_lv_req'],
  [
    'month',
    'leave requests by month in 2025',
    "select date_trunc('month', lv_start_dt)::date, count(*) from hr.tbl_lv_req where lv_start_dt >= '2025-01-01' and lv_start_dt < '2026-01-01' group by 1",
  ],
  ['month', 'hires per year', "select date_trunc('year', emp_hire_dt)::date, count(*) from hr.tbl_emp group by 1"],
  [
    'month',
    'training attendances by quarter',
    "select date_trunc('quarter', att_dt)::date, count(*) from hr.tbl_trn_att group by 1",
  ],
  [
    'time',
    'leave requests starting in the last 30 days',
    [
      "select lv_req_no from hr.tbl_lv_req where lv_start_dt >= '2025-11-15'",
      "select count(*) from hr.tbl_lv_req where lv_start_dt >= '2025-11-15'",
    ],
  ],
  [
    'time',
    'how many people were hired in the last 6 months',
    [
      "select count(*) from hr.tbl_emp where emp_hire_dt >= '2025-06-15'",
      "select count(*) from hr.tbl_emp where emp_hire_dt >= '2025-06-01' and emp_hire_dt < '2025-12-01'",
    ],
  ],
  [
    'compare',
    'hires this year vs last year',
    "select date_trunc('year', emp_hire_dt)::date, count(*) from hr.tbl_emp where emp_hire_dt >= '2024-01-01' and emp_hire_dt < '2026-01-01' group by 1",
  ],
  [
    'compare',
    'leave days in 2025 compared to 2024',
    "select date_trunc('year', lv_start_dt)::date, sum(lv_days_cnt) from hr.tbl_lv_req where lv_start_dt >= '2024-01-01' and lv_start_dt < '2026-01-01' group by 1",
  ],
  [
    'compare',
    'average salary of permanent versus temporary employees',
    [
      "select emp_ctrct_typ, avg(emp_sal_amt) from hr.tbl_emp where emp_ctrct_typ in ('permanent', 'temporary') group by 1",
      `select emp_ctrct_typ, avg(emp_sal_amt) from hr.tbl_emp where emp_ctrct_typ in ('permanent', 'temporary') and ${CURRENT} group by 1`,
    ],
  ],
  [
    'top',
    'top 5 highest paid employees',
    [
      'select emp_no from hr.tbl_emp order by emp_sal_amt desc limit 5',
      `select emp_no from hr.tbl_emp where ${CURRENT} order by emp_sal_amt desc limit 5`,
    ],
  ],
  [
    'top',
    'which department has the most employees?',
    [`select dept_desc from ${STAFF} group by 1 order by count(*) desc limit 1`],
  ],
  [
    'top',
    '3 departments with the lowest average salary',
    [
      `select dept_desc, avg(emp_sal_amt) from ${STAFF} group by 1 order by 2 limit 3`,
      `select dept_desc, avg(emp_sal_amt) from ${STAFF} where ${CURRENT} group by 1 order by 2 limit 3`,
    ],
  ],
  ['top', 'the most recently hired employee', 'select emp_no from hr.tbl_emp order by emp_hire_dt desc limit 1'],
  [
    'top',
    'which course has the best average score?',
    `select crs_ttl, avg(att_score) from ${TRAINING} group by 1 order by 2 desc limit 1`,
  ],
  [
    'share',
    'what percentage of leave requests were rejected?',
    "select 100.0 * count(*) filter (where lv_appr_sts = 'rejected') / count(*) from hr.tbl_lv_req",
  ],
  [
    'share',
    'share of remote employees',
    [
      'select 100.0 * count(*) filter (where emp_is_remote) / count(*) from hr.tbl_emp',
      'select 1.0 * count(*) filter (where emp_is_remote) / count(*) from hr.tbl_emp',
      `select 100.0 * count(*) filter (where emp_is_remote) / count(*) from hr.tbl_emp where ${CURRENT}`,
    ],
  ],
  [
    'share',
    'share of leave days by leave type',
    [100, 1].map(
      (whole) =>
        `select lv_typ, ${whole}.0 * sum(lv_days_cnt) / sum(sum(lv_days_cnt)) over () from hr.tbl_lv_req group by 1`,
    ),
  ],
  [
    'absent',
    'employees who never attended a training course',
    [
      'select emp_no from hr.tbl_emp where not exists (select from hr.tbl_trn_att where att_emp_no = emp_no)',
      `select emp_no from hr.tbl_emp where ${CURRENT} and not exists (select from hr.tbl_trn_att where att_emp_no = emp_no)`,
    ],
  ],
  [
    'absent',
    'departments without employees',
    'select dept_cd from hr.tbl_dept where not exists (select from hr.tbl_emp where emp_dept_cd = dept_cd)',
  ],
  [
    'absent',
    'courses nobody attended',
    'select crs_ttl from hr.tbl_trn_crs where not exists (select from hr.tbl_trn_att where att_crs_no = crs_no)',
  ],
  ['absent', 'employees without a manager', 'select emp_no from hr.tbl_emp where emp_mgr_no is null'],
  [
    'number',
    'employees earning more than 110000',
    [
      'select emp_no from hr.tbl_emp where emp_sal_amt > 110000',
      `select emp_no from hr.tbl_emp where emp_sal_amt > 110000 and ${CURRENT}`,
    ],
  ],
  ['number', 'courses longer than 15 hours', 'select crs_ttl from hr.tbl_trn_crs where crs_hrs > 15'],
  [
    'number',
    'departments with more than 40 employees',
    [
      `select dept_desc from ${STAFF} group by 1 having count(*) > 40`,
      `select dept_desc from ${STAFF} where ${CURRENT} group by 1 having count(*) > 40`,
    ],
  ],
  [
    'number',
    'employees who attended at least 5 courses',
    ['*', 'distinct att_crs_no'].map(
      (what) => `select att_emp_no from hr.tbl_trn_att group by 1 having count(${what}) >= 5`,
    ),
  ],
  [
    'negation',
    'how many leave requests are not approved?',
    "select count(*) from hr.tbl_lv_req where lv_appr_sts <> 'approved'",
  ],
  [
    'negation',
    'how many interns are not remote',
    [
      "select count(*) from hr.tbl_emp where emp_ctrct_typ = 'intern' and not emp_is_remote",
      `select count(*) from hr.tbl_emp where emp_ctrct_typ = 'intern' and not emp_is_remote and ${CURRENT}`,
    ],
  ],
  [
    'list',
    'list female employees in Finance hired since 2023',
    [
      `select emp_no from ${STAFF} where emp_gndr_cd = 'F' and dept_desc = 'Finance' and emp_hire_dt >= '2023-01-01'`,
      `select emp_no from ${STAFF} where emp_gndr_cd = 'F' and dept_desc = 'Finance' and emp_hire_dt >= '2023-01-01' and ${CURRENT}`,
    ],
  ],
  [
    'list',
    'titles and prices of courses cheaper than 500',
    'select crs_ttl, crs_prc_amt from hr.tbl_trn_crs where crs_prc_amt < 500',
  ],
  [
    'join',
    'training attendances by city',
    'select loc_city, count(*) from hr.tbl_trn_att join hr.tbl_emp on emp_no = att_emp_no join hr.tbl_dept on dept_cd = emp_dept_cd join hr.tbl_loc on loc_cd = dept_loc_cd group by 1',
  ],
  [
    'join',
    'how many sick leave requests came from Berlin?',
    `select count(*) from ${LEAVE} join hr.tbl_loc o on o.loc_cd = d.dept_loc_cd where loc_city = 'Berlin' and lv_typ = 'sick'`,
  ],
])
