import { scoped } from '@trellis/control-db/scoped'
import type { Settings } from '../block-settings.ts'
import type { WorkspaceScope } from '../folders.repository.ts'

export interface ReadingBlock {
  readonly code: string
  readonly name: string
  readonly dataflow_name: string
  readonly settings: Settings
}

/** Blocks that read from the workspace's own database. */
export async function findReadingBlocks(ctx: WorkspaceScope): Promise<ReadingBlock[]> {
  return (await scoped(ctx, 'task_blocks')
    .innerJoin('dataflows', 'dataflows.id', 'task_blocks.dataflow_id')
    .select(['task_blocks.trellis_code as code', 'task_blocks.name', 'dataflows.name as dataflow_name', 'settings'])
    .where('task_blocks.workspace_id', '=', ctx.workspace.id)
    .where('task_blocks.kind', '<>', 'Source')
    .where('task_blocks.deleted_at', 'is', null)
    .where('dataflows.deleted_at', 'is', null)
    .orderBy('dataflows.name')
    .orderBy('task_blocks.name')
    .execute()) as unknown as ReadingBlock[]
}
