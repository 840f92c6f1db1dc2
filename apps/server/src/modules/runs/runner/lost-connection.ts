import { WorkspaceDbError } from '@trellis/workspace-db/errors'

/** Ended, restarting, starting up, or a replica that is not the primary yet: a failover shows all of them. */
const SQL_STATES = /^(?:08|57P0[1-3]|25006$)/
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
/** The driver's own errors have no code. */
const MESSAGES = /Connection terminated|timeout exceeded when trying to connect|not queryable/

/** Whether one of our own databases went away under a statement; it says nothing about the statement. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof WorkspaceDbError) {
    if (error.code !== 'unavailable') return false
    return error.sqlState === undefined || SQL_STATES.test(error.sqlState)
  }
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return SQL_STATES.test(code) || SOCKET_CODES.has(code) || MESSAGES.test(error.message)
}
