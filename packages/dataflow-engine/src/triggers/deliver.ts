import type { OverlapPolicy } from '@trellis/contract/dataflows/dataflow-words'
import { decideOverlap } from '../policies/overlap.ts'
import type { TriggerEvent } from './events.ts'
import type { TriggerStore } from './ports.ts'
import type { Trigger } from './trigger.ts'
import { decide } from './truth.ts'

export interface TriggeredBlock {
  readonly id: string
  readonly trigger: Trigger
  readonly overlap: OverlapPolicy
}

export const STALE_REASON = 'The trigger was changed and no longer waits for this'

/** Tells a block of an event and starts what follows from it. Telling it again changes nothing. */
export async function deliverEvent(store: TriggerStore, block: TriggeredBlock, event: TriggerEvent): Promise<void> {
  await store.alone(block.id, async () => {
    if (await store.addEvent(block.id, event)) await settle(store, block)
  })
}

/** Starts what the unused events allow; also after a trigger was changed. Call it from within `alone`. */
export async function settle(store: TriggerStore, block: TriggeredBlock): Promise<void> {
  const { firings, stale } = decide(block.trigger, await store.unusedEvents(block.id))
  if (stale.length > 0) {
    await store.dropEvents(
      block.id,
      stale.map(({ id }) => id),
      STALE_REASON,
    )
  }
  for (const { eventIds } of firings) {
    const waiting = await store.findWaiting(block.id)
    const decision = decideOverlap(block.overlap, {
      active: await store.countActive(block.id),
      waiting: waiting?.id ?? null,
    })
    if (decision.do === 'drop') await store.dropEvents(block.id, eventIds, decision.reason)
    else if (decision.do === 'replace') await store.replaceEvents(decision.runId, eventIds, decision.reason)
    else await store.addRun({ blockId: block.id, eventIds, isWaiting: decision.do === 'wait' })
  }
}
