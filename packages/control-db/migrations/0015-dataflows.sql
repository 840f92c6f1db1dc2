create table dataflow_folders (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  trellis_code text not null unique,
  parent_id bigint references dataflow_folders on delete set null,
  name text not null,
  position integer not null default 0,
  created_at timestamptz not null default now()
);
create index dataflow_folders_workspace on dataflow_folders (workspace_id);

create table dataflows (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  trellis_code text not null unique,
  folder_id bigint references dataflow_folders on delete set null,
  name text not null,
  description text not null default '',
  position integer not null default 0,
  alerts jsonb not null default '{"emails":[],"webhook_url":null,"on_failure":true,"on_recovery":true,"on_later_than_usual":false}',
  misfire text not null default 'latest' check (misfire in ('latest', 'all', 'none')),
  overlap text not null default 'queue' check (overlap in ('queue', 'skip', 'parallel')),
  is_paused boolean not null default false,
  -- For a while it can be brought back.
  deleted_at timestamptz,
  created_by bigint references profiles on delete set null,
  updated_by bigint references profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index dataflows_workspace on dataflows (workspace_id);

create table canvas_groups (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  dataflow_id bigint not null references dataflows on delete cascade,
  trellis_code text not null unique,
  name text not null,
  color text not null,
  note text not null default '',
  is_folded boolean not null default false
);
create index canvas_groups_dataflow on canvas_groups (dataflow_id);

create table task_blocks (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  dataflow_id bigint not null references dataflows on delete cascade,
  trellis_code text not null unique,
  kind text not null check (kind in ('Source', 'Transformation', 'Destination')),
  name text not null,
  x double precision not null default 0,
  y double precision not null default 0,
  group_id bigint references canvas_groups on delete set null,
  note text not null default '',
  -- The draft. Triggers run the live version, never this.
  settings jsonb not null,
  version integer not null default 1,
  live_version integer,
  -- Due times of the live version are made up to here.
  ticks_until timestamptz,
  deleted_at timestamptz,
  -- Kept beside the settings so that a connection that is used can't be deleted.
  integration_id bigint references integrations on delete restrict,
  updated_by bigint references profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index task_blocks_dataflow on task_blocks (dataflow_id);
create index task_blocks_integration on task_blocks (integration_id) where integration_id is not null;

create table task_block_versions (
  block_id bigint not null references task_blocks on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  version integer not null,
  settings jsonb not null,
  message text not null default '',
  published_by bigint references profiles on delete set null,
  published_at timestamptz not null default now(),
  primary key (block_id, version)
);

-- Which blocks the live version of a block waits for.
create table live_waits (
  block_id bigint not null references task_blocks on delete cascade,
  upstream_id bigint not null references task_blocks on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  primary key (block_id, upstream_id)
);
create index live_waits_upstream on live_waits (upstream_id);

-- One row of numbers for all runs: whoever claims later has the higher one, also over runs of the same block.
create sequence run_epochs;

create table task_runs (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  dataflow_id bigint not null references dataflows on delete cascade,
  block_id bigint not null references task_blocks on delete cascade,
  trellis_code text not null unique,
  block_version integer not null,
  status text not null default 'QUEUED' check (status in ('QUEUED', 'SYSTEM_DEQUEUED', 'SYSTEM_BLOCKED', 'PROVISIONING',
    'INITIALIZING', 'RUNNING', 'SUCCESS', 'FAILED', 'EXCEPTION')),
  status_since timestamptz not null default now(),
  started_by text not null check (started_by in ('schedule', 'activity', 'person', 'retry', 'backfill', 'api')),
  profile_id bigint references profiles on delete set null,
  -- What this run does otherwise: window, overrides, full, from here.
  request jsonb not null default '{}',
  nominal_at timestamptz,
  due_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  retry_at timestamptz,
  attempt integer not null default 0,
  -- Whoever holds a lower number was replaced: the load transaction checks it and writes nothing.
  epoch bigint not null default 0,
  worker text,
  lease_until timestamptz,
  is_cancel_wanted boolean not null default false,
  retry_of bigint references task_runs on delete set null,
  -- The credential it uses, of the version it runs.
  integration_id bigint references integrations on delete set null,
  counters jsonb not null default '{}',
  problem jsonb
);
create index task_runs_dataflow on task_runs (dataflow_id, id desc);
create index task_runs_block on task_runs (block_id, id desc);
create index task_runs_open on task_runs (due_at) where status in ('QUEUED', 'SYSTEM_BLOCKED', 'PROVISIONING', 'INITIALIZING', 'RUNNING');

create table task_run_attempts (
  run_id bigint not null references task_runs on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  number integer not null,
  status text not null,
  worker text not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  problem text,
  message text,
  -- It committed rows: the next attempt begins behind them.
  has_progressed boolean not null default false,
  retry_after_ms integer,
  primary key (run_id, number)
);

-- Due times, made ahead from the rule of one published version. One row is one firing, whoever claims it.
create table schedule_ticks (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  block_id bigint not null references task_blocks on delete cascade,
  block_version integer not null,
  action_id text not null,
  nominal_at timestamptz not null,
  -- Nothing until it comes due.
  outcome text check (outcome in ('fired', 'waits_for_others', 'missed_older', 'missed_late', 'missed_too_many', 'replaced',
    'overlapped', 'changed', 'blocked')),
  claimed_at timestamptz,
  run_id bigint references task_runs on delete set null,
  unique (block_id, block_version, nominal_at)
);
create index schedule_ticks_planned on schedule_ticks (nominal_at) where outcome is null;

-- Something a block waits for has happened. Used up by at most one run.
create table trigger_events (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  block_id bigint not null references task_blocks on delete cascade,
  action_id text not null,
  tick_id bigint unique references schedule_ticks on delete cascade,
  source_run_id bigint references task_runs on delete cascade,
  happened_at timestamptz not null default now(),
  run_id bigint references task_runs on delete set null,
  -- Used up without a run, and why.
  dropped text,
  unique (block_id, action_id, source_run_id)
);
create index trigger_events_waiting on trigger_events (block_id, id) where run_id is null and dropped is null;
create index trigger_events_run on trigger_events (run_id) where run_id is not null;
create index trigger_events_source on trigger_events (source_run_id) where source_run_id is not null;

create table task_run_logs (
  run_id bigint not null references task_runs on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  number bigint not null,
  at timestamptz not null default now(),
  level text not null check (level in ('INFO', 'DEBUG', 'WARNING', 'ERROR')),
  attempt integer not null,
  subtask text,
  message text not null,
  primary key (run_id, number)
);

-- What was told to whom about a run, so that nobody is told twice.
create table sent_alerts (
  run_id bigint not null references task_runs on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  kind text not null check (kind in ('failure', 'recovery', 'later_than_usual')),
  sent_at timestamptz not null default now(),
  problem text,
  primary key (run_id, kind)
);

do $$
declare name text;
begin
  foreach name in array array['dataflow_folders', 'dataflows', 'canvas_groups', 'task_blocks', 'task_block_versions',
    'task_runs', 'task_run_attempts', 'schedule_ticks', 'trigger_events', 'task_run_logs',
    'live_waits', 'sent_alerts'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_account on %I using (is_visible_account(account_id))', name);
  end loop;
end $$;
