create table ai_projects (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  trellis_code text not null unique,
  name text not null,
  description text not null default '',
  created_by bigint references profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index ai_projects_name on ai_projects (workspace_id, lower(name));

-- What the project's queries may read. A name stays when its table is gone, and means the table of that name again.
create table ai_project_tables (
  project_id bigint not null references ai_projects on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  integration_code text not null,
  schema_name text not null,
  table_name text not null,
  primary key (project_id, integration_code, schema_name, table_name)
);

create table ai_contexts (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  -- Nothing for context of the whole workspace.
  project_id bigint references ai_projects on delete cascade,
  trellis_code text not null unique,
  kind text not null check (kind in ('text', 'synonym', 'verified_question')),
  name text not null,
  text text not null default '',
  sql text,
  integration_code text,
  problem text,
  created_by bigint references profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index ai_contexts_workspace on ai_contexts (workspace_id, id);

create table ai_conversations (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  project_id bigint not null references ai_projects on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  trellis_code text not null unique,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index ai_conversations_person on ai_conversations (workspace_id, profile_id, updated_at desc);

create table ai_messages (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  conversation_id bigint not null references ai_conversations on delete cascade,
  trellis_code text not null unique,
  role text not null check (role in ('user', 'assistant')),
  status text not null check (status in ('creating', 'responding', 'completed', 'failed', 'cancelled')),
  -- The question; an answer has the one it answers, so that another process can take it over.
  text text not null,
  choices jsonb not null default '{}',
  parts jsonb not null default '[]',
  sha text not null,
  credits_spent integer not null default 0,
  -- An answer whose process died stops beating and is taken over by whoever looks at it next.
  heartbeat_at timestamptz not null default now(),
  attempt integer not null default 1,
  cancel_requested_at timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index ai_messages_conversation on ai_messages (conversation_id, id);

create table ai_feedback (
  message_id bigint primary key references ai_messages on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  rating text check (rating in ('up', 'down')),
  reasons jsonb not null default '[]',
  comment text not null default '',
  updated_at timestamptz not null default now()
);

do $$
declare name text;
begin
  foreach name in array array['ai_projects', 'ai_project_tables', 'ai_contexts', 'ai_conversations', 'ai_messages',
    'ai_feedback'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_account on %I using (is_visible_account(account_id))', name);
  end loop;
end $$;
