import type { TilePlace } from '@trellis/contract/dashboard/dashboard.schemas'
import { insertScoped } from '@trellis/control-db/scoped'
import type { WorkspaceCtx } from '../../platform/ctx.ts'

export async function saveTileOrder(ctx: WorkspaceCtx, order: readonly TilePlace[]): Promise<void> {
  const tiles = JSON.stringify(order)
  await insertScoped(ctx, 'dashboard_tiles', {
    workspace_id: ctx.workspace.id,
    profile_id: ctx.actor.profileId,
    tiles,
  })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'profile_id']).doUpdateSet({ tiles }))
    .execute()
}
