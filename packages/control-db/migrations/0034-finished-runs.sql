-- The dashboard counts the runs of a workspace by day.
create index task_runs_finished on task_runs (workspace_id, finished_at) where finished_at is not null;
