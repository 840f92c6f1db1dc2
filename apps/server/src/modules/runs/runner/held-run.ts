import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { RunRequest } from './run-work.ts'

export interface ClaimedRun {
  readonly id: number
  readonly account_id: number
  readonly workspace_id: number
  readonly dataflow_id: number
  readonly block_id: number
  readonly trellis_code: string
  readonly root_code: string
  readonly block_version: number
  readonly epoch: number
  readonly attempt: number
  readonly nominal_at: Date | null
  readonly due_at: Date
  readonly request: RunRequest
  readonly counters: Record<string, number>
}

export interface HeldRun extends ClaimedRun {
  readonly kind: ActivityKind
  readonly block_code: string
  readonly block_name: string
  readonly workspace_code: string
  readonly settings: { readonly attempts: number; readonly most_minutes: number }
  readonly lines: number
  readonly gone: 'account' | 'workspace' | 'database' | 'dataflow' | 'block' | null
  readonly is_parallel: boolean
  readonly version_number: number
}

export type StopReason = 'lost' | 'cancelled' | 'too_long' | 'stuck' | 'stopping'

export class RunStopped extends Error {
  override readonly name = 'RunStopped'
  readonly reason: StopReason
  constructor(reason: StopReason) {
    super(STOP_MESSAGES[reason])
    this.reason = reason
  }
}

const STOP_MESSAGES: Record<StopReason, string> = {
  lost: 'Another worker has taken this run over.',
  cancelled: 'The run was cancelled.',
  too_long: 'The run took too long.',
  stuck: 'The run did not get going.',
  stopping: 'The worker is being stopped.',
}

export type OnEnded = (runId: number, status: 'SUCCESS' | 'FAILED' | 'EXCEPTION') => void
