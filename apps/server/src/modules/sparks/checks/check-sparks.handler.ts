import type { SystemCtx } from '../../../platform/ctx.ts'
import { findOnlineWorkspaces } from '../../../platform/online-workspaces.ts'
import { checkConnectedSparks, checkWorkspaceSparks } from './check-workspace.ts'

/** Notices columns renamed by loads, worksheets or tools. */
export async function handleCheckSparks(ctx: SystemCtx, _: object, { signal }: { signal: AbortSignal }): Promise<void> {
  for (const account of await findOnlineWorkspaces(ctx.db, 'sparks')) {
    signal.throwIfAborted()
    try {
      await checkWorkspaceSparks(ctx, account, signal)
      await checkConnectedSparks(ctx, account, signal)
    } catch (error) {
      ctx.log.warn({ err: error, workspace: account.workspace_code }, 'sparks could not be checked')
    }
  }
}
