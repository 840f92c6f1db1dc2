import type { AdminClient } from './watched-sessions.ts'

export type SessionEndReason = 'memory' | 'disk' | 'quota' | 'locks'

/** In the administrator's database, out of reach of workspaces. */
const ENDED_SESSIONS_TABLE = 'trellis_watch.ended_sessions'

export async function prepareEndedSessions(client: AdminClient): Promise<void> {
  await client.query('create schema if not exists trellis_watch')
  await client.query(
    `create unlogged table if not exists ${ENDED_SESSIONS_TABLE} (pid int not null, reason text not null, at timestamptz not null default now())`,
  )
}

/** Stored before terminating, since the client asks at once. */
export async function endSessionsWithReason(
  client: AdminClient,
  pids: readonly number[],
  reason: SessionEndReason,
): Promise<void> {
  if (pids.length === 0) return
  await client.query(`delete from ${ENDED_SESSIONS_TABLE} where at < now() - interval '1 hour'`)
  await client.query(`insert into ${ENDED_SESSIONS_TABLE} (pid, reason) select unnest($1::int[]), $2`, [pids, reason])
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where pid = any($1::int[]) and datname ~ '^w_[0-9a-f]{16}$' and starts_with(usename, datname || '_')`,
    [pids],
  )
}

export async function findSessionEndReason(client: AdminClient, pid: number): Promise<SessionEndReason | undefined> {
  const tableExists = await client.query<{ found: boolean }>(
    `select to_regclass('${ENDED_SESSIONS_TABLE}') is not null as found`,
  )
  if (tableExists.rows[0]?.found !== true) return undefined
  const { rows } = await client.query<{ reason: SessionEndReason }>(
    `select reason from ${ENDED_SESSIONS_TABLE} where pid = $1 and at > now() - interval '1 minute' order by at desc limit 1`,
    [pid],
  )
  return rows[0]?.reason
}
