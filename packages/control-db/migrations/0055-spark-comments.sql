create table spark_comments (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  spark_id bigint not null references sparks on delete cascade,
  trellis_code text not null unique,
  profile_id bigint references profiles on delete set null,
  text text not null check (length(text) between 1 and 4000),
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  resolved_at timestamptz,
  resolved_by bigint references profiles on delete set null
);
create index spark_comments_spark on spark_comments (spark_id, id desc);
create index spark_comments_open on spark_comments (spark_id) where resolved_at is null;
create index spark_comments_account on spark_comments (account_id);
create index spark_comments_profile on spark_comments (profile_id);
create index spark_comments_resolver on spark_comments (resolved_by);

create table spark_comment_mentions (
  comment_id bigint not null references spark_comments on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  primary key (comment_id, profile_id)
);
create index spark_comment_mentions_profile on spark_comment_mentions (profile_id);
create index spark_comment_mentions_account on spark_comment_mentions (account_id);

do $$
declare name text;
begin
  foreach name in array array['spark_comments', 'spark_comment_mentions'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_account on %I using (is_visible_account(account_id))', name);
  end loop;
end $$;

-- A notification goes with its comment, however that is deleted.
alter table notifications add column spark_comment_id bigint references spark_comments on delete cascade;
create index notifications_spark_comment on notifications (spark_comment_id);
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in ('run_failed', 'invited', 'storage', 'credits',
  'schedules', 'export_finished', 'export_failed', 'mention'));
