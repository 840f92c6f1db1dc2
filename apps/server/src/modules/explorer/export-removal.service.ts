import type { SystemCtx } from '../../platform/ctx.ts'
import { exportKey } from './export-files.ts'
import { deleteExport, listExportIds } from './exports.repository.ts'

/** Deletes file, then row: without its row a file would never be found. Idempotent. */
export async function deleteWorkspaceExports(ctx: SystemCtx, workspaceId: number): Promise<void> {
  for (const id of await listExportIds(ctx, workspaceId)) {
    await ctx.ports.objects.delete(exportKey(id))
    await deleteExport(ctx, id)
  }
}
