create table temporary_accounts (
  id bigint generated always as identity primary key,
  name text not null,
  created_by bigint not null references profiles on delete cascade,
  account_id bigint references accounts on delete set null,
  created_at timestamptz not null default now()
);
create index temporary_accounts_created on temporary_accounts (created_at);

alter table accounts
  add column stripe_customer_id text unique,
  add column stripe_subscription_id text,
  add column plan_status text not null default 'active' check (plan_status in ('active', 'past_due', 'cancelling', 'over')),
  add column next_plan text check (next_plan in ('basic', 'team')),
  add column deleted_at timestamptz,
  add column deleted_by bigint references profiles on delete set null;

alter table workspaces
  add column state text not null default 'online' check (state in ('provisioning', 'online', 'failed')),
  add column created_by bigint references profiles on delete set null,
  add column database_key text unique,
  add column database_credentials text,
  add column storage_bytes bigint not null default 0,
  add column storage_measured_at timestamptz,
  add column deleted_at timestamptz,
  add column deleted_by bigint references profiles on delete set null;
-- A deleted workspace keeps its address until it is gone for good, so that it can be brought back under it.

create table account_invites (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  email text not null,
  account_role text not null check (account_role in ('account_admin', 'account_view')),
  workspace_roles jsonb not null default '[]',
  invited_by bigint not null references profiles on delete cascade,
  invited_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  declined_at timestamptz,
  revoked_at timestamptz
);
create unique index account_invites_open on account_invites (account_id, lower(email))
  where accepted_at is null and declined_at is null and revoked_at is null;
create index account_invites_email on account_invites (lower(email));
alter table account_invites enable row level security;
alter table account_invites force row level security;
create policy own_account on account_invites using (is_visible_account(account_id));

-- What the payment provider told us, stored before it is worked on. The event only says where to look again.
create table billing_events (
  id text primary key,
  type text not null,
  customer_id text,
  payload jsonb not null,
  received_at timestamptz not null default now(),
  worked_at timestamptz,
  attempts int not null default 0,
  last_error text
);
create index billing_events_open on billing_events (received_at) where worked_at is null;

create table billing_cursor (
  name text primary key,
  value text not null,
  updated_at timestamptz not null default now()
);

-- Credits: what was given, and what each spend took from it. Kinds are spent in the order free, month, purchased.
create table credit_grants (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  kind text not null check (kind in ('free', 'month', 'purchased')),
  amount int not null check (amount >= 0),
  spent int not null default 0 check (spent between 0 and amount),
  reason text not null,
  reference text not null,
  valid_from timestamptz not null default now(),
  valid_until timestamptz,
  created_at timestamptz not null default now(),
  unique (account_id, reason, reference)
);
create index credit_grants_open on credit_grants (account_id, kind) where spent < amount;
alter table credit_grants enable row level security;
alter table credit_grants force row level security;
create policy own_account on credit_grants using (is_visible_account(account_id));

create table credit_spends (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  grant_id bigint not null references credit_grants on delete cascade,
  workspace_id bigint references workspaces on delete set null,
  profile_id bigint references profiles on delete set null,
  amount int not null check (amount > 0),
  reason text not null,
  reference text not null,
  at timestamptz not null default now(),
  unique (account_id, reason, reference, grant_id)
);
create index credit_spends_account on credit_spends (account_id, at);
alter table credit_spends enable row level security;
alter table credit_spends force row level security;
create policy own_account on credit_spends using (is_visible_account(account_id));

create table usage_days (
  account_id bigint not null references accounts on delete cascade,
  day date not null,
  users int not null,
  workspaces int not null,
  storage_bytes bigint not null,
  credits_spent int not null,
  primary key (account_id, day)
);
alter table usage_days enable row level security;
alter table usage_days force row level security;
create policy own_account on usage_days using (is_visible_account(account_id));

create table access_tokens (
  id bigint generated always as identity primary key,
  profile_id bigint not null references profiles on delete cascade,
  name text not null,
  prefix text not null,
  secret_hash bytea not null unique,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index access_tokens_profile on access_tokens (profile_id) where revoked_at is null;
