import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const CAMPING_STATEMENTS: readonly string[] = [
  `create table camp.campsites (campsite_id int primary key, campsite_name text not null, region text not null, opened_year int not null, dogs_allowed boolean not null)`,
  `create table camp.pitches (pitch_id int primary key, campsite_id int not null references camp.campsites, pitch_kind text not null, area_sqm int not null, nightly_rate numeric(6,2) not null, has_electricity boolean not null)`,
  `create table camp.campers (camper_id int primary key, surname text not null, country text not null, email text, member_since date)`,
  `create table camp.stays (stay_id int primary key, pitch_id int not null references camp.pitches, camper_id int not null references camp.campers, booked_on date not null, arrival date not null, departure date not null, adults int not null, children int not null, total_price numeric(8,2) not null, cancelled_on date)`,
  `create table camp.extras (extra_id int primary key, stay_id int not null references camp.stays, extra_kind text not null, quantity int not null, unit_price numeric(6,2) not null)`,
  `create table camp.complaints (complaint_id int primary key, pitch_id int not null references camp.pitches, raised_on date not null, topic text not null, settled_on date, refund numeric(7,2))`,
  `create table camp.staff (staff_id int primary key, staff_name text not null, job_title text not null, campsite_id int references camp.campsites, hired_on date not null, boss_id int references camp.staff)`,
  `create table camp.tasks (task_id int primary key, staff_id int references camp.staff, pitch_id int references camp.pitches, task_kind text not null, created_at timestamp not null, done_at timestamp)`,
  `insert into camp.campsites select n, ${pickWord('Lakeside|Pines|Dunes|Meadow', "'ca' || n")} || ' ' || n, ${pickWord('Coast|Alps|Forest', "'cb' || n")}, 1970 + ${pick("'cc' || n", 50)}::int, ${pick("'cd' || n", 3)} > 0 from generate_series(1, 14) n`,
  `insert into camp.pitches select n, 1 + ${pick("'pa' || n", 13)}::int, ${pickWord('tent|caravan|cabin', "'pb' || n")}, 40 + ${pick("'pc' || n", 120)}::int, 12 + ${pick("'pd' || n", 7000)} / 100.0, ${pick("'pe' || n", 2)} = 0 from generate_series(1, 420) n`,
  `insert into camp.campers select n, ${pickWord('Abel|Brun|Carta|Dorn', "'ka' || n")} || n, ${pickWord('France|Austria|Netherlands|Spain', "'kb' || n")}, case when ${pick("'kc' || n", 4)} > 0 then 'c' || n || '@example.org' end, case when ${pick("'kd' || n", 3)} = 0 then date '2015-01-01' + ${pick("'ke' || n", 3900)}::int end from generate_series(1, 1300) n`,
  `insert into camp.stays select s.n, 1 + ${pick("'sa' || s.n", 405)}::int, 1 + ${pick("'sb' || s.n", 1220)}::int, s.day - 1 - ${pick("'sc' || s.n", 120)}::int, s.day, s.day + 1 + ${pick("'sd' || s.n", 20)}::int, 1 + ${pick("'se' || s.n", 4)}::int, ${pick("'sf' || s.n", 4)}::int, 30 + ${pick("'sg' || s.n", 140000)} / 100.0, case when ${pick("'sh' || s.n", 10)} = 0 then s.day - 1 end from (select n, date '2023-04-01' + ${pick("'si' || n", 1050)}::int as day from generate_series(1, 4600) n) s`,
  `insert into camp.extras select n, 1 + ${pick("'ea' || n", 4300)}::int, ${pickWord('firewood|bike rental|breakfast', "'eb' || n")}, 1 + ${pick("'ec' || n", 5)}::int, 3 + ${pick("'ed' || n", 2000)} / 100.0 from generate_series(1, 3900) n`,
  `insert into camp.complaints select c.n, 1 + ${pick("'ma' || c.n", 390)}::int, c.day, ${pickWord('noise|dirt|insects', "'mb' || c.n")}, case when ${pick("'mc' || c.n", 4)} > 0 then c.day + 1 + ${pick("'md' || c.n", 25)}::int end, case when ${pick("'me' || c.n", 3)} = 0 then 5 + ${pick("'mf' || c.n", 15000)} / 100.0 end from (select n, date '2023-04-10' + ${pick("'mg' || n", 970)}::int as day from generate_series(1, 520) n) c`,
  `insert into camp.staff select n, ${pickWord('Ada|Beno|Cleo|Dimi', "'ta' || n")} || ' ' || n, ${pickWord('cleaner|ranger|receptionist', "'tb' || n")}, case when ${pick("'tc' || n", 9)} > 0 then 1 + ${pick("'td' || n", 12)}::int end, date '2012-01-01' + ${pick("'te' || n", 4900)}::int, case when n > 8 then 1 + ${pick("'tf' || n", 8)}::int end from generate_series(1, 64) n`,
  `insert into camp.tasks select t.n, case when ${pick("'xa' || t.n", 7)} > 0 then 1 + ${pick("'xb' || t.n", 60)}::int end, case when ${pick("'xc' || t.n", 5)} > 0 then 1 + ${pick("'xd' || t.n", 400)}::int end, ${pickWord('cleaning|repair|mowing', "'xe' || t.n")}, t.at, case when ${pick("'xf' || t.n", 6)} > 0 then t.at + ${pick("'xg' || t.n", 5000)} * interval '1 minute' end from (select n, timestamp '2024-01-03 07:00' + ${pick("'xh' || n", 1020000)} * interval '1 minute' as at from generate_series(1, 2400) n) t`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const shares = (condition: string, rest: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)
const P = 'camp.pitches'
const S = 'camp.stays'
const SITES = 'camp.stays s join camp.pitches p using (pitch_id) join camp.campsites c using (campsite_id)'

export const CAMPING_QUESTIONS = toQuestions([
  ['q', 'how many campsites allow dogs', 'select count(*) from camp.campsites where dogs_allowed'],
  ['q', 'campsites by region', 'select region, count(*) from camp.campsites group by 1'],
  ['q', 'campsites opened before 1985', listOrCount('campsite_id', 'camp.campsites where opened_year < 1985')],
  [
    'q',
    'campsites without pitches',
    listOrCount(
      'campsite_id',
      `camp.campsites c where not exists (select from ${P} p where p.campsite_id = c.campsite_id)`,
    ),
  ],
  ['q', 'number of pitches per campsite', [`select campsite_id, count(*) from ${P} group by 1`]],
  [
    'q',
    'caravan pitches with electricity',
    listOrCount('pitch_id', `${P} where pitch_kind = 'caravan' and has_electricity`),
  ],
  ['q', 'pitches without electricity', listOrCount('pitch_id', `${P} where not has_electricity`)],
  ['q', 'average nightly rate by pitch kind', `select pitch_kind, avg(nightly_rate) from ${P} group by 1`],
  [
    'q',
    'cheapest cabin',
    `select pitch_id from ${P} where pitch_kind = 'cabin' order by nightly_rate, pitch_id limit 1`,
  ],
  ['q', 'largest pitch', `select pitch_id from ${P} order by area_sqm desc, pitch_id limit 1`],
  ['q', 'pitches bigger than 140 sqm', listOrCount('pitch_id', `${P} where area_sqm > 140`)],
  ['q', 'campsite with the most pitches', `select campsite_id from ${P} group by 1 order by count(*) desc, 1 limit 1`],
  ['q', 'campers from Spain', listOrCount('camper_id', "camp.campers where country = 'Spain'")],
  ['q', 'campers by country', 'select country, count(*) from camp.campers group by 1'],
  ['q', 'campers who are not members', listOrCount('camper_id', 'camp.campers where member_since is null')],
  ['q', 'how many campers have no email', 'select count(*) from camp.campers where email is null'],
  [
    'q',
    'campers that never stayed with us',
    listOrCount('camper_id', `camp.campers k where not exists (select from ${S} s where s.camper_id = k.camper_id)`),
  ],
  [
    'q',
    'campers with more than 8 stays',
    [
      `select camper_id from ${S} group by 1 having count(*) > 8`,
      `select count(*) from (select camper_id from ${S} group by 1 having count(*) > 8) x`,
    ],
  ],
  ['q', 'who stayed the most', [`select camper_id from ${S} group by 1 order by count(*) desc, 1 limit 1`]],
  ['q', 'stays that were cancelled', listOrCount('stay_id', `${S} where cancelled_on is not null`)],
  ['q', 'cancellation rate', []],
  ['q', 'what percentage of stays got cancelled', shares('cancelled_on is not null', S)],
  [
    'q',
    'arrivals per month in 2025',
    `select ${month('arrival')}, count(*) from ${S} where arrival >= '2025-01-01' and arrival < '2026-01-01' group by 1`,
  ],
  [
    'q',
    'stays booked last month',
    listOrCount('stay_id', `${S} where booked_on >= '2025-11-01' and booked_on < '2025-12-01'`),
  ],
  ['q', 'arrivals next week', listOrCount('stay_id', `${S} where arrival >= '2025-12-22' and arrival < '2025-12-29'`)],
  ['q', 'how long do people stay on average', `select avg(departure - arrival) from ${S}`],
  ['q', 'average days between booking and arrival', `select avg(arrival - booked_on) from ${S}`],
  ['q', 'stays longer than 2 weeks', listOrCount('stay_id', `${S} where departure - arrival > 14`)],
  ['q', 'stays with children', []],
  ['q', 'stays with more than 2 children', listOrCount('stay_id', `${S} where children > 2`)],
  ['q', 'total price of stays per region', `select region, sum(total_price) from ${SITES} group by 1`],
  ['q', 'revenue by campsite in 2025', []],
  ['q', 'most expensive stay', `select stay_id from ${S} order by total_price desc, stay_id limit 1`],
  [
    'q',
    'average total price by country',
    `select country, avg(total_price) from ${S} join camp.campers using (camper_id) group by 1`,
  ],
  ['q', 'median total price', `select percentile_cont(0.5) within group (order by total_price) from ${S}`],
  [
    'q',
    'total number of adults in 2024',
    [`select sum(adults) from ${S} where arrival >= '2024-01-01' and arrival < '2025-01-01'`],
  ],
  ['q', 'stays between 1000 and 1200 euros', listOrCount('stay_id', `${S} where total_price between 1000 and 1200`)],
  [
    'q',
    'pitches that were never booked',
    listOrCount('pitch_id', `${P} p where not exists (select from ${S} s where s.pitch_id = p.pitch_id)`),
  ],
  ['q', 'extras by kind', ['select extra_kind, count(*) from camp.extras group by 1']],
  ['q', 'firewood sold', []],
  ['q', 'total quantity of breakfast', "select sum(quantity) from camp.extras where extra_kind = 'breakfast'"],
  ['q', 'revenue from extras by kind', 'select extra_kind, sum(quantity * unit_price) from camp.extras group by 1'],
  [
    'q',
    'stays without extras',
    listOrCount('stay_id', `${S} s where not exists (select from camp.extras e where e.stay_id = s.stay_id)`),
  ],
  ['q', 'complaints by topic', 'select topic, count(*) from camp.complaints group by 1'],
  [
    'q',
    'complaints about noise this year',
    listOrCount('complaint_id', "camp.complaints where topic = 'noise' and raised_on >= '2025-01-01'"),
  ],
  ['q', 'open complaints', []],
  ['q', 'complaints not settled', listOrCount('complaint_id', 'camp.complaints where settled_on is null')],
  ['q', 'how long does it take to settle a complaint', 'select avg(settled_on - raised_on) from camp.complaints'],
  ['q', 'total refund by topic', 'select topic, sum(refund) from camp.complaints group by 1'],
  ['q', 'complaints without a refund', listOrCount('complaint_id', 'camp.complaints where refund is null')],
  ['q', 'staff by job title', 'select job_title, count(*) from camp.staff group by 1'],
  ['q', 'staff without a boss', listOrCount('staff_id', 'camp.staff where boss_id is null')],
  [
    'q',
    'rangers hired since 2020',
    listOrCount('staff_id', "camp.staff where job_title = 'ranger' and hired_on >= '2020-01-01'"),
  ],
  ['q', 'staff that isnt assigned to a campsite', listOrCount('staff_id', 'camp.staff where campsite_id is null')],
  ['q', 'tasks not done yet', listOrCount('task_id', 'camp.tasks where done_at is null')],
  [
    'q',
    'who did the most repairs',
    [
      `select staff_id from camp.tasks where task_kind = 'repair' and staff_id is not null group by 1 order by count(*) desc, 1 limit 1`,
    ],
  ],
  [
    'q',
    'avg hours to finish a task by kind',
    'select task_kind, avg(extract(epoch from done_at - created_at)) / 3600 from camp.tasks group by 1',
  ],
  [
    'q',
    'tasks this year vs last year',
    "select date_trunc('year', created_at)::date, count(*) from camp.tasks where created_at >= '2024-01-01' and created_at < '2026-01-01' group by 1",
  ],
])
