import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { assertNoCycle, toTriggerCards, getDraftTrigger, buildGraph, getLiveTrigger } from '../block-graph.ts'
import { findBlocks, findDeletedBlock, updateBlock } from '../blocks.repository.ts'
import { assertBlockRoom, findFreeName, addBlockToAudit } from '../blocks.service.ts'
import { readCanvasFacts } from '../canvas-facts.ts'
import { NO_SUCH_BLOCK } from '../canvas.service.ts'
import { touchDataflow } from '../dataflows.repository.ts'
import { getLockedDataflow } from '../dataflows.service.ts'
import { toBlockCard } from '../show-block.ts'
import { replaceWaits } from '../versions.repository.ts'
import { assertSettingsFit, assertWorkspaceRoom } from './workspace-room.ts'

/** Restores its own arrows to existing blocks, not others' arrows to it. */
export async function restoreBlock(ctx: WorkspaceCtx, code: string): Promise<BlockCard> {
  return await transaction(ctx, async (ctx) => {
    const deletedBlock = await findDeletedBlock(ctx, code)
    if (!deletedBlock) throw new AppError('not_found', NO_SUCH_BLOCK)
    await getLockedDataflow(ctx, deletedBlock.dataflow_code)
    const existingBlocks = await findBlocks(ctx, deletedBlock.dataflow_id)
    assertBlockRoom(existingBlocks)
    await assertWorkspaceRoom(ctx)
    await assertSettingsFit(ctx, deletedBlock.id, deletedBlock.settings)
    const blocks = [...existingBlocks, deletedBlock]
    assertNoCycle(buildGraph(blocks, getDraftTrigger), blocks)
    assertNoCycle(buildGraph(blocks, getLiveTrigger), blocks)
    await updateBlock(ctx, deletedBlock.id, {
      name: findFreeName(deletedBlock.name, existingBlocks),
      ...(existingBlocks.some(({ file_key }) => file_key === deletedBlock.file_key) && { file_key: null }),
      deleted_at: null,
      ticks_until: ctx.clock.now(),
      updated_by: ctx.actor.profileId,
      updated_at: new Date(),
    })
    if (deletedBlock.live_trigger)
      await replaceWaits(ctx, deletedBlock.id, [
        ...toTriggerCards(deletedBlock.live_trigger, existingBlocks).upstream.keys(),
      ])
    await touchDataflow(ctx, deletedBlock.dataflow_id)
    addBlockToAudit(ctx, deletedBlock)
    const restoredBlocks = await findBlocks(ctx, deletedBlock.dataflow_id)
    const restoredBlock = restoredBlocks.find(({ id }) => id === deletedBlock.id) ?? deletedBlock
    return toBlockCard(restoredBlock, await readCanvasFacts(ctx, restoredBlocks))
  })
}
