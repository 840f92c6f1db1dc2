import { transaction } from '@trellis/control-db/database'
import { decideMisfires } from '@trellis/dataflow-engine/policies/misfire'
import type { TickOutcome } from '@trellis/dataflow-engine/policies/tick-outcome'
import type { SystemCtx } from '../../../platform/ctx.ts'
import type { RunBlockerLookup } from '../runner/gate.ts'
import { notifyRuns } from '../runner/notify-runs.repository.ts'
import { type DueTick, findDueBlocks, lockDueTicks } from './ticks.repository.ts'
import { hasSchedule } from '@trellis/contract/dataflows/triggers'
import { deliverEvents } from './trigger-batch.ts'
import {
  type LiveBlock,
  type NewEvent,
  type TickEnd,
  endTicks,
  lockBlocks,
  readLiveBlocks,
} from './trigger-batch.repository.ts'

const BATCH_SIZE = 250

export interface FireTicksResult {
  /** `others`: other schedulers hold what is due. */
  readonly remaining: 'nothing' | 'more' | 'others'
  readonly queued: number
}

/** Due times become events, events become runs. Safe to run concurrently: each tick ends in one transaction. */
export async function fireTicks(ctx: SystemCtx, gate: RunBlockerLookup): Promise<FireTicksResult> {
  const now = ctx.clock.now()
  const dueBlocks = await findDueBlocks(ctx, now, BATCH_SIZE)
  if (dueBlocks.length === 0) return { remaining: 'nothing', queued: 0 }
  const accounts = [...new Set(dueBlocks.map(({ account_id }) => account_id))]
  const reasons = await Promise.all(accounts.map((id) => gate(id)))
  const blockedAccounts = new Set(accounts.filter((_, tickByTime) => typeof reasons[tickByTime] === 'string'))
  return await transaction(ctx, async (tx): Promise<FireTicksResult> => {
    const dueBlockIds = dueBlocks.map(({ block_id }) => block_id)
    const ids = await lockBlocks(tx, dueBlockIds, { canSkip: true })
    const remaining =
      ids.length < dueBlockIds.length ? 'others' : dueBlockIds.length === BATCH_SIZE ? 'more' : 'nothing'
    if (ids.length === 0) return { remaining, queued: 0 }
    const liveBlocks = new Map((await readLiveBlocks(tx, ids)).map((block) => [block.id, block]))
    const ticks = await lockDueTicks(tx, ids, now)
    const ends: TickEnd[] = []
    const events: NewEvent[] = []
    for (const [blockId, blockTicks] of Map.groupBy(ticks, ({ block_id }) => block_id)) {
      const decision = decideTicks(blockTicks, {
        block: liveBlocks.get(blockId),
        isBlocked: blockedAccounts.has(liveBlocks.get(blockId)?.account_id ?? 0),
        now,
      })
      ends.push(...decision.ends)
      events.push(...decision.events)
    }
    await endTicks(tx, ends)
    const blocksWithEvents = [...new Set(events.map(({ block_id }) => block_id))].flatMap(
      (id) => liveBlocks.get(id) ?? [],
    )
    if (blocksWithEvents.length === 0) return { remaining, queued: 0 }
    const queued = await deliverEvents(tx, blocksWithEvents, events)
    if (queued > 0) await notifyRuns(tx, 'queued')
    return { remaining, queued }
  })
}

interface TickConditions {
  block: LiveBlock | undefined
  isBlocked: boolean
  now: Date
}

/** Which due times become events; the others end with the reason why not. */
function decideTicks(
  ticks: readonly DueTick[],
  { block, isBlocked, now }: TickConditions,
): { ends: TickEnd[]; events: NewEvent[] } {
  const toTickEnds = (endedTicks: readonly DueTick[], outcome: TickOutcome): TickEnd[] =>
    endedTicks.map(({ id }) => ({ id, outcome, run_id: null }))
  if (!block || !hasSchedule(block.form)) return { ends: toTickEnds(ticks, 'changed'), events: [] }
  const currentTicks = ticks.filter(({ block_version }) => block_version === block.version)
  const oldTickEnds = toTickEnds(
    ticks.filter((tick) => !currentTicks.includes(tick)),
    'changed',
  )
  if (block.is_paused) return { ends: [...oldTickEnds, ...toTickEnds(currentTicks, 'paused')], events: [] }
  if (isBlocked) return { ends: [...oldTickEnds, ...toTickEnds(currentTicks, 'blocked')], events: [] }
  const decision = decideMisfires({
    due: currentTicks.map(({ nominal_at }) => nominal_at.getTime()),
    now: now.getTime(),
    policy: block.misfire,
  })
  const tickByTime = new Map(currentTicks.map((tick) => [tick.nominal_at.getTime(), tick]))
  const droppedTickEnds = decision.drop.flatMap(({ at: time, outcome }) =>
    toTickEnds(
      [tickByTime.get(time)].flatMap((tick) => tick ?? []),
      outcome,
    ),
  )
  const events = decision.run.flatMap((time) => {
    const tick = tickByTime.get(time)
    return tick ? [toTickEvent(block, tick)] : []
  })
  return { ends: [...oldTickEnds, ...droppedTickEnds], events }
}

const toTickEvent = (block: LiveBlock, tick: DueTick): NewEvent => ({
  block_id: block.id,
  account_id: block.account_id,
  action_id: tick.action_id,
  tick_id: tick.id,
  source_run_id: null,
  happened_at: tick.nominal_at,
})
