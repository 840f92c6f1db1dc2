create table ai_documents (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  profile_id bigint references profiles on delete set null,
  -- Searched in one project, in one conversation, or in all projects when both are empty.
  project_id bigint references ai_projects on delete cascade,
  conversation_id bigint references ai_conversations on delete cascade,
  trellis_code text not null unique,
  task_code text not null unique,
  name text not null,
  size_bytes integer not null,
  -- The file until it has been read; its passages are kept.
  content bytea,
  status text not null check (status in ('in_progress', 'completed', 'failed')),
  problem text,
  page_count integer,
  passage_count integer not null default 0,
  is_cut boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index ai_documents_workspace on ai_documents (workspace_id, id desc);
create index ai_documents_project on ai_documents (project_id);
create index ai_documents_conversation on ai_documents (conversation_id);

create table ai_passages (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  document_id bigint not null references ai_documents on delete cascade,
  page integer,
  heading text,
  text text not null,
  search tsvector not null generated always as (
    setweight(to_tsvector('english', coalesce(heading, '')), 'A') || to_tsvector('english', text)
  ) stored
);
create index ai_passages_document on ai_passages (document_id, id);
create index ai_passages_search on ai_passages using gin (search);

do $$
declare name text;
begin
  foreach name in array array['ai_documents', 'ai_passages'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_account on %I using (is_visible_account(account_id))', name);
  end loop;
end $$;
