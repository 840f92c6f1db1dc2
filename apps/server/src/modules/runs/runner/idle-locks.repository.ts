import { sql } from 'kysely'

const IDLE_LOCK_MS = 5000

/**
 * A column for the statement that takes a lock others wait for: Postgres ends the transaction of a worker that stands
 * still within it (a paused machine, a lost network), long before a lease would be taken up too late.
 */
export const SET_IDLE_TIMEOUT = sql<string>`set_config('idle_in_transaction_session_timeout', ${String(IDLE_LOCK_MS)}, true)`
