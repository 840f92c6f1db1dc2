import { HOME_SCHEMA } from '@trellis/contract/dataflows/dataflow-words'
import { FencedOff } from '@trellis/loads/plan/fence'
import { CommittedRowsStay } from '@trellis/loads/run/discard'
import { RowsRefused } from '@trellis/loads/run/load'
import { WorkspaceDbError, type WorkspaceDbErrorCode } from '@trellis/workspace-db/errors'
import { isLostConnection } from '../../runner/lost-connection.ts'
import { type ProblemKind, RunFault } from '../../runner/run-work.ts'

const KINDS: Partial<Record<WorkspaceDbErrorCode, ProblemKind>> = {
  unavailable: 'transient',
  busy: 'transient',
  locked: 'transient',
  cancelled: 'transient',
  missing: 'system',
}
const DISK_FULL = '53100'
const NO_RIGHT = '42501'

const ELSEWHERE = `Write into another schema, such as "${HOME_SCHEMA}".`

export function loadFault(error: unknown, subtask: string): RunFault | undefined {
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
  if (error instanceof CommittedRowsStay) {
    const place = `${error.table.schema}.${error.table.table}`
    const why = `What is read or where it goes was changed since an earlier attempt, and what that one loaded into ${place} can't be taken out.`
    return new RunFault('configuration', `${why} ${error.message}`, {
      subtask,
      cause: error,
      advice: `Delete those rows from ${place} yourself, then start a new run.`,
    })
  }
  if (!(error instanceof WorkspaceDbError)) return undefined
  const knownProblemKind = error.sqlState === DISK_FULL ? 'system' : (KINDS[error.code] ?? 'configuration')
  const kind = isLostConnection(error) ? 'lost' : knownProblemKind
  const advice = error.hint ?? (error.sqlState === NO_RIGHT ? ELSEWHERE : undefined)
  return new RunFault(kind, error.message, { subtask, cause: error, ...(advice !== undefined && { advice }) })
}
