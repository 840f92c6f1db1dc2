-- The dashboard counts the runs of 30 days by day without reading the rows themselves.
drop index task_runs_ended;
create index task_runs_ended on task_runs (workspace_id, finished_at) include (account_id, status, is_shadow)
  where finished_at is not null;

-- Failures of a workspace, newest first.
create index task_runs_failed on task_runs (workspace_id, (coalesce(finished_at, due_at)) desc)
  where status in ('FAILED', 'EXCEPTION') and not is_shadow;

-- The last loads of each block.
create index task_runs_loaded on task_runs (block_id, id desc) include (account_id, finished_at)
  where status = 'SUCCESS' and not is_shadow;

-- Which tables a version writes, in the same order in both columns: the settings of thousands of blocks are megabytes.
-- json holds the escape of a NUL, but no operator reads a value that has one.
create function written_names(settings json, field text) returns json
language sql immutable parallel safe
return case when strpos(settings::text, '\u0000') > 0 then '[]'::json else (
  select coalesce(json_agg(step -> field), '[]'::json) from (
    select settings -> 'write' as step where json_typeof(settings -> 'write') = 'object'
    union all
    select subtask -> 'write' from json_array_elements(
      case when json_typeof(settings -> 'subtasks') = 'array' then settings -> 'subtasks' else '[]'::json end) subtask
     where json_typeof(subtask -> 'write') = 'object') steps) end;
alter table task_block_versions
  add column written_schemas json not null generated always as (written_names(settings, 'schema_name')) stored,
  add column written_tables json not null generated always as (written_names(settings, 'table_name')) stored;

-- The same as is_visible_account(account_id), with the settings read once for a statement instead of once for a row.
do $$
declare name text;
begin
  foreach name in array array['dataflows', 'task_blocks', 'task_block_versions', 'task_runs'] loop
    execute format('alter policy own_account on %I using ((select current_setting(''trellis.scope'', true)) = ''system''
      or account_id = (select nullif(current_setting(''trellis.account_id'', true), '''')::bigint))', name);
  end loop;
end $$;
