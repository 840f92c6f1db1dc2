-- The runs of blocks that one cause started. How it goes follows from its block runs: nothing here changes when they do.
create table flow_runs (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  dataflow_id bigint not null references dataflows on delete cascade,
  trellis_code text not null unique,
  cause text not null check (cause in ('schedule', 'event', 'person', 'api', 'backfill')),
  -- Whatever has the same key belongs to the same run of the flow; null for what people start.
  cause_key text,
  profile_id bigint references profiles on delete set null,
  -- The block run of another dataflow whose success started it.
  cause_run_id bigint references task_runs on delete set null,
  nominal_at timestamptz,
  -- What a person asked for: the scope, the window of a backfill.
  request jsonb not null default '{}',
  -- Whatever its block runs set off after this is not run, until it is retried.
  cancelled_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index flow_runs_cause on flow_runs (dataflow_id, cause_key) where cause_key is not null;
create index flow_runs_dataflow on flow_runs (dataflow_id, id desc);
create index flow_runs_account on flow_runs (account_id);
create index flow_runs_workspace on flow_runs (workspace_id);
create index flow_runs_profile on flow_runs (profile_id) where profile_id is not null;
create index flow_runs_cause_run on flow_runs (cause_run_id) where cause_run_id is not null;
alter table flow_runs enable row level security;
alter table flow_runs force row level security;
create policy own_account on flow_runs using ((select current_setting('trellis.scope', true)) = 'system'
  or account_id = (select nullif(current_setting('trellis.account_id', true), '')::bigint));

alter table task_runs add column flow_run_id bigint references flow_runs on delete set null;

-- Runs from before: a retry belongs to what it retried, a run set off by another of its dataflow to that one.
create temporary table earlier_runs on commit drop as
  with recursive parents as (
    select r.id, coalesce(r.retry_of, (
             select max(s.id) from trigger_events e join task_runs s on s.id = e.source_run_id
              where e.run_id = r.id and s.dataflow_id = r.dataflow_id and s.id < r.id)) as parent_id
      from task_runs r),
  tree as (
    select id, id as root_id from parents where parent_id is null
    union all
    select p.id, t.root_id from parents p join tree t on p.parent_id = t.id)
  select id, root_id from tree;
create temporary table earlier_roots on commit drop as
  select r.id as root_id, r.account_id, r.workspace_id, r.dataflow_id, r.nominal_at, r.profile_id, r.due_at,
         case r.started_by when 'activity' then 'event' when 'retry' then 'person' else r.started_by end as cause,
         f.source_id as cause_run_id,
         case when r.started_by in ('schedule', 'activity') and r.nominal_at is not null
              then 'schedule:' || floor(extract(epoch from r.nominal_at) * 1000)::bigint
              when r.started_by = 'activity' and f.source_id is not null then 'event:' || f.source_id end as cause_key,
         case when r.started_by in ('schedule', 'activity') then '{}'::jsonb
              else jsonb_strip_nulls(jsonb_build_object('scope', r.request -> 'scope', 'window', r.request -> 'window')) end as request,
         coalesce(case when r.started_by in ('schedule', 'activity') and r.nominal_at is not null
                       then min(r.id) over (partition by r.dataflow_id, r.nominal_at, r.started_by in ('schedule', 'activity')) end,
                  case when r.started_by = 'activity' and f.source_id is not null
                       then min(r.id) over (partition by r.dataflow_id, f.source_id, r.nominal_at is null) end,
                  r.id) as first_id
    from task_runs r
    left join lateral (select max(e.source_run_id) as source_id from trigger_events e where e.run_id = r.id) f on true
   where r.id in (select root_id from earlier_runs);
alter table flow_runs add column first_id bigint;
insert into flow_runs (account_id, workspace_id, dataflow_id, trellis_code, cause, cause_key, profile_id, cause_run_id, nominal_at,
       request, created_at, first_id)
select account_id, workspace_id, dataflow_id, substr(replace(gen_random_uuid()::text, '-', ''), 1, 16), cause, cause_key, profile_id,
       cause_run_id, nominal_at, request, due_at, root_id
  from earlier_roots where root_id = first_id order by root_id;
update task_runs r set flow_run_id = f.id
  from earlier_runs e join earlier_roots o on o.root_id = e.root_id join flow_runs f on f.first_id = o.first_id
 where r.id = e.id;
alter table flow_runs drop column first_id;

create index task_runs_flow_run on task_runs (flow_run_id, id);
