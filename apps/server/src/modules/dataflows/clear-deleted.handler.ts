import type { SystemCtx } from '../../platform/ctx.ts'
import { deleteRowsDeletedBefore } from './dataflows.repository.ts'

const KEPT_DAYS = 30
const BATCH_SIZE = 200

/** Deletes versions, runs and logs, but keeps the tables they wrote. */
export async function handleClearDataflows(ctx: SystemCtx): Promise<void> {
  const deletedBefore = new Date(ctx.clock.now().getTime() - KEPT_DAYS * 86_400_000)
  for (const table of ['dataflows', 'task_blocks'] as const) {
    let deletedCount = BATCH_SIZE
    // In batches: runs and logs can be millions of rows.
    while (deletedCount === BATCH_SIZE) {
      deletedCount = await deleteRowsDeletedBefore(ctx, table, { before: deletedBefore, limit: BATCH_SIZE })
    }
  }
}
