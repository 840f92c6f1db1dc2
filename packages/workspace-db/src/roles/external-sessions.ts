import type { Cluster } from '../cluster.ts'
import { toWorkspaceNames } from '../names.ts'
import { EXTERNAL_CONNECTIONS } from '../provision/logins.ts'
import { EXTERNAL } from './access-names.ts'
import { MAX_STATEMENT_MINUTES } from './templates.ts'

const IDLE_IN_TRANSACTION_MINUTES = 15
const TERMINATION_TIMEOUT_MS = 5_000

export interface LoginLimit {
  readonly user: string
  readonly statementMinutes: number
}

/**
 * Terminates what sessions can evade by changing settings: statement timeouts, idle transactions, and expired logins,
 * which Postgres checks at login only.
 */
export async function endOverdueSessions(cluster: Cluster, limits: readonly LoginLimit[]): Promise<number> {
  const { rowCount } = await cluster.admin.query(
    `select pg_terminate_backend(a.pid)
       from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
       left join unnest($2::text[], $3::int[]) as l(usename, minutes) on l.usename = a.usename
      where pg_has_role(r.oid, $1::regrole, 'member') and not r.rolsuper
        and (r.rolvaliduntil < now() or not r.rolcanlogin
          or (a.state = 'active' and a.query_start < now() - make_interval(mins => coalesce(l.minutes, $4)))
          or (a.state like 'idle in transaction%' and a.state_change < now() - make_interval(mins => $5)))`,
    [
      EXTERNAL,
      limits.map((limit) => limit.user),
      limits.map((limit) => limit.statementMinutes),
      MAX_STATEMENT_MINUTES,
      IDLE_IN_TRANSACTION_MINUTES,
    ],
  )
  return rowCount ?? 0
}

/** Postgres cannot limit the connections of a group of logins per database. Terminates the newest ones and waits. */
export async function endExcessSessions(cluster: Cluster, database: string): Promise<number> {
  const { rowCount } = await cluster.admin.query(
    `select pg_terminate_backend(pid, $4) from (
       select a.pid from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
        where a.datname = $1 and pg_has_role(r.oid, $2::regrole, 'member') and not r.rolsuper
        order by a.backend_start offset $3) excess`,
    [database, EXTERNAL, EXTERNAL_CONNECTIONS, TERMINATION_TIMEOUT_MS],
  )
  return rowCount ?? 0
}

export interface ClusterSession {
  readonly pid: number
  readonly user: string
  readonly application: string
  readonly address: string | null
  readonly state: string
  readonly since: Date
  readonly querySince: Date | null
}

export async function findSessions(cluster: Cluster, { key }: { key: string }): Promise<ClusterSession[]> {
  const { rows } = await cluster.admin.query<ClusterSession>(
    `select pid, usename as user, application_name as application, host(client_addr) as address,
            coalesce(state, 'starting') as state, backend_start as since,
            case when state = 'active' then query_start end as "querySince"
       from pg_stat_activity
      where datname = $1 and backend_type = 'client backend' and usename is not null and usename <> current_user
      order by backend_start`,
    [toWorkspaceNames(key).database],
  )
  return rows
}

/** Checks the database, since the pid may belong to another workspace. */
export async function endSession(cluster: Cluster, { key, pid }: { key: string; pid: number }): Promise<boolean> {
  const { rowCount } = await cluster.admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where pid = $2 and datname = $1 and backend_type = 'client backend' and usename <> current_user`,
    [toWorkspaceNames(key).database, pid],
  )
  return rowCount === 1
}

export async function endUserSessions(cluster: Cluster, users: readonly string[]): Promise<void> {
  await cluster.admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = any($1)', [users])
}
