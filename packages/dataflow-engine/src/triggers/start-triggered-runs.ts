import type { OverlapPolicy } from '@trellis/contract/dataflows/dataflow-words'
import { decideOverlap } from '../policies/overlap.ts'
import type { TriggerStore } from './ports.ts'
import type { Trigger } from './trigger.ts'
import { decideFirings } from './decide-firings.ts'

export interface TriggeredBlock {
  readonly id: string
  readonly trigger: Trigger
  readonly overlap: OverlapPolicy
}

export const TRIGGER_CHANGED_REASON = 'The trigger was changed and no longer waits for this'

/**
 * Starts the runs that unused events allow. Must not run twice at once for a block, which would use an event twice.
 * Runs of a cancelled flow run do not count for the overlap policy.
 */
export async function startTriggeredRuns(store: TriggerStore, block: TriggeredBlock): Promise<void> {
  const { firings, stale: staleEvents } = decideFirings(block.trigger, await store.listUnusedEvents(block.id))
  if (staleEvents.length > 0) {
    await store.dropEvents(
      block.id,
      staleEvents.map(({ id }) => id),
      TRIGGER_CHANGED_REASON,
    )
  }
  for (const { eventIds } of firings) {
    if (await store.isCancelled(block.id, eventIds)) {
      await store.addCancelled(block.id, eventIds)
      continue
    }
    const waitingRun = await store.findWaiting(block.id)
    const decision = decideOverlap(block.overlap, {
      active: await store.countActive(block.id),
      waiting: waitingRun?.id ?? null,
    })
    if (decision.do === 'drop') await store.dropEvents(block.id, eventIds, decision.reason)
    else if (decision.do === 'replace') await store.replaceEvents(decision.runId, eventIds, decision.reason)
    else await store.addRun({ blockId: block.id, eventIds, isWaiting: decision.do === 'wait' })
  }
}
