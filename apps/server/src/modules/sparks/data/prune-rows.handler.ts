import type { SystemCtx } from '../../../platform/ctx.ts'
import { deleteOldRows } from './rows.repository.ts'

const UNUSED_DAYS = 30
const MAX_WORKSPACE_BYTES = 64 * 1024 * 1024
const MAX_WORKSPACE_RESULTS = 5000

export async function handlePruneSparkRows(ctx: SystemCtx): Promise<void> {
  const unusedSince = new Date(ctx.clock.now().getTime() - UNUSED_DAYS * 24 * 3600_000)
  const limits = { unusedSince, maxBytes: MAX_WORKSPACE_BYTES, maxRows: MAX_WORKSPACE_RESULTS }
  const deleted = await deleteOldRows(ctx.db, limits)
  if (deleted > 0) ctx.log.info({ deleted }, 'cached rows of sparks were deleted')
}
