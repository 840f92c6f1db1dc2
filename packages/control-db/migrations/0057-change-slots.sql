-- Replication slots that were made at sources: each makes the source keep its log, so none may be forgotten.
-- Without a reference to the block: the slot has to be dropped also when nothing else is left of it.
create table change_slots (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  block_code text not null,
  subtask text not null,
  integration_code text not null,
  slot_name text not null,
  -- Bytes of the log that the source keeps for it, when it was last looked at.
  kept_bytes bigint,
  checked_at timestamptz,
  -- Why it was dropped though its block is live; the next run reads the whole table again and makes it anew.
  dropped_because text,
  created_at timestamptz not null default now(),
  unique (integration_code, slot_name)
);
create index change_slots_account on change_slots (account_id);
create index change_slots_workspace on change_slots (workspace_id);
create index change_slots_block on change_slots (block_code);
alter table change_slots enable row level security;
alter table change_slots force row level security;
create policy own_account on change_slots using ((select current_setting('trellis.scope', true)) = 'system'
  or account_id = (select nullif(current_setting('trellis.account_id', true), '')::bigint));
