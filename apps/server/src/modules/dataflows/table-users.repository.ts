import { scoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import type { Settings } from '@trellis/contract/dataflows/start-settings'

export interface BlockWithLive {
  readonly code: string
  readonly name: string
  readonly dataflow_code: string
  readonly dataflow_name: string
  readonly settings: Settings
  readonly live_settings: Settings | null
}

export async function findBlocksWithLive(ctx: WorkspaceScope): Promise<BlockWithLive[]> {
  return (await scoped(ctx, 'task_blocks')
    .innerJoin('dataflows', 'dataflows.id', 'task_blocks.dataflow_id')
    .leftJoin('task_block_versions as live', (join) =>
      join.onRef('live.block_id', '=', 'task_blocks.id').onRef('live.version', '=', 'task_blocks.live_version'),
    )
    .select(['task_blocks.trellis_code as code', 'task_blocks.name', 'dataflows.trellis_code as dataflow_code'])
    .select(['dataflows.name as dataflow_name', 'task_blocks.settings', 'live.settings as live_settings'])
    .where('task_blocks.workspace_id', '=', ctx.workspace.id)
    .where('task_blocks.deleted_at', 'is', null)
    .where('dataflows.deleted_at', 'is', null)
    .orderBy('dataflows.name')
    .orderBy('task_blocks.name')
    .execute()) as unknown as BlockWithLive[]
}
