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

const HOUR = 3_600_000
export const AHEAD_MS = HOUR
const MAX_TICKS = 200
const BLOCKS_AT_ONCE = 500
const FOR_EVER = new Date('9999-01-01T00:00:00Z')

/** Creates due times in advance, and those missed during downtime. Returns the number of blocks. */
export async function planTicks(ctx: SystemCtx): Promise<number> {
  const now = ctx.clock.now().getTime()
  const wanted = new Date(now + AHEAD_MS / 2)
  const found = await findUnplanned(ctx, wanted, BLOCKS_AT_ONCE)
  if (found.length === 0) return 0
  return await transaction(ctx, async (open) => {
    const blocks = await readLiveBlocks(open, await lockBlocks(open, found, { canSkip: true }))
    // Another scheduler may have planned it before the lock.
    const isDone = ({ is_paused, ticks_until: until }: LiveBlock) => is_paused || (until !== null && until >= wanted)
    const plans = blocks.filter((block) => !isDone(block)).map((block) => ({ block, ...computeTicks(block, now) }))
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
      open,
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
  if (!schedule) return { times: [], until: FOR_EVER }
  // If it was published while the clock was ahead, planning would wait for that time.
  const published = Math.min(block.published_at.getTime(), now)
  const after = Math.max(block.ticks_until?.getTime() ?? 0, published)
  const missed = after < now ? missedTimes(schedule, after, now) : []
  const ahead = listTimesAhead(schedule, { after: Math.max(after, now), until: now + AHEAD_MS, limit: MAX_TICKS })
  const times = [...missed, ...ahead.times.map(({ at }) => at)]
  if (ahead.times.length > 0) return { times, until: new Date(ahead.doneUntil) }
  // The next due time is always stored, however far away, since it is shown.
  const next = findNextDue(schedule, Math.max(after, now))
  return next ? { times: [...times, next.at], until: new Date(next.at) } : { times, until: FOR_EVER }
}

const missedTimes = (schedule: Schedule, after: number, until: number): number[] =>
  listNewestMissed(schedule, { after, until, limit: MAX_CATCH_UP_RUNS }).times.map(({ at }) => at)
