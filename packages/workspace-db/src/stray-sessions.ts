import type { Cluster } from './cluster.ts'
import { MAX_STATEMENT_MS } from './session/session-options.ts'

const GRACE_MS = 60_000

export interface StraySessionOptions {
  readonly olderThanMs?: number | undefined
  readonly database?: string | undefined
}

/**
 * Terminates sessions whose process, and so their timer, is gone. No session with a live timer is inactive that long.
 */
export async function endStraySessions(cluster: Cluster, options: StraySessionOptions = {}): Promise<number> {
  const seconds = (options.olderThanMs ?? MAX_STATEMENT_MS + GRACE_MS) / 1_000
  const { rowCount } = await cluster.admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where usename ~ '^w_[0-9a-f]{16}_(rw|ro|a_[0-9a-f]{16})$' and datname = coalesce($2, datname)
        and state_change < clock_timestamp() - make_interval(secs => $1)`,
    [seconds, options.database ?? null],
  )
  return rowCount ?? 0
}
