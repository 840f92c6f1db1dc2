import type pg from 'pg'
import { EXTERNAL } from '../roles/access-names.ts'

export type AdminClient = Pick<pg.ClientBase, 'query'>

/** A non-superuser administrator is a member of every role it created. */
const IS_EXTERNAL = `(a.usename <> current_user and exists (select from pg_auth_members m
  where m.member = a.usesysid and m.roleid = (select oid from pg_roles where rolname = '${EXTERNAL}')))`

export interface WatchedSession {
  readonly pid: number
  readonly workers: readonly number[]
  readonly database: string
  readonly isReadOnly: boolean
  readonly isActive: boolean
  /** Age of its writing transaction; null if it has not written. */
  readonly writingMs: number | null
}

export async function listWatchedSessions(client: AdminClient): Promise<WatchedSession[]> {
  const { rows } = await client.query<WatchedSession>(
    `select a.pid, a.datname as database,
            a.usename ~ '_(ro|a_[0-9a-f]{16})$' as "isReadOnly", a.state = 'active' as "isActive",
            case when a.backend_xid is not null
              then extract(epoch from clock_timestamp() - a.xact_start)::float8 * 1000 end as "writingMs",
            array(select w.pid from pg_stat_activity w where w.leader_pid = a.pid and w.pid <> a.pid) as workers
       from pg_stat_activity a
      where a.backend_type = 'client backend' and a.datname ~ '^w_[0-9a-f]{16}$'
        and (starts_with(a.usename, a.datname || '_') or ${IS_EXTERNAL})`,
  )
  return rows
}

export async function measureDatabases(
  client: AdminClient,
  databases: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (databases.length === 0) return new Map()
  const { rows } = await client.query<{ database: string; bytes: number }>(
    `with temporary as (
       select a.datname, sum(f.size) as bytes
         from pg_ls_tmpdir() f join pg_stat_activity a on f.name like 'pgsql\\_tmp' || a.pid || '.%'
        where a.datname = any($1) group by a.datname)
     select d.datname as database, (pg_database_size(d.oid) + coalesce(t.bytes, 0))::float8 as bytes
       from pg_database d left join temporary t on t.datname = d.datname where d.datname = any($1)`,
    [databases],
  )
  return new Map(rows.map(({ database, bytes }) => [database, bytes]))
}

export interface SessionLocks {
  readonly pid: number
  readonly database: string
  readonly locks: number
}

export async function readLocks(client: AdminClient): Promise<{ places: number; sessions: readonly SessionLocks[] }> {
  const { rows } = await client.query<SessionLocks & { places: number }>(
    `select a.pid, a.datname as database, count(*)::int as locks,
            current_setting('max_locks_per_transaction')::int * current_setting('max_connections')::int as places
       from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where a.backend_type = 'client backend' and a.datname ~ '^w_[0-9a-f]{16}$'
        and (starts_with(a.usename, a.datname || '_') or ${IS_EXTERNAL})
      group by a.pid, a.datname`,
  )
  return { places: rows[0]?.places ?? 0, sessions: rows }
}
