-- What a run and its retries wrote is taken back. One row is one asking; a worker carries it out.
create table run_undos (
  id uuid primary key default gen_random_uuid(),
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  dataflow_id bigint not null references dataflows on delete cascade,
  block_id bigint not null references task_blocks on delete cascade,
  run_id bigint not null references task_runs on delete cascade,
  -- The first run of the chain of retries: what one of them wrote counts for all.
  root_code text not null,
  profile_id bigint references profiles on delete set null,
  status text not null default 'in_progress' check (status in ('in_progress', 'completed', 'failed')),
  -- Loads that stood when it was asked for, in the order they are taken back.
  load_ids uuid[] not null,
  progress jsonb not null default '{}',
  error text,
  -- Raised by the worker; what nobody works on any more is given to another.
  beat_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
-- A block whose tables are being taken back does not start, and nothing of it is taken back twice at once.
create unique index run_undos_open on run_undos (block_id) where status = 'in_progress';
create index run_undos_root on run_undos (root_code, created_at desc);
create index run_undos_dataflow on run_undos (dataflow_id, finished_at);
create index run_undos_run on run_undos (run_id);
alter table run_undos enable row level security;
alter table run_undos force row level security;
create policy own_account on run_undos using (is_visible_account(account_id));
