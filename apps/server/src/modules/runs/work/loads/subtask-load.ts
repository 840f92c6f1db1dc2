import type { Reading } from '@trellis/connector-kit/connector'
import type { Subtask, WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { DryRun } from '@trellis/loads/run/shadow/comparison'
import type { TableName } from '@trellis/loads/target'
import type { Session } from '@trellis/workspace-db/session'
import type { RunWork } from '../../runner/run-work.ts'
import type { ReadyPlan } from './plan-subtask.ts'

export interface SubtaskLoad {
  readonly work: RunWork
  readonly session: Session
  readonly subtask: Subtask
  readonly write: WriteStep
  readonly plan: ReadyPlan
  readonly table: TableName
  readonly hasTable: boolean
  readonly sourceKeyAndCursor: Pick<Reading, 'key' | 'cursor'>
  readonly source: string
  readonly integrationCode: string
  readonly reads?: string
  /** Soft-delete column. */
  readonly deletedAt?: string
  readonly loadId?: string
  /** Throws `FieldsRevised` if the plan turns out wrong. */
  readonly isProvisional?: boolean
  readonly shadow?: DryRun
  readonly read: (state: unknown) => Promise<Reading>
}
