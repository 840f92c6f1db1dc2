create table idempotency_keys (
  actor text not null,
  endpoint text not null,
  key text not null,
  body_hash bytea not null,
  status int,
  -- Text, not jsonb: a repeat must get the first answer to the letter, its order of names too.
  response text,
  created_at timestamptz not null default now(),
  primary key (actor, endpoint, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

-- Counters may be lost in a crash; they must not cost a disk write on every public call.
create unlogged table rate_limits (
  key text not null,
  window_start timestamptz not null,
  count int not null,
  primary key (key, window_start)
);
create index rate_limits_window on rate_limits (window_start);
