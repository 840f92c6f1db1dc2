create table usage_hours (
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  hour timestamptz not null,
  storage_bytes bigint not null,
  rows_moved bigint not null,
  run_seconds bigint not null,
  queries int not null,
  credits_spent int not null,
  primary key (workspace_id, hour)
);
create index usage_hours_account on usage_hours (account_id, hour);
alter table usage_hours enable row level security;
alter table usage_hours force row level security;
create policy own_account on usage_hours using (is_visible_account(account_id));

-- The largest tables of a workspace, once an hour while they are young and once a day later.
create table table_sizes (
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  hour timestamptz not null,
  schema_name text not null,
  -- Empty for all the tables of a schema that are not listed one by one.
  table_name text not null,
  bytes bigint not null,
  primary key (workspace_id, hour, schema_name, table_name)
);
create index table_sizes_account on table_sizes (account_id);
alter table table_sizes enable row level security;
alter table table_sizes force row level security;
create policy own_account on table_sizes using (is_visible_account(account_id));

-- The same as task_runs_ended.
drop index task_runs_finished;
