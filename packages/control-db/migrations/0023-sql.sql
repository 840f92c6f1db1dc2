create table sql_jobs (
  id uuid primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  profile_id bigint references profiles on delete set null,
  integration_code text not null,
  sql text not null,
  -- Parameters, limits and the kind of EXPLAIN.
  request jsonb not null,
  file_id text,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  keep_running boolean not null,
  statements jsonb not null default '[]',
  problem jsonb,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- A job whose process died stops beating and is settled by whoever looks at it next.
  heartbeat_at timestamptz not null default now(),
  -- When somebody last looked at it: nobody waits for the result of a closed tab.
  followed_at timestamptz not null default now(),
  cancel_requested_at timestamptz,
  expires_at timestamptz not null,
  results_deleted_at timestamptz
);
create index sql_jobs_person on sql_jobs (workspace_id, profile_id, created_at desc);
create index sql_jobs_workspace on sql_jobs (workspace_id, created_at desc);
create index sql_jobs_going on sql_jobs (heartbeat_at) where status in ('queued', 'running');
create index sql_jobs_expiry on sql_jobs (expires_at) where results_deleted_at is null;
alter table sql_jobs enable row level security;
alter table sql_jobs force row level security;
create policy own_account on sql_jobs using (is_visible_account(account_id));

create table sql_limits (
  workspace_id bigint primary key references workspaces on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  max_row_limit int,
  max_timeout_seconds int
);
alter table sql_limits enable row level security;
alter table sql_limits force row level security;
create policy own_account on sql_limits using (is_visible_account(account_id));
