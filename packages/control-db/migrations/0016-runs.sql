-- The first run of a chain of retries. Kept as a code: it outlives the row it names.
alter table task_runs add column root_code text;

drop index task_runs_open;
create index task_runs_open on task_runs (status, due_at, id)
  where status in ('QUEUED', 'SYSTEM_DEQUEUED', 'SYSTEM_BLOCKED', 'PROVISIONING', 'INITIALIZING', 'RUNNING');
create index task_runs_open_block on task_runs (block_id)
  where status in ('QUEUED', 'SYSTEM_DEQUEUED', 'SYSTEM_BLOCKED', 'PROVISIONING', 'INITIALIZING', 'RUNNING');
create index task_runs_retry on task_runs (retry_of) where retry_of is not null;
create index task_blocks_unplanned on task_blocks (ticks_until) where live_version is not null and deleted_at is null;
create index schedule_ticks_block on schedule_ticks (block_id, nominal_at desc);
create index schedule_ticks_run on schedule_ticks (run_id) where run_id is not null;

alter table schedule_ticks drop constraint schedule_ticks_outcome_check;
alter table schedule_ticks add constraint schedule_ticks_outcome_check check (outcome in ('fired', 'waits_for_others',
  'missed_older', 'missed_late', 'missed_too_many', 'replaced', 'overlapped', 'changed', 'blocked', 'paused'));
