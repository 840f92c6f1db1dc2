import { disconnectActivity } from '@trellis/contract/dataflows/trigger-changes'
import { type TriggerForm, usedActivities } from '@trellis/contract/dataflows/triggers'
import { transaction } from '@trellis/control-db/database'
import { TRIGGER_CHANGED_REASON } from '@trellis/dataflow-engine/triggers/start-triggered-runs'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { toTriggerCards } from '../block-graph.ts'
import { type BlockRow, findBlocks, findBusyBlockNames, lockBlockRows } from '../blocks.repository.ts'
import { getLockedBlock, addBlockToAudit } from '../blocks.service.ts'
import { NO_SUCH_BLOCK } from '../canvas.service.ts'
import { touchDataflow } from '../dataflows.repository.ts'
import { getLockedDataflow } from '../dataflows.service.ts'
import { deletePlannedTicks, moveWaitingEventsToCards } from '../ticks.repository.ts'
import { findLiveSettings, deleteWaits, overwritePublishedSettings } from '../versions.repository.ts'
import { markBlocksDeleted, updateDrafts } from './many-blocks.repository.ts'

export async function deleteBlock(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    const { block, blocks } = await getLockedBlock(ctx, code, { isWithOthers: true })
    await deleteBlockRows(ctx, [block], blocks)
    addBlockToAudit(ctx, block)
    return { done: true }
  })
}

/** All or nothing, with a constant number of statements. */
export async function deleteBlocks(ctx: WorkspaceCtx, dataflow: string, codes: readonly string[]): Promise<void> {
  if (codes.length === 0) return
  await transaction(ctx, async (ctx) => {
    const { id } = await getLockedDataflow(ctx, dataflow)
    await lockBlockRows(ctx, { dataflow_id: id })
    const blocks = await findBlocks(ctx, id)
    const requestedCodes = new Set(codes)
    const removedBlocks = blocks.filter(({ trellis_code }) => requestedCodes.has(trellis_code))
    if (removedBlocks.length < requestedCodes.size) throw new AppError('not_found', NO_SUCH_BLOCK)
    await deleteBlockRows(ctx, removedBlocks, blocks)
  })
}

async function deleteBlockRows(
  ctx: WorkspaceCtx,
  removedBlocks: readonly BlockRow[],
  blocks: readonly BlockRow[],
): Promise<void> {
  const removedIds = removedBlocks.map(({ id }) => id)
  const [busyBlockName] = await findBusyBlockNames(ctx, { blockIds: removedIds })
  if (busyBlockName !== undefined) {
    throw new AppError('conflict', `A run of "${busyBlockName}" is not over. Cancel it or wait, then delete the block.`)
  }
  const [dataflowId] = removedBlocks.map(({ dataflow_id }) => dataflow_id)
  const removedCodes = new Set(removedBlocks.map(({ trellis_code }) => trellis_code))
  await removeFromTriggers(
    ctx,
    blocks.filter(({ trellis_code }) => !removedCodes.has(trellis_code)),
    removedCodes,
  )
  await markBlocksDeleted(ctx, removedIds, ctx.clock.now())
  await deleteWaits(ctx, removedIds)
  await deletePlannedTicks(ctx, removedIds)
  if (dataflowId !== undefined) await touchDataflow(ctx, dataflowId)
}

/** Returns the same form if it waits for none of the removed blocks. */
const disconnectRemoved = (form: TriggerForm, removedCodes: ReadonlySet<string>): TriggerForm =>
  usedActivities(form)
    .filter((code) => removedCodes.has(code))
    .reduce((remainingForm, code) => disconnectActivity(remainingForm, code), form)

/**
 * Takes the removed blocks out of the drafts and published versions of the others: an ALL trigger would wait forever for
 * a deleted block.
 */
async function removeFromTriggers(
  ctx: WorkspaceCtx,
  remainingBlocks: readonly BlockRow[],
  removedCodes: ReadonlySet<string>,
): Promise<void> {
  const drafts = remainingBlocks.flatMap(({ id, settings, version }) => {
    const trigger = disconnectRemoved(settings.trigger, removedCodes)
    return trigger === settings.trigger ? [] : [{ id, settings: { ...settings, trigger }, version: version + 1 }]
  })
  await updateDrafts(ctx, drafts)
  const newLiveTriggers = new Map(
    remainingBlocks.flatMap(({ id, live_trigger: liveTrigger, live_version }) => {
      if (!liveTrigger || live_version === null) return []
      const trigger = disconnectRemoved(liveTrigger, removedCodes)
      return trigger === liveTrigger ? [] : [[id, trigger] as const]
    }),
  )
  if (newLiveTriggers.size === 0) return
  const publishedVersions = await findLiveSettings(ctx, [...newLiveTriggers.keys()])
  const correctedVersions = publishedVersions.map((version) => ({
    ...version,
    settings: { ...version.settings, trigger: newLiveTriggers.get(version.block_id) ?? version.settings.trigger },
  }))
  await overwritePublishedSettings(ctx, correctedVersions)
  const cardsByBlock = new Map(
    [...newLiveTriggers].map(([id, trigger]) => [id, toTriggerCards(trigger, remainingBlocks)]),
  )
  await moveWaitingEventsToCards(ctx, cardsByBlock, TRIGGER_CHANGED_REASON)
}
