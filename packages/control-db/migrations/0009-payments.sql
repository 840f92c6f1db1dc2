-- Who pays for an account that does not exist yet: what was paid is asked of the provider by this customer.
alter table temporary_accounts add column stripe_customer_id text unique;

create index accounts_subscription on accounts (stripe_subscription_id) where stripe_subscription_id is not null;

-- State of the payment sandbox, the stand-in for the payment provider while no keys are set. No real money, no real cards.
create table sandbox_objects (
  id text primary key,
  seq bigint generated always as identity,
  kind text not null,
  customer_id text,
  body jsonb not null
);
create index sandbox_objects_kind on sandbox_objects (kind, seq);
create index sandbox_objects_customer on sandbox_objects (customer_id, kind, seq) where customer_id is not null;

create table sandbox_requests (
  key text primary key,
  fingerprint text not null,
  status int not null,
  body jsonb not null,
  created_at timestamptz not null default now()
);
create index sandbox_requests_created on sandbox_requests (created_at);

create table sandbox_deliveries (
  event_id text not null references sandbox_objects on delete cascade,
  endpoint_id text not null references sandbox_objects on delete cascade,
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  primary key (event_id, endpoint_id)
);
create index sandbox_deliveries_due on sandbox_deliveries (next_at);

create table sandbox_clock (
  id int primary key check (id = 1),
  ahead_seconds bigint not null
);
insert into sandbox_clock values (1, 0);
