create table profiles (
  id bigint generated always as identity primary key,
  trellis_user_code text not null unique,
  email text not null,
  first_name text not null,
  surname text not null,
  password_hash text,
  theme_mode text not null default 'light' check (theme_mode in ('light', 'dark')),
  flags jsonb not null default '{}',
  second_factor_secret text,
  second_factor_enabled_at timestamptz,
  second_factor_last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index profiles_email on profiles (lower(email));

-- A sign-up becomes a profile only when its own code is proven, so that nobody else's password can slip in before.
create table signups (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  first_name text not null,
  surname text not null,
  password_hash text not null,
  code_hash bytea,
  attempts int not null default 0,
  code_expires_at timestamptz,
  consumed_at timestamptz,
  created_at timestamptz not null default now()
);
create index signups_open on signups (lower(email)) where consumed_at is null;
create index signups_created on signups (created_at);

create table reset_codes (
  id bigint generated always as identity primary key,
  profile_id bigint not null references profiles on delete cascade,
  code_hash bytea not null,
  attempts int not null default 0,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  created_at timestamptz not null default now()
);
create index reset_codes_profile on reset_codes (profile_id) where consumed_at is null;

create table sessions (
  id uuid primary key default gen_random_uuid(),
  profile_id bigint not null references profiles on delete cascade,
  refresh_hash bytea not null unique,
  refresh_count int not null default 0,
  rotated_at timestamptz not null default now(),
  user_agent text not null,
  ip text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_reason text
);
create index sessions_profile on sessions (profile_id) where ended_at is null;

create table recovery_codes (
  profile_id bigint not null references profiles on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (profile_id, code_hash)
);

create table identity_links (
  issuer text not null,
  subject text not null,
  profile_id bigint not null references profiles on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create unique index identity_links_profile on identity_links (profile_id, issuer);

create table sso_attempts (
  state_hash bytea primary key,
  browser_hash bytea not null,
  nonce text not null,
  code_verifier text not null,
  expires_at timestamptz not null
);
create index sso_attempts_expiry on sso_attempts (expires_at);
