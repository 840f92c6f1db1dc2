-- A shadow run writes beside the tables, with the settings of a draft: it says nothing of how its block does.
alter table task_runs
  add column is_shadow boolean not null generated always as (request @> '{"is_shadow": true}') stored,
  -- As settings are: the columns of a data model stand in the order people gave them.
  add column draft json;
