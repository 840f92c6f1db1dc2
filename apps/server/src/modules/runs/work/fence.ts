import { raiseFence } from '@trellis/loads/writers'
import { AppError } from '../../../platform/app-error.ts'
import type { SystemCtx } from '../../../platform/ctx.ts'
import type { FencedRun } from '../runner/run-effects.ts'
import { toWriterName } from './loads/load-id.ts'
import { openRunDatabase } from './loads/load-session.ts'
import { EXPORT } from './managed/export-snapshot.ts'
import { OUTPUT } from './managed/run-statements.ts'

/** Raises the epoch in the workspace's database: lower ones can no longer commit there. */
export async function fenceRun(ctx: SystemCtx, run: FencedRun): Promise<void> {
  const database = await openRunDatabase(ctx, { id: run.workspace_id, code: run.workspace_code }).catch(ignoreMissing)
  if (!database) return
  const writerSource = {
    block: { code: run.block_code } as never,
    run: { rootCode: run.root_code, request: run.request, isParallel: run.is_parallel },
  }
  for (const subtask of listSubtasks(run)) {
    await raiseFence(database.cluster, database, { writer: toWriterName(writerSource, subtask), epoch: run.epoch })
  }
}

function listSubtasks({ kind, settings }: FencedRun): string[] {
  if (kind === 'Transformation') return [OUTPUT]
  if (kind === 'Destination') return [EXPORT]
  return ((settings as { subtasks?: { name: string }[] } | null)?.subtasks ?? []).map(({ name }) => name)
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof AppError && (error.code === 'not_found' || error.code === 'unavailable')) return undefined
  throw error
}
