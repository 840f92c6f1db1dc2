import { dropMover } from '@trellis/workspace-db/move/mover'
import { openAfterMove } from '@trellis/workspace-db/move/fence'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { removeWorkspaceDatabase } from '@trellis/workspace-db/remove'
import type { SystemCtx } from '../../ctx.ts'
import { type Move, abandonMove, deleteMove, findLapsedMoves, findMoved } from './moves.repository.ts'

/** Leaves one database, open to writers: the copy after the commit, else the one that was copied. Repeatable. */
export async function endMove(ctx: SystemCtx, held: Move): Promise<void> {
  const move = await abandonMove(ctx, held)
  const now = await findMoved(ctx, held.workspace_id)
  // Somebody else has taken over and not finished yet.
  if (!now?.key || (!move && now.is_moving)) return
  const cluster = await ctx.ports.cluster.openById(ctx, now.cluster_id)
  await openAfterMove(cluster.admin, toWorkspaceNames(now.key))
  await dropMover(cluster, toWorkspaceNames(now.key))
  for (const id of [held.from_cluster, held.to_cluster]) {
    if (id === now.cluster_id) continue
    await removeWorkspaceDatabase(await ctx.ports.cluster.openById(ctx, id), { key: now.key })
  }
  if (move) await deleteMove(ctx, move)
}

/** Moves whose process died. */
export async function endLapsedMoves(ctx: SystemCtx): Promise<void> {
  for (const move of await findLapsedMoves(ctx)) {
    try {
      await endMove(ctx, move)
      ctx.log.warn({ workspaceId: move.workspace_id, state: move.state }, 'a move that was broken off was ended')
    } catch (error) {
      ctx.log.warn({ workspaceId: move.workspace_id, err: error }, 'a move that was broken off could not be ended')
    }
  }
}
