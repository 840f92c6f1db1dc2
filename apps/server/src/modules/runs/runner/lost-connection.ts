import { WorkspaceDbError } from '@trellis/workspace-db/errors'

/** Shutdown, restart, start-up, or a read-only replica: all occur in a failover. */
const CONNECTION_SQL_STATES = /^(?:08|57P0[1-3]|25006$)/
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
/** Driver errors without a code. */
const CONNECTION_MESSAGES = /Connection terminated|timeout exceeded when trying to connect|not queryable/

/** A connection failure of our own databases, unrelated to the statement. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof WorkspaceDbError) {
    if (error.code !== 'unavailable') return false
    return error.sqlState === undefined || CONNECTION_SQL_STATES.test(error.sqlState)
  }
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return CONNECTION_SQL_STATES.test(code) || SOCKET_CODES.has(code) || CONNECTION_MESSAGES.test(error.message)
}
