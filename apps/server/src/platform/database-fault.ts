import type { ErrorCode } from '@trellis/contract/core/errors'
import type { WorkspaceDbError, WorkspaceDbErrorCode } from '@trellis/workspace-db/errors'
import { AppError } from './app-error.ts'

const CODES: Record<WorkspaceDbErrorCode, ErrorCode> = {
  bad_value: 'invalid_request',
  syntax: 'statement_failed',
  refused: 'statement_failed',
  statement_failed: 'statement_failed',
  resource_limit: 'statement_failed',
  result_too_large: 'statement_failed',
  cancelled: 'statement_failed',
  statement_timeout: 'statement_timeout',
  locked: 'unavailable',
  busy: 'too_many_requests',
  unavailable: 'unavailable',
  missing: 'not_found',
}

const BY_STATE: Record<string, ErrorCode> = {
  // Created concurrently.
  '42P06': 'conflict',
  '42P07': 'conflict',
  '42701': 'conflict',
  '42710': 'conflict',
  '2BP01': 'conflict',
  // Dropped concurrently.
  '42P01': 'not_found',
  '3F000': 'not_found',
  '42703': 'conflict',
}

export function toDatabaseError(error: WorkspaceDbError): AppError {
  const byState = error.sqlState === undefined ? undefined : BY_STATE[error.sqlState]
  const isBadValue = error.code === 'statement_failed' && error.sqlState?.startsWith('22')
  const code = byState ?? (isBadValue ? 'invalid_request' : CODES[error.code])
  return new AppError(code, error.message, {
    cause: error,
    ...((code === 'unavailable' || code === 'too_many_requests') && { retryAfterSeconds: 2 }),
  })
}
