import type { SystemCtx } from '../../platform/ctx.ts'
import { exportKey } from './export-files.ts'
import { deleteExport, listExportIds } from './exports.repository.ts'

/** Rows go one by one with their files: a row that is gone would leave a file that nobody finds. Repeatable. */
export async function deleteWorkspaceExports(ctx: SystemCtx, workspaceId: number): Promise<void> {
  for (const id of await listExportIds(ctx, workspaceId)) {
    await ctx.ports.objects.delete(exportKey(id))
    await deleteExport(ctx, id)
  }
}
