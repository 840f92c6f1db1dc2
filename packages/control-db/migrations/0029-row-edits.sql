-- Changes of rows that the person who made them can undo for a while.
create table row_edits (
  id uuid primary key default gen_random_uuid(),
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  integration_code text not null,
  schema_name text not null,
  table_name text not null,
  rows int not null,
  -- What takes the change back, sealed: it holds values of the workspace's tables.
  inverse text not null,
  applied_at timestamptz not null,
  undone_at timestamptz,
  expires_at timestamptz not null
);
create index row_edits_own on row_edits (workspace_id, profile_id, applied_at desc);
create index row_edits_due on row_edits (expires_at);
alter table row_edits enable row level security;
alter table row_edits force row level security;
create policy own_account on row_edits using (is_visible_account(account_id));
