-- The columns a source had when a block last loaded it, and what people decided to leave as it is. Without a row nothing is
-- known to have changed.
create table source_columns (
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  block_id bigint not null references task_blocks on delete cascade,
  subtask text not null,
  -- Types by the name the source gives them.
  fields jsonb not null,
  -- Answers by the id of the change.
  answers jsonb not null default '{}',
  updated_at timestamptz not null default now(),
  primary key (block_id, subtask)
);
create index source_columns_account on source_columns (account_id);
create index source_columns_workspace on source_columns (workspace_id);
alter table source_columns enable row level security;
alter table source_columns force row level security;
create policy own_account on source_columns using ((select current_setting('trellis.scope', true)) = 'system'
  or account_id = (select nullif(current_setting('trellis.account_id', true), '')::bigint));

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in ('run_failed', 'invited', 'storage', 'credits',
  'schedules', 'export_finished', 'export_failed', 'mention', 'columns_changed'));
