import type { SystemCtx } from '../../platform/ctx.ts'
import { deleteStoredResults } from './result-store.ts'
import { LOST_MS, LOST_PROBLEM } from './sql-jobs.ts'
import { deleteOldJobs, failLostJobs, findExpiredResults, markResultsDeleted } from './sql-jobs.repository.ts'

const HISTORY_DAYS = 90

export async function handlePruneSqlJobs(ctx: SystemCtx): Promise<void> {
  const now = ctx.clock.now()
  await failLostJobs(ctx, { problem: LOST_PROBLEM, now, aliveSince: new Date(now.getTime() - LOST_MS) })
  for (const id of await findExpiredResults(ctx, now)) {
    await deleteStoredResults(ctx.ports.objects, id)
    await markResultsDeleted(ctx, id, now)
  }
  await deleteOldJobs(ctx, new Date(now.getTime() - HISTORY_DAYS * 24 * 3600_000))
}
