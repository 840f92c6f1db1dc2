import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const GYM_STATEMENTS: readonly string[] = [
  `create table gym.clubs (club_id int primary key, club_name text not null, city text not null, floor_area_sqm int not null, has_pool boolean not null)`,
  `create table gym.plans (plan_code text primary key, plan_title text not null, monthly_fee numeric(6,2) not null, is_student boolean not null)`,
  `create table gym.members (member_no int primary key, member_name text not null, gender text not null, born_on date not null, home_club_id int not null references gym.clubs, plan_code text not null references gym.plans, joined_on date not null, left_on date, referred_by int references gym.members)`,
  `create table gym.checkins (checkin_id int primary key, member_no int not null references gym.members, club_id int not null references gym.clubs, checked_in_at timestamp not null, minutes_stayed int)`,
  `create table gym.coaches (coach_id int primary key, coach_name text not null, specialty text not null, hourly_pay numeric(5,2) not null)`,
  `create table gym.classes (class_id int primary key, class_name text not null, coach_id int references gym.coaches, club_id int not null references gym.clubs, starts_at timestamp not null, capacity int not null, level text not null)`,
  `create table gym.class_bookings (booking_id int primary key, class_id int not null references gym.classes, member_no int not null references gym.members, booked_at timestamp not null, attended boolean not null)`,
  `create table gym.charges (charge_id int primary key, member_no int not null references gym.members, charged_on date not null, amount numeric(7,2) not null, charge_status text not null)`,
  `insert into gym.clubs select n, ${pickWord('Iron|Pulse|Flex|Core', "'ca' || n")} || ' ' || n, ${pickWord('Bergen|Malmo|Aarhus', "'cb' || n")}, 300 + ${pick("'cc' || n", 2000)}::int, ${pick("'cd' || n", 3)} = 0 from generate_series(1, 12) n`,
  `insert into gym.plans values ('BAS', 'Basic', 29.9, false), ('PLU', 'Plus', 44.9, false), ('STU', 'Student', 19.9, true), ('PRO', 'Pro', 69.9, false)`,
  `insert into gym.members select n, ${pickWord('Arne|Birgit|Carl|Dina', "'ma' || n")} || ' ' || n, ${pickWord('female|male', "'mb' || n")}, date '1955-01-01' + ${pick("'mc' || n", 19000)}::int, 1 + ${pick("'md' || n", 12)}::int, ${pickWord('BAS|BAS|PLU|STU|PRO', "'me' || n")}, date '2019-01-01' + ${pick("'mf' || n", 2500)}::int, case when ${pick("'mg' || n", 4)} = 0 then date '2024-05-01' + ${pick("'mh' || n", 590)}::int end, case when n > 100 and ${pick("'mi' || n", 3)} = 0 then 1 + ${pick("'mj' || n", 99)}::int end from generate_series(1, 900) n`,
  `insert into gym.checkins select n, 1 + ${pick("'ka' || n", 850)}::int, 1 + ${pick("'kb' || n", 12)}::int, timestamp '2024-09-01 06:00' + ${pick("'kc' || n", 676000)} * interval '1 minute', case when ${pick("'kd' || n", 7)} > 0 then 15 + ${pick("'ke' || n", 120)}::int end from generate_series(1, 12000) n`,
  `insert into gym.coaches select n, ${pickWord('Even|Frida|Gorm', "'oa' || n")} || ' ' || n, ${pickWord('Yoga|Spinning|Boxing', "'ob' || n")}, 20 + ${pick("'oc' || n", 3000)} / 100.0 from generate_series(1, 20) n`,
  `insert into gym.classes select n, ${pickWord('Morning Yoga|Power Spin|Box Basics', "'la' || n")}, case when ${pick("'lb' || n", 8)} > 0 then 1 + ${pick("'lc' || n", 18)}::int end, 1 + ${pick("'ld' || n", 12)}::int, timestamp '2025-01-01 07:00' + ${pick("'le' || n", 8600)} * interval '1 hour', 8 + ${pick("'lf' || n", 25)}::int, ${pickWord('beginner|intermediate|advanced', "'lg' || n")} from generate_series(1, 1100) n`,
  `insert into gym.class_bookings select n, 1 + ${pick("'ba' || n", 1050)}::int, 1 + ${pick("'bb' || n", 800)}::int, timestamp '2024-12-20' + ${pick("'bc' || n", 510000)} * interval '1 minute', ${pick("'bd' || n", 5)} > 0 from generate_series(1, 7000) n`,
  `insert into gym.charges select n, 1 + ${pick("'ha' || n", 880)}::int, date '2024-01-01' + ${pick("'hb' || n", 713)}::int, 19 + ${pick("'hc' || n", 6000)} / 100.0, ${pickWord('collected|collected|collected|failed|refunded', "'hd' || n")} from generate_series(1, 8000) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const shares = (condition: string, rest: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)

export const GYM_QUESTIONS = toQuestions([
  ['q', 'How many members joined this year?', "select count(*) from gym.members where joined_on >= '2025-01-01'"],
  [
    'q',
    'members by plan',
    [
      'select plan_code, count(*) from gym.members group by 1',
      'select plan_title, count(*) from gym.members join gym.plans using (plan_code) group by 1',
    ],
  ],
  [
    'q',
    'female members in Bergen',
    [
      "select member_no from gym.members join gym.clubs on club_id = home_club_id where gender = 'female' and city = 'Bergen'",
      "select count(*) from gym.members join gym.clubs on club_id = home_club_id where gender = 'female' and city = 'Bergen'",
    ],
  ],
  ['q', 'members under 25', listOrCount('member_no', "gym.members where born_on > '2000-12-15'")],
  [
    'q',
    'how many members left last month',
    "select count(*) from gym.members where left_on >= '2025-11-01' and left_on < '2025-12-01'",
  ],
  ['q', 'active members', []],
  ['q', 'members who have not left', listOrCount('member_no', 'gym.members where left_on is null')],
  ['q', 'churn rate', []],
  ['q', 'members per club', ['select home_club_id, count(*) from gym.members group by 1']],
  [
    'q',
    'new members per month in 2025',
    `select ${month('joined_on')}, count(*) from gym.members where joined_on >= '2025-01-01' group by 1`,
  ],
  ['q', 'who referred the most members', []],
  [
    'q',
    'members on a student plan',
    listOrCount('member_no', 'gym.members join gym.plans using (plan_code) where is_student'),
  ],
  ['q', 'most expensive plan', 'select plan_code from gym.plans order by monthly_fee desc limit 1'],
  ['q', 'average monthly fee', 'select avg(monthly_fee) from gym.plans'],
  ['q', 'clubs with a pool', listOrCount('club_id', 'gym.clubs where has_pool')],
  ['q', 'biggest club', 'select club_id from gym.clubs order by floor_area_sqm desc limit 1'],
  ['q', 'total floor area by city', 'select city, sum(floor_area_sqm) from gym.clubs group by 1'],
  ['q', 'check-ins per month', `select ${month('checked_in_at')}, count(*) from gym.checkins group by 1`],
  ['q', 'checkins by club', ['select club_id, count(*) from gym.checkins group by 1']],
  [
    'q',
    'how many checkins were there yesterday',
    "select count(*) from gym.checkins where checked_in_at >= '2025-12-14' and checked_in_at < '2025-12-15'",
  ],
  [
    'q',
    'average minutes stayed by club',
    [
      'select club_name, avg(minutes_stayed) from gym.checkins join gym.clubs using (club_id) group by club_id, club_name',
    ],
  ],
  ['q', 'checkins longer than 2 hours', listOrCount('checkin_id', 'gym.checkins where minutes_stayed > 120')],
  [
    'q',
    'members who never checked in',
    listOrCount(
      'member_no',
      'gym.members m where not exists (select from gym.checkins c where c.member_no = m.member_no)',
    ),
  ],
  ['q', 'members with more than 20 checkins', ['select member_no from gym.checkins group by 1 having count(*) > 20']],
  ['q', 'busiest club', ['select club_id from gym.checkins group by 1 order by count(*) desc limit 1']],
  ['q', 'average visits per member', []],
  ['q', 'coaches by specialty', 'select specialty, count(*) from gym.coaches group by 1'],
  ['q', 'best paid coach', 'select coach_id from gym.coaches order by hourly_pay desc limit 1'],
  ['q', 'average hourly pay of yoga coaches', "select avg(hourly_pay) from gym.coaches where specialty = 'Yoga'"],
  ['q', 'classes without a coach', listOrCount('class_id', 'gym.classes where coach_id is null')],
  ['q', 'classes by level', 'select level, count(*) from gym.classes group by 1'],
  [
    'q',
    'advanced classes in November',
    listOrCount(
      'class_id',
      "gym.classes where level = 'advanced' and starts_at >= '2025-11-01' and starts_at < '2025-12-01'",
    ),
  ],
  ['q', 'classes per coach', ['select coach_id, count(*) from gym.classes where coach_id is not null group by 1']],
  ['q', 'average class capacity', 'select avg(capacity) from gym.classes'],
  ['q', 'classes with room for more than 30 people', []],
  ['q', 'classes with a capacity over 30', listOrCount('class_id', 'gym.classes where capacity > 30')],
  [
    'q',
    'bookings by class name',
    'select class_name, count(*) from gym.class_bookings join gym.classes using (class_id) group by 1',
  ],
  ['q', 'most booked class', []],
  ['q', 'overbooked classes', []],
  ['q', 'what percentage of bookings was attended', shares('attended', 'gym.class_bookings')],
  ['q', 'bookings that were not attended', listOrCount('booking_id', 'gym.class_bookings where not attended')],
  ['q', 'no-show rate by class', []],
  [
    'q',
    'classes nobody booked',
    listOrCount(
      'class_id',
      'gym.classes c where not exists (select from gym.class_bookings b where b.class_id = c.class_id)',
    ),
  ],
  [
    'q',
    'members who never booked a class',
    listOrCount(
      'member_no',
      'gym.members m where not exists (select from gym.class_bookings b where b.member_no = m.member_no)',
    ),
  ],
  [
    'q',
    'total charges in 2025',
    [
      "select sum(amount) from gym.charges where charged_on >= '2025-01-01'",
      "select count(*) from gym.charges where charged_on >= '2025-01-01'",
    ],
  ],
  ['q', 'charges by status', ['select charge_status, count(*) from gym.charges group by 1']],
  [
    'q',
    'failed charges last month',
    listOrCount(
      'charge_id',
      "gym.charges where charge_status = 'failed' and charged_on >= '2025-11-01' and charged_on < '2025-12-01'",
    ),
  ],
  [
    'q',
    'amount refunded per quarter',
    "select date_trunc('quarter', charged_on)::date, sum(amount) from gym.charges where charge_status = 'refunded' group by 1",
  ],
  ['q', 'collected amount by city', []],
  [
    'q',
    'how much did we collect in October',
    [
      "select sum(amount) from gym.charges where charge_status = 'collected' and charged_on >= '2025-10-01' and charged_on < '2025-11-01'",
    ],
  ],
  ['q', 'average charge', 'select avg(amount) from gym.charges'],
  ['q', 'charges over 70', listOrCount('charge_id', 'gym.charges where amount > 70')],
  [
    'q',
    'top 10 members by amount',
    ['select member_no from gym.charges group by 1 order by sum(amount) desc limit 10'],
  ],
  [
    'q',
    'charges in 2025 vs 2024',
    [
      "select date_trunc('year', charged_on)::date, count(*) from gym.charges where charged_on >= '2024-01-01' group by 1",
      "select date_trunc('year', charged_on)::date, sum(amount) from gym.charges where charged_on >= '2024-01-01' group by 1",
    ],
  ],
])
