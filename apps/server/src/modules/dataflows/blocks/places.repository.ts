import { scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface BlockPosition {
  readonly id: number
  readonly trellis_code: string
  readonly dataflow_id: number
  readonly x: number
  readonly y: number
  readonly note: string
  readonly group_code: string | null
}

export async function findBlockPositions(ctx: WorkspaceScope, codes: readonly string[]): Promise<BlockPosition[]> {
  return await scoped(ctx, 'task_blocks')
    .innerJoin('dataflows', 'dataflows.id', 'task_blocks.dataflow_id')
    .leftJoin('canvas_groups', 'canvas_groups.id', 'task_blocks.group_id')
    .select(['task_blocks.id', 'task_blocks.trellis_code', 'task_blocks.dataflow_id', 'x', 'y', 'task_blocks.note'])
    .select('canvas_groups.trellis_code as group_code')
    .where('task_blocks.workspace_id', '=', ctx.workspace.id)
    .where('task_blocks.deleted_at', 'is', null)
    .where('dataflows.deleted_at', 'is', null)
    .where('task_blocks.trellis_code', '=', sql<string>`any(${codes}::text[])`)
    .orderBy('task_blocks.id')
    .execute()
}

export interface BlockMove {
  readonly id: number
  readonly x?: number | undefined
  readonly y?: number | undefined
  readonly note?: string | undefined
  /** Undefined keeps the group, null removes it. */
  readonly group_id?: number | null | undefined
}

export async function moveBlocks(ctx: WorkspaceScope, moves: readonly BlockMove[]): Promise<void> {
  const rows = moves.map((move) => ({ ...move, has_group: move.group_id !== undefined }))
  const moveRows = sql<{ id: number; x: number; y: number; note: string; group_id: number; has_group: boolean }>`
    jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`
  await updateScoped(ctx, 'task_blocks')
    .from(
      moveRows.as<'m'>(
        sql`m(id bigint, x double precision, y double precision, note text, group_id bigint, has_group boolean)`,
      ),
    )
    .set({
      x: sql<number>`coalesce(m.x, task_blocks.x)` as never,
      y: sql<number>`coalesce(m.y, task_blocks.y)` as never,
      note: sql<string>`coalesce(m.note, task_blocks.note)` as never,
      group_id: sql<number>`case when m.has_group then m.group_id else task_blocks.group_id end` as never,
    })
    .whereRef('task_blocks.id', '=', 'm.id' as never)
    .execute()
}
