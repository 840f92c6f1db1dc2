-- Volatile, so that it counts with a snapshot taken behind the lock: what was started meanwhile is counted too.
-- The lock is the one of lockLimit(ctx, 'queries', …).
create function can_start_query(in_workspace bigint, of_profile bigint, max_going int, alive_since timestamptz)
returns boolean language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('limit:queries', of_profile));
  return (
    select count(*) < max_going from sql_jobs
     where workspace_id = in_workspace and profile_id = of_profile
       and status in ('queued', 'running') and heartbeat_at > alive_since
  );
end
$$;
