create table upload_files (
  id uuid primary key default gen_random_uuid(),
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  profile_id bigint references profiles on delete set null,
  integration_code text not null,
  schema_name text not null,
  table_name text,
  mode text not null default 'new' check (mode in ('new', 'append', 'replace')),
  original_filename text not null,
  size_bytes bigint not null,
  -- Part number to size, as far as they came.
  parts jsonb not null default '{}',
  state text not null default 'uploading'
    check (state in ('uploading', 'uploaded', 'profiled', 'validated', 'delivered', 'failed')),
  dialect jsonb,
  -- What reading the file found about its columns, with sample rows.
  profile jsonb,
  data_model jsonb,
  on_bad_rows text not null default 'stop' check (on_bad_rows in ('stop', 'quarantine', 'set_null')),
  rows bigint,
  validation jsonb,
  -- What the staged rows were made from; another file, dialect or model must be staged anew.
  staged_from text,
  load_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  delivered_at timestamptz
);
create index upload_files_schema on upload_files (workspace_id, integration_code, schema_name, created_at desc);
create index upload_files_stale on upload_files (updated_at) where state <> 'delivered';
alter table upload_files enable row level security;
alter table upload_files force row level security;
create policy own_account on upload_files using (is_visible_account(account_id));

create table upload_jobs (
  id uuid primary key default gen_random_uuid(),
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  profile_id bigint references profiles on delete set null,
  kind text not null check (kind in ('pre_process', 'validate', 'deliver', 'undo')),
  status text not null default 'in_progress' check (status in ('in_progress', 'completed', 'failed', 'cancelled')),
  file_id uuid references upload_files on delete set null,
  integration_code text not null,
  schema_name text not null,
  table_name text,
  request jsonb not null default '{}',
  progress jsonb not null default '{}',
  error text,
  load jsonb,
  -- Raised by the worker; a job whose worker went silent is taken up by another.
  beat_at timestamptz not null default now(),
  is_cancel_wanted boolean not null default false,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index upload_jobs_workspace on upload_jobs (workspace_id, created_at desc);
create unique index upload_jobs_one_per_file on upload_jobs (file_id) where status = 'in_progress';
alter table upload_jobs enable row level security;
alter table upload_jobs force row level security;
create policy own_account on upload_jobs using (is_visible_account(account_id));

create table upload_bad_rows (
  account_id bigint not null references accounts on delete cascade,
  file_id uuid not null references upload_files on delete cascade,
  row_number bigint not null,
  line_number bigint not null,
  column_name text,
  value text,
  reason text not null,
  raw text not null default '',
  primary key (file_id, row_number)
);
alter table upload_bad_rows enable row level security;
alter table upload_bad_rows force row level security;
create policy own_account on upload_bad_rows using (is_visible_account(account_id));
