-- Projects of worksheets. Each is a git repository: the live branch is `main`, each person has one branch of their own.
create table worksheet_projects (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  trellis_code text not null unique,
  name text not null,
  description text not null default '',
  -- The number of the latest commit of the live branch.
  live_seq integer not null default 0,
  object_bytes bigint not null default 0,
  created_by bigint references profiles on delete set null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index worksheet_projects_name on worksheet_projects (workspace_id, lower(name)) where deleted_at is null;

create table worksheet_objects (
  project_id bigint not null references worksheet_projects on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  -- SHA-1 as git computes it.
  id text not null,
  kind text not null check (kind in ('blob', 'tree', 'commit', 'tag')),
  body bytea not null,
  primary key (project_id, id)
);

-- The live branch by first parents, numbered from 1.
create table worksheet_commits (
  project_id bigint not null references worksheet_projects on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  seq integer not null,
  commit_id text not null,
  message text not null,
  author_id bigint references profiles on delete set null,
  author_name text not null,
  committed_at timestamptz not null,
  primary key (project_id, seq),
  unique (project_id, commit_id)
);

-- A file keeps its id when it is renamed or moved, which git does not record.
create table worksheet_changes (
  project_id bigint not null references worksheet_projects on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  file_id text not null,
  seq integer not null,
  change text not null check (change in ('added', 'edited', 'renamed', 'deleted')),
  path text not null,
  previous_path text,
  blob text,
  primary key (project_id, file_id, seq)
);
create index worksheet_changes_commit on worksheet_changes (project_id, seq);

create table worksheet_live_files (
  project_id bigint not null references worksheet_projects on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  file_id text not null,
  path text not null,
  blob text not null,
  seq integer not null,
  primary key (project_id, file_id)
);

create table worksheet_branches (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  project_id bigint not null references worksheet_projects on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  -- The live commit that drafts are changes to.
  base_seq integer not null,
  -- What git sees of the branch, and the live commit that is merged into it. Drafts become commits when git asks.
  head text,
  head_seq integer,
  created_at timestamptz not null default now(),
  unique (project_id, profile_id)
);

-- Unique over all drafts: a version that was seen once is never given to another text.
create sequence worksheet_draft_numbers;

create table worksheet_drafts (
  branch_id bigint not null references worksheet_branches on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  file_id text not null,
  -- Nothing when the file is deleted on this branch.
  path text,
  -- Nothing when the text is that of the live commit.
  content text,
  size_bytes integer not null,
  version bigint not null default nextval('worksheet_draft_numbers'),
  -- When a copy of the text was last kept.
  kept_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (branch_id, file_id)
);

create table worksheet_draft_versions (
  id bigint generated always as identity primary key,
  branch_id bigint not null references worksheet_branches on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  file_id text not null,
  path text not null,
  content text not null,
  size_bytes integer not null,
  reason text not null,
  saved_at timestamptz not null default now()
);
create index worksheet_draft_versions_file on worksheet_draft_versions (branch_id, file_id, id desc);

-- Nothing for a side where the file was not there.
create table worksheet_conflicts (
  branch_id bigint not null references worksheet_branches on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  file_id text not null,
  base_path text,
  base_blob text,
  theirs_path text,
  theirs_blob text,
  primary key (branch_id, file_id)
);

-- Folders without a file, which git has no place for.
create table worksheet_folders (
  branch_id bigint not null references worksheet_branches on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  path text not null,
  primary key (branch_id, path)
);

create table editor_settings (
  account_id bigint not null references accounts on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  settings jsonb not null,
  primary key (account_id, profile_id)
);

do $$
declare name text;
begin
  foreach name in array array['worksheet_projects', 'worksheet_objects', 'worksheet_commits', 'worksheet_changes',
    'worksheet_live_files', 'worksheet_branches', 'worksheet_drafts', 'worksheet_draft_versions', 'worksheet_conflicts',
    'worksheet_folders', 'editor_settings'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_account on %I using (is_visible_account(account_id))', name);
  end loop;
end $$;
