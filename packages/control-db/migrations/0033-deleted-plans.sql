-- What 0021 asked for changed no row: row-level security hid all of them from it.
update accounts set provider_update_due_at = now()
 where deleted_at is not null and stripe_customer_id is not null and provider_update_due_at is null;
