import { deleteScoped, insertScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import type { Tables } from '@trellis/control-db/tables'
import { type Selectable, sql } from 'kysely'

export type GroupRow = Selectable<Tables['canvas_groups']>

export async function findGroups(ctx: WorkspaceScope, dataflowId: number): Promise<GroupRow[]> {
  return await scoped(ctx, 'canvas_groups').selectAll().where('dataflow_id', '=', dataflowId).orderBy('id').execute()
}

export async function findGroup(
  ctx: WorkspaceScope,
  code: string,
): Promise<(GroupRow & { dataflow_code: string }) | undefined> {
  return await scoped(ctx, 'canvas_groups')
    .innerJoin('dataflows', 'dataflows.id', 'canvas_groups.dataflow_id')
    .selectAll('canvas_groups')
    .select('dataflows.trellis_code as dataflow_code')
    .where('dataflows.workspace_id', '=', ctx.workspace.id)
    .where('dataflows.deleted_at', 'is', null)
    .where('canvas_groups.trellis_code', '=', code)
    .executeTakeFirst()
}

type GroupValues = Omit<GroupRow, 'id' | 'account_id' | 'dataflow_id' | 'trellis_code'>

export async function insertGroup(
  ctx: WorkspaceScope,
  group: GroupValues & { dataflow_id: number; trellis_code: string },
): Promise<GroupRow> {
  return await insertScoped(ctx, 'canvas_groups', group).returningAll().executeTakeFirstOrThrow()
}

export async function updateGroupRow(ctx: WorkspaceScope, id: number, values: GroupValues): Promise<GroupRow> {
  return await updateScoped(ctx, 'canvas_groups')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteGroupRows(ctx: WorkspaceScope, ids: readonly number[]): Promise<void> {
  await deleteScoped(ctx, 'canvas_groups')
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

export async function moveIntoGroup(ctx: WorkspaceScope, group: GroupRow, codes: readonly string[]): Promise<number> {
  const { numUpdatedRows } = await updateScoped(ctx, 'task_blocks')
    .set({ group_id: group.id })
    .where('dataflow_id', '=', group.dataflow_id)
    .where('deleted_at', 'is', null)
    .where('trellis_code', '=', sql<string>`any(${codes}::text[])`)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
