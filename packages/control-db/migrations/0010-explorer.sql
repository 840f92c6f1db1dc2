-- Which steps of making a workspace's database it went through; older ones are taken through them again on first use.
alter table workspaces add column database_version int not null default 1;

create table table_labels (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  name text not null,
  color text not null,
  created_by bigint references profiles on delete set null,
  created_at timestamptz not null default now()
);
create unique index table_labels_name on table_labels (workspace_id, lower(name));
alter table table_labels enable row level security;
alter table table_labels force row level security;
create policy own_account on table_labels using (is_visible_account(account_id));

-- By the table's name: a renamed table takes its labels along, a dropped one loses them, in the call that does it.
create table labelled_tables (
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  label_id bigint not null references table_labels on delete cascade,
  integration_code text not null,
  schema_name text not null,
  table_name text not null,
  primary key (workspace_id, integration_code, schema_name, table_name, label_id)
);
create index labelled_tables_label on labelled_tables (label_id);
alter table labelled_tables enable row level security;
alter table labelled_tables force row level security;
create policy own_account on labelled_tables using (is_visible_account(account_id));

create table opened_tables (
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  integration_code text not null,
  schema_name text not null,
  table_name text not null,
  opened_at timestamptz not null default now(),
  primary key (workspace_id, profile_id, integration_code, schema_name, table_name)
);
create index opened_tables_recent on opened_tables (workspace_id, profile_id, opened_at desc);
alter table opened_tables enable row level security;
alter table opened_tables force row level security;
create policy own_account on opened_tables using (is_visible_account(account_id));

create table table_exports (
  id uuid primary key default gen_random_uuid(),
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  profile_id bigint references profiles on delete set null,
  integration_code text not null,
  schema_name text not null,
  table_name text not null,
  -- Format, filters, sort and whether all rows are wanted.
  request jsonb not null,
  status text not null default 'in_progress' check (status in ('in_progress', 'completed', 'failed', 'cancelled')),
  rows_written bigint not null default 0,
  size_bytes bigint,
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz not null
);
create index table_exports_workspace on table_exports (workspace_id, created_at desc);
create index table_exports_expiry on table_exports (expires_at);
alter table table_exports enable row level security;
alter table table_exports force row level security;
create policy own_account on table_exports using (is_visible_account(account_id));
