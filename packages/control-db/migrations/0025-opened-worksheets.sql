-- What a person opened lately, for the explorer's home.
create table opened_worksheets (
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  project_id bigint not null references worksheet_projects on delete cascade,
  file_id text not null,
  opened_at timestamptz not null default now(),
  primary key (workspace_id, profile_id, project_id, file_id)
);
create index opened_worksheets_recent on opened_worksheets (workspace_id, profile_id, opened_at desc);
alter table opened_worksheets enable row level security;
alter table opened_worksheets force row level security;
create policy own_account on opened_worksheets using (is_visible_account(account_id));
