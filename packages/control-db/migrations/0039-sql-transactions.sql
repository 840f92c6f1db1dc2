-- Sessions of worksheets in manual commit mode. Each lives in one process, which beats; what has not beaten for a while
-- is gone with its process, and Postgres has rolled it back.
create table sql_transactions (
  id uuid primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  integration_code text not null,
  file_id text not null,
  status text not null default 'open' check (status in ('open', 'committed', 'rolled_back')),
  reason text,
  problem text,
  is_failed boolean not null default false,
  row_limit int not null,
  timeout_seconds int not null,
  backend_pid int,
  end_requested text check (end_requested in ('commit', 'rollback', 'stop')),
  started_at timestamptz not null,
  idle_since timestamptz not null,
  heartbeat_at timestamptz not null,
  ended_at timestamptz
);
create unique index sql_transactions_open on sql_transactions (workspace_id, profile_id) where status = 'open';
create index sql_transactions_file on sql_transactions (workspace_id, profile_id, file_id, started_at desc);
alter table sql_transactions enable row level security;
alter table sql_transactions force row level security;
create policy own_account on sql_transactions using (is_visible_account(account_id));

alter table sql_jobs add column transaction_id uuid references sql_transactions on delete set null;
create index sql_jobs_transaction on sql_jobs (transaction_id) where transaction_id is not null;
