import { dropOldUndoTables } from '@trellis/loads/drop-old-undo-tables'
import { dropAbandonedLoads } from '@trellis/loads/run/clear-leftovers'
import { dropOldComparisons } from '@trellis/loads/run/shadow/save-comparison'
import { withSession } from '@trellis/workspace-db/session'
import type { SystemCtx } from '../../platform/ctx.ts'
import { type WorkspaceToClear, findWorkspacesWithDataflows } from './clear-loads.repository.ts'
import { openRunDatabase } from './work/loads/load-session.ts'

const KEPT_DAYS = 7
const COMPARISON_DAYS = 90
/** User code may run in triggers: it must not block the others for long. */
const WORKSPACE_TIMEOUT_MS = 120_000
const STATEMENT_LIMITS = { statementMs: 60_000, lockMs: 2_000 }

/** Unreachable databases are retried the next time. */
export async function handleClearLoads(ctx: SystemCtx): Promise<void> {
  for (const workspace of await findWorkspacesWithDataflows(ctx)) {
    await clearWorkspaceLoads(ctx, workspace).catch((error: unknown) => {
      ctx.log.warn(
        { err: error, workspace: workspace.id },
        'What loads left behind could not be cleared; it is tried again.',
      )
    })
  }
}

async function clearWorkspaceLoads(ctx: SystemCtx, workspace: WorkspaceToClear): Promise<string[]> {
  const { cluster, database, credentials } = await openRunDatabase(ctx, workspace)
  const signal = AbortSignal.timeout(WORKSPACE_TIMEOUT_MS)
  const target = { database, credentials, role: 'rw', isPlain: true, limits: STATEMENT_LIMITS, signal } as const
  return await withSession(cluster, target, async (session) => {
    await dropOldComparisons(session, COMPARISON_DAYS)
    return [...(await dropAbandonedLoads(session)), ...(await dropOldUndoTables(session, KEPT_DAYS))]
  })
}
