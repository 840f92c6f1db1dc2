import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const INSURANCE_STATEMENTS: readonly string[] = [
  `create table cover.policyholders (holder_id int primary key, full_name text not null, date_of_birth date not null, region text not null, email text, customer_since date not null)`,
  `create table cover.agents (agent_id int primary key, agent_name text not null, office text not null, commission_rate numeric(4,3) not null)`,
  `create table cover.policies (policy_no text primary key, holder_id int not null references cover.policyholders, agent_id int references cover.agents, product_line text not null, annual_premium numeric(8,2) not null, deductible int not null, start_date date not null, end_date date, policy_state text not null)`,
  `create table cover.adjusters (adjuster_id int primary key, adjuster_name text not null, team text not null)`,
  `create table cover.claims (claim_no int primary key, policy_no text not null references cover.policies, adjuster_id int references cover.adjusters, incident_date date not null, reported_on date not null, cause text not null, claim_status text not null, claimed_amount numeric(10,2) not null, reserve numeric(10,2) not null, fraud_flag boolean not null)`,
  `create table cover.payouts (payout_id int primary key, claim_no int not null references cover.claims, paid_on date not null, amount numeric(10,2) not null, method text not null)`,
  `insert into cover.policyholders select n, ${pickWord('Ana|Ben|Cleo|Dan|Eva', "'ha' || n")} || ' ' || ${pickWord('Roth|Silva|Moreau|Novak', "'hb' || n")} || ' ' || n, date '1940-01-01' + ${pick("'hc' || n", 23000)}::int, ${pickWord('North|South|East|West', "'hd' || n")}, case when ${pick("'he' || n", 5)} > 0 then 'h' || n || '@example.com' end, date '2010-01-01' + ${pick("'hf' || n", 5600)}::int from generate_series(1, 600) n`,
  `insert into cover.agents select n, ${pickWord('Ines|Jonas|Kaya|Liam', "'aa' || n")} || ' ' || n, ${pickWord('Lyon|Porto|Graz', "'ab' || n")}, 0.05 + ${pick("'ac' || n", 100)} / 1000.0 from generate_series(1, 25) n`,
  `insert into cover.policies select 'P-' || n, 1 + ${pick("'pa' || n", 560)}::int, case when ${pick("'pb' || n", 6)} > 0 then 1 + ${pick("'pc' || n", 23)}::int end, ${pickWord('Motor|Motor|Home|Travel|Life', "'pd' || n")}, 80 + ${pick("'pe' || n", 190000)} / 100.0, 100 * ${pick("'pf' || n", 11)}::int, date '2019-01-01' + ${pick("'pg' || n", 2500)}::int, case when ${pick("'ph' || n", 3)} = 0 then date '2025-06-01' + ${pick("'pi' || n", 400)}::int end, ${pickWord('in_force|in_force|in_force|lapsed|cancelled', "'pj' || n")} from generate_series(1, 1100) n`,
  `insert into cover.adjusters select n, ${pickWord('Mara|Nils|Omar|Pia', "'ja' || n")} || ' ' || n, ${pickWord('Property|Vehicles|Special', "'jb' || n")} from generate_series(1, 18) n`,
  `insert into cover.claims select n, 'P-' || (1 + ${pick("'ca' || n", 1000)}), case when ${pick("'cb' || n", 7)} > 0 then 1 + ${pick("'cc' || n", 17)}::int end, c.day, c.day + ${pick("'cd' || n", 40)}::int, ${pickWord('Collision|Theft|Water damage|Fire|Storm', "'ce' || n")}, ${pickWord('open|open|approved|rejected|settled', "'cf' || n")}, 100 + ${pick("'cg' || n", 2500000)} / 100.0, ${pick("'ch' || n", 2000000)} / 100.0, ${pick("'ci' || n", 12)} = 0 from (select n, date '2023-01-01' + ${pick("'cj' || n", 1060)}::int as day from generate_series(1, 1600) n) c`,
  `insert into cover.payouts select n, 1 + ${pick("'oa' || n", 1500)}::int, date '2023-02-01' + ${pick("'ob' || n", 1045)}::int, 50 + ${pick("'oc' || n", 1200000)} / 100.0, ${pickWord('bank transfer|bank transfer|cheque', "'od' || n")} from generate_series(1, 1900) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const CLAIMS = 'cover.claims join cover.policies using (policy_no)'
const PAYOUTS = 'cover.payouts join cover.claims using (claim_no)'

export const INSURANCE_QUESTIONS = toQuestions([
  ['q', 'How many policies are in force?', "select count(*) from cover.policies where policy_state = 'in_force'"],
  ['q', 'number of policies by product line', 'select product_line, count(*) from cover.policies group by 1'],
  ['q', 'total annual premium', 'select sum(annual_premium) from cover.policies'],
  ['q', 'average premium per product line', 'select product_line, avg(annual_premium) from cover.policies group by 1'],
  [
    'q',
    'which product line brings in the most premium?',
    'select product_line from cover.policies group by 1 order by sum(annual_premium) desc limit 1',
  ],
  [
    'q',
    'lapsed motor policies',
    listOrCount('policy_no', "cover.policies where policy_state = 'lapsed' and product_line = 'Motor'"),
  ],
  [
    'q',
    'policies sold by each agent',
    [
      'select agent_id, count(*) from cover.policies where agent_id is not null group by 1',
      'select agent_name, count(*) from cover.policies join cover.agents using (agent_id) group by agent_id, agent_name',
    ],
  ],
  ['q', 'policies without an agent', listOrCount('policy_no', 'cover.policies where agent_id is null')],
  [
    'q',
    'How many claims were reported last month?',
    "select count(*) from cover.claims where reported_on >= '2025-11-01' and reported_on < '2025-12-01'",
  ],
  ['q', 'claims by cause', 'select cause, count(*) from cover.claims group by 1'],
  [
    'q',
    'what is the most common cause of claims?',
    'select cause from cover.claims group by 1 order by count(*) desc limit 1',
  ],
  [
    'q',
    'open claims with a reserve above 15000',
    listOrCount('claim_no', "cover.claims where claim_status = 'open' and reserve > 15000"),
  ],
  ['q', 'total reserve for open claims', "select sum(reserve) from cover.claims where claim_status = 'open'"],
  [
    'q',
    'how much did we pay out in 2024?',
    "select sum(amount) from cover.payouts where paid_on >= '2024-01-01' and paid_on < '2025-01-01'",
  ],
  [
    'q',
    'payouts per month this year',
    [
      `select ${month('paid_on')}, sum(amount) from cover.payouts where paid_on >= '2025-01-01' group by 1`,
      `select ${month('paid_on')}, count(*) from cover.payouts where paid_on >= '2025-01-01' group by 1`,
    ],
  ],
  [
    'q',
    'payout amount by product line',
    `select product_line, sum(amount) from ${PAYOUTS} join cover.policies using (policy_no) group by 1`,
  ],
  [
    'q',
    'what percentage of claims is rejected?',
    [100, 1].map(
      (whole) => `select ${whole}.0 * count(*) filter (where claim_status = 'rejected') / count(*) from cover.claims`,
    ),
  ],
  ['q', 'claims flagged as fraud', listOrCount('claim_no', 'cover.claims where fraud_flag')],
  [
    'q',
    'suspected fraud claims by region',
    'select region, count(*) from cover.claims join cover.policies using (policy_no) join cover.policyholders using (holder_id) where fraud_flag group by 1',
  ],
  ['q', 'claims that nobody is assigned to', listOrCount('claim_no', 'cover.claims where adjuster_id is null')],
  ['q', 'claims without an adjuster', listOrCount('claim_no', 'cover.claims where adjuster_id is null')],
  [
    'q',
    'top 5 adjusters by number of claims',
    'select adjuster_id from cover.claims where adjuster_id is not null group by 1 order by count(*) desc, adjuster_id limit 5',
  ],
  ['q', 'average claimed amount by cause', 'select cause, avg(claimed_amount) from cover.claims group by 1'],
  ['q', 'largest claim', ['select claim_no from cover.claims order by claimed_amount desc limit 1']],
  [
    'q',
    'biggest payout this year',
    "select payout_id from cover.payouts where paid_on >= '2025-01-01' order by amount desc limit 1",
  ],
  ['q', 'policyholders over 70', listOrCount('holder_id', "cover.policyholders where date_of_birth < '1955-12-15'")],
  ['q', 'policyholders without an email', listOrCount('holder_id', 'cover.policyholders where email is null')],
  [
    'q',
    'how many policyholders do we have in the North',
    "select count(*) from cover.policyholders where region = 'North'",
  ],
  [
    'q',
    'policyholders with no policy',
    listOrCount(
      'holder_id',
      'cover.policyholders h where not exists (select from cover.policies p where p.holder_id = h.holder_id)',
    ),
  ],
  [
    'q',
    'policyholders with more than 4 policies',
    ['select holder_id from cover.policies group by 1 having count(*) > 4'],
  ],
  [
    'q',
    'policies that never had a claim',
    listOrCount(
      'policy_no',
      'cover.policies p where not exists (select from cover.claims c where c.policy_no = p.policy_no)',
    ),
  ],
  [
    'q',
    'water damage claims in 2025',
    [
      ...listOrCount('claim_no', "cover.claims where cause = 'Water damage' and reported_on >= '2025-01-01'"),
      ...listOrCount('claim_no', "cover.claims where cause = 'Water damage' and incident_date >= '2025-01-01'"),
    ],
  ],
  ['q', 'claims by status and cause', 'select claim_status, cause, count(*) from cover.claims group by 1, 2'],
  [
    'q',
    'average deductible of home policies',
    "select avg(deductible) from cover.policies where product_line = 'Home'",
  ],
  [
    'q',
    'policies ending next month',
    listOrCount('policy_no', "cover.policies where end_date >= '2026-01-01' and end_date < '2026-02-01'"),
  ],
  [
    'q',
    'new policies per quarter',
    [`select date_trunc('quarter', start_date)::date, count(*) from cover.policies group by 1`],
  ],
  [
    'q',
    'premium by office',
    'select office, sum(annual_premium) from cover.policies join cover.agents using (agent_id) group by 1',
  ],
  [
    'q',
    'which agent has the highest commission rate?',
    'select agent_name from cover.agents order by commission_rate desc limit 1',
  ],
  [
    'q',
    'how many claims did each team handle',
    'select team, count(*) from cover.claims join cover.adjusters using (adjuster_id) group by 1',
  ],
  [
    'q',
    'payouts by method',
    [
      'select method, count(*) from cover.payouts group by 1',
      'select method, sum(amount) from cover.payouts group by 1',
    ],
  ],
  [
    'q',
    'how many claims were paid by cheque',
    ["select count(distinct claim_no) from cover.payouts where method = 'cheque'"],
  ],
  [
    'q',
    'storm damage by region',
    [
      "select region, count(*) from cover.claims join cover.policies using (policy_no) join cover.policyholders using (holder_id) where cause = 'Storm' group by 1",
      "select region, sum(claimed_amount) from cover.claims join cover.policies using (policy_no) join cover.policyholders using (holder_id) where cause = 'Storm' group by 1",
    ],
  ],
  ['q', 'average time from incident to report', ['select avg(reported_on - incident_date) from cover.claims']],
  ['q', 'loss ratio by product line', []],
  ['q', 'combined ratio', []],
  ['q', 'claims paid more than the reserve', []],
  ['q', 'which customers are likely to leave', []],
  [
    'q',
    'claims between 5000 and 10000',
    listOrCount('claim_no', 'cover.claims where claimed_amount between 5000 and 10000'),
  ],
  [
    'q',
    'travel policies started in March 2025',
    listOrCount(
      'policy_no',
      "cover.policies where product_line = 'Travel' and start_date >= '2025-03-01' and start_date < '2025-04-01'",
    ),
  ],
  [
    'q',
    'claims in 2025 compared to 2024',
    [
      `select date_trunc('year', reported_on)::date, count(*) from cover.claims where reported_on >= '2024-01-01' group by 1`,
      `select date_trunc('year', incident_date)::date, count(*) from cover.claims where incident_date >= '2024-01-01' group by 1`,
    ],
  ],
  [
    'q',
    'total claimed by customers in the South',
    [`select sum(claimed_amount) from ${CLAIMS} join cover.policyholders using (holder_id) where region = 'South'`],
  ],
  [
    'q',
    'share of premium by product line',
    [
      'select product_line, 1.0 * sum(annual_premium) / sum(sum(annual_premium)) over () from cover.policies group by 1',
      'select product_line, 100.0 * sum(annual_premium) / sum(sum(annual_premium)) over () from cover.policies group by 1',
    ],
  ],
  [
    'q',
    'rejected theft claims',
    listOrCount('claim_no', "cover.claims where claim_status = 'rejected' and cause = 'Theft'"),
  ],
  [
    'q',
    'claims not yet paid out',
    [
      ...listOrCount(
        'claim_no',
        'cover.claims c where not exists (select from cover.payouts p where p.claim_no = c.claim_no)',
      ),
    ],
  ],
])
