import { pickWord, pick } from './sample-values.ts'

export const HR_SCHEMA = 'hr'

export const HR_STATEMENTS: readonly string[] = [
  'create table hr.tbl_loc (loc_cd text primary key, loc_city text not null, loc_ctry text not null)',
  `create table hr.tbl_dept (dept_cd text primary key, dept_desc text not null, dept_loc_cd text not null references hr.tbl_loc,
     dept_bdgt_amt numeric(12,2) not null)`,
  `create table hr.tbl_emp (emp_no int primary key, emp_fst_nm text not null, emp_lst_nm text not null,
     emp_dept_cd text not null references hr.tbl_dept, emp_mgr_no int references hr.tbl_emp, emp_hire_dt date not null, emp_term_dt date,
     emp_sal_amt numeric(10,2) not null, emp_gndr_cd char(1) not null, emp_ctrct_typ text not null, emp_is_remote boolean not null)`,
  `create table hr.tbl_lv_req (lv_req_no int primary key, lv_emp_no int not null references hr.tbl_emp, lv_typ text not null,
     lv_start_dt date not null, lv_end_dt date not null, lv_days_cnt int not null, lv_appr_sts text not null)`,
  `create table hr.tbl_trn_crs (crs_no int primary key, crs_ttl text not null, crs_prc_amt numeric(8,2) not null, crs_hrs int not null)`,
  `create table hr.tbl_trn_att (att_no int primary key, att_emp_no int not null references hr.tbl_emp,
     att_crs_no int not null references hr.tbl_trn_crs, att_dt date not null, att_score int, att_passed_flg boolean not null)`,
  `create table hr.tbl_perf_rvw (rvw_no int primary key, rvw_emp_no int not null references hr.tbl_emp, rvw_yr int not null,
     rvw_rtg int not null, rvw_dt date not null)`,
  `insert into hr.tbl_loc values ('BER', 'Berlin', 'Germany'), ('MUC', 'Munich', 'Germany'), ('LYS', 'Lyon', 'France'), ('MIL', 'Milan', 'Italy')`,
  `insert into hr.tbl_dept values ('FIN', 'Finance', 'BER', 900000), ('ENG', 'Engineering', 'BER', 4200000), ('SAL', 'Sales', 'LYS', 2100000),
     ('SUP', 'Customer Support', 'MIL', 1300000), ('LEG', 'Legal', 'MUC', 700000), ('LAB', 'Research', 'MUC', 1500000)`,
  `insert into hr.tbl_emp select n, ${pickWord('Ines|Jonas|Katja|Luis|Mara|Nils|Olga|Paul', "'ef' || n")},
     ${pickWord('Adler|Bianchi|Costa|Durand|Engel|Ferrari|Garnier|Huber|Ivanov|Jansen', "'el' || n")} || '-' || n,
     ${pickWord('FIN|ENG|ENG|ENG|SAL|SAL|SUP|LEG', "'ed' || n")}, case when n > 8 then 1 + ${pick("'em' || n", 8)}::int end,
     date '2015-01-01' + ${pick("'eh' || n", 3990)}::int, null, 38000 + ${pick("'es' || n", 90000)},
     ${pickWord('F|M', "'eg' || n")}, ${pickWord('permanent|permanent|permanent|temporary|intern', "'ec' || n")}, ${pick("'er' || n", 3)} = 0
     from generate_series(1, 320) n`,
  `update hr.tbl_emp set emp_term_dt = least(emp_hire_dt + 100 + ${pick("'et' || emp_no", 900)}::int, date '2025-12-01') where ${pick("'ex' || emp_no", 6)} = 0 and emp_hire_dt < '2025-06-01'`,
  `insert into hr.tbl_lv_req select s.n, 1 + ${pick("'le' || s.n", 300)}::int, ${pickWord('vacation|vacation|sick|sick|parental', "'lt' || s.n")}, s.day,
     s.day + s.days, s.days, ${pickWord('approved|approved|approved|pending|rejected', "'ls' || s.n")}
     from (select n, date '2024-01-01' + ${pick("'ld' || n", 710)}::int as day, 1 + ${pick("'lc' || n", 15)}::int as days from generate_series(1, 1400) n) s`,
  `insert into hr.tbl_trn_crs select n, (array['First Aid','Negotiation','Advanced Excel','Data Privacy','Leadership','Fire Safety','Public Speaking','French B1'])[n],
     (array[120, 640, 380, 90, 1450, 60, 520, 710])[n], (array[8, 16, 12, 3, 40, 4, 14, 60])[n] from generate_series(1, 8) n`,
  `insert into hr.tbl_trn_att select s.n, 1 + ${pick("'ae' || s.n", 260)}::int, 1 + ${pick("'ac' || s.n", 7)}::int, date '2024-02-01' + ${pick("'ad' || s.n", 670)}::int,
     case when s.score > 8 then 30 + s.score end, s.score > 25 from (select n, ${pick("'as' || n", 70)}::int as score from generate_series(1, 620) n) s`,
  `insert into hr.tbl_perf_rvw select row_number() over (), emp_no, y, 1 + ${pick("'pr' || emp_no || y", 5)}::int, make_date(y + 1, 1, 10) + ${pick("'pd' || emp_no || y", 40)}::int
     from hr.tbl_emp, generate_series(2022, 2024) y where emp_hire_dt < make_date(y, 7, 1)`,
  "comment on table hr.tbl_lv_req is 'Leave requests of employees'",
  "comment on table hr.tbl_trn_crs is 'Training courses'",
  "comment on table hr.tbl_trn_att is 'Attendance of employees at training courses'",
  "comment on table hr.tbl_perf_rvw is 'Performance reviews'",
  "comment on column hr.tbl_perf_rvw.rvw_yr is 'Year that was reviewed'",
  "comment on column hr.tbl_emp.emp_term_dt is 'Last day of work, empty for current employees'",
]
