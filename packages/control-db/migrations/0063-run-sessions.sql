-- Sessions in the workspace's database that a run of a version holds at the same time; the claim adds them up over all
-- workers. Rows that are read and written are two sessions, tables that are followed without end one each.
-- json holds the escape of a NUL, but no operator reads a value that has one.
create function count_run_sessions(settings json) returns integer
language sql immutable parallel safe
return case
  when strpos(settings::text, '\u0000') > 0 then 2
  when settings ->> 'language' is not null then
    case when settings ->> 'language' = 'sql' and json_typeof(settings -> 'write') is distinct from 'object' then 1 else 2 end
  else greatest(1, (
    select count(*)::integer from json_array_elements(
      case when json_typeof(settings -> 'subtasks') = 'array' then settings -> 'subtasks' else '[]'::json end) subtask
     where subtask #>> '{query,query,is_continuous}' = 'true' and json_typeof(subtask -> 'write') = 'object'))
  end;
alter table task_block_versions
  add column sessions integer not null generated always as (count_run_sessions(settings)) stored;
