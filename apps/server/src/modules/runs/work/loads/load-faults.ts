import { HOME_SCHEMA } from '@trellis/contract/dataflows/dataflow-words'
import { FencedOff } from '@trellis/loads/plan/fence'
import { CommittedRowsNotDeletable } from '@trellis/loads/run/discard'
import { RowsRefused } from '@trellis/loads/run/load'
import { WorkspaceDbError, type WorkspaceDbErrorCode } from '@trellis/workspace-db/errors'
import { SQL_STATE } from '@trellis/workspace-db/sql-state'
import { isLostConnection } from '../../runner/lost-connection.ts'
import { type ProblemKind, RunFault } from '../../runner/run-work.ts'

const KIND_BY_ERROR_CODE: Partial<Record<WorkspaceDbErrorCode, ProblemKind>> = {
  unavailable: 'transient',
  busy: 'transient',
  locked: 'transient',
  cancelled: 'transient',
  missing: 'system',
}
const OTHER_SCHEMA_ADVICE = `Write into another schema, such as "${HOME_SCHEMA}".`

/** Undefined for errors that say nothing about the load, such as those of the source. */
export function toLoadFault(error: unknown, subtask: string): RunFault | undefined {
  if (error instanceof RunFault) return error
  if (error instanceof FencedOff) return new RunFault('transient', error.message, { subtask, cause: error })
  if (error instanceof RowsRefused) {
    return new RunFault('configuration', error.message, {
      subtask,
      cause: error,
      advice:
        'Correct the rows at the source, choose another type for the column, or change “Rows that do not fit” in the settings.',
    })
  }
  if (error instanceof CommittedRowsNotDeletable) {
    const tableName = `${error.table.schema}.${error.table.table}`
    const reason = `What is read or where it goes was changed since an earlier attempt, and what that one loaded into ${tableName} can't be taken out.`
    return new RunFault('configuration', `${reason} ${error.message}`, {
      subtask,
      cause: error,
      advice: `Delete those rows from ${tableName} yourself, then start a new run.`,
    })
  }
  if (!(error instanceof WorkspaceDbError)) return undefined
  const codeKind =
    error.sqlState === SQL_STATE.DISK_FULL ? 'system' : (KIND_BY_ERROR_CODE[error.code] ?? 'configuration')
  const kind = isLostConnection(error) ? 'lost' : codeKind
  const advice = error.hint ?? (error.sqlState === SQL_STATE.INSUFFICIENT_PRIVILEGE ? OTHER_SCHEMA_ADVICE : undefined)
  return new RunFault(kind, error.message, { subtask, cause: error, ...(advice !== undefined && { advice }) })
}
