import { type Question, toQuestions } from './question.ts'
import { pick, pickWord } from './sample-values.ts'

/** Times, cents, many-to-many, and words such as views and creators that no table has. */
export const VIDEO_SCHEMA = 'media'

const at = (from: string, seed: string, days: number): string =>
  `timestamptz '${from} 00:00Z' + ${pick(seed, days * 1440)} * interval '1 minute'`

export const VIDEO_STATEMENTS: readonly string[] = [
  `create table media.channels (channel_id int primary key, handle text not null unique, display_name text not null, category text not null, country text not null, is_verified boolean not null, created_at timestamptz not null)`,
  `create table media.videos (video_id int primary key, channel_id int not null references media.channels, title text not null, duration_sec int not null, published_at timestamptz, visibility text not null, lang text not null)`,
  `create table media.viewers (viewer_id int primary key, username text not null unique, country text not null, birth_year int, signup_at timestamptz not null, plan text not null, cancelled_at timestamptz)`,
  `create table media.watch_events (event_id int primary key, video_id int not null references media.videos, viewer_id int not null references media.viewers, started_at timestamptz not null, watched_sec int not null, device text not null)`,
  `create table media.comments (comment_id int primary key, video_id int not null references media.videos, viewer_id int not null references media.viewers, body text not null, posted_at timestamptz not null, like_count int not null, is_flagged boolean not null)`,
  `create table media.subscriptions (viewer_id int not null references media.viewers, channel_id int not null references media.channels, since date not null, primary key (viewer_id, channel_id))`,
  `create table media.campaigns (campaign_id int primary key, advertiser text not null, budget numeric(10,2) not null, start_on date not null, end_on date, state text not null)`,
  `create table media.ad_impressions (impression_id int primary key, video_id int not null references media.videos, campaign_id int not null references media.campaigns, shown_at timestamptz not null, revenue_cents int not null, clicked boolean not null)`,
  `insert into media.channels select n, 'ch' || n, ${pickWord('Daily|Super|Little|Grand', "'ca' || n")} || ' ' || ${pickWord('Kitchen|Garage|Guitar|Chess', "'cb' || n")} || ' ' || n, ${pickWord('Cooking|Gaming|Music|Education|Travel', "'cc' || n")}, ${pickWord('US|DE|BR|JP', "'cd' || n")}, ${pick("'ce' || n", 3)} = 0, ${at('2020-01-01', "'cf' || n", 2100)} from generate_series(1, 80) n`,
  `insert into media.videos select n, 1 + ${pick("'va' || n", 72)}::int, ${pickWord('How to|Why|Best of|Live', "'vb' || n")} || ' #' || n, 30 + ${pick("'vc' || n", 5400)}::int, case when ${pick("'vd' || n", 12)} > 0 then ${at('2022-01-01', "'ve' || n", 1400)} end, ${pickWord('public|public|public|unlisted|private', "'vf' || n")}, ${pickWord('English|German|Portuguese', "'vg' || n")} from generate_series(1, 900) n`,
  `insert into media.viewers select n, 'user' || n, ${pickWord('US|DE|BR|JP|FR', "'wa' || n")}, case when ${pick("'wb' || n", 6)} > 0 then 1950 + ${pick("'wc' || n", 58)}::int end, ${at('2021-01-01', "'wd' || n", 1800)}, ${pickWord('free|free|premium|family', "'we' || n")}, case when ${pick("'wf' || n", 9)} = 0 then ${at('2025-01-01', "'wg' || n", 340)} end from generate_series(1, 1200) n`,
  `insert into media.watch_events select n, 1 + ${pick("'xa' || n", 820)}::int, 1 + ${pick("'xb' || n", 1000)}::int, ${at('2024-01-01', "'xc' || n", 712)}, 5 + ${pick("'xd' || n", 3000)}::int, ${pickWord('tv|mobile|mobile|web', "'xe' || n")} from generate_series(1, 9000) n`,
  `insert into media.comments select n, 1 + ${pick("'ya' || n", 700)}::int, 1 + ${pick("'yb' || n", 900)}::int, 'comment ' || n, ${at('2024-01-01', "'yc' || n", 710)}, ${pick("'yd' || n", 300)}::int, ${pick("'ye' || n", 25)} = 0 from generate_series(1, 3000) n`,
  `insert into media.subscriptions select distinct on (1, 2) 1 + ${pick("'za' || n", 1100)}::int, 1 + ${pick("'zb' || n", 76)}::int, date '2022-01-01' + ${pick("'zc' || n", 1440)}::int from generate_series(1, 4000) n`,
  `insert into media.campaigns values (1, 'Nimbus Shoes', 12000, '2025-01-01', '2025-03-31', 'ended'), (2, 'Oat & Co', 8000, '2025-02-15', null, 'running'), (3, 'Volt Cars', 45000, '2025-06-01', '2025-12-31', 'running'), (4, 'Nimbus Shoes', 20000, '2025-09-01', null, 'running'), (5, 'Finch Bank', 30000, '2026-01-15', null, 'draft'), (6, 'Lumen Books', 2500, '2024-11-01', '2024-12-31', 'ended')`,
  `insert into media.ad_impressions select n, 1 + ${pick("'ia' || n", 850)}::int, (array[1, 2, 3, 4, 6])[1 + ${pick("'ib' || n", 5)}], ${at('2024-06-01', "'ic' || n", 560)}, 1 + ${pick("'id' || n", 90)}::int, ${pick("'ie' || n", 20)} = 0 from generate_series(1, 6000) n`,
]

const WATCHED = 'media.watch_events w join media.videos v using (video_id)'
const ADS = 'media.ad_impressions a join media.campaigns c using (campaign_id)'
const month = (column: string) => `date_trunc('month', ${column} at time zone 'UTC')::date`
const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
/** Cents or whole units. */
const inCentsOrUnits = (write: (amount: string) => string) => [
  write('sum(revenue_cents)'),
  write('sum(revenue_cents) / 100.0'),
]
const asShare = (condition: string, table: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${table}`)

export const VIDEO_QUESTIONS: readonly Question[] = toQuestions([
  ['count', 'How many videos do we host?', 'select count(*) from media.videos'],
  ['count', 'how many verified channels are there', 'select count(*) from media.channels where is_verified'],
  ['count', 'number of private videos', "select count(*) from media.videos where visibility = 'private'"],
  [
    'count',
    'how many viewers from Germany are on the premium plan?',
    "select count(*) from media.viewers where country = 'DE' and plan = 'premium'",
  ],
  [
    'count',
    'how many people signed up in 2025',
    "select count(*) from media.viewers where signup_at >= '2025-01-01' and signup_at < '2026-01-01'",
  ],
  ['count', 'how many different devices do people watch on', 'select count(distinct device) from media.watch_events'],
  [
    'count',
    'how many viewers watched something last month?',
    "select count(distinct viewer_id) from media.watch_events where started_at >= '2025-11-01' and started_at < '2025-12-01'",
  ],
  ['count', 'how many comments are flagged', 'select count(*) from media.comments where is_flagged'],
  ['total', 'total ad revenue', inCentsOrUnits((amount) => `select ${amount} from media.ad_impressions`)],
  [
    'total',
    'ad revenue by advertiser',
    inCentsOrUnits((amount) => `select advertiser, ${amount} from ${ADS} group by 1`),
  ],
  ['total', 'how much time was watched on tv', ["select sum(watched_sec) from media.watch_events where device = 'tv'"]],
  ['total', 'total budget of running campaigns', "select sum(budget) from media.campaigns where state = 'running'"],
  [
    'total',
    'watch time by category',
    `select category, sum(watched_sec) from ${WATCHED} join media.channels c using (channel_id) group by 1`,
  ],
  ['average', 'average video length', 'select avg(duration_sec) from media.videos'],
  ['average', 'average duration of videos by language', 'select lang, avg(duration_sec) from media.videos group by 1'],
  ['average', 'mean likes per comment', 'select avg(like_count) from media.comments'],
  [
    'average',
    'average number of comments per video',
    [
      'select count(*)::numeric / (select count(*) from media.videos) from media.comments',
      'select count(*)::numeric / count(distinct video_id) from media.comments',
    ],
  ],
  ['group', 'viewers by plan', 'select plan, count(*) from media.viewers group by 1'],
  [
    'group',
    'videos per channel category',
    'select category, count(*) from media.videos join media.channels using (channel_id) group by 1',
  ],
  [
    'group',
    'subscribers per channel',
    [
      'select channel_id, count(*) from media.subscriptions group by 1',
      'select display_name, count(*) from media.subscriptions join media.channels using (channel_id) group by 1',
      'select handle, count(*) from media.subscriptions join media.channels using (channel_id) group by 1',
      'select display_name, count(viewer_id) from media.channels left join media.subscriptions using (channel_id) group by 1',
    ],
  ],
  [
    'group',
    'number of watch events by device and plan',
    'select device, plan, count(*) from media.watch_events join media.viewers using (viewer_id) group by 1, 2',
  ],
  [
    'month',
    'new viewers per month in 2025',
    `select ${month('signup_at')}, count(*) from media.viewers where signup_at >= '2025-01-01' and signup_at < '2026-01-01' group by 1`,
  ],
  [
    'month',
    'comments per month since July 2025',
    `select ${month('posted_at')}, count(*) from media.comments where posted_at >= '2025-07-01' group by 1`,
  ],
  [
    'month',
    'monthly ad revenue this year',
    inCentsOrUnits(
      (amount) =>
        `select ${month('shown_at')}, ${amount} from media.ad_impressions where shown_at >= '2025-01-01' group by 1`,
    ),
  ],
  [
    'time',
    'videos published in the last 90 days',
    listOrCount('video_id', "media.videos where published_at >= '2025-09-16'"),
  ],
  [
    'time',
    'ad revenue this year vs last year',
    inCentsOrUnits(
      (amount) =>
        `select date_trunc('year', shown_at at time zone 'UTC')::date, ${amount} from media.ad_impressions where shown_at >= '2024-01-01' group by 1`,
    ),
  ],
  [
    'time',
    'campaigns that ended before 2025',
    listOrCount('campaign_id', "media.campaigns where end_on < '2025-01-01'"),
  ],
  [
    'top',
    'top 10 videos by watch time',
    [
      'select title from media.watch_events join media.videos using (video_id) group by video_id, title order by sum(watched_sec) desc, video_id limit 10',
    ],
  ],
  [
    'top',
    'which channel has the most subscribers',
    [
      'select display_name from media.subscriptions join media.channels using (channel_id) group by channel_id, display_name order by count(*) desc, channel_id limit 1',
    ],
  ],
  [
    'top',
    'longest video',
    [
      'select video_id from media.videos order by duration_sec desc limit 1',
      'select max(duration_sec) from media.videos',
    ],
  ],
  [
    'top',
    'the 3 countries with the fewest viewers',
    'select country from media.viewers group by 1 order by count(*) limit 3',
  ],
  [
    'top',
    'most liked comment',
    [
      'select comment_id from media.comments order by like_count desc, comment_id limit 1',
      'select like_count from media.comments order by like_count desc limit 1',
    ],
  ],
  [
    'top',
    'which campaign has the biggest budget?',
    'select campaign_id from media.campaigns order by budget desc limit 1',
  ],
  [
    'never',
    'channels without any videos',
    [
      'select channel_id from media.channels c where not exists (select from media.videos v where v.channel_id = c.channel_id)',
    ],
  ],
  [
    'never',
    'viewers who never left a comment',
    [
      'select viewer_id from media.viewers w where not exists (select from media.comments c where c.viewer_id = w.viewer_id)',
    ],
  ],
  [
    'never',
    'how many videos have never been watched',
    'select count(*) from media.videos v where not exists (select from media.watch_events w where w.video_id = v.video_id)',
  ],
  [
    'never',
    'videos that have not been published yet',
    listOrCount('video_id', 'media.videos where published_at is null'),
  ],
  [
    'never',
    'campaigns with no ad impressions',
    'select campaign_id from media.campaigns c where not exists (select from media.ad_impressions a where a.campaign_id = c.campaign_id)',
  ],
  ['share', 'what percentage of viewers are on the free plan', asShare("plan = 'free'", 'media.viewers')],
  ['share', 'share of impressions that were clicked', asShare('clicked', 'media.ad_impressions')],
  [
    'share',
    'share of watch time by device',
    [100, 1].map(
      (whole) =>
        `select device, ${whole}.0 * sum(watched_sec) / (select sum(watched_sec) from media.watch_events) from media.watch_events group by 1`,
    ),
  ],
  ['compare', 'videos longer than 5000 seconds', listOrCount('video_id', 'media.videos where duration_sec > 5000')],
  ['compare', 'viewers born after 2000', listOrCount('viewer_id', 'media.viewers where birth_year > 2000')],
  [
    'compare',
    'channels with at least 20 videos',
    [
      'select channel_id from media.videos group by 1 having count(*) >= 20',
      'select display_name from media.videos join media.channels using (channel_id) group by channel_id, display_name having count(*) >= 20',
    ],
  ],
  [
    'compare',
    'campaigns with a budget between 5000 and 25000',
    listOrCount('campaign_id', 'media.campaigns where budget between 5000 and 25000'),
  ],
  ['negate', 'videos that are not in English', listOrCount('video_id', "media.videos where lang <> 'English'")],
  ['negate', 'viewers who have cancelled', listOrCount('viewer_id', 'media.viewers where cancelled_at is not null')],
  ['negate', 'how many campaigns have no end date', 'select count(*) from media.campaigns where end_on is null'],
  [
    'list',
    'list all Gaming channels from Japan',
    "select channel_id from media.channels where category = 'Gaming' and country = 'JP'",
  ],
  ['open', 'churn prediction for next quarter', []],
  ['open', 'engagement by cohort', []],
  ['open', 'how happy are our creators', []],
])
