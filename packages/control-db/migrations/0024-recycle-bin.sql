-- What lies in the recycle bins of workspaces' databases. How it goes back is written beside the data, in the database itself.
create table recycle_bin (
  -- Also part of the names of the hidden schemas it lies in.
  code text primary key check (code ~ '^[0-9a-f]{16}$'),
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  integration_code text not null,
  kind text not null check (kind in ('table', 'schema')),
  schema_name text not null,
  table_name text,
  tables int not null,
  rows_estimate bigint not null,
  size_bytes bigint not null,
  -- Labels of its tables, to be put back.
  labels jsonb not null default '[]',
  -- Written before the tables move: what is left of a deletion that was cut short is found by it.
  is_moved boolean not null default false,
  deleted_by bigint references profiles on delete set null,
  deleted_at timestamptz not null default now(),
  purge_at timestamptz not null
);
create index recycle_bin_workspace on recycle_bin (workspace_id, deleted_at desc);
create index recycle_bin_due on recycle_bin (purge_at);
alter table recycle_bin enable row level security;
alter table recycle_bin force row level security;
create policy own_account on recycle_bin using (is_visible_account(account_id));
