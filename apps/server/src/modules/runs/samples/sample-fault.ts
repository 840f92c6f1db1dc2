import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { SQL_STATE } from '@trellis/workspace-db/sql-state'
import { AppError } from '../../../platform/app-error.ts'
import { toDatabaseError } from '../../../platform/database-fault.ts'
import { RunFault } from '../runner/run-work.ts'

export function toSampleError(error: unknown): unknown {
  if (error instanceof WorkspaceDbError) return toDatabaseError(error)
  if (!(error instanceof RunFault)) return error
  const { cause, kind } = error
  const isTimeout = cause instanceof WorkspaceDbError && cause.code === 'statement_timeout'
  if (kind !== 'configuration' && cause instanceof WorkspaceDbError) return toDatabaseError(cause)
  const message = error.advice === null ? error.message : `${error.message} ${error.advice}`
  return new AppError(
    cause === undefined ? 'block_incomplete' : isTimeout ? 'statement_timeout' : 'statement_failed',
    message,
    { cause: error },
  )
}

export function parseMissingTable(error: unknown): { schema: string | undefined; name: string } | undefined {
  const cause = error instanceof RunFault ? error.cause : error
  if (!(cause instanceof WorkspaceDbError) || cause.sqlState !== SQL_STATE.UNDEFINED_TABLE) return undefined
  const [, schema, name] = /^relation "(?:([^".]+)\.)?([^"]+)"/.exec(cause.message) ?? []
  return name === undefined ? undefined : { schema, name }
}
