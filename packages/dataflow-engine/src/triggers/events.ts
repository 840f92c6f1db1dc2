import type { BranchName } from './trigger.ts'

/** Starts at most one run of the block. */
export interface TriggerEvent {
  /** An idempotency key: delivering twice changes nothing. */
  readonly id: string
  readonly branch: BranchName
  readonly at: number
}
