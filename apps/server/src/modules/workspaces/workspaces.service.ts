import { scoped } from '@trellis/control-db/scoped'
import type { WorkspaceCtx } from '../../platform/ctx.ts'

export async function getOwnContext(ctx: WorkspaceCtx) {
  const workspace = await scoped(ctx, 'workspaces')
    .select(['name', 'workspace_address'])
    .where('id', '=', ctx.workspace.id)
    .executeTakeFirstOrThrow()
  return { workspace, role: ctx.workspace.role }
}
