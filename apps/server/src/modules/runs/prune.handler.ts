import type { SystemCtx } from '../../platform/ctx.ts'
import * as repository from './prune.repository.ts'

const LOG_DAYS = 90
const TICK_DAYS = 60
/** Limits the scan: older ones were deleted on earlier days. */
const LOOK_BACK_DAYS = 120
const BATCH_SIZE = 500

/** In small batches, so that writers of logs are not blocked. */
export async function handlePruneRuns(ctx: SystemCtx): Promise<void> {
  const now = ctx.clock.now().getTime()
  const daysAgo = (days: number) => new Date(now - days * 86_400_000)
  const runs = await repository.findRunsFinishedBetween(ctx, daysAgo(LOG_DAYS + LOOK_BACK_DAYS), daysAgo(LOG_DAYS))
  for (let start = 0; start < runs.length; start += BATCH_SIZE)
    await repository.deleteLogs(ctx, runs.slice(start, start + BATCH_SIZE))
  await repository.deleteUsedEvents(ctx, daysAgo(TICK_DAYS))
  await repository.deleteEndedTicks(ctx, daysAgo(TICK_DAYS))
  await repository.deleteEmptyFlowRuns(ctx, daysAgo(1))
}
