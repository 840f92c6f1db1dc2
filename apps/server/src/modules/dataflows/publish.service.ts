import type { BlockVersion } from '@trellis/contract/runs/versions.schemas'
import { transaction } from '@trellis/control-db/database'
import { TRIGGER_CHANGED_REASON } from '@trellis/dataflow-engine/triggers/start-triggered-runs'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { assertNoCycle, toTriggerCards, buildGraph, getLiveTrigger } from './block-graph.ts'
import { type BlockRow, updateBlock } from './blocks.repository.ts'
import { assertVersion, getBlockRow, getLockedBlock, addBlockToAudit, writeDraft } from './blocks.service.ts'
import { touchDataflow } from './dataflows.repository.ts'
import { assertComplete } from './drafts.service.ts'
import { moveWaitingEventsToCards, discardPendingTicks } from './ticks.repository.ts'
import { type VersionRow, findVersion, findVersions, insertVersion, replaceWaits } from './versions.repository.ts'
import { applySettingsChange } from './block-settings.ts'

export async function publishBlock(
  ctx: WorkspaceCtx,
  code: string,
  body: { version: number; message?: string | undefined },
): Promise<BlockVersion> {
  return await transaction(ctx, async (ctx) => {
    const { block, blocks } = await getLockedBlock(ctx, code)
    assertVersion(block, body.version)
    // Publishing an unchanged draft would restart its schedule.
    if (block.is_same) return await getVersion(ctx, block, block.live_version ?? 0)
    await assertComplete(ctx, { block, blocks, verb: 'published' })
    const { trigger } = block.settings
    assertNoCycle(buildGraph(blocks, getLiveTrigger, new Map([[code, trigger]])), blocks)
    const now = ctx.clock.now()
    const version = { block_id: block.id, version: block.version, settings: block.settings }
    await insertVersion(ctx, { ...version, message: body.message ?? '', published_at: now })
    await updateBlock(ctx, block.id, { live_version: block.version, ticks_until: null })
    await discardPendingTicks(ctx, block.id, now)
    const cards = toTriggerCards(trigger, blocks)
    await replaceWaits(ctx, block.id, [...cards.upstream.keys()])
    await moveWaitingEventsToCards(ctx, new Map([[block.id, cards]]), TRIGGER_CHANGED_REASON)
    await touchDataflow(ctx, block.dataflow_id)
    addBlockToAudit(ctx, block)
    return await getVersion(ctx, { ...block, live_version: block.version }, block.version)
  })
}

async function getVersion(ctx: WorkspaceCtx, block: BlockRow, version: number): Promise<BlockVersion> {
  const row = await findVersion(ctx, block.id, version)
  if (!row) throw new AppError('not_found', 'There is no such version.')
  return toVersion(row, block)
}

const toVersion = (row: VersionRow, { live_version }: BlockRow): BlockVersion => ({
  version: row.version,
  number: row.number,
  published_at: row.published_at.toISOString(),
  published_by: row.published_by,
  message: row.message,
  is_live: row.version === live_version,
  settings: row.settings,
})

export async function listVersions(ctx: WorkspaceCtx, code: string): Promise<BlockVersion[]> {
  const block = await getBlockRow(ctx, code)
  return (await findVersions(ctx, block.id)).map((row) => toVersion(row, block))
}

export async function restoreVersion(
  ctx: WorkspaceCtx,
  code: string,
  body: { version: number; draft_version: number },
): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    const { block, blocks } = await getLockedBlock(ctx, code)
    assertVersion(block, body.draft_version)
    const row = await findVersion(ctx, block.id, body.version)
    if (!row) throw new AppError('not_found', 'There is no such version.')
    const activities = blocks.map(({ trellis_code }) => trellis_code)
    await writeDraft(ctx, { block, blocks }, applySettingsChange(row.settings, {}, activities))
    return { done: true }
  })
}
