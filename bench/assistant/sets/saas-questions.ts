import { type Question, toQuestions } from './question.ts'

const LIVE = 'deleted_at is null'
const month = (column: string) => `date_trunc('month', ${column} at time zone 'UTC')::date`
const year = (column: string) => `date_trunc('year', ${column} at time zone 'UTC')::date`
const PAYING = 'app.invoices i join app.subscriptions s on s.id = i.subscription_id'
/** Cents or whole units, date of bill or payment. */
const inBothUnits = (write: (amount: string, date: string) => string): string[] =>
  ['sum(amount_paid_cents)', 'sum(amount_paid_cents) / 100.0'].flatMap((amount) =>
    ['paid_at', 'issued_at'].map((date) => write(amount, date)),
  )

/** Soft-deleted rows do not count unless asked for. */
export const SAAS_QUESTIONS: readonly Question[] = toQuestions([
  ['count', 'How many organizations are there?', `select count(*) from app.organizations where ${LIVE}`],
  ['count', 'how many active users do we have', 'select count(*) from app.users where is_active'],
  ['count', 'how many deleted users', 'select count(*) from app.users where deleted_at is not null'],
  ['count', 'number of paid invoices', "select count(*) from app.invoices where status = 'paid'"],
  [
    'count',
    'how many different users logged in last week',
    "select count(distinct user_id) from app.events where name = 'login' and occurred_at >= '2025-12-08' and occurred_at < '2025-12-15'",
  ],
  [
    'total',
    'total amount paid in 2025',
    inBothUnits(
      (amount, date) => `select ${amount} from app.invoices where ${date} >= '2025-01-01' and ${date} < '2026-01-01'`,
    ),
  ],
  [
    'total',
    'number of seats on the Pro plan',
    [
      "select sum(seats) from app.subscriptions s join app.plans p on p.id = s.plan_id where p.name = 'Pro'",
      "select sum(seats) from app.subscriptions s join app.plans p on p.id = s.plan_id where p.name = 'Pro' and status = 'active'",
    ],
  ],
  [
    'total',
    'how much is due on open invoices?',
    [
      "select sum(amount_due_cents) from app.invoices where status = 'open'",
      "select sum(amount_due_cents) / 100.0 from app.invoices where status = 'open'",
    ],
  ],
  ['average', 'average seats per subscription', 'select avg(seats) from app.subscriptions'],
  ['average', 'average satisfaction by priority', 'select priority, avg(satisfaction) from app.tickets group by 1'],
  [
    'average',
    'average number of users per organization',
    [
      `select avg(n) from (select count(*) n from app.users where ${LIVE} group by organization_id) x`,
      `select avg(n) from (select count(*) n from app.users u join app.organizations o on o.id = u.organization_id where u.${LIVE} and o.${LIVE} group by organization_id) x`,
    ],
  ],
  ['month', 'new subscriptions by month', `select ${month('started_at')}, count(*) from app.subscriptions group by 1`],
  [
    'month',
    'events per day in the last 7 days',
    "select date_trunc('day', occurred_at at time zone 'UTC')::date, count(*) from app.events where occurred_at >= '2025-12-08' group by 1",
  ],
  [
    'month',
    'revenue by month in 2025',
    inBothUnits(
      (amount, date) =>
        `select ${month(date)}, ${amount} from app.invoices where ${date} >= '2025-01-01' and ${date} < '2026-01-01' group by 1`,
    ),
  ],
  [
    'month',
    'canceled subscriptions per month',
    `select ${month('canceled_at')}, count(*) from app.subscriptions where canceled_at is not null group by 1`,
  ],
  [
    'time',
    'tickets opened in the last 30 days',
    [
      "select id from app.tickets where opened_at >= '2025-11-15'",
      "select count(*) from app.tickets where opened_at >= '2025-11-15'",
    ],
  ],
  [
    'time',
    'users who have not been seen in the last 90 days',
    [
      `select id from app.users where ${LIVE} and (last_seen_at < '2025-09-16' or last_seen_at is null)`,
      `select id from app.users where ${LIVE} and last_seen_at < '2025-09-16'`,
    ],
  ],
  [
    'time',
    'how many exports in the last 14 days',
    "select count(*) from app.events where name = 'export' and occurred_at >= '2025-12-01'",
  ],
  [
    'compare',
    'revenue this year vs last year',
    inBothUnits(
      (amount, date) =>
        `select ${year(date)}, ${amount} from app.invoices where ${date} >= '2024-01-01' and ${date} < '2026-01-01' group by 1`,
    ),
  ],
  [
    'compare',
    'tickets in November vs October',
    `select ${month('opened_at')}, count(*) from app.tickets where opened_at >= '2025-10-01' and opened_at < '2025-12-01' group by 1`,
  ],
  [
    'compare',
    'compare logins on web and mobile',
    "select source, count(*) from app.events where name = 'login' and source in ('web', 'mobile') group by 1",
  ],
  [
    'top',
    'top 5 organizations by number of users',
    [
      `select organization_id, count(*) from app.users where ${LIVE} group by 1 order by 2 desc, 1 limit 5`,
      `select organization_id, count(*) from app.users u join app.organizations o on o.id = u.organization_id where u.${LIVE} and o.${LIVE} group by 1 order by 2 desc, 1 limit 5`,
    ],
  ],
  [
    'top',
    'which plan has the most active subscriptions?',
    "select p.name from app.subscriptions s join app.plans p on p.id = s.plan_id where status = 'active' group by 1 order by count(*) desc limit 1",
  ],
  [
    'top',
    'top 3 countries by revenue',
    inBothUnits(
      (amount) =>
        `select country_code, ${amount} from ${PAYING} join app.organizations o on o.id = s.organization_id group by 1 order by 2 desc limit 3`,
    ),
  ],
  ['top', 'most expensive plan', 'select name from app.plans order by monthly_price_cents desc limit 1'],
  ['top', 'newest organization', `select id from app.organizations where ${LIVE} order by created_at desc limit 1`],
  [
    'share',
    'what share of subscriptions are past due?',
    [100, 1].map(
      (whole) => `select ${whole}.0 * count(*) filter (where status = 'past_due') / count(*) from app.subscriptions`,
    ),
  ],
  [
    'share',
    'percentage of tickets that were solved',
    "select 100.0 * count(*) filter (where state = 'solved') / count(*) from app.tickets",
  ],
  [
    'share',
    'share of events by source',
    [100, 1].map((whole) => `select source, ${whole}.0 * count(*) / sum(count(*)) over () from app.events group by 1`),
  ],
  [
    'absent',
    'organizations without a subscription',
    `select id from app.organizations o where ${LIVE} and not exists (select from app.subscriptions s where s.organization_id = o.id)`,
  ],
  [
    'absent',
    'users who never logged in',
    `select id from app.users u where ${LIVE} and not exists (select from app.events e where e.user_id = u.id and e.name = 'login')`,
  ],
  [
    'absent',
    'plans nobody subscribed to',
    'select name from app.plans p where not exists (select from app.subscriptions s where s.plan_id = p.id)',
  ],
  ['absent', 'tickets without a satisfaction rating', 'select id from app.tickets where satisfaction is null'],
  ['number', 'subscriptions with more than 70 seats', 'select id from app.subscriptions where seats > 70'],
  [
    'number',
    'how many invoices over 2000 euros',
    [
      "select count(*) from app.invoices where amount_due_cents > 200000 and currency = 'EUR'",
      'select count(*) from app.invoices where amount_due_cents > 200000',
    ],
  ],
  [
    'number',
    'organizations with at least 5 open tickets',
    [
      "select organization_id from app.tickets where state = 'open' group by 1 having count(*) >= 5",
      `select organization_id from app.tickets t join app.organizations o on o.id = t.organization_id where state = 'open' and ${LIVE} group by 1 having count(*) >= 5`,
    ],
  ],
  ['negation', 'how many tickets are not solved', "select count(*) from app.tickets where state <> 'solved'"],
  ['negation', 'how many users are not admins?', `select count(*) from app.users where role <> 'admin' and ${LIVE}`],
  [
    'list',
    'emails of inactive users',
    ['select email from app.users where not is_active', `select email from app.users where not is_active and ${LIVE}`],
  ],
  [
    'list',
    'names of healthcare organizations in Germany',
    `select name from app.organizations where industry = 'healthcare' and country_code = 'DE' and ${LIVE}`,
  ],
  [
    'join',
    'paid amount by plan',
    inBothUnits((amount) => `select p.name, ${amount} from ${PAYING} join app.plans p on p.id = s.plan_id group by 1`),
  ],
  [
    'join',
    'logins by industry',
    [
      "select industry, count(*) from app.events e join app.users u on u.id = e.user_id join app.organizations o on o.id = u.organization_id where e.name = 'login' group by 1",
      `select industry, count(*) from app.events e join app.users u on u.id = e.user_id join app.organizations o on o.id = u.organization_id where e.name = 'login' and u.${LIVE} and o.${LIVE} group by 1`,
    ],
  ],
])
