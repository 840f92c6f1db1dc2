create table sparks (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  project_id bigint not null references ai_projects on delete cascade,
  trellis_code text not null unique,
  name text not null,
  description text not null default '',
  -- What viewers see when nothing is pinned.
  latest_version_id bigint,
  pinned_version_id bigint,
  is_on_dashboard boolean not null default false,
  -- Since when a source of the shown version can't be read, and why.
  stale_since timestamptz,
  problems jsonb not null default '[]',
  -- Hash of the columns its tables had at the last check.
  checked_shape text,
  created_by bigint references profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sparks_workspace on sparks (workspace_id, id desc);
create index sparks_project on sparks (project_id);

-- Never changed once written.
create table spark_versions (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  spark_id bigint not null references sparks on delete cascade,
  trellis_code text not null unique,
  number integer not null,
  note text not null default '',
  content jsonb not null,
  created_by bigint references profiles on delete set null,
  created_at timestamptz not null default now(),
  unique (spark_id, number)
);
alter table sparks add foreign key (latest_version_id) references spark_versions on delete set null;
alter table sparks add foreign key (pinned_version_id) references spark_versions on delete set null;

create table spark_sources (
  based_key text primary key,
  account_id bigint not null references accounts on delete cascade,
  version_id bigint not null references spark_versions on delete cascade,
  key text not null,
  integration_code text not null,
  -- Of integration, SQL and types of the parameters: versions with the same query share its rows.
  query_hash text not null,
  -- What the query reads, as `{schema, name}`.
  tables jsonb not null,
  unique (version_id, key)
);

-- The last rows of a query, for everybody who may read all of its tables.
create table spark_rows (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  project_id bigint not null references ai_projects on delete cascade,
  query_hash text not null,
  parameters_hash text not null,
  rights_key text not null,
  -- JSON.
  data text not null,
  size_bytes integer not null,
  queried_at timestamptz not null,
  -- Since when the query fails.
  stale_since timestamptz,
  used_at timestamptz not null,
  unique (project_id, query_hash, parameters_hash, rights_key)
);
create index spark_rows_used on spark_rows (workspace_id, used_at);

create table spark_schedules (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  spark_id bigint not null references sparks on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  schedule jsonb not null,
  parameters jsonb not null default '{}',
  only_if_changed boolean not null default false,
  is_paused boolean not null default false,
  -- Nothing when the schedule is over.
  next_at timestamptz,
  last_sent_at timestamptz,
  last_outcome text check (last_outcome in ('mailed', 'unchanged', 'failed')),
  last_problem text,
  -- Hash of the rows of the last mail.
  last_rows text,
  created_at timestamptz not null default now(),
  unique (spark_id, profile_id)
);
create index spark_schedules_due on spark_schedules (next_at) where not is_paused;

do $$
declare name text;
begin
  foreach name in array array['sparks', 'spark_versions', 'spark_sources', 'spark_rows', 'spark_schedules'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_account on %I using (is_visible_account(account_id))', name);
  end loop;
end $$;
