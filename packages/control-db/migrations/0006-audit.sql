-- One chain of hashes per scope ('account:12', 'profile:5', 'system'): taking a line out or changing one breaks it.
create table audit_heads (
  scope text primary key,
  seq bigint not null,
  hash bytea not null
);

create table audit_lines (
  scope text not null,
  seq bigint not null,
  at timestamptz not null default now(),
  account_id bigint,
  workspace_id bigint,
  profile_id bigint,
  action text not null,
  outcome text not null check (outcome in ('done', 'refused', 'failed')),
  detail jsonb not null default '{}',
  ip text,
  request_id text,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (scope, seq)
);
create index audit_lines_account on audit_lines (account_id, at desc) where account_id is not null;
create index audit_lines_profile on audit_lines (profile_id, at desc);
alter table audit_lines enable row level security;
alter table audit_lines force row level security;
create policy own_account on audit_lines using (is_visible_account(account_id));

create function audit_line_hash(line audit_lines) returns bytea
language sql immutable
return sha256(convert_to(jsonb_build_array(
  line.scope, line.seq, extract(epoch from line.at)::text, line.account_id, line.workspace_id, line.profile_id,
  line.action, line.outcome, line.detail, line.ip, line.request_id, encode(line.previous_hash, 'hex'))::text, 'UTF8'));

-- The number is taken after the head's lock: an identity column gives numbers out before it and breaks the chain.
create function chain_audit_line() returns trigger language plpgsql security definer set search_path = public as $$
declare head audit_heads;
begin
  insert into audit_heads values (new.scope, 0, '\x') on conflict do nothing;
  select * into head from audit_heads where scope = new.scope for update;
  new.seq := head.seq + 1;
  new.at := clock_timestamp();
  new.previous_hash := head.hash;
  new.hash := audit_line_hash(new);
  update audit_heads set seq = new.seq, hash = new.hash where scope = new.scope;
  return new;
end $$;
create trigger chain before insert on audit_lines for each row execute function chain_audit_line();

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'Audit lines are never changed or removed' using errcode = '42501';
end $$;
create trigger append_only before update or delete on audit_lines for each row execute function refuse_audit_change();
create trigger append_only_all before truncate on audit_lines for each statement execute function refuse_audit_change();
