create table ai_action_items (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  message_id bigint references ai_messages on delete set null,
  trellis_code text not null unique,
  action_type text not null,
  arguments jsonb not null default '{}',
  title text not null,
  summary text not null,
  preview jsonb not null default '[]',
  status text not null check (status in ('proposed', 'accepted', 'declined', 'failed', 'undone')),
  effect jsonb,
  -- What undoing needs; nothing when it can not be undone.
  undo jsonb,
  problem text,
  log jsonb not null default '[]',
  created_at timestamptz not null default now()
);
create index ai_action_items_person on ai_action_items (workspace_id, profile_id, id desc);
create index ai_action_items_message on ai_action_items (message_id);
alter table ai_action_items enable row level security;
alter table ai_action_items force row level security;
create policy own_account on ai_action_items using (is_visible_account(account_id));
