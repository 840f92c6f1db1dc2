import { parseWorkId } from '@trellis/loads/own-tables'
import { dropOldUndoTables } from '@trellis/loads/drop-old-undo-tables'
import { dropStage, listPlatformTables } from '@trellis/loads/stage'
import { deleteOldWriters } from '@trellis/loads/writers'
import type { SystemCtx } from '../../platform/ctx.ts'
import { openWorkspaceDatabase } from '../../platform/workspace-database/open-database.ts'
import { deleteParts } from './file-parts.ts'
import { WRITER_PREFIX, withLoadSession } from './job-work.ts'
import {
  deleteStaleFile,
  findRecentlyUsedWorkspaces,
  findFilesWithOldParts,
  findActiveWork,
  findStaleFiles,
  clearPartsColumn,
} from './clear-uploads.repository.ts'

const KEPT_DAYS = 7

export async function handleClearUploads(ctx: SystemCtx): Promise<void> {
  for (const file of await findStaleFiles(ctx)) {
    await deleteParts(ctx.ports.objects, file)
    await deleteStaleFile(ctx, file.id)
  }
  for (const file of await findFilesWithOldParts(ctx)) {
    await deleteParts(ctx.ports.objects, file)
    await clearPartsColumn(ctx, file.id)
  }
  for (const workspace of await findRecentlyUsedWorkspaces(ctx)) {
    await clearWorkspace(ctx, workspace).catch((error: unknown) => {
      ctx.log.warn(
        { err: error, workspace: workspace.workspaceId },
        'What loads left behind could not be cleared; it is tried again.',
      )
    })
  }
}

async function clearWorkspace(
  ctx: SystemCtx,
  workspace: { workspaceId: number; integrationCode: string },
): Promise<void> {
  const database = await openWorkspaceDatabase(ctx, workspace)
  await withLoadSession(database, undefined, async (session) => {
    // Listed before active work, so that newer staging tables are not included.
    const stages = await listPlatformTables(session, 'stage')
    const activeWork = await findActiveWork(ctx, workspace.workspaceId)
    for (const stage of stages) {
      const jobId = parseWorkId(stage)
      if (jobId === undefined || (!activeWork.jobs.has(jobId) && !activeWork.stages.has(stage)))
        await dropStage(session, stage)
    }
    await dropOldUndoTables(session, KEPT_DAYS)
    await deleteOldWriters(session, WRITER_PREFIX, KEPT_DAYS)
  })
}
