import { WorkspaceDbError, type WorkspaceDbErrorCode } from '@trellis/workspace-db/errors'
import { isLostConnection } from '../../runner/lost-connection.ts'
import { type ProblemKind, RunFault } from '../../runner/run-work.ts'

const KIND_BY_ERROR_CODE: Partial<Record<WorkspaceDbErrorCode, ProblemKind>> = {
  unavailable: 'transient',
  busy: 'transient',
  locked: 'transient',
  missing: 'system',
}

const INCOMPLETE_QUERY =
  'The query is not right at its end: a word or a bracket is missing, or one bracket is too many.'

interface FaultLocation {
  readonly code: string
  readonly prefix?: number
  readonly offset?: number
}

/** With line and column of the user's text; other errors are returned unchanged. */
export function toSqlFault(error: unknown, { code, prefix = 0, offset = 0 }: FaultLocation): unknown {
  if (!(error instanceof WorkspaceDbError) || error.code === 'cancelled') return error
  const position = error.position === undefined ? undefined : error.position - prefix + offset
  const positionText =
    position !== undefined && position >= 1 && position <= code.length + 1 ? ` (${formatPosition(code, position)})` : ''
  const isAtEnd = error.code === 'syntax' && position !== undefined && position > code.length
  const kind = isLostConnection(error) ? 'lost' : (KIND_BY_ERROR_CODE[error.code] ?? 'configuration')
  return new RunFault(kind, isAtEnd ? INCOMPLETE_QUERY : `${error.message}${positionText}`, {
    cause: error,
    ...(error.hint !== undefined && { advice: error.hint }),
  })
}

function formatPosition(code: string, position: number): string {
  // Postgres counts characters, JavaScript UTF-16 units.
  const textBefore = [...code].slice(0, position - 1).join('')
  const lines = textBefore.split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}
