import type { TriggerEvent } from './events.ts'

interface WaitingRun {
  readonly id: string
  readonly eventIds: readonly string[]
}

interface NewRun {
  readonly blockId: string
  readonly eventIds: readonly string[]
  readonly isWaiting: boolean
}

export interface TriggerStore {
  listUnusedEvents(blockId: string): Promise<readonly TriggerEvent[]>
  countActive(blockId: string): Promise<number>
  findWaiting(blockId: string): Promise<WaitingRun | undefined>
  isCancelled(blockId: string, eventIds: readonly string[]): Promise<boolean>
  addRun(run: NewRun): Promise<void>
  /** Stored as a cancelled run, so that retrying the flow run includes it. */
  addCancelled(blockId: string, eventIds: readonly string[]): Promise<void>
  /** Replaces the waiting run's events; the old ones are recorded with the reason. */
  replaceEvents(runId: string, eventIds: readonly string[], reason: string): Promise<void>
  dropEvents(blockId: string, eventIds: readonly string[], reason: string): Promise<void>
}
