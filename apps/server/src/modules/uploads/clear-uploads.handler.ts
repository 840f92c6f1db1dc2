import { parseWorkId } from '@trellis/loads/own-tables'
import { dropOldUndoTables } from '@trellis/loads/drop-old-undo-tables'
import { dropStage, listOwnTables } from '@trellis/loads/stage'
import { deleteOldWriters } from '@trellis/loads/writers'
import type { SystemCtx } from '../../platform/ctx.ts'
import { openWorkspaceDatabase } from '../../platform/workspace-database/open-database.ts'
import { deleteParts } from './file-parts.ts'
import { WRITER_PREFIX, withLoadSession } from './job-work.ts'
import {
  deleteStaleFile,
  findBusyWorkspaces,
  findEmptiable,
  findLivingWork,
  findStaleFiles,
  forgetParts,
} from './clear-uploads.repository.ts'

const KEPT_DAYS = 7

export async function handleClearUploads(ctx: SystemCtx): Promise<void> {
  for (const file of await findStaleFiles(ctx)) {
    await deleteParts(ctx.ports.objects, file)
    await deleteStaleFile(ctx, file.id)
  }
  for (const file of await findEmptiable(ctx)) {
    await deleteParts(ctx.ports.objects, file)
    await forgetParts(ctx, file.id)
  }
  for (const workspace of await findBusyWorkspaces(ctx)) {
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
    const stages = await listOwnTables(session, 'stage')
    const living = await findLivingWork(ctx, workspace.workspaceId)
    for (const stage of stages) {
      const work = parseWorkId(stage)
      if (work === undefined || (!living.jobs.has(work) && !living.stages.has(stage))) await dropStage(session, stage)
    }
    await dropOldUndoTables(session, KEPT_DAYS)
    await deleteOldWriters(session, WRITER_PREFIX, KEPT_DAYS)
  })
}
