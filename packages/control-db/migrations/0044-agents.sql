-- Programs that asked to be known to the authorization server. Anybody can register one: it proves nothing.
create table oauth_clients (
  client_id text primary key,
  name text not null,
  redirect_uris text[] not null,
  created_at timestamptz not null default now()
);
create index oauth_clients_age on oauth_clients (created_at);

create table oauth_codes (
  code_hash bytea primary key,
  client_id text not null references oauth_clients on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  redirect_uri text not null,
  code_challenge text not null,
  resource text not null,
  scopes text[] not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- What it was exchanged for: a code that is used twice was stolen.
  token_id bigint references access_tokens on delete set null
);
create index oauth_codes_expiry on oauth_codes (expires_at);

-- A token given to an agent is good for one MCP server and for no other call.
alter table access_tokens add column resource text;
