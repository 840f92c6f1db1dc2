import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { disconnectActivity } from '@trellis/contract/dataflows/trigger-changes'
import { usedActivities } from '@trellis/contract/dataflows/triggers'
import { transaction } from '@trellis/control-db/database'
import { STALE_REASON } from '@trellis/dataflow-engine/triggers/deliver'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { assertNoCycle, cardsOf, draftTrigger, graphOf, liveTrigger } from '../block-graph.ts'
import {
  type BlockRow,
  findBlocks,
  findBusy,
  findDeletedBlock,
  updateBlock,
  updateDraft,
} from '../blocks.repository.ts'
import { assertSettingsFit, assertWorkspaceRoom } from './workspace-room.ts'
import { assertRoom, freeName, getLockedBlock, noteBlock } from '../blocks.service.ts'
import { readFacts } from '../canvas-facts.ts'
import { NO_BLOCK } from '../canvas.service.ts'
import { touchDataflow } from '../dataflows.repository.ts'
import { getLockedDataflow } from '../dataflows.service.ts'
import { showCard } from '../show-block.ts'
import { forgetPlannedTicksOf, settleEvents } from '../ticks.repository.ts'
import { findVersion, forgetWaits, mendVersion, writeWaits } from '../versions.repository.ts'

export async function deleteBlock(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    const { block, blocks } = await getLockedBlock(ctx, code, { isWithOthers: true })
    const waiting = blocks.filter((other) => waitsFor(other, code))
    if ((await findBusy(ctx, { blockId: block.id })).length > 0) {
      throw new AppError('conflict', `A run of "${block.name}" is not over. Cancel it or wait, then delete the block.`)
    }
    for (const other of waiting) await detach(ctx, other, { block, blocks })
    await updateBlock(ctx, block.id, { deleted_at: ctx.clock.now(), updated_by: ctx.actor.profileId })
    await forgetWaits(ctx, block.id)
    await forgetPlannedTicksOf(ctx, block.id)
    await touchDataflow(ctx, block.dataflow_id)
    noteBlock(ctx, block)
    return { done: true }
  })
}

const waitsFor = ({ settings, live_trigger: live }: BlockRow, code: string): boolean =>
  usedActivities(settings.trigger).includes(code) || (live !== null && usedActivities(live).includes(code))

interface Gone {
  readonly block: BlockRow
  readonly blocks: readonly BlockRow[]
}

/** A trigger that waited for all would otherwise wait for ever: what is live is mended too. */
async function detach(ctx: WorkspaceCtx, other: BlockRow, { block, blocks }: Gone): Promise<void> {
  const draft = disconnectActivity(other.settings.trigger, block.trellis_code)
  if (draft !== other.settings.trigger) {
    await updateDraft(ctx, other.id, {
      settings: { ...other.settings, trigger: draft },
      version: other.version + 1,
    })
  }
  if (!other.live_trigger || other.live_version === null) return
  const live = disconnectActivity(other.live_trigger, block.trellis_code)
  if (live === other.live_trigger) return
  const place = { blockId: other.id, version: other.live_version }
  const row = await findVersion(ctx, other.id, other.live_version)
  if (row) await mendVersion(ctx, place, { ...row.settings, trigger: live })
  const rest = blocks.filter(({ id }) => id !== block.id)
  await settleEvents(ctx, other.id, { cards: cardsOf(live, rest), reason: STALE_REASON })
}

/** Its own arrows come back as far as the blocks are there; arrows of others do not. */
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
    assertNoCycle(graphOf(blocks, draftTrigger), blocks)
    assertNoCycle(graphOf(blocks, liveTrigger), blocks)
    await updateBlock(ctx, known.id, {
      name: freeName(known.name, others),
      deleted_at: null,
      ticks_until: ctx.clock.now(),
      updated_by: ctx.actor.profileId,
      updated_at: new Date(),
    })
    if (known.live_trigger) await writeWaits(ctx, known.id, [...cardsOf(known.live_trigger, others).upstream.keys()])
    await touchDataflow(ctx, known.dataflow_id)
    noteBlock(ctx, known)
    const shown = await findBlocks(ctx, known.dataflow_id)
    const row = shown.find(({ id }) => id === known.id) ?? known
    return showCard(row, await readFacts(ctx, shown))
  })
}
