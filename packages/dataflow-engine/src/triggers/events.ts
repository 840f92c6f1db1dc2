import type { BranchName } from './trigger.ts'

export interface TriggerEvent {
  /** An idempotency key: delivering twice changes nothing. */
  readonly id: string
  readonly branch: BranchName
  readonly at: number
}
