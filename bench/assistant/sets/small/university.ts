import { toQuestions } from '../question.ts'
import { pickWord, pick } from '../sample-values.ts'
/** Abbreviated names, grades in a junction table, fees as text. */
export const UNIVERSITY_STATEMENTS: readonly string[] = [
  `create table uni.faculty (fac_cd text primary key, fac_nm text not null, dean text)`,
  `create table uni.student (matr_no int primary key, first_nm text not null, last_nm text not null, fac_cd text not null, sem int not null, birth_dt date not null, enrol_dt date not null, exmat_dt date, scholarship_yn char(1) not null)`,
  `create table uni.course (course_id int primary key, title text not null, credits int not null, lecturer_id int not null, lang text not null)`,
  `create table uni.lecturer (lecturer_id int primary key, full_name text not null, fac_cd text not null, salary numeric(9,2) not null)`,
  `create table uni.registration (matr_no int not null, course_id int not null, reg_dt date not null, grade numeric(3,1), primary key (matr_no, course_id))`,
  `create table uni.fee (fee_id int primary key, matr_no int not null, fee_amt text not null, due_dt date not null, paid_dt date)`,
  `insert into uni.faculty values ('MED','Medicine','Dr. Hahn'),('LAW','Law',null),('ENG','Engineering','Dr. Sato'),('ART','Fine Arts','Dr. Vogel')`,
  `insert into uni.student select n, ${pickWord('Ana|Ben|Cleo|Dirk', "'a'||n")}, 'L' || n, ${pickWord('MED|LAW|ENG|ENG', "'b'||n")}, 1 + ${pick("'c'||n", 10)}::int, date '1996-01-01' + ${pick("'d'||n", 3000)}::int, date '2020-10-01' + ${pick("'e'||n", 1800)}::int, case when ${pick("'f'||n", 7)} = 0 then date '2025-09-30' end, ${pickWord('Y|N|N|N', "'g'||n")} from generate_series(1,500) n`,
  `insert into uni.lecturer select n, 'Prof ' || n, ${pickWord('MED|LAW|ENG|ART', "'h'||n")}, 50000 + ${pick("'i'||n", 40000)} from generate_series(1,30) n`,
  `insert into uni.course select n, ${pickWord('Anatomy|Statics|Contracts|Drawing', "'j'||n")} || ' ' || n, 2 + ${pick("'k'||n", 9)}::int, 1 + ${pick("'l'||n", 28)}::int, ${pickWord('German|English', "'m'||n")} from generate_series(1,60) n`,
  `insert into uni.registration select distinct on (1,2) 1 + ${pick("'n'||n", 460)}::int, 1 + ${pick("'o'||n", 55)}::int, date '2024-01-01' + ${pick("'p'||n", 700)}::int, case when ${pick("'q'||n", 4)} > 0 then 1 + ${pick("'r'||n", 40)} / 10.0 end from generate_series(1,3000) n`,
  `insert into uni.fee select n, 1 + ${pick("'s'||n", 500)}::int, (100 + ${pick("'t'||n", 900)})::text, date '2024-03-01' + ${pick("'u'||n", 600)}::int, case when ${pick("'v'||n", 5)} > 0 then date '2025-11-01' end from generate_series(1,1000) n`,
]
export const UNIVERSITY_QUESTIONS = toQuestions([
  [
    'q',
    'How many students are there?',
    ['select count(*) from uni.student', 'select count(*) from uni.student where exmat_dt is null'],
  ],
  ['q', 'how many students are in Engineering', ["select count(*) from uni.student where fac_cd='ENG'"]],
  ['q', 'number of students with a scholarship', ["select count(*) from uni.student where scholarship_yn='Y'"]],
  [
    'q',
    'students per faculty',
    [
      'select fac_nm, count(*) from uni.student join uni.faculty using (fac_cd) group by 1',
      'select fac_cd, count(*) from uni.student group by 1',
    ],
  ],
  ['q', 'average grade by course', ['select course_id, avg(grade) from uni.registration group by 1']],
  [
    'q',
    'average salary of lecturers by faculty',
    ['select fac_nm, avg(salary) from uni.lecturer join uni.faculty using (fac_cd) group by 1'],
  ],
  ['q', 'total fees', ['select sum(fee_amt::numeric) from uni.fee', 'select count(*) from uni.fee']],
  ['q', 'how much in fees is unpaid', ['select sum(fee_amt::numeric) from uni.fee where paid_dt is null']],
  [
    'q',
    'unpaid fees',
    ['select fee_id from uni.fee where paid_dt is null', 'select count(*) from uni.fee where paid_dt is null'],
  ],
  [
    'q',
    'fees due in the next 30 days',
    [
      "select fee_id from uni.fee where due_dt >= '2025-12-15' and due_dt < '2026-01-14'",
      "select count(*) from uni.fee where due_dt >= '2025-12-15' and due_dt < '2026-01-14'",
    ],
  ],
  ['q', 'courses taught in English', ["select course_id from uni.course where lang='English'"]],
  [
    'q',
    'which course has the most registrations',
    ['select course_id from uni.registration group by 1 order by count(*) desc, 1 limit 1'],
  ],
  [
    'q',
    'courses nobody registered for',
    [
      'select course_id from uni.course c where not exists (select from uni.registration r where r.course_id=c.course_id)',
    ],
  ],
  [
    'q',
    'students who never registered for a course',
    ['select matr_no from uni.student s where not exists (select from uni.registration r where r.matr_no=s.matr_no)'],
  ],
  ['q', 'new students per year', ["select date_trunc('year', enrol_dt)::date, count(*) from uni.student group by 1"]],
  [
    'q',
    'registrations by month in 2025',
    [
      "select date_trunc('month', reg_dt)::date, count(*) from uni.registration where reg_dt >= '2025-01-01' and reg_dt < '2026-01-01' group by 1",
    ],
  ],
  [
    'q',
    'what percentage of students get a scholarship',
    ["select 100.0*count(*) filter (where scholarship_yn='Y')/count(*) from uni.student"],
  ],
  ['q', 'courses with more than 8 credits', ['select course_id from uni.course where credits > 8']],
  ['q', 'top 5 lecturers by salary', ['select lecturer_id from uni.lecturer order by salary desc limit 5']],
  ['q', 'youngest student', ['select matr_no from uni.student order by birth_dt desc limit 1']],
  ['q', 'which faculty has no dean', ['select fac_cd from uni.faculty where dean is null']],
  ['q', 'number of lecturers in Medicine', ["select count(*) from uni.lecturer where fac_cd='MED'"]],
  [
    'q',
    'students in semester 3',
    ['select matr_no from uni.student where sem=3', 'select count(*) from uni.student where sem=3'],
  ],
  ['q', 'how many registrations have no grade yet', ['select count(*) from uni.registration where grade is null']],
  ['q', 'dropout rate by faculty', []],
])
