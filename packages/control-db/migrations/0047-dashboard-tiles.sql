-- How a person arranged the tiles of a workspace's dashboard.
create table dashboard_tiles (
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  tiles jsonb not null,
  primary key (workspace_id, profile_id)
);
create index dashboard_tiles_account on dashboard_tiles (account_id);
create index dashboard_tiles_profile on dashboard_tiles (profile_id);
alter table dashboard_tiles enable row level security;
alter table dashboard_tiles force row level security;
create policy own_account on dashboard_tiles using (is_visible_account(account_id));
