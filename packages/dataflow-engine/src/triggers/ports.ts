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

/** What is remembered between events. */
export interface TriggerStore {
  unusedEvents(blockId: string): Promise<readonly TriggerEvent[]>
  /** Runs of the block that were started and have not ended. */
  countActive(blockId: string): Promise<number>
  findWaiting(blockId: string): Promise<WaitingRun | undefined>
  /** Whether a run with these events belongs to a flow run that somebody cancelled. */
  isCancelled(blockId: string, eventIds: readonly string[]): Promise<boolean>
  /** Stores the run with its events, which are used from then on. */
  addRun(run: NewRun): Promise<void>
  /** Stores it as cancelled, so that a retry of its flow run finds it; its events are used. */
  addCancelled(blockId: string, eventIds: readonly string[]): Promise<void>
  /** The waiting run goes on with other events; those it had are recorded with the reason. */
  replaceEvents(runId: string, eventIds: readonly string[], reason: string): Promise<void>
  /** The events are used up without a run, and the reason is recorded. */
  dropEvents(blockId: string, eventIds: readonly string[], reason: string): Promise<void>
}
