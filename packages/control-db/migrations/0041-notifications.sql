create table notifications (
  id bigint generated always as identity primary key,
  profile_id bigint not null references profiles on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint references workspaces on delete cascade,
  kind text not null check (kind in ('run_failed', 'invited', 'storage', 'export_finished', 'export_failed')),
  title text not null,
  detail text not null,
  path text not null,
  -- What happens again before it was read is one line with a count.
  group_key text not null,
  count integer not null default 1,
  at timestamptz not null,
  read_at timestamptz,
  mailed_at timestamptz
);
create unique index notifications_unread on notifications (profile_id, group_key) where read_at is null;
create index notifications_profile on notifications (profile_id, at desc);
create index notifications_account on notifications (account_id);
create index notifications_workspace on notifications (workspace_id);
alter table notifications enable row level security;
alter table notifications force row level security;
create policy own_account on notifications using (is_visible_account(account_id));

alter table profiles add column digest text not null default 'off' check (digest in ('off', 'daily', 'weekly'));
