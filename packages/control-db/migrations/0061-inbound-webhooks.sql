-- The address by which another system starts a dataflow. The secret in it is kept as a hash only.
create table inbound_webhooks (
  dataflow_id bigint primary key references dataflows on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  workspace_id bigint not null references workspaces on delete cascade,
  trellis_code text not null unique,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  created_by bigint references profiles on delete set null,
  created_at timestamptz not null default now(),
  -- When the secret was last replaced.
  rotated_at timestamptz
);
create index inbound_webhooks_account on inbound_webhooks (account_id);
create index inbound_webhooks_workspace on inbound_webhooks (workspace_id);
create index inbound_webhooks_created_by on inbound_webhooks (created_by) where created_by is not null;
alter table inbound_webhooks enable row level security;
alter table inbound_webhooks force row level security;
create policy own_account on inbound_webhooks using ((select current_setting('trellis.scope', true)) = 'system'
  or account_id = (select nullif(current_setting('trellis.account_id', true), '')::bigint));

alter table flow_runs drop constraint flow_runs_cause_check;
alter table flow_runs add constraint flow_runs_cause_check check (cause in ('schedule', 'event', 'person', 'api', 'backfill',
  'inbound_webhook'));
-- The latest call of an address, among any number of other flow runs.
create index flow_runs_inbound on flow_runs (dataflow_id, id desc) where cause = 'inbound_webhook';

alter table task_runs drop constraint task_runs_started_by_check;
alter table task_runs add constraint task_runs_started_by_check check (started_by in ('schedule', 'activity', 'person', 'retry',
  'backfill', 'api', 'inbound_webhook'));
