import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const LEAGUE_STATEMENTS: readonly string[] = [
  `create table league.stadiums (id int primary key, name text not null, city text not null, capacity int not null, opened_year int not null)`,
  `create table league.teams (id int primary key, name text not null, short_code text not null, founded int not null, stadium_id int references league.stadiums)`,
  `create table league.players (id int primary key, first_name text not null, last_name text not null, team_id int references league.teams, position text not null, nationality text not null, birth_date date not null, height_cm int not null, market_value_eur int not null, contract_until date)`,
  `create table league.referees (id int primary key, name text not null, nationality text not null)`,
  `create table league.matches (id int primary key, season text not null, matchday int not null, kickoff timestamp not null, home_team_id int not null references league.teams, away_team_id int not null references league.teams, home_goals int, away_goals int, attendance int, referee_id int references league.referees)`,
  `create table league.goals (id int primary key, match_id int not null references league.matches, player_id int not null references league.players, minute int not null, is_penalty boolean not null, is_own_goal boolean not null)`,
  `create table league.cards (id int primary key, match_id int not null references league.matches, player_id int not null references league.players, minute int not null, colour text not null)`,
  `create table league.transfers (id int primary key, player_id int not null references league.players, from_team_id int references league.teams, to_team_id int not null references league.teams, transfer_date date not null, fee_eur int)`,
  `insert into league.stadiums select n, ${pickWord('River|City|Green|Old', "'sa' || n")} || ' ' || ${pickWord('Park|Arena|Ground', "'sb' || n")} || ' ' || n, ${pickWord('Leeds|Bristol|Derby|Hull', "'sc' || n")}, 12000 + 500 * ${pick("'sd' || n", 120)}::int, 1900 + ${pick("'se' || n", 120)}::int from generate_series(1, 16) n`,
  `insert into league.teams select n, ${pickWord('United|Rovers|Athletic|Wanderers', "'ta' || n")} || ' ' || n, 'T' || n, 1880 + ${pick("'tb' || n", 100)}::int, case when n < 17 then n end from generate_series(1, 18) n`,
  `insert into league.players select n, ${pickWord('Ali|Ben|Cem|Dario|Emil', "'pa' || n")}, ${pickWord('Okoro|Petrov|Quinn|Rossi|Santos', "'pb' || n")} || n, case when ${pick("'pc' || n", 12)} > 0 then 1 + ${pick("'pd' || n", 18)}::int end, ${pickWord('Goalkeeper|Defender|Defender|Midfielder|Midfielder|Forward', "'pe' || n")}, ${pickWord('England|Brazil|France|Spain|Nigeria', "'pf' || n")}, date '1986-01-01' + ${pick("'pg' || n", 7600)}::int, 165 + ${pick("'ph' || n", 35)}::int, 50000 * (1 + ${pick("'pi' || n", 900)}::int), case when ${pick("'pj' || n", 9)} > 0 then date '2025-06-30' + 365 * ${pick("'pk' || n", 5)}::int end from generate_series(1, 450) n`,
  `insert into league.referees select n, ${pickWord('Carl|Dora|Evan|Faye', "'ra' || n")} || ' ' || n, ${pickWord('England|Wales|Scotland', "'rb' || n")} from generate_series(1, 14) n`,
  `insert into league.matches select n, case when n <= 400 then '2024/25' else '2025/26' end, 1 + (n % 34), timestamp '2024-08-10 15:00' + n * interval '15 hours', 1 + (n % 18), 1 + ((n + 1 + ${pick("'ma' || n", 17)}::int) % 18), case when n <= 780 then ${pick("'mb' || n", 5)}::int end, case when n <= 780 then ${pick("'mc' || n", 4)}::int end, case when n <= 780 then 8000 + ${pick("'md' || n", 40000)}::int end, case when ${pick("'me' || n", 15)} > 0 then 1 + ${pick("'mf' || n", 14)}::int end from generate_series(1, 820) n`,
  `insert into league.goals select n, 1 + ${pick("'ga' || n", 770)}::int, 1 + ${pick("'gb' || n", 420)}::int, 1 + ${pick("'gc' || n", 94)}::int, ${pick("'gd' || n", 10)} = 0, ${pick("'ge' || n", 40)} = 0 from generate_series(1, 2100) n`,
  `insert into league.cards select n, 1 + ${pick("'ka' || n", 770)}::int, 1 + ${pick("'kb' || n", 430)}::int, 1 + ${pick("'kc' || n", 94)}::int, ${pickWord('yellow|yellow|yellow|yellow|red', "'kd' || n")} from generate_series(1, 1700) n`,
  `insert into league.transfers select n, 1 + ${pick("'xa' || n", 450)}::int, case when ${pick("'xb' || n", 4)} > 0 then 1 + ${pick("'xc' || n", 18)}::int end, 1 + ${pick("'xd' || n", 18)}::int, date '2022-01-01' + ${pick("'xe' || n", 1400)}::int, case when ${pick("'xf' || n", 3)} > 0 then 100000 * (1 + ${pick("'xg' || n", 400)}::int) end from generate_series(1, 260) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`

export const LEAGUE_QUESTIONS = toQuestions([
  ['q', 'how many players are there?', 'select count(*) from league.players'],
  ['q', 'players by position', 'select position, count(*) from league.players group by 1'],
  ['q', 'how many Brazilian players do we have', "select count(*) from league.players where nationality = 'Brazil'"],
  ['q', 'players from Nigeria', listOrCount('id', "league.players where nationality = 'Nigeria'")],
  [
    'q',
    'squad size of each team',
    [
      'select team_id, count(*) from league.players where team_id is not null group by 1',
      'select t.name, count(*) from league.players p join league.teams t on t.id = p.team_id group by t.id, t.name',
    ],
  ],
  [
    'q',
    'number of players per team',
    [
      'select team_id, count(*) from league.players where team_id is not null group by 1',
      'select t.name, count(*) from league.players p join league.teams t on t.id = p.team_id group by t.id, t.name',
    ],
  ],
  [
    'q',
    'who scored the most goals?',
    [
      'select last_name from league.goals g join league.players p on p.id = g.player_id group by p.id, last_name order by count(*) desc limit 1',
      'select last_name from league.goals g join league.players p on p.id = g.player_id where not is_own_goal group by p.id, last_name order by count(*) desc limit 1',
    ],
  ],
  [
    'q',
    'top 10 scorers',
    [
      'select player_id from league.goals group by 1 order by count(*) desc, player_id limit 10',
      'select player_id from league.goals where not is_own_goal group by 1 order by count(*) desc, player_id limit 10',
    ],
  ],
  [
    'q',
    'top 10 players by goals',
    ['select player_id from league.goals group by 1 order by count(*) desc, player_id limit 10'],
  ],
  ['q', 'how many penalties were scored', ['select count(*) from league.goals where is_penalty']],
  ['q', 'own goals', listOrCount('id', 'league.goals where is_own_goal')],
  [
    'q',
    'red cards per team',
    [
      "select p.team_id, count(*) from league.cards c join league.players p on p.id = c.player_id where colour = 'red' and p.team_id is not null group by 1",
    ],
  ],
  ['q', 'how many yellow cards were shown this season', []],
  ['q', 'number of yellow cards', "select count(*) from league.cards where colour = 'yellow'"],
  ['q', 'players with more than 8 cards', ['select player_id from league.cards group by 1 having count(*) > 8']],
  ['q', 'players without a team', listOrCount('id', 'league.players where team_id is null')],
  [
    'q',
    'players who never scored',
    listOrCount('id', 'league.players p where not exists (select from league.goals g where g.player_id = p.id)'),
  ],
  [
    'q',
    'tallest player',
    [
      'select last_name from league.players where height_cm = (select max(height_cm) from league.players) order by id limit 1',
      'select id from league.players order by height_cm desc limit 1',
    ],
  ],
  ['q', 'most valuable player', ['select id from league.players order by market_value_eur desc limit 1']],
  ['q', 'youngest player', ['select id from league.players order by birth_date desc limit 1']],
  [
    'q',
    'total market value by team',
    ['select team_id, sum(market_value_eur) from league.players where team_id is not null group by 1'],
  ],
  ['q', 'average market value by position', 'select position, avg(market_value_eur) from league.players group by 1'],
  ['q', 'average height of goalkeepers', "select avg(height_cm) from league.players where position = 'Goalkeeper'"],
  ['q', 'players taller than 190 cm', listOrCount('id', 'league.players where height_cm > 190')],
  ['q', 'players under 21', listOrCount('id', "league.players where birth_date > '2004-12-15'")],
  [
    'q',
    'contracts running out next year',
    listOrCount('id', "league.players where contract_until >= '2026-01-01' and contract_until < '2027-01-01'"),
  ],
  ['q', 'players without a contract', listOrCount('id', 'league.players where contract_until is null')],
  ['q', 'average attendance', 'select avg(attendance) from league.matches'],
  ['q', 'average attendance by season', 'select season, avg(attendance) from league.matches group by 1'],
  ['q', 'matches with over 45000 spectators', listOrCount('id', 'league.matches where attendance > 45000')],
  [
    'q',
    'how many matches were played in November',
    ["select count(*) from league.matches where kickoff >= '2025-11-01' and kickoff < '2025-12-01'"],
  ],
  [
    'q',
    'matches per month in 2025',
    `select ${month('kickoff')}, count(*) from league.matches where kickoff >= '2025-01-01' and kickoff < '2026-01-01' group by 1`,
  ],
  ['q', 'matches without a referee', listOrCount('id', 'league.matches where referee_id is null')],
  [
    'q',
    'which referee whistled the most matches?',
    [
      'select r.name from league.matches m join league.referees r on r.id = m.referee_id group by r.id, r.name order by count(*) desc limit 1',
    ],
  ],
  [
    'q',
    'goals per match',
    [
      'select 2100.0 / 820',
      'select match_id, count(*) from league.goals group by 1',
      'select avg(home_goals + away_goals) from league.matches',
    ],
  ],
  ['q', 'home goals by season', 'select season, sum(home_goals) from league.matches group by 1'],
  ['q', 'how many matches did each team win', []],
  ['q', 'matches by team', []],
  ['q', 'home matches per team', ['select home_team_id, count(*) from league.matches group by 1']],
  ['q', 'league table', []],
  ['q', 'biggest stadium', 'select id from league.stadiums order by capacity desc limit 1'],
  ['q', 'stadiums with capacity over 40000', listOrCount('id', 'league.stadiums where capacity > 40000')],
  ['q', 'total stadium capacity by city', 'select city, sum(capacity) from league.stadiums group by 1'],
  ['q', 'oldest stadium', 'select id from league.stadiums order by opened_year limit 1'],
  ['q', 'teams without a stadium', listOrCount('id', 'league.teams where stadium_id is null')],
  ['q', 'teams founded before 1900', listOrCount('id', 'league.teams where founded < 1900')],
  [
    'q',
    'how much was spent on transfers in 2025',
    ["select sum(fee_eur) from league.transfers where transfer_date >= '2025-01-01'"],
  ],
  ['q', 'most expensive transfer', ['select id from league.transfers order by fee_eur desc nulls last limit 1']],
  ['q', 'free transfers', []],
  [
    'q',
    'transfer fees per year',
    "select date_trunc('year', transfer_date)::date, sum(fee_eur) from league.transfers group by 1",
  ],
  ['q', 'transfer spending by team', ['select to_team_id, sum(fee_eur) from league.transfers group by 1']],
  ['q', 'goals after the 85th minute', listOrCount('id', 'league.goals where minute > 85')],
  ['q', 'average goals per player', []],
  [
    'q',
    'which nationality has the most players',
    ['select nationality from league.players group by 1 order by count(*) desc limit 1'],
  ],
  [
    'q',
    'players transferred this year',
    [
      "select player_id from league.transfers where transfer_date >= '2025-01-01'",
      "select distinct player_id from league.transfers where transfer_date >= '2025-01-01'",
      "select count(distinct player_id) from league.transfers where transfer_date >= '2025-01-01'",
    ],
  ],
])
