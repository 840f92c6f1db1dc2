-- The latest flow runs of a workspace, and those of a dataflow in a stretch of time.
drop index flow_runs_workspace;
create index flow_runs_workspace on flow_runs (workspace_id, id desc);
create index flow_runs_created on flow_runs (dataflow_id, created_at);

-- Which flow runs ended in a stretch of time, without reading the rows of their block runs.
drop index task_runs_ended;
create index task_runs_ended on task_runs (workspace_id, finished_at) include (account_id, status, is_shadow, flow_run_id)
  where finished_at is not null;

-- These counted runs of blocks; days are counted again as runs of flows when somebody looks.
delete from run_days;
