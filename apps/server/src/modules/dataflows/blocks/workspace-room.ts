import { scoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Settings } from '@trellis/contract/dataflows/start-settings'
import { settingsText } from '../block-settings.ts'

/** Lists load all blocks at once: without limits a workspace could exhaust the memory. */
const MAX_WORKSPACE_BLOCKS = 10_000
export const MAX_SETTINGS_BYTES = 48 * 1024 * 1024
const SMALL_BYTES = 8 * 1024

const selectBlocks = (ctx: WorkspaceScope) =>
  scoped(ctx, 'dataflows')
    .innerJoin('task_blocks', 'task_blocks.dataflow_id', 'dataflows.id')
    .where('dataflows.workspace_id', '=', ctx.workspace.id)
    .where('dataflows.deleted_at', 'is', null)
    .where('task_blocks.deleted_at', 'is', null)

export async function assertWorkspaceRoom(ctx: WorkspaceScope, more = 1): Promise<void> {
  const { count } = await selectBlocks(ctx)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count + more <= MAX_WORKSPACE_BLOCKS) return
  const most = MAX_WORKSPACE_BLOCKS.toLocaleString('en')
  throw new AppError('limit_reached', `A workspace can have ${most} blocks. Delete dataflows that are not needed.`)
}

export async function assertSettingsFit(
  ctx: WorkspaceScope,
  blockId: number | null,
  settings: Settings,
): Promise<void> {
  const bytes = Buffer.byteLength(settingsText(settings))
  if (bytes <= SMALL_BYTES) return
  const { others } = await selectBlocks(ctx)
    .select(sql<number>`coalesce(sum(octet_length(task_blocks.settings::text)), 0)::float8`.as('others'))
    .where('task_blocks.id', '<>', blockId ?? 0)
    .executeTakeFirstOrThrow()
  if (others + bytes <= MAX_SETTINGS_BYTES) return
  throw new AppError(
    'limit_reached',
    'The blocks of this workspace hold too much code and settings together. Shorten some, or delete what is not needed.',
  )
}
