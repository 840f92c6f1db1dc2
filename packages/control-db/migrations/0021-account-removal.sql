-- Set in the transaction that renames, deletes or restores an account, cleared once the payment provider has been told:
-- a provider that is down, or a worker that is killed, delays the update and never loses it.
alter table accounts
  add column provider_update_due_at timestamptz,
  add column removal_started_at timestamptz;
create index accounts_provider_update_due on accounts (provider_update_due_at) where provider_update_due_at is not null;
create index accounts_deleted on accounts (deleted_at) where deleted_at is not null;

-- From here on a workspace or account can't be restored: some of its data may be gone already.
alter table workspaces add column removal_started_at timestamptz;
create index workspaces_deleted on workspaces (deleted_at) where deleted_at is not null;

-- Earlier versions left the plan of a deleted account running.
update accounts set provider_update_due_at = now() where deleted_at is not null and stripe_customer_id is not null;
