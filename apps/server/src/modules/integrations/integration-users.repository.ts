import { scoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface UsingBlock {
  readonly dataflow_code: string
  readonly dataflow_name: string
  readonly name: string
}

export async function findBlocksUsing(
  ctx: WorkspaceScope,
  { id, trellis_code }: { readonly id: number; readonly trellis_code: string },
): Promise<UsingBlock[]> {
  return await scoped(ctx, 'task_blocks')
    .innerJoin('dataflows', 'dataflows.id', 'task_blocks.dataflow_id')
    .leftJoin('task_block_versions as live', (join) =>
      join.onRef('live.block_id', '=', 'task_blocks.id').onRef('live.version', '=', 'task_blocks.live_version'),
    )
    .select(['dataflows.trellis_code as dataflow_code', 'dataflows.name as dataflow_name', 'task_blocks.name'])
    .where('task_blocks.workspace_id', '=', ctx.workspace.id)
    .where('task_blocks.deleted_at', 'is', null)
    .where('dataflows.deleted_at', 'is', null)
    .where((is) =>
      is.or([
        is('task_blocks.integration_id', '=', id),
        is(sql<string>`live.settings ->> 'integration_trellis_code'`, '=', trellis_code),
      ]),
    )
    .orderBy('dataflows.name')
    .orderBy('task_blocks.name')
    .execute()
}
