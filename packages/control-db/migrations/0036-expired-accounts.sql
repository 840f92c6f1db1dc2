-- When people were told that an account without a plan will be deleted. No notice, no deletion; renewing or restoring
-- the account takes the notice back.
alter table accounts add column removal_notice_at timestamptz;
create index accounts_plan_over on accounts (stripe_plan_end_date) where plan_status = 'over' and deleted_at is null;
