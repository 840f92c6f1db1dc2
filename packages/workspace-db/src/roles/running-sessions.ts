import type { Cluster } from '../cluster.ts'
import { toWorkspaceNames } from '../names.ts'

export interface RunningSession {
  readonly pid: number
  readonly user: string
  readonly kind: 'platform' | 'external'
  readonly application: string
  readonly address: string | null
  readonly state: 'active' | 'idle in transaction'
  readonly since: Date
  readonly query: string
  readonly blockedBy: readonly number[]
}

const MAX_QUERY_CHARACTERS = 20_000

export async function findRunningSessions(cluster: Cluster, { key }: { key: string }): Promise<RunningSession[]> {
  const { database, readWrite, readOnly } = toWorkspaceNames(key)
  const { rows } = await cluster.admin.query<RunningSession>(
    `select pid, usename as user, case when usename in ($2, $3) then 'platform' else 'external' end as kind,
            application_name as application, host(client_addr) as address,
            case when state = 'active' then 'active' else 'idle in transaction' end as state,
            case when state = 'active' then query_start else state_change end as since,
            left(query, $4) as query,
            case when wait_event_type = 'Lock' then pg_blocking_pids(pid) else '{}' end as "blockedBy"
       from pg_stat_activity
      where datname = $1 and backend_type = 'client backend' and starts_with(usename, datname || '_')
        and state in ('active', 'idle in transaction', 'idle in transaction (aborted)')
      order by since`,
    [database, readWrite, readOnly, MAX_QUERY_CHARACTERS],
  )
  return rows
}

/** Terminates idle ones, and others with `force`. Checks the database. */
export async function stopRunningSession(
  cluster: Cluster,
  { key, pid, force }: { key: string; pid: number; force: boolean },
): Promise<boolean> {
  const { rowCount } = await cluster.admin.query(
    `select case when state = 'active' and not $3 then pg_cancel_backend(pid) else pg_terminate_backend(pid) end
       from pg_stat_activity
      where pid = $2 and datname = $1 and backend_type = 'client backend' and starts_with(usename, datname || '_')`,
    [toWorkspaceNames(key).database, pid, force],
  )
  return rowCount === 1
}
