import { scoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

const selectBlocks = (ctx: WorkspaceScope) =>
  scoped(ctx, 'dataflows')
    .innerJoin('task_blocks', 'task_blocks.dataflow_id', 'dataflows.id')
    .where('dataflows.workspace_id', '=', ctx.workspace.id)
    .where('dataflows.deleted_at', 'is', null)
    .where('task_blocks.deleted_at', 'is', null)

export async function countWorkspaceBlocks(ctx: WorkspaceScope): Promise<number> {
  const { count } = await selectBlocks(ctx)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function sumSettingsBytes(ctx: WorkspaceScope, exceptBlockId: number): Promise<number> {
  const { bytes } = await selectBlocks(ctx)
    .select(sql<number>`coalesce(sum(octet_length(task_blocks.settings::text)), 0)::float8`.as('bytes'))
    .where('task_blocks.id', '<>', exceptBlockId)
    .executeTakeFirstOrThrow()
  return bytes
}
