import { hasSchedule } from '@trellis/contract/dataflows/triggers'
import { transaction } from '@trellis/control-db/database'
import { findNextDue } from '@trellis/dataflow-engine/schedules/due-times'
import { findSchedule } from '@trellis/dataflow-engine/triggers/trigger'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { CLOCK_SLACK_MS } from '../../../platform/schedules/replan-due.ts'
import { notifyReplanned } from '../../dataflows/alerts.service.ts'
import { PLAN_AHEAD_MS } from './plan-ticks.ts'
import { deleteTicksAfter, findFirstTicks, findPlannedBeyond } from './ticks.repository.ts'
import { toTrigger } from './trigger-batch.ts'
import { type LiveBlock, lockBlocks, readLiveBlocks } from './trigger-batch.repository.ts'

const BATCH_SIZE = 500

/**
 * Due times planned while the clock was ahead would silence a schedule until then. Deletes them, fired or not, and
 * plans again. Returns the number of blocks.
 */
export async function replanTicks(ctx: SystemCtx): Promise<number> {
  const now = ctx.clock.now().getTime()
  const latestPlausible = new Date(now + PLAN_AHEAD_MS + CLOCK_SLACK_MS)
  let count = 0
  for (let after = 0; ;) {
    const ids = await findPlannedBeyond(ctx, latestPlausible, { after, limit: BATCH_SIZE })
    const last = ids.at(-1)
    if (last === undefined) return count
    after = last
    count += await transaction(ctx, async (tx) => await replanTriggers(tx, ids, now))
  }
}

async function replanTriggers(ctx: SystemCtx, ids: readonly number[], now: number): Promise<number> {
  const blocks = await readLiveBlocks(ctx, await lockBlocks(ctx, ids, { canSkip: false }))
  const firstTicks = await findFirstTicks(ctx, ids)
  const earliestLater = now + CLOCK_SLACK_MS
  const silencedBlocks = blocks.filter((block) => {
    const next = block.is_paused ? undefined : findNextDueTime(block, earliestLater)
    return next !== undefined && (firstTicks.get(block.id) ?? Infinity) > next
  })
  if (silencedBlocks.length === 0) return 0
  await deleteTicksAfter(
    ctx,
    silencedBlocks.map(({ id }) => id),
    { after: new Date(earliestLater), until: new Date(now) },
  )
  await notifyReplanned(
    ctx,
    silencedBlocks.map(({ dataflow_id }) => dataflow_id),
  )
  return silencedBlocks.length
}

function findNextDueTime(block: LiveBlock, after: number): number | undefined {
  if (!hasSchedule(block.form)) return undefined
  const schedule = findSchedule(toTrigger(block))
  return schedule ? findNextDue(schedule, after)?.at : undefined
}
