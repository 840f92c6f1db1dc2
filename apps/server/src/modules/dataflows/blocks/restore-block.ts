import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { assertNoCycle, toCards, draftTrigger, buildGraph, liveTrigger } from '../block-graph.ts'
import { findBlocks, findDeletedBlock, updateBlock } from '../blocks.repository.ts'
import { assertRoom, findFreeName, addBlockToAudit } from '../blocks.service.ts'
import { readFacts } from '../canvas-facts.ts'
import { NO_BLOCK } from '../canvas.service.ts'
import { touchDataflow } from '../dataflows.repository.ts'
import { getLockedDataflow } from '../dataflows.service.ts'
import { showCard } from '../show-block.ts'
import { writeWaits } from '../versions.repository.ts'
import { assertSettingsFit, assertWorkspaceRoom } from './workspace-room.ts'

/** Restores its own arrows to existing blocks, not others' arrows to it. */
export async function restoreBlock(ctx: WorkspaceCtx, code: string): Promise<BlockCard> {
  return await transaction(ctx, async (ctx) => {
    const knownBlockRow = await findDeletedBlock(ctx, code)
    if (!knownBlockRow) throw new AppError('not_found', NO_BLOCK)
    await getLockedDataflow(ctx, knownBlockRow.dataflow_code)
    const others = await findBlocks(ctx, knownBlockRow.dataflow_id)
    assertRoom(others)
    await assertWorkspaceRoom(ctx)
    await assertSettingsFit(ctx, knownBlockRow.id, knownBlockRow.settings)
    const blocks = [...others, knownBlockRow]
    assertNoCycle(buildGraph(blocks, draftTrigger), blocks)
    assertNoCycle(buildGraph(blocks, liveTrigger), blocks)
    await updateBlock(ctx, knownBlockRow.id, {
      name: findFreeName(knownBlockRow.name, others),
      ...(others.some(({ file_key }) => file_key === knownBlockRow.file_key) && { file_key: null }),
      deleted_at: null,
      ticks_until: ctx.clock.now(),
      updated_by: ctx.actor.profileId,
      updated_at: new Date(),
    })
    if (knownBlockRow.live_trigger)
      await writeWaits(ctx, knownBlockRow.id, [...toCards(knownBlockRow.live_trigger, others).upstream.keys()])
    await touchDataflow(ctx, knownBlockRow.dataflow_id)
    addBlockToAudit(ctx, knownBlockRow)
    const shownBlocks = await findBlocks(ctx, knownBlockRow.dataflow_id)
    const row = shownBlocks.find(({ id }) => id === knownBlockRow.id) ?? knownBlockRow
    return showCard(row, await readFacts(ctx, shownBlocks))
  })
}
