-- A workspace that is on its way to another cluster. Whoever holds the token before the lease ends does the work; after
-- that somebody else ends it: "copying" goes back, "moved" is finished, "abandoned" has only a copy to delete.
create table workspace_moves (
  workspace_id bigint primary key references workspaces,
  from_cluster integer not null references clusters,
  to_cluster integer not null references clusters,
  state text not null default 'copying' check (state in ('copying', 'moved', 'abandoned')),
  token uuid not null default gen_random_uuid(),
  lease_until timestamptz not null,
  step text not null default '',
  started_at timestamptz not null default now()
);
