create table ai_scheduled_questions (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  project_id bigint not null references ai_projects on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  conversation_id bigint references ai_conversations on delete set null,
  trellis_code text not null unique,
  question text not null,
  schedule jsonb not null,
  only_if_changed boolean not null default false,
  is_paused boolean not null default false,
  -- Nothing when the schedule is over.
  next_at timestamptz,
  last_asked_at timestamptz,
  last_outcome text check (last_outcome in ('mailed', 'unchanged', 'failed')),
  last_problem text,
  -- Hash of the rows of the last mail.
  last_rows text,
  created_at timestamptz not null default now()
);
create index ai_scheduled_questions_due on ai_scheduled_questions (next_at) where not is_paused;
create index ai_scheduled_questions_person on ai_scheduled_questions (workspace_id, profile_id);
alter table ai_scheduled_questions enable row level security;
alter table ai_scheduled_questions force row level security;
create policy own_account on ai_scheduled_questions using (is_visible_account(account_id));
