-- When a block loaded last and how often it usually does, so that a dashboard need not read its runs.
create table block_loads (
  block_id bigint primary key references task_blocks on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  loaded_at timestamptz not null,
  -- The median time between the last seven loads; null before the third.
  usual_gap_ms bigint
);
create index block_loads_workspace on block_loads (workspace_id);
create index block_loads_account on block_loads (account_id);
alter table block_loads enable row level security;
alter table block_loads force row level security;
create policy own_account on block_loads using ((select current_setting('trellis.scope', true)) = 'system'
  or account_id = (select nullif(current_setting('trellis.account_id', true), '')::bigint));

-- Read again from the runs each time: the order in which runs end does not matter.
create function note_block_load(block bigint) returns void language sql
begin atomic
  insert into block_loads (block_id, account_id, workspace_id, loaded_at, usual_gap_ms)
  select block, min(account_id), min(workspace_id), max(finished_at),
         case when count(*) >= 3
           then (array_agg(gap order by gap) filter (where gap is not null))[((count(*) - 1) / 2 + 1)::int] end
    from (select run.account_id, run.workspace_id, run.finished_at,
                 round(extract(epoch from run.finished_at - lead(run.finished_at) over (order by run.id desc)) * 1000)::bigint as gap
            from (select id, account_id, workspace_id, finished_at from task_runs
                   where block_id = block and status = 'SUCCESS' and not is_shadow and finished_at is not null
                   order by id desc limit 7) run) loads
  having count(*) > 0
  on conflict (block_id) do update set loaded_at = excluded.loaded_at, usual_gap_ms = excluded.usual_gap_ms;
end;
create function note_run_success() returns trigger language plpgsql as $$
begin
  perform note_block_load(new.block_id);
  return null;
end $$;
create trigger note_success after insert or update of status on task_runs for each row
  when (new.status = 'SUCCESS' and not new.is_shadow) execute function note_run_success();
select note_block_load(block_id) from (select distinct block_id from task_runs where status = 'SUCCESS' and not is_shadow) blocks;

-- Runs of days that are over, counted once.
create table run_days (
  workspace_id bigint not null references workspaces on delete cascade,
  day date not null,
  account_id bigint not null references accounts on delete cascade,
  succeeded int not null,
  failed int not null,
  primary key (workspace_id, day)
);
create index run_days_account on run_days (account_id);
alter table run_days enable row level security;
alter table run_days force row level security;
create policy own_account on run_days using ((select current_setting('trellis.scope', true)) = 'system'
  or account_id = (select nullif(current_setting('trellis.account_id', true), '')::bigint));

-- The settings are read once for a statement instead of once for a row, as in 0046.
alter policy own_account on schedule_ticks using ((select current_setting('trellis.scope', true)) = 'system'
  or account_id = (select nullif(current_setting('trellis.account_id', true), '')::bigint));
