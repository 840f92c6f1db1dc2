import type { RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import type { BranchName } from './trigger.ts'
import { activityBranch } from './trigger.ts'

/** A token: it starts at most one run of the block it is for, whatever comes later. */
export interface TriggerEvent {
  /** The same however often it is told, so that telling it twice changes nothing. */
  readonly id: string
  readonly branch: BranchName
  readonly at: number
}

/** A due time of the block's own schedule. */
export const dueEvent = (scheduleVersion: string, at: number): TriggerEvent => ({
  id: `due:${scheduleVersion}:${at}`,
  branch: 'schedule',
  at,
})

/** A run of a block waited for. Only a success counts: what failed has left nothing to go on with. */
export function findActivityEvent(run: {
  id: string
  blockId: string
  status: RunStatus
  endedAt: number | null
}): TriggerEvent | undefined {
  if (run.status !== 'SUCCESS' || run.endedAt === null) return undefined
  return { id: `run:${run.id}`, branch: activityBranch(run.blockId), at: run.endedAt }
}
