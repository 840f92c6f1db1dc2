import type { WorksheetLink } from '@trellis/contract/dataflows/task-blocks.schemas'
import { scoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface LinkedBlock {
  readonly code: string
  readonly name: string
  readonly dataflow_code: string
  readonly dataflow_name: string
  readonly sql: string
  readonly draft_link: WorksheetLink | null
  readonly live_link: WorksheetLink | null
  readonly live_sql: string | null
  readonly is_published: boolean
  readonly is_same: boolean
  readonly writes_rows: boolean
}

/** In lock order. */
export async function findLinkedBlocks(ctx: WorkspaceScope, projectCode: string): Promise<LinkedBlock[]> {
  return (await scoped(ctx, 'task_blocks')
    .innerJoin('dataflows', 'dataflows.id', 'task_blocks.dataflow_id')
    .leftJoin('task_block_versions as live', (join) =>
      join.onRef('live.block_id', '=', 'task_blocks.id').onRef('live.version', '=', 'task_blocks.live_version'),
    )
    .select(['task_blocks.trellis_code as code', 'task_blocks.name', 'dataflows.trellis_code as dataflow_code'])
    .select('dataflows.name as dataflow_name')
    .select(sql<string>`coalesce(task_blocks.settings ->> 'code', '')`.as('sql'))
    .select(sql<WorksheetLink | null>`task_blocks.settings -> 'worksheet'`.as('draft_link'))
    .select(sql<WorksheetLink | null>`live.settings -> 'worksheet'`.as('live_link'))
    .select(sql<string | null>`live.settings ->> 'code'`.as('live_sql'))
    .select(sql<boolean>`live.version is not null`.as('is_published'))
    .select(sql<boolean>`coalesce(live.settings::text = task_blocks.settings::text, false)`.as('is_same'))
    .select(sql<boolean>`(task_blocks.settings ->> 'write') is not null`.as('writes_rows'))
    .where('task_blocks.workspace_id', '=', ctx.workspace.id)
    .where('task_blocks.kind', '=', 'Transformation')
    .where('task_blocks.deleted_at', 'is', null)
    .where('dataflows.deleted_at', 'is', null)
    .where(
      sql<boolean>`${projectCode} in
        (task_blocks.settings -> 'worksheet' ->> 'project_id', live.settings -> 'worksheet' ->> 'project_id')`,
    )
    .orderBy('task_blocks.dataflow_id')
    .orderBy('task_blocks.id')
    .execute()) as LinkedBlock[]
}
