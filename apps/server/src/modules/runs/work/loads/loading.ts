import type { Reading } from '@trellis/connector-kit/connector'
import type { Subtask, WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Shadow } from '@trellis/loads/run/shadow/comparison'
import type { TableName } from '@trellis/loads/target'
import type { Session } from '@trellis/workspace-db/session'
import type { RunWork } from '../../runner/run-work.ts'
import type { ReadyPlan } from './plan-subtask.ts'

/** Something that is read, on its way into a table. */
export interface Loading {
  readonly work: RunWork
  readonly session: Session
  readonly subtask: Subtask
  readonly write: WriteStep
  readonly plan: ReadyPlan
  readonly table: TableName
  readonly hasTable: boolean
  /** By what the source tells its rows apart and follows them. */
  readonly given: Pick<Reading, 'key' | 'cursor'>
  /** Where it comes from, for people. */
  readonly source: string
  readonly integrationCode: string
  /** What its cursor belongs to, where that is not the query and the table. */
  readonly reads?: string
  /** The column in which rows that were deleted at the source are marked and kept. */
  readonly deletedAt?: string
  /** Where a run has more than one load of a subtask. */
  readonly loadId?: string
  /** Ends in `FieldsRevised` when the plan turns out to be wrong. */
  readonly isProvisional?: boolean
  /** The rows are only compared with those of a table. */
  readonly shadow?: Shadow
  /** From where an earlier attempt or run stood; from the beginning without it. */
  readonly read: (state: unknown) => Promise<Reading>
}
