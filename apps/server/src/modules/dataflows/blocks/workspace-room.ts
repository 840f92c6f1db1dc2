import type { WorkspaceScope } from '@trellis/control-db/scoped'
import { AppError } from '../../../platform/app-error.ts'
import type { Settings } from '@trellis/contract/dataflows/start-settings'
import { formatSettings } from '../block-settings.ts'
import { countWorkspaceBlocks, sumSettingsBytes } from './workspace-room.repository.ts'

/** Lists load all blocks at once: without limits a workspace could exhaust the memory. */
const MAX_WORKSPACE_BLOCKS = 10_000
export const MAX_SETTINGS_BYTES = 48 * 1024 * 1024
const UNCHECKED_BYTES = 8 * 1024

export async function assertWorkspaceRoom(ctx: WorkspaceScope, newBlocks = 1): Promise<void> {
  if ((await countWorkspaceBlocks(ctx)) + newBlocks <= MAX_WORKSPACE_BLOCKS) return
  const limitText = MAX_WORKSPACE_BLOCKS.toLocaleString('en')
  throw new AppError('limit_reached', `A workspace can have ${limitText} blocks. Delete dataflows that are not needed.`)
}

export async function assertSettingsFit(
  ctx: WorkspaceScope,
  blockId: number | null,
  settings: Settings,
): Promise<void> {
  const bytes = Buffer.byteLength(formatSettings(settings))
  if (bytes <= UNCHECKED_BYTES) return
  const otherBytes = await sumSettingsBytes(ctx, blockId ?? 0)
  if (otherBytes + bytes <= MAX_SETTINGS_BYTES) return
  throw new AppError(
    'limit_reached',
    'The blocks of this workspace hold too much code and settings together. Shorten some, or delete what is not needed.',
  )
}
