import type { SystemCtx } from '../../platform/ctx.ts'
import { deleteRowsDeletedBefore } from './dataflows.repository.ts'

const KEPT_DAYS = 30
const AT_ONCE = 200

/** Deletes versions, runs and logs, but keeps the tables they wrote. */
export async function handleClearDataflows(ctx: SystemCtx): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - KEPT_DAYS * 86_400_000)
  for (const table of ['dataflows', 'task_blocks'] as const) {
    let gone = AT_ONCE
    // In batches: runs and logs can be millions of rows.
    while (gone === AT_ONCE) {
      gone = await deleteRowsDeletedBefore(ctx, table, { before, limit: AT_ONCE })
    }
  }
}
