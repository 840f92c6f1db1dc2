import { transaction } from '@trellis/control-db/database'
import { decideMisfires } from '@trellis/dataflow-engine/policies/misfire'
import type { TickOutcome } from '@trellis/dataflow-engine/policies/tick-outcome'
import type { SystemCtx } from '../../../platform/ctx.ts'
import type { Gate } from '../runner/gate.ts'
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

const BLOCKS_AT_ONCE = 250

export interface FireTicksResult {
  /** `others`: other schedulers hold what is due. */
  readonly left: 'nothing' | 'more' | 'others'
  readonly queued: number
}

/** Due times become events, events become runs. Safe to run concurrently: each tick ends in one transaction. */
export async function fireTicks(ctx: SystemCtx, gate: Gate): Promise<FireTicksResult> {
  const now = ctx.clock.now()
  const due = await findDueBlocks(ctx, now, BLOCKS_AT_ONCE)
  if (due.length === 0) return { left: 'nothing', queued: 0 }
  const accounts = [...new Set(due.map(({ account_id }) => account_id))]
  const reasons = await Promise.all(accounts.map((id) => gate(id)))
  const blocked = new Set(accounts.filter((_, at) => typeof reasons[at] === 'string'))
  return await transaction(ctx, async (open): Promise<FireTicksResult> => {
    const wanted = due.map(({ block_id }) => block_id)
    const ids = await lockBlocks(open, wanted, { canSkip: true })
    const left = ids.length < wanted.length ? 'others' : wanted.length === BLOCKS_AT_ONCE ? 'more' : 'nothing'
    if (ids.length === 0) return { left, queued: 0 }
    const live = new Map((await readLiveBlocks(open, ids)).map((block) => [block.id, block]))
    const ticks = await lockDueTicks(open, ids, now)
    const ends: TickEnd[] = []
    const events: NewEvent[] = []
    for (const [blockId, ownDueTicks] of Map.groupBy(ticks, ({ block_id }) => block_id)) {
      const judged = decideTicks(ownDueTicks, {
        block: live.get(blockId),
        isBlocked: blocked.has(live.get(blockId)?.account_id ?? 0),
        now,
      })
      ends.push(...judged.ends)
      events.push(...judged.events)
    }
    await endTicks(open, ends)
    const told = [...new Set(events.map(({ block_id }) => block_id))].flatMap((id) => live.get(id) ?? [])
    if (told.length === 0) return { left, queued: 0 }
    const queued = await deliverEvents(open, told, events)
    if (queued > 0) await notifyRuns(open, 'queued')
    return { left, queued }
  })
}

interface TickConditions {
  block: LiveBlock | undefined
  isBlocked: boolean
  now: Date
}

function decideTicks(
  ticks: readonly DueTick[],
  { block, isBlocked, now }: TickConditions,
): { ends: TickEnd[]; events: NewEvent[] } {
  const ended = (some: readonly DueTick[], outcome: TickOutcome): TickEnd[] =>
    some.map(({ id }) => ({ id, outcome, run_id: null }))
  if (!block || !hasSchedule(block.form)) return { ends: ended(ticks, 'changed'), events: [] }
  const ownTicks = ticks.filter(({ block_version }) => block_version === block.version)
  const oldTickEnds = ended(
    ticks.filter((tick) => !ownTicks.includes(tick)),
    'changed',
  )
  if (block.is_paused) return { ends: [...oldTickEnds, ...ended(ownTicks, 'paused')], events: [] }
  if (isBlocked) return { ends: [...oldTickEnds, ...ended(ownTicks, 'blocked')], events: [] }
  const decision = decideMisfires({
    due: ownTicks.map(({ nominal_at }) => nominal_at.getTime()),
    now: now.getTime(),
    policy: block.misfire,
  })
  const at = new Map(ownTicks.map((tick) => [tick.nominal_at.getTime(), tick]))
  const droppedTickEnds = decision.drop.flatMap(({ at: time, outcome }) =>
    ended(
      [at.get(time)].flatMap((tick) => tick ?? []),
      outcome,
    ),
  )
  const events = decision.run.flatMap((time) => {
    const tick = at.get(time)
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
