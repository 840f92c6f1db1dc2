-- jsonb sorts the names of an object; the columns of a data model stand in the order people gave them.
alter table task_blocks alter column settings type json using settings::json;
alter table task_block_versions alter column settings type json using settings::json;

-- How the runs of the latest days ended, for lists and the dashboard.
create index task_runs_ended on task_runs (workspace_id, finished_at) where finished_at is not null;
