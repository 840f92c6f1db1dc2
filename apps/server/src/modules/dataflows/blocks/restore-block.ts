import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { assertNoCycle, toCards, draftTrigger, buildGraph, liveTrigger } from '../block-graph.ts'
import { findBlocks, findDeletedBlock, updateBlock } from '../blocks.repository.ts'
import { assertRoom, findFreeName, noteBlock } from '../blocks.service.ts'
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
    const known = await findDeletedBlock(ctx, code)
    if (!known) throw new AppError('not_found', NO_BLOCK)
    await getLockedDataflow(ctx, known.dataflow_code)
    const others = await findBlocks(ctx, known.dataflow_id)
    assertRoom(others)
    await assertWorkspaceRoom(ctx)
    await assertSettingsFit(ctx, known.id, known.settings)
    const blocks = [...others, known]
    assertNoCycle(buildGraph(blocks, draftTrigger), blocks)
    assertNoCycle(buildGraph(blocks, liveTrigger), blocks)
    await updateBlock(ctx, known.id, {
      name: findFreeName(known.name, others),
      ...(others.some(({ file_key }) => file_key === known.file_key) && { file_key: null }),
      deleted_at: null,
      ticks_until: ctx.clock.now(),
      updated_by: ctx.actor.profileId,
      updated_at: new Date(),
    })
    if (known.live_trigger) await writeWaits(ctx, known.id, [...toCards(known.live_trigger, others).upstream.keys()])
    await touchDataflow(ctx, known.dataflow_id)
    noteBlock(ctx, known)
    const shown = await findBlocks(ctx, known.dataflow_id)
    const row = shown.find(({ id }) => id === known.id) ?? known
    return showCard(row, await readFacts(ctx, shown))
  })
}
