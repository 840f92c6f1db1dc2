create table ai_models (
  account_id bigint primary key references accounts on delete cascade,
  protocol text not null check (protocol in ('anthropic', 'openai')),
  base_url text not null,
  model text not null,
  sealed_key text,
  can_stream boolean not null,
  can_use_tools boolean not null,
  context_tokens integer,
  checked_at timestamptz not null
);
alter table ai_models enable row level security;
alter table ai_models force row level security;
create policy own_account on ai_models using (is_visible_account(account_id));

-- Who answers is decided when a question is sent, so that whoever takes an answer over does the same.
alter table ai_messages add column engine text not null default 'rules' check (engine in ('rules', 'model'));
-- Set aside while the answer is being written; spent only when it is completed.
alter table ai_messages add column credits_reserved integer not null default 0;
alter table ai_messages add column input_tokens integer not null default 0;
alter table ai_messages add column output_tokens integer not null default 0;
create index ai_messages_reserved on ai_messages (account_id) where credits_reserved > 0;
