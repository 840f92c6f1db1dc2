import { pickWord, pick } from './sample-values.ts'

/** Money in cents, soft deletes, enum statuses, JSON properties. */
export const SAAS_SCHEMA = 'app'

const moment = (from: string, days: number, seed: string) =>
  `timestamptz '${from} 00:00+00' + ${pick(seed, days * 1440)} * interval '1 minute'`

export const SAAS_STATEMENTS: readonly string[] = [
  "create type app.invoice_status as enum ('draft', 'open', 'paid', 'void')",
  "create type app.subscription_status as enum ('trialing', 'active', 'past_due', 'canceled')",
  `create table app.organizations (id bigint primary key, name text not null, country_code char(2) not null, industry text not null,
     created_at timestamptz not null, deleted_at timestamptz)`,
  `create table app.users (id bigint primary key, organization_id bigint not null references app.organizations, email text not null, display_name text,
     role text not null, is_active boolean not null, last_seen_at timestamptz, created_at timestamptz not null, deleted_at timestamptz)`,
  `create table app.plans (id bigint primary key, code text not null, name text not null, monthly_price_cents int not null, is_public boolean not null)`,
  `create table app.subscriptions (id bigint primary key, organization_id bigint not null references app.organizations, plan_id bigint not null references app.plans,
     status app.subscription_status not null, seats int not null, started_at timestamptz not null, canceled_at timestamptz)`,
  `create table app.invoices (id bigint primary key, subscription_id bigint not null references app.subscriptions, status app.invoice_status not null,
     amount_due_cents bigint not null, amount_paid_cents bigint not null, currency char(3) not null, issued_at timestamptz not null, paid_at timestamptz)`,
  `create table app.events (id bigint primary key, user_id bigint not null references app.users, name text not null, source text not null,
     properties jsonb not null, occurred_at timestamptz not null)`,
  `create table app.tickets (id bigint primary key, organization_id bigint not null references app.organizations, requester_id bigint not null references app.users,
     priority text not null, state text not null, satisfaction int, opened_at timestamptz not null, solved_at timestamptz)`,
  `insert into app.organizations select n, ${pickWord('Acorn|Borealis|Cobalt|Delta|Ember|Falcon|Granite', "'on' || n")} || ' ' || ${pickWord('Labs|Group|Studio|Works', "'oo' || n")} || ' ' || n,
     ${pickWord('DE|FR|US|NL|SE', "'oc' || n")}, ${pickWord('healthcare|retail|education|finance', "'oi' || n")}, ${moment('2023-01-01', 1060, "'od' || n")},
     case when ${pick("'ox' || n", 9)} = 0 then timestamptz '2025-12-01 09:00+00' end from generate_series(1, 140) n`,
  `insert into app.users select n, 1 + ${pick("'uo' || n", 130)}, 'user' || n || '@example.test', case when ${pick("'un' || n", 5)} > 0 then 'User ' || n end,
     ${pickWord('admin|member|member|member|viewer', "'ur' || n")}, ${pick("'ua' || n", 5)} > 0, case when ${pick("'ul' || n", 12)} > 0 then ${moment('2025-05-01', 228, "'us' || n")} end,
     ${moment('2023-02-01', 1030, "'uc' || n")}, null from generate_series(1, 1500) n`,
  `update app.users set deleted_at = timestamptz '2025-12-05 10:00+00', is_active = false where ${pick("'ud' || id", 11)} = 0`,
  `insert into app.plans values (1, 'free', 'Free', 0, true), (2, 'starter', 'Starter', 1900, true), (3, 'pro', 'Pro', 4900, true), (4, 'ent', 'Enterprise', 19900, true), (5, 'legacy', 'Legacy', 900, false)`,
  `insert into app.subscriptions select s.n, 1 + ${pick("'so' || s.n", 120)}, 1 + ${pick("'sp' || s.n", 4)}, s.status::app.subscription_status, 1 + ${pick("'ss' || s.n", 80)}::int, s.started,
     case when s.status = 'canceled' then s.started + (10 + ${pick("'sc' || s.n", 40)}) * interval '1 day' end
     from (select n, ${pickWord('active|active|active|trialing|past_due|canceled', "'st' || n")} as status, ${moment('2023-06-01', 860, "'sd' || n")} as started from generate_series(1, 260) n) s`,
  `insert into app.invoices select i.n, 1 + ${pick("'is' || i.n", 260)}, i.status::app.invoice_status, i.due, case when i.status = 'paid' then i.due else 0 end, ${pickWord('EUR|EUR|USD', "'ic' || i.n")},
     i.issued, case when i.status = 'paid' then i.issued + ${pick("'ip' || i.n", 20)} * interval '1 hour' end
     from (select n, ${pickWord('paid|paid|paid|paid|open|void|draft', "'it' || n")} as status, 1900 + ${pick("'ia' || n", 250000)} as due, ${moment('2024-01-05', 705, "'id' || n")} as issued
     from generate_series(1, 2400) n) i`,
  `insert into app.events select n, 1 + ${pick("'eu' || n", 1300)}, ${pickWord('login|login|login|export|report_created|invite_sent', "'en' || n")}, ${pickWord('web|web|mobile|api', "'es' || n")},
     jsonb_build_object('browser', ${pickWord('firefox|chrome|safari', "'eb' || n")}), ${moment('2025-09-01', 105, "'eo' || n")} from generate_series(1, 9000) n`,
  `insert into app.tickets select t.n, 1 + ${pick("'to' || t.n", 130)}, 1 + ${pick("'tr' || t.n", 900)}, ${pickWord('low|normal|normal|high|urgent', "'tp' || t.n")}, t.state,
     case when t.state = 'solved' and ${pick("'tz' || t.n", 2)} = 0 then 1 + ${pick("'tf' || t.n", 5)}::int end, t.opened,
     case when t.state = 'solved' then t.opened + ${pick("'tv' || t.n", 100)} * interval '1 hour' end
     from (select n, ${pickWord('open|pending|solved|solved|solved', "'ts' || n")} as state, ${moment('2024-10-01', 435, "'tt' || n")} as opened from generate_series(1, 1100) n) t`,
]
