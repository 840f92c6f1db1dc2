-- One wrapped data key per scope ('workspace:12', 'profile:5', 'system'). Deleting a row shreds every secret of the scope.
create table data_keys (
  id uuid primary key default gen_random_uuid(),
  scope text not null unique,
  root_key_id text not null,
  wrapped bytea not null,
  created_at timestamptz not null default now(),
  wrapped_at timestamptz not null default now()
);
create index data_keys_root_key on data_keys (root_key_id);
