import type { BranchName } from './trigger.ts'

/** A token: it starts at most one run of the block it is for, whatever comes later. */
export interface TriggerEvent {
  /** The same however often it is told, so that telling it twice changes nothing. */
  readonly id: string
  readonly branch: BranchName
  readonly at: number
}
