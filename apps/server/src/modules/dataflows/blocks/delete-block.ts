import { disconnectActivity } from '@trellis/contract/dataflows/trigger-changes'
import { type TriggerForm, usedActivities } from '@trellis/contract/dataflows/triggers'
import { transaction } from '@trellis/control-db/database'
import { STALE_REASON } from '@trellis/dataflow-engine/triggers/start-triggered-runs'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { toCards } from '../block-graph.ts'
import { type BlockRow, findBlocks, findBusy, lockBlockRows } from '../blocks.repository.ts'
import { getLockedBlock, addBlockToAudit } from '../blocks.service.ts'
import { NO_BLOCK } from '../canvas.service.ts'
import { touchDataflow } from '../dataflows.repository.ts'
import { getLockedDataflow } from '../dataflows.service.ts'
import { deletePlannedTicks, moveWaitingEvents } from '../ticks.repository.ts'
import { findLiveSettings, deleteWaits, updatePublishedSettings } from '../versions.repository.ts'
import { markDeleted, updateDrafts } from './many-blocks.repository.ts'

export async function deleteBlock(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    const { block, blocks } = await getLockedBlock(ctx, code, { isWithOthers: true })
    await deleteTogether(ctx, [block], blocks)
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
    const wantedCodes = new Set(codes)
    const removedBlocks = blocks.filter(({ trellis_code }) => wantedCodes.has(trellis_code))
    if (removedBlocks.length < wantedCodes.size) throw new AppError('not_found', NO_BLOCK)
    await deleteTogether(ctx, removedBlocks, blocks)
  })
}

async function deleteTogether(
  ctx: WorkspaceCtx,
  removedBlockRows: readonly BlockRow[],
  blocks: readonly BlockRow[],
): Promise<void> {
  const ids = removedBlockRows.map(({ id }) => id)
  const [busy] = await findBusy(ctx, { blockIds: ids })
  if (busy !== undefined) {
    throw new AppError('conflict', `A run of "${busy}" is not over. Cancel it or wait, then delete the block.`)
  }
  const [dataflowId] = removedBlockRows.map(({ dataflow_id }) => dataflow_id)
  const codes = new Set(removedBlockRows.map(({ trellis_code }) => trellis_code))
  await detach(
    ctx,
    blocks.filter(({ trellis_code }) => !codes.has(trellis_code)),
    codes,
  )
  await markDeleted(ctx, ids, ctx.clock.now())
  await deleteWaits(ctx, ids)
  await deletePlannedTicks(ctx, ids)
  if (dataflowId !== undefined) await touchDataflow(ctx, dataflowId)
}

const without = (form: TriggerForm, codes: ReadonlySet<string>): TriggerForm =>
  usedActivities(form)
    .filter((code) => codes.has(code))
    .reduce((rest, code) => disconnectActivity(rest, code), form)

/** The published version too: an ALL trigger would wait forever for a deleted block. */
async function detach(ctx: WorkspaceCtx, rest: readonly BlockRow[], codes: ReadonlySet<string>): Promise<void> {
  const drafts = rest.flatMap(({ id, settings, version }) => {
    const trigger = without(settings.trigger, codes)
    return trigger === settings.trigger ? [] : [{ id, settings: { ...settings, trigger }, version: version + 1 }]
  })
  await updateDrafts(ctx, drafts)
  const triggers = new Map(
    rest.flatMap(({ id, live_trigger: live, live_version }) => {
      if (!live || live_version === null) return []
      const trigger = without(live, codes)
      return trigger === live ? [] : [[id, trigger] as const]
    }),
  )
  if (triggers.size === 0) return
  const live = await findLiveSettings(ctx, [...triggers.keys()])
  const mended = live.map((settings) => ({
    ...settings,
    settings: { ...settings.settings, trigger: triggers.get(settings.block_id) ?? settings.settings.trigger },
  }))
  await updatePublishedSettings(ctx, mended)
  const cards = new Map([...triggers].map(([id, trigger]) => [id, toCards(trigger, rest)]))
  await moveWaitingEvents(ctx, cards, STALE_REASON)
}
