import type { SystemCtx } from '../../platform/ctx.ts'
import { deleteStoredResults } from './result-store.ts'
import { LOST_PROBLEM } from './sql-jobs.ts'
import { LOST_MS } from './sql-limits.ts'
import { deleteOldJobs, failLostJobs, findExpiredResults, markResultsDeleted } from './sql-jobs.repository.ts'
import { pruneTransactions } from './transactions/transactions.repository.ts'

const HISTORY_DAYS = 90
const TRANSACTION_HOURS = 24

export async function handlePruneSqlJobs(ctx: SystemCtx): Promise<void> {
  const now = ctx.clock.now()
  const aliveSince = new Date(now.getTime() - LOST_MS)
  await failLostJobs(ctx, { problem: LOST_PROBLEM, now, aliveSince })
  await pruneTransactions(ctx, { now, aliveSince, before: new Date(now.getTime() - TRANSACTION_HOURS * 3600_000) })
  for (const id of await findExpiredResults(ctx, now)) {
    await deleteStoredResults(ctx.ports.objects, id)
    await markResultsDeleted(ctx, id, now)
  }
  await deleteOldJobs(ctx, new Date(now.getTime() - HISTORY_DAYS * 24 * 3600_000))
}
