import { deleteScoped, insertScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import type { Tables } from '@trellis/control-db/tables'
import type { Selectable, Updateable } from 'kysely'

export type FolderRow = Selectable<Tables['dataflow_folders']>

export async function findFolders(ctx: WorkspaceScope): Promise<FolderRow[]> {
  return await scoped(ctx, 'dataflow_folders')
    .selectAll()
    .where('workspace_id', '=', ctx.workspace.id)
    .orderBy('position')
    .orderBy('name')
    .orderBy('id')
    .execute()
}

/** Concurrent moves could create a cycle. */
export async function lockFolders(ctx: WorkspaceScope): Promise<void> {
  await scoped(ctx, 'workspaces').select('id').where('id', '=', ctx.workspace.id).forNoKeyUpdate().execute()
}

export async function insertFolder(
  ctx: WorkspaceScope,
  folder: { trellis_code: string; name: string; parent_id: number | null; position: number },
): Promise<FolderRow> {
  return await insertScoped(ctx, 'dataflow_folders', { ...folder, workspace_id: ctx.workspace.id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateFolderRow(
  ctx: WorkspaceScope,
  id: number,
  values: Updateable<Tables['dataflow_folders']>,
): Promise<FolderRow> {
  return await updateScoped(ctx, 'dataflow_folders')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteFolderRow(ctx: WorkspaceScope, folder: FolderRow): Promise<void> {
  const { id, parent_id } = folder
  await updateScoped(ctx, 'dataflow_folders').set({ parent_id }).where('parent_id', '=', id).execute()
  await updateScoped(ctx, 'dataflows').set({ folder_id: parent_id }).where('folder_id', '=', id).execute()
  await deleteScoped(ctx, 'dataflow_folders').where('id', '=', id).execute()
}
