-- The server's number for the session that runs it, to find it among the sessions of the database.
alter table sql_jobs add column backend_pid int;

-- The values last used for `:name` in a worksheet, per person.
create table sql_parameters (
  workspace_id bigint not null references workspaces on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  file_id text not null,
  account_id bigint not null references accounts on delete cascade,
  parameters jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, profile_id, file_id)
);
alter table sql_parameters enable row level security;
alter table sql_parameters force row level security;
create policy own_account on sql_parameters using (is_visible_account(account_id));
