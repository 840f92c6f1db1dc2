create table integrations (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  trellis_code text not null unique,
  platform_code text not null,
  name text not null,
  description text not null default '',
  state text not null default 'SETUP' check (state in ('SETUP', 'VALIDATING', 'ACTIVE', 'ERROR', 'ARCHIVED')),
  is_simulated boolean not null default false,
  -- Values of the setup forma without its secrets.
  settings jsonb not null default '{}',
  -- Sealed as one: a map of `section.element` to its text.
  secrets text,
  secrets_set jsonb not null default '[]',
  version integer not null default 1,
  -- The check that is wanted or was made last; an answer to an older one is thrown away.
  validation_number integer not null default 0,
  validation text check (validation in ('VALIDATING', 'COMPLETED_SUCCESS', 'COMPLETED_ERROR')),
  validation_started_at timestamptz,
  validation_finished_at timestamptz,
  problem jsonb,
  found jsonb not null default '[]',
  created_by bigint references profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index integrations_workspace on integrations (workspace_id, created_at desc) where state <> 'ARCHIVED';
create index integrations_checking on integrations (validation_started_at) where validation = 'VALIDATING';
alter table integrations enable row level security;
alter table integrations force row level security;
create policy own_account on integrations using (is_visible_account(account_id));

-- What consent gave. A row of its own, so that fetching a new token locks nothing else.
create table integration_tokens (
  integration_id bigint primary key references integrations on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  -- Sealed: access token, refresh token.
  tokens text not null,
  access_expires_at timestamptz,
  consent_expires_at timestamptz,
  linked_as text,
  linked_by bigint references profiles on delete set null,
  linked_at timestamptz not null default now(),
  -- Raised with every new access token: whoever held an older one need not ask the platform again.
  generation integer not null default 1
);
alter table integration_tokens enable row level security;
alter table integration_tokens force row level security;
create policy own_account on integration_tokens using (is_visible_account(account_id));

-- A consent that was asked for and has not been answered. Known by a hash of what the platform hands back.
create table integration_links (
  state_hash text primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  integration_id bigint not null references integrations on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  -- Sealed.
  code_verifier text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index integration_links_over on integration_links (expires_at);
alter table integration_links enable row level security;
alter table integration_links force row level security;
create policy own_account on integration_links using (is_visible_account(account_id));

-- How fast a credential may be used, shared by every worker.
create table integration_budgets (
  integration_id bigint primary key references integrations on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  -- When the next request may be sent.
  free_at timestamptz not null default now(),
  paused_until timestamptz
);
alter table integration_budgets enable row level security;
alter table integration_budgets force row level security;
create policy own_account on integration_budgets using (is_visible_account(account_id));

-- What happened to a connection, in words. Never holds a secret.
create table integration_events (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  integration_id bigint not null references integrations on delete cascade,
  profile_id bigint references profiles on delete set null,
  what text not null,
  at timestamptz not null default now()
);
create index integration_events_latest on integration_events (integration_id, id desc);
alter table integration_events enable row level security;
alter table integration_events force row level security;
create policy own_account on integration_events using (is_visible_account(account_id));
