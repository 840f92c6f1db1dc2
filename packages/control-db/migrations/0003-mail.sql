create table mail_outbox (
  id bigint generated always as identity primary key,
  message_id text not null unique,
  to_address text not null,
  subject text not null,
  html text not null,
  text text not null,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
  attempts int not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index mail_outbox_due on mail_outbox (next_attempt_at) where status = 'queued';
create index mail_outbox_created on mail_outbox (created_at);

-- What the built-in mailbox took in. Written only while no outside SMTP server is configured.
create table mailbox_messages (
  id bigint generated always as identity primary key,
  message_id text not null unique,
  from_address text not null,
  to_address text not null,
  subject text not null,
  html text,
  text text,
  received_at timestamptz not null default now()
);
create index mailbox_messages_received on mailbox_messages (received_at);
