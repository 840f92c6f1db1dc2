import type { TransformationSettings, WorksheetLink } from '@trellis/contract/dataflows/task-blocks.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import type { Settings } from '@trellis/contract/dataflows/start-settings'
import { applySettingsChange } from '../block-settings.ts'
import { findBlocks } from '../blocks.repository.ts'
import { assertVersion, getBlockRow, getLockedBlock, writeDraft } from '../blocks.service.ts'
import { getDataflowRow } from '../dataflows.service.ts'
import { publishBlock } from '../publish.service.ts'
import * as repository from './linked-blocks.repository.ts'

export type LinkedBlock = repository.LinkedBlock

export const listLinkedBlocks = (ctx: WorkspaceCtx, projectCode: string): Promise<LinkedBlock[]> =>
  repository.findLinkedBlocks(ctx, projectCode)

interface WorksheetText {
  readonly sql: string
  readonly link: WorksheetLink
}

interface BlockLink extends WorksheetText {
  readonly writesRows: boolean
}

const ROW_DISTANCE = 260

export async function findNewBlockPosition(ctx: WorkspaceCtx, dataflowCode: string): Promise<{ x: number; y: number }> {
  const { id } = await getDataflowRow(ctx, dataflowCode)
  const blocks = await findBlocks(ctx, id)
  if (blocks.length === 0) return { x: 0, y: 0 }
  return { x: Math.min(...blocks.map(({ x }) => x)), y: Math.max(...blocks.map(({ y }) => y)) + ROW_DISTANCE }
}

const getWorksheetLink = (settings: Settings) => ('language' in settings ? settings.worksheet : undefined)

export async function getBlockLink(ctx: WorkspaceCtx, code: string): Promise<BlockLink> {
  const { settings } = await getBlockRow(ctx, code)
  const link = getWorksheetLink(settings)
  if (!link) throw notLinkedError()
  const { code: sql, write } = settings as TransformationSettings
  return { sql, link, writesRows: write !== null }
}

const notLinkedError = () => new AppError('not_found', 'The SQL of this block does not come from a worksheet.')

export async function updateLinkedDraft(
  ctx: WorkspaceCtx,
  code: string,
  { sql, link, version }: WorksheetText & { version?: number },
): Promise<number> {
  return await transaction(ctx, async (ctx) => {
    const { block, blocks } = await getLockedBlock(ctx, code)
    if (version !== undefined) assertVersion(block, version)
    if (getWorksheetLink(block.settings)?.file_id !== link.file_id) throw notLinkedError()
    const activities = blocks.map(({ trellis_code }) => trellis_code)
    await writeDraft(
      ctx,
      { block, blocks },
      applySettingsChange(block.settings, { code: sql, worksheet: link }, activities),
    )
    return block.version + 1
  })
}

export async function publishLinkedDraft(
  ctx: WorkspaceCtx,
  code: string,
  body: { version: number; message: string },
): Promise<string | null> {
  try {
    await publishBlock(ctx, code, body)
    return null
  } catch (error) {
    // Thrown before any write, so the transaction stays usable.
    if (error instanceof AppError) return error.message
    throw error
  }
}

export async function unlinkBlock(ctx: WorkspaceCtx, code: string, version: number): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    const { block, blocks } = await getLockedBlock(ctx, code)
    assertVersion(block, version)
    if (!getWorksheetLink(block.settings)) throw notLinkedError()
    await writeDraft(ctx, { block, blocks }, { ...block.settings, worksheet: undefined } as Settings)
    return { done: true }
  })
}
