import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { AppError } from '../../../platform/app-error.ts'
import { toDatabaseError } from '../../../platform/database-fault.ts'
import { RunFault } from '../runner/run-work.ts'

export function sampleFault(error: unknown): unknown {
  if (error instanceof WorkspaceDbError) return toDatabaseError(error)
  if (!(error instanceof RunFault)) return error
  const { cause, kind } = error
  const isLate = cause instanceof WorkspaceDbError && cause.code === 'statement_timeout'
  if (kind !== 'configuration' && cause instanceof WorkspaceDbError) return toDatabaseError(cause)
  const words = error.advice === null ? error.message : `${error.message} ${error.advice}`
  return new AppError(
    cause === undefined ? 'block_incomplete' : isLate ? 'statement_timeout' : 'statement_failed',
    words,
    { cause: error },
  )
}

const UNDEFINED_TABLE = '42P01'

export function parseMissingTable(error: unknown): { schema: string | undefined; name: string } | undefined {
  const cause = error instanceof RunFault ? error.cause : error
  if (!(cause instanceof WorkspaceDbError) || cause.sqlState !== UNDEFINED_TABLE) return undefined
  const [, schema, name] = /^relation "(?:([^".]+)\.)?([^"]+)"/.exec(cause.message) ?? []
  return name === undefined ? undefined : { schema, name }
}
