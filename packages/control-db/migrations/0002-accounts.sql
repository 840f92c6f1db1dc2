-- Rows of an account are seen only by a connection that named this account, or by the platform's own.
create function is_visible_account(row_account_id bigint) returns boolean
language sql stable parallel safe
return current_setting('trellis.scope', true) = 'system'
  or row_account_id = nullif(current_setting('trellis.account_id', true), '')::bigint;

create table accounts (
  id bigint generated always as identity primary key,
  trellis_code text not null unique,
  name text not null,
  account_type text not null check (account_type in
    ('basic', 'team', 'enterprise', 'enterprise_trellis', 'experimental_user', 'testing', 'internal')),
  stripe_plan_end_date timestamptz,
  stripe_plan_renewal_date timestamptz,
  stripe_plan_cancelled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table accounts enable row level security;
alter table accounts force row level security;
create policy own_account on accounts using (is_visible_account(id));

create table account_members (
  account_id bigint not null references accounts on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  role text not null check (role in ('owner', 'account_admin', 'account_view')),
  created_at timestamptz not null default now(),
  primary key (account_id, profile_id)
);
create index account_members_profile on account_members (profile_id);
create unique index account_members_one_owner on account_members (account_id) where role = 'owner';
alter table account_members enable row level security;
alter table account_members force row level security;
create policy own_account on account_members using (is_visible_account(account_id));

create table workspaces (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  trellis_code text not null unique,
  name text not null,
  workspace_address text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, workspace_address)
);
alter table workspaces enable row level security;
alter table workspaces force row level security;
create policy own_account on workspaces using (is_visible_account(account_id));

create table workspace_members (
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  role text not null check (role in ('workspace_admin', 'workspace_editor', 'workspace_viewer')),
  primary key (workspace_id, profile_id),
  foreign key (account_id, profile_id) references account_members on delete cascade
);
create index workspace_members_profile on workspace_members (account_id, profile_id);
alter table workspace_members enable row level security;
alter table workspace_members force row level security;
create policy own_account on workspace_members using (is_visible_account(account_id));
