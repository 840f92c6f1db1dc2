import { truncateText } from './cut-text.ts'
import { maskNames } from './names.ts'
import type { SessionEndReason } from './watch/ended-sessions.ts'
import { SQL_STATE } from './sql-state.ts'

export type WorkspaceDbErrorCode =
  | 'syntax'
  | 'refused'
  | 'statement_failed'
  | 'statement_timeout'
  | 'cancelled'
  | 'locked'
  | 'busy'
  | 'result_too_large'
  | 'resource_limit'
  | 'missing'
  | 'bad_value'
  | 'unavailable'

interface Details {
  readonly code: WorkspaceDbErrorCode
  readonly message: string
  readonly sqlState?: string | undefined
  /** 1-based character. */
  readonly position?: number | undefined
  readonly hint?: string | undefined
  readonly cause?: unknown
}

/** Message, hint and position may be shown to the author of the statement, the cause may not. */
export class WorkspaceDbError extends Error {
  override readonly name = 'WorkspaceDbError'
  readonly code: WorkspaceDbErrorCode
  readonly sqlState: string | undefined
  readonly position: number | undefined
  readonly hint: string | undefined

  constructor(details: Details) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = details.code
    this.sqlState = details.sqlState
    this.position = details.position
    this.hint = details.hint
  }
}

export type EndReason = 'time' | 'abort' | 'size' | 'message'

// RAISE can produce a message of any length.
const MAX_TEXT_LENGTH = 2_000

const END_REASONS: Record<EndReason, { code: WorkspaceDbErrorCode; message: string }> = {
  time: {
    code: 'statement_timeout',
    message: 'The statement took longer than allowed and was stopped. Narrow it down and run it again.',
  },
  abort: { code: 'cancelled', message: 'The statement was cancelled.' },
  size: {
    code: 'result_too_large',
    message: 'One row of the result is larger than allowed. Select fewer columns or cut long values.',
  },
  message: {
    code: 'result_too_large',
    message: 'The statement failed with a message larger than allowed. Raise errors with a shorter text.',
  },
}

const ERRORS_BY_SQLSTATE: Record<string, { code: WorkspaceDbErrorCode; message: string }> = {
  [SQL_STATE.INVALID_AUTHORIZATION]: { code: 'unavailable', message: 'The database did not accept the connection.' },
  [SQL_STATE.INVALID_PASSWORD]: { code: 'unavailable', message: 'The database did not accept the connection.' },
  [SQL_STATE.UNDEFINED_DATABASE]: { code: 'missing', message: 'The database of this workspace does not exist.' },
  [SQL_STATE.DISK_FULL]: {
    code: 'resource_limit',
    message:
      'The disk of the database is full. Delete tables for good that are no longer needed, or ask whoever runs Trellis for more space.',
  },
  [SQL_STATE.OUT_OF_MEMORY]: { code: 'resource_limit', message: 'The statement needs more memory than allowed.' },
  [SQL_STATE.TOO_MANY_CONNECTIONS]: {
    code: 'unavailable',
    message: 'The database server has no connection left. Try again in a moment.',
  },
  [SQL_STATE.CONFIGURATION_LIMIT_EXCEEDED]: {
    code: 'resource_limit',
    message: 'The statement needs more temporary space than allowed.',
  },
  [SQL_STATE.LOCK_NOT_AVAILABLE]: {
    code: 'locked',
    message: 'Another statement holds a lock on this data. Try again in a moment.',
  },
  [SQL_STATE.QUERY_CANCELED]: END_REASONS.time,
  [SQL_STATE.ADMIN_SHUTDOWN]: { code: 'unavailable', message: 'The connection to the database was ended. Try again.' },
  [SQL_STATE.CRASH_SHUTDOWN]: { code: 'unavailable', message: 'The database is restarting. Try again in a moment.' },
  [SQL_STATE.CANNOT_CONNECT_NOW]: { code: 'unavailable', message: 'The database is starting. Try again in a moment.' },
}

const WORKSPACE_FULL = {
  code: 'busy',
  message:
    'All database connections of this workspace are in use. End sessions that are no longer needed, or try again in a moment.',
} as const

const CONNECTION_LOST = 'The connection to the database was lost. Try again in a moment.'

function toErrorCode(sqlState: string): WorkspaceDbErrorCode {
  if (sqlState === SQL_STATE.SYNTAX_ERROR) return 'syntax'
  // Deadlock, serialization failure: retryable.
  if (sqlState === SQL_STATE.DEADLOCK || sqlState === SQL_STATE.SERIALIZATION_FAILURE) return 'locked'
  if (sqlState === SQL_STATE.INSUFFICIENT_PRIVILEGE || sqlState === SQL_STATE.READ_ONLY_TRANSACTION) return 'refused'
  if (sqlState.startsWith('54')) return 'resource_limit'
  return 'statement_failed'
}

function isPostgresError(error: unknown): error is Error & Record<'code' | 'position' | 'hint', string | undefined> {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
}

function truncateAndMask(text: string): string {
  return maskNames(text.length > MAX_TEXT_LENGTH ? `${truncateText(text, MAX_TEXT_LENGTH)}…` : text)
}

const ENDED_BY_WATCH: Record<SessionEndReason, string> = {
  memory:
    'The statement was stopped because it took too much memory of the server. Read, sort or group fewer rows at once, and run it again.',
  disk: 'Writing is stopped because the disk of the database is nearly full. Delete tables for good that are no longer needed, or ask whoever runs Trellis for more space. It works again by itself when there is room.',
  locks:
    'The statement was stopped because its transaction held too many locks. Change fewer tables in one transaction, and run it again.',
  quota:
    'Writing is stopped because the account has used up its storage. Delete tables for good that are no longer needed, or choose a larger plan. It works again by itself when there is room.',
}

export function toWatchError(reason: SessionEndReason, cause: WorkspaceDbError): WorkspaceDbError {
  return new WorkspaceDbError({
    code: 'resource_limit',
    message: ENDED_BY_WATCH[reason],
    sqlState: cause.sqlState,
    cause,
  })
}

export function toMovingError(cause: WorkspaceDbError): WorkspaceDbError {
  return new WorkspaceDbError({
    code: 'unavailable',
    message: 'This workspace is being moved to another server. Reading works; writing works again in a few minutes.',
    sqlState: cause.sqlState,
    cause,
  })
}

/** `ended` takes precedence over Postgres' error, which is only its consequence. */
export function toWorkspaceDbError(error: unknown, endReason?: EndReason): WorkspaceDbError {
  if (error instanceof WorkspaceDbError) return error
  if (!isPostgresError(error)) {
    const endError = endReason ? END_REASONS[endReason] : ({ code: 'unavailable', message: CONNECTION_LOST } as const)
    return new WorkspaceDbError({ ...endError, cause: error })
  }
  const sqlState = error.code ?? ''
  const wasStopped = sqlState === SQL_STATE.QUERY_CANCELED || sqlState === SQL_STATE.ADMIN_SHUTDOWN
  if (endReason && wasStopped) return new WorkspaceDbError({ ...END_REASONS[endReason], sqlState, cause: error })
  const isWorkspaceFull =
    sqlState === SQL_STATE.TOO_MANY_CONNECTIONS && /^too many connections for (?:database|role)/.test(error.message)
  const knownError = isWorkspaceFull ? WORKSPACE_FULL : ERRORS_BY_SQLSTATE[sqlState]
  if (knownError) return new WorkspaceDbError({ ...knownError, sqlState, cause: error })
  const isMultipleStatements = sqlState === SQL_STATE.SYNTAX_ERROR && error.message.includes('multiple commands')
  return new WorkspaceDbError({
    code: toErrorCode(sqlState),
    message: isMultipleStatements ? 'Only one statement can be run at a time.' : truncateAndMask(error.message),
    sqlState,
    position: error.position === undefined ? undefined : Number(error.position),
    hint: error.hint === undefined ? undefined : truncateAndMask(error.hint),
    cause: error,
  })
}

export const isOutOfConnectionsError = (error: unknown): boolean =>
  error instanceof WorkspaceDbError && (error.code === 'busy' || error.sqlState === SQL_STATE.TOO_MANY_CONNECTIONS)

export function createEndError(endReason: EndReason): WorkspaceDbError {
  return new WorkspaceDbError(END_REASONS[endReason])
}
