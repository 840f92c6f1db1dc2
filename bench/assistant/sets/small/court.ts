import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

/** Prefixed tables, Y/N flags, status codes, cents, self-references, a junction table, soft deletes. */
export const COURT_STATEMENTS: readonly string[] = [
  `create table court.tbl_division (division_id int primary key, division_name text not null, floor_no int not null)`,
  `create table court.tbl_judge (judge_id int primary key, judge_name text not null, division_id int not null references court.tbl_division, appointed_on date not null, retired_on date)`,
  `create table court.tbl_case (case_id int primary key, docket_no text not null, case_type text not null, division_id int not null references court.tbl_division, presiding_judge_id int references court.tbl_judge, filed_on date not null, closed_on date, status_cd char(1) not null, appeal_of_case_id int references court.tbl_case, jury_flag char(1) not null, deleted_at timestamp)`,
  `comment on column court.tbl_case.status_cd is 'O = open, C = closed, D = dismissed'`,
  `create table court.tbl_party (party_id int primary key, party_name text not null, party_kind text not null, city text)`,
  `create table court.tbl_case_party (case_id int not null references court.tbl_case, party_id int not null references court.tbl_party, party_role text not null, primary key (case_id, party_id))`,
  `create table court.tbl_hearing (hearing_id int primary key, case_id int not null references court.tbl_case, judge_id int not null references court.tbl_judge, scheduled_at timestamp not null, room text not null, duration_min int, outcome text)`,
  `create table court.tbl_motion (motion_id int primary key, case_id int not null references court.tbl_case, filed_by_party_id int not null references court.tbl_party, motion_type text not null, filed_on date not null, ruled_on date, ruling text)`,
  `create table court.tbl_fine (fine_id int primary key, case_id int not null references court.tbl_case, party_id int not null references court.tbl_party, imposed_on date not null, amount_cents bigint not null, paid_on date)`,
  `insert into court.tbl_division values (1, 'Civil', 1), (2, 'Criminal', 2), (3, 'Family', 3), (4, 'Tax', 3), (5, 'Maritime', 4)`,
  `insert into court.tbl_judge select n, ${pickWord('Okafor|Lindqvist|Moreau|Tanaka', "'ja' || n")} || ' ' || n, 1 + ${pick("'jb' || n", 4)}::int, date '1998-01-01' + ${pick("'jc' || n", 9000)}::int, case when ${pick("'jd' || n", 6)} = 0 then date '2023-01-01' + ${pick("'je' || n", 900)}::int end from generate_series(1, 34) n`,
  `insert into court.tbl_case select c.n, 'D-' || (20000 + c.n), ${pickWord('contract|injury|theft|custody|tax', "'ca' || c.n")}, 1 + ${pick("'cb' || c.n", 4)}::int, case when ${pick("'cc' || c.n", 11)} > 0 then 1 + ${pick("'cd' || c.n", 31)}::int end, c.day, case when ${pick("'ce' || c.n", 3)} > 0 then c.day + 20 + ${pick("'cf' || c.n", 300)}::int end, ${pickWord('C|C|D', "'cg' || c.n")}, case when c.n > 200 and ${pick("'ch' || c.n", 9)} = 0 then 1 + ${pick("'ci' || c.n", 199)}::int end, ${pickWord('Y|N|N', "'cj' || c.n")}, case when ${pick("'ck' || c.n", 25)} = 0 then timestamp '2025-02-01 10:00' end from (select n, date '2022-01-01' + ${pick("'cl' || n", 1440)}::int as day from generate_series(1, 1900) n) c`,
  `update court.tbl_case set status_cd = 'O' where closed_on is null`,
  `insert into court.tbl_party select n, ${pickWord('Ellis|Fontaine|Grau|Hansen', "'pa' || n")} ||  ' ' || n, ${pickWord('person|person|company|agency', "'pb' || n")}, case when ${pick("'pc' || n", 9)} > 0 then ${pickWord('Dover|Salem|Troy', "'pd' || n")} end from generate_series(1, 1500) n`,
  `insert into court.tbl_case_party select c, p, min(r) from (select 1 + ${pick("'xa' || n", 1850)}::int as c, 1 + ${pick("'xb' || n", 1420)}::int as p, ${pickWord('plaintiff|defendant|witness', "'xc' || n")} as r from generate_series(1, 4300) n) s group by 1, 2`,
  `insert into court.tbl_hearing select n, 1 + ${pick("'ha' || n", 1700)}::int, 1 + ${pick("'hb' || n", 32)}::int, timestamp '2022-06-01 09:00' + ${pick("'hc' || n", 31500)} * interval '1 hour', ${pickWord('A1|A2|B1|B2', "'hd' || n")}, case when ${pick("'he' || n", 6)} > 0 then 15 + ${pick("'hf' || n", 300)}::int end, case when ${pick("'hg' || n", 5)} > 0 then ${pickWord('adjourned|decided|settled', "'hh' || n")} end from generate_series(1, 3600) n`,
  `insert into court.tbl_motion select m.n, 1 + ${pick("'ma' || m.n", 1800)}::int, 1 + ${pick("'mb' || m.n", 1300)}::int, ${pickWord('dismiss|discovery|continuance', "'mc' || m.n")}, m.day, case when ${pick("'md' || m.n", 4)} > 0 then m.day + ${pick("'me' || m.n", 70)}::int end, case when ${pick("'md' || m.n", 4)} > 0 then ${pickWord('granted|denied', "'mf' || m.n")} end from (select n, date '2022-03-01' + ${pick("'mg' || n", 1380)}::int as day from generate_series(1, 1500) n) m`,
  `insert into court.tbl_fine select f.n, 1 + ${pick("'fa' || f.n", 1600)}::int, 1 + ${pick("'fb' || f.n", 1400)}::int, f.day, 5000 + ${pick("'fc' || f.n", 900000)}, case when ${pick("'fd' || f.n", 5)} > 1 then f.day + ${pick("'fe' || f.n", 120)}::int end from (select n, date '2023-01-01' + ${pick("'ff' || n", 1060)}::int as day from generate_series(1, 700) n) f`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const shares = (condition: string, rest: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)
/** Cents or whole units. */
const cents = (toQuery: (amount: string) => string) => [toQuery('amount_cents'), toQuery('amount_cents / 100.0')]
const C = 'court.tbl_case'
const LIVE = 'deleted_at is null'
const J = 'court.tbl_judge'
const H = 'court.tbl_hearing'
const M = 'court.tbl_motion'
const F = 'court.tbl_fine'
const P = 'court.tbl_party'

export const COURT_QUESTIONS = toQuestions([
  ['q', 'how many cases were filed in 2025?', `select count(*) from ${C} where filed_on >= '2025-01-01' and ${LIVE}`],
  ['q', 'open cases', listOrCount('case_id', `${C} where status_cd = 'O' and ${LIVE}`)],
  ['q', 'dismissed cases by type', `select case_type, count(*) from ${C} where status_cd = 'D' and ${LIVE} group by 1`],
  ['q', 'cases per division', [`select division_id, count(*) from ${C} where ${LIVE} group by 1`]],
  ['q', 'cases by status', `select status_cd, count(*) from ${C} where ${LIVE} group by 1`],
  ['q', 'jury cases', listOrCount('case_id', `${C} where jury_flag = 'Y' and ${LIVE}`)],
  ['q', 'share of cases with a jury', shares("jury_flag = 'Y'", `${C} where ${LIVE}`)],
  ['q', 'cases without a judge', listOrCount('case_id', `${C} where presiding_judge_id is null and ${LIVE}`)],
  [
    'q',
    'which judge presides over the most cases',
    `select presiding_judge_id from ${C} where presiding_judge_id is not null and ${LIVE} group by 1 order by count(*) desc limit 1`,
  ],
  [
    'q',
    'cases closed last month',
    listOrCount('case_id', `${C} where closed_on >= '2025-11-01' and closed_on < '2025-12-01' and ${LIVE}`),
  ],
  [
    'q',
    'new cases per month in 2025',
    `select ${month('filed_on')}, count(*) from ${C} where filed_on >= '2025-01-01' and ${LIVE} group by 1`,
  ],
  [
    'q',
    'theft cases filed between March and June 2025',
    listOrCount(
      'case_id',
      `${C} where case_type = 'theft' and filed_on >= '2025-03-01' and filed_on < '2025-07-01' and ${LIVE}`,
    ),
  ],
  ['q', 'how many cases are appeals', `select count(*) from ${C} where appeal_of_case_id is not null and ${LIVE}`],
  ['q', 'cases that were deleted', listOrCount('case_id', `${C} where deleted_at is not null`)],
  ['q', 'average days from filing to closing', `select avg(closed_on - filed_on) from ${C} where ${LIVE}`],
  [
    'q',
    'cases open for more than 500 days',
    listOrCount('case_id', `${C} where closed_on is null and filed_on < date '2025-12-15' - 500 and ${LIVE}`),
  ],
  [
    'q',
    'cases that took more than 250 days to close',
    listOrCount('case_id', `${C} where closed_on - filed_on > 250 and ${LIVE}`),
  ],
  ['q', 'oldest open case', `select case_id from ${C} where status_cd = 'O' and ${LIVE} order by filed_on limit 1`],
  ['q', 'judges by division', [`select division_id, count(*) from ${J} group by 1`]],
  ['q', 'retired judges', listOrCount('judge_id', `${J} where retired_on is not null`)],
  ['q', 'judges appointed since 2015', listOrCount('judge_id', `${J} where appointed_on >= '2015-01-01'`)],
  ['q', 'longest serving judge', []],
  [
    'q',
    'judges without hearings',
    listOrCount('judge_id', `${J} j where not exists (select from ${H} h where h.judge_id = j.judge_id)`),
  ],
  [
    'q',
    'divisions with no cases',
    listOrCount(
      'division_id',
      `court.tbl_division d where not exists (select from ${C} c where c.division_id = d.division_id and ${LIVE})`,
    ),
  ],
  ['q', 'divisions on floor 3', listOrCount('division_id', 'court.tbl_division where floor_no = 3')],
  [
    'q',
    'hearings next week',
    listOrCount('hearing_id', `${H} where scheduled_at >= '2025-12-22' and scheduled_at < '2025-12-29'`),
  ],
  ['q', 'hearings per room', `select room, count(*) from ${H} group by 1`],
  [
    'q',
    'hearings in room B1 today',
    listOrCount(
      'hearing_id',
      `${H} where room = 'B1' and scheduled_at >= '2025-12-15' and scheduled_at < '2025-12-16'`,
    ),
  ],
  ['q', 'average hearing duration by room', `select room, avg(duration_min) from ${H} group by 1`],
  ['q', 'hearings longer than 4 hours', listOrCount('hearing_id', `${H} where duration_min > 240`)],
  ['q', 'hearings without an outcome', listOrCount('hearing_id', `${H} where outcome is null`)],
  ['q', 'what percent of hearings got adjourned', shares("outcome = 'adjourned'", H)],
  [
    'q',
    'judge with the most adjourned hearings',
    `select judge_id from ${H} where outcome = 'adjourned' group by 1 order by count(*) desc limit 1`,
  ],
  [
    'q',
    'cases with more than 5 hearings',
    [
      `select case_id from ${H} join ${C} using (case_id) where ${LIVE} group by 1 having count(*) > 5`,
      `select case_id from ${H} group by 1 having count(*) > 5`,
      `select count(*) from (select case_id from ${H} join ${C} using (case_id) where ${LIVE} group by 1 having count(*) > 5) x`,
    ],
  ],
  [
    'q',
    'cases that never had a hearing',
    listOrCount('case_id', `${C} c where ${LIVE} and not exists (select from ${H} h where h.case_id = c.case_id)`),
  ],
  [
    'q',
    'average number of hearings per case',
    [
      `select avg(n) from (select count(*) n from ${H} group by case_id) x`,
      `select avg(n) from (select count(*) n from ${H} join ${C} using (case_id) where ${LIVE} group by case_id) x`,
      `select count(h.*)::numeric / count(distinct case_id) from ${C} left join ${H} h using (case_id) where ${LIVE}`,
    ],
  ],
  [
    'q',
    'hearings by judge in 2025',
    [
      `select judge_id, count(*) from ${H} where scheduled_at >= '2025-01-01' and scheduled_at < '2026-01-01' group by 1`,
    ],
  ],
  ['q', 'parties from Salem', listOrCount('party_id', `${P} where city = 'Salem'`)],
  [
    'q',
    'companies that are defendants',
    [
      `select distinct party_id from court.tbl_case_party join ${P} using (party_id) where party_kind = 'company' and party_role = 'defendant'`,
      `select count(distinct party_id) from court.tbl_case_party join ${P} using (party_id) where party_kind = 'company' and party_role = 'defendant'`,
    ],
  ],
  ['q', 'parties by kind', `select party_kind, count(*) from ${P} group by 1`],
  ['q', 'how many parties have no city', `select count(*) from ${P} where city is null`],
  [
    'q',
    'parties involved in more than 6 cases',
    [
      `select party_id from court.tbl_case_party group by 1 having count(*) > 6`,
      `select party_id from court.tbl_case_party join ${C} using (case_id) where ${LIVE} group by 1 having count(*) > 6`,
    ],
  ],
  ['q', 'who filed the most motions', `select filed_by_party_id from ${M} group by 1 order by count(*) desc limit 1`],
  [
    'q',
    'motions by type and ruling',
    [
      `select motion_type, ruling, count(*) from ${M} group by 1, 2`,
      `select motion_type, ruling, count(*) from ${M} where ruling is not null group by 1, 2`,
    ],
  ],
  [
    'q',
    'denied motions in 2024',
    [
      ...listOrCount(
        'motion_id',
        `${M} where ruling = 'denied' and ruled_on >= '2024-01-01' and ruled_on < '2025-01-01'`,
      ),
      ...listOrCount(
        'motion_id',
        `${M} where ruling = 'denied' and filed_on >= '2024-01-01' and filed_on < '2025-01-01'`,
      ),
    ],
  ],
  ['q', 'motions not ruled on yet', listOrCount('motion_id', `${M} where ruled_on is null`)],
  ['q', 'percentage of motions granted', shares("ruling = 'granted'", M)],
  ['q', 'how long does it take to rule on a motion', `select avg(ruled_on - filed_on) from ${M}`],
  [
    'q',
    'total fines in 2025',
    [
      ...cents((amount) => `select sum(${amount}) from ${F} where imposed_on >= '2025-01-01'`),
      `select count(*) from ${F} where imposed_on >= '2025-01-01'`,
    ],
  ],
  ['q', 'unpaid fines', listOrCount('fine_id', `${F} where paid_on is null`)],
  [
    'q',
    'how much in fines is still unpaid',
    cents((amount) => `select sum(${amount}) from ${F} where paid_on is null`),
  ],
  [
    'q',
    'largest fine',
    [
      `select fine_id from ${F} order by amount_cents desc limit 1`,
      ...cents((amount) => `select max(${amount}) from ${F}`),
    ],
  ],
  ['q', 'fines above 5000', listOrCount('fine_id', `${F} where amount_cents > 500000`)],
  [
    'q',
    'average fine by case type',
    cents((amount) => `select case_type, avg(${amount}) from ${F} join ${C} using (case_id) group by 1`),
  ],
  ['q', 'fines paid late', []],
  [
    'q',
    'fines imposed in 2025 vs 2024',
    [
      `select date_trunc('year', imposed_on)::date, count(*) from ${F} where imposed_on >= '2024-01-01' group by 1`,
      ...cents(
        (amount) =>
          `select date_trunc('year', imposed_on)::date, sum(${amount}) from ${F} where imposed_on >= '2024-01-01' group by 1`,
      ),
    ],
  ],
])
