-- How the results of a worksheet are drawn. Without a person it is the one that everybody in the project sees.
create table worksheet_charts (
  project_id bigint not null references worksheet_projects on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  file_id text not null,
  -- The place of the statement in the file, from 0.
  statement integer not null check (statement between 0 and 99),
  profile_id bigint references profiles on delete cascade,
  spec jsonb not null,
  saved_by bigint references profiles on delete set null,
  saved_at timestamptz not null default now(),
  unique nulls not distinct (project_id, file_id, statement, profile_id)
);

alter table worksheet_charts enable row level security;
alter table worksheet_charts force row level security;
create policy own_account on worksheet_charts using (is_visible_account(account_id));
