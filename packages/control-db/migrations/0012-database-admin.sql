create table database_roles (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  integration_code text not null,
  trellis_code text not null unique,
  -- Name on the cluster, without the workspace's prefix.
  slug text not null,
  name text not null,
  description text not null default '',
  grants jsonb not null default '[]',
  is_built_in boolean not null default false,
  created_at timestamptz not null default now(),
  unique (workspace_id, integration_code, slug)
);
create unique index database_roles_name on database_roles (workspace_id, integration_code, lower(name));
alter table database_roles enable row level security;
alter table database_roles force row level security;
create policy own_account on database_roles using (is_visible_account(account_id));

create table database_groups (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  integration_code text not null,
  trellis_code text not null unique,
  slug text not null,
  name text not null,
  description text not null default '',
  role_ids bigint[] not null default '{}',
  created_at timestamptz not null default now(),
  unique (workspace_id, integration_code, slug)
);
create unique index database_groups_name on database_groups (workspace_id, integration_code, lower(name));
alter table database_groups enable row level security;
alter table database_groups force row level security;
create policy own_account on database_groups using (is_visible_account(account_id));

-- A person of the workspace (profile_id) or a login for an outside tool (name).
create table database_profiles (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  integration_code text not null,
  trellis_code text not null unique,
  slug text not null,
  kind text not null check (kind in ('member', 'external')),
  profile_id bigint references profiles on delete cascade,
  name text,
  description text not null default '',
  role_ids bigint[] not null default '{}',
  group_ids bigint[] not null default '{}',
  -- Logins that exist on the cluster now: suffix, when the password ends, when it was made.
  logins jsonb not null default '[]',
  connection_limit int not null default 5,
  expires_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null default now(),
  unique (workspace_id, integration_code, slug),
  check ((kind = 'member') = (profile_id is not null))
);
create unique index database_profiles_member on database_profiles (workspace_id, integration_code, profile_id)
  where profile_id is not null;
create unique index database_profiles_name on database_profiles (workspace_id, integration_code, lower(name))
  where name is not null;
alter table database_profiles enable row level security;
alter table database_profiles force row level security;
create policy own_account on database_profiles using (is_visible_account(account_id));

create table firewall_rules (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  integration_code text not null,
  name text not null,
  cidr cidr not null,
  database_profile_id bigint references database_profiles on delete cascade,
  expires_at timestamptz,
  created_at timestamptz not null default now()
);
create index firewall_rules_workspace on firewall_rules (workspace_id, integration_code);
alter table firewall_rules enable row level security;
alter table firewall_rules force row level security;
create policy own_account on firewall_rules using (is_visible_account(account_id));
