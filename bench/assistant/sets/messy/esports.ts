import { byEither, listOrCount, month, shares } from '../expected.ts'
import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const ESPORTS_STATEMENTS: readonly string[] = [
  `create table esp.teams (team_id int primary key, team_name text not null, region text not null, founded_year int, disbanded_on date, social_followers int)`,
  `create table esp.players (player_id int primary key, nickname text not null, real_name text, team_id int, position text not null, nationality text not null, birth_date date, monthly_salary numeric(8,2), contract_start date not null, contract_end date)`,
  `create table esp.tournaments (tournament_id int primary key, title text not null, game text not null, tier text not null, start_date date not null, end_date date not null, prize_pool numeric(12,2) not null, format text not null, is_online boolean not null)`,
  `create table esp.matches (match_id int primary key, tournament_id int not null, home_team_id int not null, away_team_id int not null, winner_team_id int, scheduled_at timestamp not null, played_at timestamp, duration_minutes int, peak_viewers int, stage text not null, status text not null)`,
  `create table esp.payouts (payout_id int primary key, tournament_id int not null, team_id int not null, placement int not null, amount_usd numeric(12,2) not null, paid_on date)`,
  `create table esp.sponsors (sponsor_id int primary key, company text not null, industry text not null, contact_email text)`,
  `create table esp.sponsorships (sponsorship_id int primary key, sponsor_id int not null, team_id int not null, signed_on date not null, expires_on date not null, annual_value numeric(12,2) not null, status_code char(3) not null)`,
  `create table esp.shop_orders (order_no int primary key, customer_email text not null, country text not null, ordered_at timestamp not null, shipped_at timestamp, refunded_at timestamp, shipping_fee numeric(6,2) not null, order_total numeric(9,2) not null)`,
  `create table esp.shop_order_lines (order_no int not null, line_no int not null, product text not null, team_id int, quantity int not null, unit_price numeric(7,2) not null, line_total numeric(9,2) not null, primary key (order_no, line_no))`,
  `insert into esp.teams select n, 'Team ' || n, ${pickWord('EU|NA|APAC', "'ta' || n")}, case when ${pick("'tb' || n", 6)} > 0 then 2008 + ${pick("'tc' || n", 17)}::int end, case when ${pick("'td' || n", 9)} = 0 then date '2024-02-01' + ${pick("'te' || n", 600)}::int end, case when ${pick("'tf' || n", 7)} > 0 then ${pick("'tg' || n", 900000)}::int end from generate_series(1, 64) n`,
  `insert into esp.players select n, 'nick' || n, case when ${pick("'pa' || n", 5)} > 0 then ${pickWord('Lee|Kim|Olsen|Costa', "'pb' || n")} || ' ' || n end, case when ${pick("'pc' || n", 8)} > 0 then 1 + ${pick("'pd' || n", 58)}::int end, ${pickWord('top|mid|support|jungle', "'pe' || n")}, ${pickWord('Korea|Denmark|Brazil|Canada', "'pf' || n")}, case when ${pick("'pg' || n", 6)} > 0 then date '1995-01-01' + ${pick("'ph' || n", 4500)}::int end, case when ${pick("'pi' || n", 4)} > 0 then 1500 + ${pick("'pj' || n", 1800000)} / 100.0 end, date '2021-01-01' + ${pick("'pk' || n", 1500)}::int, case when ${pick("'pl' || n", 3)} > 0 then date '2025-01-01' + ${pick("'pm' || n", 900)}::int end from generate_series(1, 340) n`,
  `insert into esp.tournaments select n, 'Cup ' || n, ${pickWord('Arena|Rally|Siege', "'oa' || n")}, ${pickWord('S|A|B', "'ob' || n")}, d, d + 3 + ${pick("'oc' || n", 20)}::int, 5000 + 100 * ${pick("'od' || n", 9000)}, ${pickWord('league|knockout|swiss', "'oe' || n")}, ${pick("'of' || n", 2)} = 0 from (select n, date '2023-01-05' + ${pick("'og' || n", 1060)}::int as d from generate_series(1, 90) n) x`,
  `insert into esp.matches select n, 1 + ${pick("'ma' || n", 84)}::int, h, a, case when st = 'finished' then case when ${pick("'mb' || n", 2)} = 0 then h else a end end, at, case when st = 'finished' then at + ${pick("'mc' || n", 50)} * interval '1 minute' end, case when st = 'finished' then 18 + ${pick("'md' || n", 60)}::int end, case when st = 'finished' and ${pick("'me' || n", 5)} > 0 then ${pick("'mf' || n", 400000)}::int end, ${pickWord('group|quarterfinal|semifinal|final', "'mg' || n")}, st from (select n, 1 + ${pick("'mh' || n", 60)}::int as h, 1 + ${pick("'mi' || n", 60)}::int as a, timestamp '2023-01-08 12:00' + ${pick("'mj' || n", 25500)} * interval '1 hour' as at, ${pickWord('finished|finished|finished|forfeited|postponed', "'mk' || n")} as st from generate_series(1, 1500) n) x`,
  `insert into esp.payouts select n, 1 + ${pick("'ya' || n", 82)}::int, 1 + ${pick("'yb' || n", 60)}::int, 1 + n % 8, 200 + ${pick("'yc' || n", 9000000)} / 100.0, case when ${pick("'yd' || n", 5)} > 0 then date '2023-03-01' + ${pick("'ye' || n", 1010)}::int end from generate_series(1, 520) n`,
  `insert into esp.sponsors select n, 'Brand ' || n, ${pickWord('energy drinks|hardware|betting|apparel', "'sa' || n")}, case when ${pick("'sb' || n", 4)} > 0 then 's' || n || '@example.org' end from generate_series(1, 48) n`,
  `insert into esp.sponsorships select n, 1 + ${pick("'ra' || n", 44)}::int, 1 + ${pick("'rb' || n", 60)}::int, d, d + 365 * (1 + ${pick("'rc' || n", 3)}::int), 10000 + 100 * ${pick("'rd' || n", 5000)}, ${pickWord('ACT|EXP|TRM', "'re' || n")} from (select n, date '2021-01-01' + ${pick("'rf' || n", 1800)}::int as d from generate_series(1, 150) n) x`,
  `insert into esp.shop_orders select n, 'c' || (1 + ${pick("'qa' || n", 600)}) || '@example.org', ${pickWord('Germany|France|Canada', "'qb' || n")}, at, case when ${pick("'qc' || n", 8)} > 0 then at + (5 + ${pick("'qd' || n", 120)}) * interval '1 hour' end, case when ${pick("'qe' || n", 15)} = 0 then at + interval '20 days' end, ${pick("'qf' || n", 3)} * 4.5, 0 from (select n, timestamp '2024-01-02 08:00' + ${pick("'qg' || n", 17000)} * interval '1 hour' as at from generate_series(1, 1600) n) x`,
  `insert into esp.shop_order_lines select o, l, ${pickWord('Jersey|Hoodie|Mousepad|Cap', "'la' || o || '-' || l")}, case when ${pick("'lb' || o || '-' || l", 4)} > 0 then 1 + ${pick("'lc' || o || '-' || l", 55)}::int end, q, p, q * p from (select o, l, 1 + ${pick("'ld' || o || '-' || l", 3)}::int as q, 10 + ${pick("'le' || o || '-' || l", 6000)} / 100.0 as p from generate_series(1, 1600) o, generate_series(1, 2) l where l <= 1 + o % 2) x`,
  `update esp.shop_orders h set order_total = shipping_fee + (select sum(line_total) from esp.shop_order_lines l where l.order_no = h.order_no)`,
]

const P = 'esp.players'
const M = 'esp.matches'
const T = 'esp.tournaments'
const O = 'esp.shop_orders'

export const ESPORTS_QUESTIONS = toQuestions([
  ['q', 'how many teams are there per region', 'select region, count(*) from esp.teams group by 1'],
  ['q', 'disbanded teams', listOrCount('team_id', 'esp.teams where disbanded_on is not null')],
  ['q', 'teams founded after 2015', listOrCount('team_id', 'esp.teams where founded_year > 2015')],
  [
    'q',
    'team with the most followers',
    'select team_id from esp.teams where social_followers is not null order by social_followers desc limit 1',
  ],
  [
    'q',
    'teams without players',
    listOrCount('team_id', `esp.teams t where not exists (select from ${P} p where p.team_id = t.team_id)`),
  ],
  [
    'q',
    'players per team',
    byEither(
      ['team_id', 'team_name'],
      (key) => `select ${key}, count(*) from ${P} join esp.teams using (team_id) group by 1`,
    ),
  ],
  ['q', 'players without a team', listOrCount('player_id', `${P} where team_id is null`)],
  ['q', 'Korean players', []],
  [
    'q',
    'players from Denmark who play support',
    listOrCount('player_id', `${P} where nationality = 'Denmark' and position = 'support'`),
  ],
  ['q', 'average monthly salary by position', `select position, avg(monthly_salary) from ${P} group by 1`],
  [
    'q',
    'total monthly salary per team',
    byEither(
      ['team_id', 'team_name'],
      (key) => `select ${key}, sum(monthly_salary) from ${P} join esp.teams using (team_id) group by 1`,
    ),
  ],
  [
    'q',
    'best paid player',
    `select player_id from ${P} where monthly_salary is not null order by monthly_salary desc limit 1`,
  ],
  ['q', 'youngest player', `select player_id from ${P} where birth_date is not null order by birth_date desc limit 1`],
  [
    'q',
    'players whose contract ends this month',
    listOrCount('player_id', `${P} where contract_end >= '2025-12-01' and contract_end < '2026-01-01'`),
  ],
  ['q', 'players with an open-ended contract', []],
  ['q', 'players with no salary on record', listOrCount('player_id', `${P} where monthly_salary is null`)],
  ['q', 'tournaments by game and tier', `select game, tier, count(*) from ${T} group by 1, 2`],
  ['q', 'total prize pool per game', `select game, sum(prize_pool) from ${T} group by 1`],
  [
    'q',
    'online tournaments in 2024',
    listOrCount('tournament_id', `${T} where is_online and start_date >= '2024-01-01' and start_date < '2025-01-01'`),
  ],
  ['q', 'top 3 tournaments by prize pool', `select tournament_id from ${T} order by prize_pool desc limit 3`],
  ['q', 'how long does a tournament last on average', `select avg(end_date - start_date) from ${T}`],
  ['q', 'tournaments with a prize pool under 50000', listOrCount('tournament_id', `${T} where prize_pool < 50000`)],
  ['q', 'matches per stage', `select stage, count(*) from ${M} group by 1`],
  ['q', 'postponed matches', listOrCount('match_id', `${M} where status = 'postponed'`)],
  [
    'q',
    'longest match',
    `select match_id from ${M} where duration_minutes is not null order by duration_minutes desc limit 1`,
  ],
  ['q', 'average duration of finals', `select avg(duration_minutes) from ${M} where stage = 'final'`],
  [
    'q',
    'which team won the most matches',
    byEither(
      ['team_id', 'team_name'],
      (key) =>
        `select ${key} from ${M} join esp.teams on team_id = winner_team_id group by 1 order by count(*) desc, 1 limit 1`,
    ),
  ],
  ['q', 'matches by team', []],
  [
    'q',
    'average peak viewers by game',
    `select game, avg(peak_viewers) from ${M} join ${T} using (tournament_id) group by 1`,
  ],
  [
    'q',
    'matches played in October 2025',
    listOrCount('match_id', `${M} where played_at >= '2025-10-01' and played_at < '2025-11-01'`),
  ],
  ['q', 'share of matches that were forfeited', shares("status = 'forfeited'", M)],
  ['q', 'payouts not paid yet', listOrCount('payout_id', 'esp.payouts where paid_on is null')],
  [
    'q',
    'prize money by team',
    byEither(
      ['team_id', 'team_name'],
      (key) => `select ${key}, sum(amount_usd) from esp.payouts join esp.teams using (team_id) group by 1`,
    ),
  ],
  ['q', 'sponsors per industry', 'select industry, count(*) from esp.sponsors group by 1'],
  [
    'q',
    'annual value of sponsorships by industry',
    'select industry, sum(annual_value) from esp.sponsorships join esp.sponsors using (sponsor_id) group by 1',
  ],
  [
    'q',
    'sponsorships expiring next year',
    listOrCount('sponsorship_id', "esp.sponsorships where expires_on >= '2026-01-01' and expires_on < '2027-01-01'"),
  ],
  ['q', 'terminated sponsorships', [...listOrCount('sponsorship_id', "esp.sponsorships where status_code = 'TRM'")]],
  ['q', 'merch revenue by product', 'select product, sum(line_total) from esp.shop_order_lines group by 1'],
  ['q', 'order total by country', `select country, sum(order_total) from ${O} group by 1`],
  [
    'q',
    'refunded orders per month in 2025',
    [
      `select ${month('refunded_at')}, count(*) from ${O} where refunded_at >= '2025-01-01' and refunded_at < '2026-01-01' group by 1`,
    ],
  ],
  ['q', 'orders that have not shipped', listOrCount('order_no', `${O} where shipped_at is null`)],
  [
    'q',
    'hoodies sold in Canada',
    [
      `select sum(quantity) from esp.shop_order_lines join ${O} using (order_no) where product = 'Hoodie' and country = 'Canada'`,
    ],
  ],
  ['q', 'average shipping fee', `select avg(shipping_fee) from ${O}`],
  ['q', 'ticket sales by tournament', []],
  ['q', 'coach of each team', []],
])
