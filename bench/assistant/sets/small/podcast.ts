import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const PODCAST_STATEMENTS: readonly string[] = [
  `create table pod.networks (id int primary key, name text not null, founded int not null)`,
  `create table pod.shows (id int primary key, network_id int references pod.networks, title text not null, topic text not null, lang char(2) not null, explicit boolean not null, launched_on date not null, deleted_at timestamptz)`,
  `create table pod.hosts (id int primary key, full_name text not null, country text not null, email text)`,
  `create table pod.show_hosts (show_id int not null references pod.shows, host_id int not null references pod.hosts, is_lead boolean not null, primary key (show_id, host_id))`,
  `create table pod.episodes (id int primary key, show_id int not null references pod.shows, episode_title text not null, season_no int not null, published_at timestamptz, recorded_on date not null, duration_sec int not null, file_mb numeric(6,1) not null)`,
  `create table pod.listeners (id int primary key, handle text not null, signup_date date not null, plan text not null, birth_year int, country text not null, churned_on date)`,
  `create table pod.plays (id bigint primary key, episode_id int not null references pod.episodes, listener_id int references pod.listeners, started_at timestamptz not null, seconds_heard int not null, app text not null, finished boolean not null)`,
  `create table pod.sponsors (id int primary key, company text not null, industry text not null)`,
  `create table pod.ad_slots (id int primary key, episode_id int not null references pod.episodes, sponsor_id int references pod.sponsors, slot_kind text not null, price_cents int not null, paid_on date)`,
  `create table pod.reviews (id int primary key, show_id int not null references pod.shows, listener_id int not null references pod.listeners, stars int not null, body text, reviewed_on date not null)`,
  `insert into pod.networks values (1, 'Northwave', 2014), (2, 'Lumen Audio', 2018), (3, 'Kiosk FM', 2009), (4, 'Quiet Co', 2022)`,
  `insert into pod.shows select n, case when ${pick("'sa' || n", 5)} > 0 then 1 + ${pick("'sb' || n", 3)}::int end, ${pickWord('Daily|Deep|Strange|Little', "'sc' || n")} || ' ' || ${pickWord('Signals|Histories|Kitchens|Machines', "'sd' || n")} || ' ' || n, ${pickWord('news|comedy|science|true crime', "'se' || n")}, ${pickWord('en|de|es', "'sf' || n")}, ${pick("'sg' || n", 4)} = 0, date '2016-01-01' + ${pick("'sh' || n", 3500)}::int, case when ${pick("'si' || n", 14)} = 0 then timestamptz '2025-03-03 08:00+00' end from generate_series(1, 60) n`,
  `insert into pod.hosts select n, ${pickWord('Mara|Theo|Ines|Jonah', "'ha' || n")} || ' ' || ${pickWord('Bell|Cruz|Ozols', "'hb' || n")} || ' ' || n, ${pickWord('Ireland|Canada|Austria', "'hc' || n")}, case when ${pick("'hd' || n", 4)} > 0 then 'host' || n || '@example.org' end from generate_series(1, 75) n`,
  `insert into pod.show_hosts select s, h, ${pick("'ga' || s || h", 2)} = 0 from generate_series(1, 58) s, generate_series(1, 70) h where ${pick("'gb' || s || ' ' || h", 30)} = 0`,
  `insert into pod.episodes select e.n, 1 + ${pick("'ea' || e.n", 56)}::int, 'Episode ' || e.n, 1 + ${pick("'eb' || e.n", 6)}::int, case when ${pick("'ec' || e.n", 9)} > 0 then e.day + ${pick("'ed' || e.n", 20)}::int + interval '6 hours' end, e.day, 300 + ${pick("'ee' || e.n", 6000)}::int, 5 + ${pick("'ef' || e.n", 1200)} / 10.0 from (select n, date '2023-01-10' + ${pick("'eg' || n", 1030)}::int as day from generate_series(1, 1500) n) e`,
  `insert into pod.listeners select n, 'ear' || n, date '2022-01-01' + ${pick("'la' || n", 1440)}::int, ${pickWord('free|free|plus|family', "'lb' || n")}, case when ${pick("'lc' || n", 4)} > 0 then 1950 + ${pick("'ld' || n", 60)}::int end, ${pickWord('Ireland|Canada|Austria|Chile', "'le' || n")}, case when ${pick("'lf' || n", 7)} = 0 then date '2025-01-01' + ${pick("'lg' || n", 340)}::int end from generate_series(1, 2200) n`,
  `insert into pod.plays select n, 1 + ${pick("'pa' || n", 1420)}::int, case when ${pick("'pb' || n", 6)} > 0 then 1 + ${pick("'pc' || n", 2050)}::int end, timestamptz '2024-01-01 00:00+00' + ${pick("'pd' || n", 1027000)} * interval '1 minute', ${pick("'pe' || n", 5400)}::int, ${pickWord('Earshot|PodBox|Web', "'pf' || n")}, ${pick("'pg' || n", 3)} = 0 from generate_series(1, 16000) n`,
  `insert into pod.sponsors select n, ${pickWord('Acorn|Brisk|Cobalt|Dune', "'oa' || n")} || ' ' || n, ${pickWord('software|food|travel', "'ob' || n")} from generate_series(1, 32) n`,
  `insert into pod.ad_slots select n, 1 + ${pick("'da' || n", 1380)}::int, case when ${pick("'db' || n", 6)} > 0 then 1 + ${pick("'dc' || n", 29)}::int end, ${pickWord('pre-roll|mid-roll|post-roll', "'dd' || n")}, 2000 + ${pick("'de' || n", 90000)}::int, case when ${pick("'df' || n", 3)} > 0 then date '2024-02-01' + ${pick("'dg' || n", 680)}::int end from generate_series(1, 2600) n`,
  `insert into pod.reviews select n, 1 + ${pick("'ra' || n", 54)}::int, 1 + ${pick("'rb' || n", 1900)}::int, 1 + ${pick("'rc' || n", 5)}::int, case when ${pick("'rd' || n", 3)} > 0 then 'text ' || n end, date '2023-05-01' + ${pick("'re' || n", 955)}::int from generate_series(1, 1700) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const shares = (condition: string, rest: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)
/** Cents or whole units. */
const cents = (toQuery: (amount: string) => string) => [toQuery('price_cents'), toQuery('price_cents / 100.0')]
const LIVE = 'deleted_at is null'
const E = 'pod.episodes e join pod.shows s on s.id = e.show_id'
const P = 'pod.plays p join pod.episodes e on e.id = p.episode_id join pod.shows s on s.id = e.show_id'
const A = 'pod.ad_slots a join pod.episodes e on e.id = a.episode_id join pod.shows s on s.id = e.show_id'

export const PODCAST_QUESTIONS = toQuestions([
  ['q', 'how many shows do we have', `select count(*) from pod.shows where ${LIVE}`],
  ['q', 'shows per topic', `select topic, count(*) from pod.shows where ${LIVE} group by 1`],
  ['q', 'explicit comedy shows', listOrCount('id', `pod.shows where explicit and topic = 'comedy' and ${LIVE}`)],
  ['q', 'shows that dont belong to a network', listOrCount('id', `pod.shows where network_id is null and ${LIVE}`)],
  [
    'q',
    'which network has the most shows?',
    [
      `select network_id from pod.shows where network_id is not null and ${LIVE} group by 1 order by count(*) desc limit 1`,
    ],
  ],
  [
    'q',
    'networks without shows',
    listOrCount(
      'id',
      `pod.networks n where not exists (select from pod.shows s where s.network_id = n.id and ${LIVE})`,
    ),
  ],
  ['q', 'networks founded after 2015', listOrCount('id', 'pod.networks where founded > 2015')],
  ['q', 'oldest show', `select id from pod.shows where ${LIVE} order by launched_on limit 1`],
  [
    'q',
    'shows launched in 2024',
    listOrCount('id', `pod.shows where launched_on >= '2024-01-01' and launched_on < '2025-01-01' and ${LIVE}`),
  ],
  ['q', 'shows by language', `select lang, count(*) from pod.shows where ${LIVE} group by 1`],
  ['q', 'deleted shows', listOrCount('id', 'pod.shows where deleted_at is not null')],
  [
    'q',
    'hosts from Canada without an email',
    listOrCount('id', "pod.hosts where country = 'Canada' and email is null"),
  ],
  [
    'q',
    'hosts with more than 3 shows',
    [
      'select host_id from pod.show_hosts group by 1 having count(*) > 3',
      `select host_id from pod.show_hosts join pod.shows s on s.id = show_id where ${LIVE} group by 1 having count(*) > 3`,
    ],
  ],
  [
    'q',
    'hosts who dont host any show',
    listOrCount('id', 'pod.hosts h where not exists (select from pod.show_hosts x where x.host_id = h.id)'),
  ],
  ['q', 'how many hosts per country', 'select country, count(*) from pod.hosts group by 1'],
  [
    'q',
    'episodes published last month',
    listOrCount('id', "pod.episodes where published_at >= '2025-11-01' and published_at < '2025-12-01'"),
  ],
  ['q', 'unpublished episodes', listOrCount('id', 'pod.episodes where published_at is null')],
  [
    'q',
    'number of episodes published per month this year',
    `select ${month('published_at')}, count(*) from pod.episodes where published_at >= '2025-01-01' and published_at < '2026-01-01' group by 1`,
  ],
  [
    'q',
    'episodes per show',
    [
      `select show_id, count(*) from pod.episodes group by 1`,
      `select show_id, count(*) from ${E} where ${LIVE} group by 1`,
    ],
  ],
  [
    'q',
    'avg episode length by topic',
    ['duration_sec', 'duration_sec / 60.0'].map((length) => `select topic, avg(${length}) from ${E} group by 1`),
  ],
  ['q', 'longest episode ever', 'select id from pod.episodes order by duration_sec desc limit 1'],
  ['q', 'episodes longer than 90 minutes', listOrCount('id', 'pod.episodes where duration_sec > 5400')],
  ['q', 'episodes shorter than 10 min', listOrCount('id', 'pod.episodes where duration_sec < 600')],
  [
    'q',
    'how long does it take from recording to publishing',
    [
      'select avg(extract(epoch from published_at - recorded_on)) / 86400 from pod.episodes',
      'select avg(published_at::date - recorded_on) from pod.episodes',
      'select avg(extract(epoch from published_at - recorded_on)) / 3600 from pod.episodes',
    ],
  ],
  [
    'q',
    'biggest episode file',
    ['select id from pod.episodes order by file_mb desc limit 1', 'select max(file_mb) from pod.episodes'],
  ],
  [
    'q',
    'episodes nobody played',
    listOrCount('id', 'pod.episodes e where not exists (select from pod.plays p where p.episode_id = e.id)'),
  ],
  ['q', 'episodes of season 3', listOrCount('id', 'pod.episodes where season_no = 3')],
  [
    'q',
    'how many plays yesterday?',
    "select count(*) from pod.plays where started_at >= '2025-12-14' and started_at < '2025-12-15'",
  ],
  ['q', 'plays by app', 'select app, count(*) from pod.plays group by 1'],
  ['q', 'top 10 episodes by plays', 'select episode_id from pod.plays group by 1 order by count(*) desc, 1 limit 10'],
  [
    'q',
    'most played show',
    [
      `select s.id from ${P} group by 1 order by count(*) desc limit 1`,
      `select s.id from ${P} where ${LIVE} group by 1 order by count(*) desc limit 1`,
    ],
  ],
  ['q', 'plays per topic in 2025', `select topic, count(*) from ${P} where started_at >= '2025-01-01' group by 1`],
  ['q', 'what percentage of plays were finished', shares('finished', 'pod.plays')],
  [
    'q',
    'total seconds heard by country',
    'select country, sum(seconds_heard) from pod.plays p join pod.listeners l on l.id = p.listener_id group by 1',
  ],
  ['q', 'anonymous plays', []],
  ['q', 'plays without a listener', listOrCount('id', 'pod.plays where listener_id is null')],
  ['q', 'median seconds heard', 'select percentile_cont(0.5) within group (order by seconds_heard) from pod.plays'],
  [
    'q',
    'plays this year vs last year',
    "select date_trunc('year', started_at)::date, count(*) from pod.plays where started_at >= '2024-01-01' group by 1",
  ],
  [
    'q',
    'how many listeners signed up in october',
    "select count(*) from pod.listeners where signup_date >= '2025-10-01' and signup_date < '2025-11-01'",
  ],
  ['q', 'listeners on the plus plan', listOrCount('id', "pod.listeners where plan = 'plus'")],
  ['q', 'listeners by plan and country', 'select plan, country, count(*) from pod.listeners group by 1, 2'],
  [
    'q',
    'churned listeners per month',
    `select ${month('churned_on')}, count(*) from pod.listeners where churned_on is not null group by 1`,
  ],
  ['q', 'listeners that havent churned', listOrCount('id', 'pod.listeners where churned_on is null')],
  ['q', 'listeners born before 1970', listOrCount('id', 'pod.listeners where birth_year < 1970')],
  [
    'q',
    'listeners who never played anything',
    listOrCount('id', 'pod.listeners l where not exists (select from pod.plays p where p.listener_id = l.id)'),
  ],
  [
    'q',
    'listeners with at least 15 plays',
    [
      'select listener_id from pod.plays where listener_id is not null group by 1 having count(*) >= 15',
      'select count(*) from (select listener_id from pod.plays where listener_id is not null group by 1 having count(*) >= 15) x',
    ],
  ],
  ['q', 'share of free listeners', shares("plan = 'free'", 'pod.listeners')],
  [
    'q',
    'ad revenue per sponsor',
    cents((amount) => `select sponsor_id, sum(${amount}) from pod.ad_slots where sponsor_id is not null group by 1`),
  ],
  ['q', 'ad slots that are not sold', []],
  ['q', 'unpaid ad slots', listOrCount('id', 'pod.ad_slots where paid_on is null')],
  ['q', 'ad slots with no sponsor', listOrCount('id', 'pod.ad_slots where sponsor_id is null')],
  [
    'q',
    'average price of a mid-roll',
    cents((amount) => `select avg(${amount}) from pod.ad_slots where slot_kind = 'mid-roll'`),
  ],
  ['q', 'total ad price by show topic', cents((amount) => `select topic, sum(${amount}) from ${A} group by 1`)],
  ['q', 'sponsors in the food industry', listOrCount('id', "pod.sponsors where industry = 'food'")],
  [
    'q',
    'average stars per show',
    [
      'select show_id, avg(stars) from pod.reviews group by 1',
      `select show_id, avg(stars) from pod.reviews join pod.shows s on s.id = show_id where ${LIVE} group by 1`,
    ],
  ],
  ['q', '1 star reviews', listOrCount('id', 'pod.reviews where stars = 1')],
  [
    'q',
    'reviews with 4 stars or more in 2025',
    listOrCount('id', "pod.reviews where stars >= 4 and reviewed_on >= '2025-01-01'"),
  ],
  ['q', 'reviews with no text', listOrCount('id', 'pod.reviews where body is null')],
])
