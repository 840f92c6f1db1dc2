import type { SystemCtx } from '../../../platform/ctx.ts'
import { findOnlineWorkspaces } from '../../../platform/online-workspaces.ts'
import { checkConnectedSparks, checkWorkspaceSparks } from './check-workspace.ts'

/** Notices columns renamed by loads, worksheets or tools. */
export async function handleCheckSparks(ctx: SystemCtx, _: object, { signal }: { signal: AbortSignal }): Promise<void> {
  for (const place of await findOnlineWorkspaces(ctx.db, 'sparks')) {
    signal.throwIfAborted()
    try {
      await checkWorkspaceSparks(ctx, place, signal)
      await checkConnectedSparks(ctx, place, signal)
    } catch (error) {
      ctx.log.warn({ err: error, workspace: place.workspace_code }, 'sparks could not be checked')
    }
  }
}
