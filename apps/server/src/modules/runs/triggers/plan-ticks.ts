import { listActions } from '@trellis/contract/dataflows/triggers'
import { transaction } from '@trellis/control-db/database'
import { MAX_CATCH_UP_RUNS } from '@trellis/dataflow-engine/policies/misfire'
import { findNextDue } from '@trellis/dataflow-engine/schedules/due-times'
import { listNewestMissed, listTimesAhead } from '@trellis/dataflow-engine/schedules/materialise'
import type { Schedule } from '@trellis/dataflow-engine/schedules/schedule'
import { findSchedule } from '@trellis/dataflow-engine/triggers/trigger'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { findUnplanned, insertTicks } from './ticks.repository.ts'
import { toTrigger } from './trigger-batch.ts'
import { type LiveBlock, lockBlocks, readLiveBlocks } from './trigger-batch.repository.ts'

const HOUR_MS = 3_600_000
export const PLAN_AHEAD_MS = HOUR_MS
const MAX_TICKS = 200
const BATCH_SIZE = 500
const NEVER_AGAIN = new Date('9999-01-01T00:00:00Z')

/** Creates due times in advance, and those missed during downtime. Returns the number of blocks. */
export async function planTicks(ctx: SystemCtx): Promise<number> {
  const now = ctx.clock.now().getTime()
  const planUntil = new Date(now + PLAN_AHEAD_MS / 2)
  const unplannedIds = await findUnplanned(ctx, planUntil, BATCH_SIZE)
  if (unplannedIds.length === 0) return 0
  return await transaction(ctx, async (tx) => {
    const blocks = await readLiveBlocks(tx, await lockBlocks(tx, unplannedIds, { canSkip: true }))
    // Another scheduler may have planned it before the lock.
    const isPlanned = ({ is_paused, ticks_until: until }: LiveBlock) =>
      is_paused || (until !== null && until >= planUntil)
    const plans = blocks.filter((block) => !isPlanned(block)).map((block) => ({ block, ...computeTicks(block, now) }))
    const ticks = plans.flatMap(({ block, times }) =>
      times.map((at) => ({
        block_id: block.id,
        account_id: block.account_id,
        block_version: block.version,
        action_id: getScheduleCard(block),
        nominal_at: new Date(at),
      })),
    )
    await insertTicks(
      tx,
      ticks,
      plans.map(({ block, until }) => ({ id: block.id, until })),
    )
    return plans.length
  })
}

const getScheduleCard = ({ form }: LiveBlock): string =>
  listActions(form).find(([, { action }]) => action === 'Schedule')?.[0] ?? ''

function computeTicks(block: LiveBlock, now: number): { times: number[]; until: Date } {
  const schedule = findSchedule(toTrigger(block))
  if (!schedule) return { times: [], until: NEVER_AGAIN }
  // If it was published while the clock was ahead, planning would wait for that time.
  const publishedAt = Math.min(block.published_at.getTime(), now)
  const after = Math.max(block.ticks_until?.getTime() ?? 0, publishedAt)
  const missed = after < now ? listMissedTimes(schedule, after, now) : []
  const aheadTimes = listTimesAhead(schedule, {
    after: Math.max(after, now),
    until: now + PLAN_AHEAD_MS,
    limit: MAX_TICKS,
  })
  const times = [...missed, ...aheadTimes.times.map(({ at }) => at)]
  if (aheadTimes.times.length > 0) return { times, until: new Date(aheadTimes.doneUntil) }
  // The next due time is always stored, however far away, since it is shown.
  const nextDue = findNextDue(schedule, Math.max(after, now))
  return nextDue ? { times: [...times, nextDue.at], until: new Date(nextDue.at) } : { times, until: NEVER_AGAIN }
}

const listMissedTimes = (schedule: Schedule, after: number, until: number): number[] =>
  listNewestMissed(schedule, { after, until, limit: MAX_CATCH_UP_RUNS }).times.map(({ at }) => at)
