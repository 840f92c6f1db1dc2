import type { ByteSource } from '@trellis/table-files/read/byte-source'
import { parseWorkId } from '@trellis/loads/own-tables'
import { dropStage, listPlatformTables } from '@trellis/loads/stage'
import { raiseFence } from '@trellis/loads/writers'
import type { Session } from '@trellis/workspace-db/session'
import type { SystemCtx } from '../../platform/ctx.ts'
import { openLoadSession } from '../../platform/workspace-database/load-session.ts'
import { type OpenDatabase, openWorkspaceDatabase } from '../../platform/workspace-database/open-database.ts'
import { openFileSource } from './file-parts.ts'
import { parseStagedFrom } from './plan/file-plan.ts'
import { type FileRowData, type JobRowData, findFileRow, clearStage } from './uploads.repository.ts'

export interface Progress {
  done_bytes: number
  total_bytes: number
  rows: number
  step: string
}

export interface JobWork {
  readonly ctx: SystemCtx
  readonly job: JobRowData
  readonly attempt: number
  readonly signal: AbortSignal
  readonly progress: Progress
}

export interface FileWork extends JobWork {
  readonly file: FileRowData
}

export const WRITER_PREFIX = 'upload-'

/** The epoch rises with every attempt. */
export const toFence = ({ job, attempt }: Pick<JobWork, 'job' | 'attempt'>) => ({
  writer: `${WRITER_PREFIX}${job.id}`,
  epoch: attempt,
})

/** Fence: a lost worker can no longer commit. */
export async function fenceJob(work: JobWork): Promise<void> {
  if (work.job.kind !== 'deliver' && work.job.kind !== 'undo') return
  const database = await openJobDatabase(work)
  const { writer, epoch } = toFence(work)
  await raiseFence(database.cluster, database, { writer, epoch: epoch + 1 })
}

export function createByteSource({ ctx, file, progress }: FileWork): ByteSource {
  const source = openFileSource(ctx.ports.objects, file)
  return {
    size: source.size,
    async *stream(range) {
      for await (const chunk of source.stream(range)) {
        yield chunk
        progress.done_bytes = Math.min(progress.total_bytes, progress.done_bytes + chunk.length)
      }
    },
  }
}

export async function openJobDatabase({ ctx, job }: JobWork): Promise<OpenDatabase> {
  return await openWorkspaceDatabase(ctx, { workspaceId: job.workspace_id, integrationCode: job.integration_code })
}

export const withLoadSession = <T>(
  database: OpenDatabase,
  signal: AbortSignal | undefined,
  work: (session: Session) => Promise<T>,
): Promise<T> => openLoadSession(database, { signal, idleInTransactionMs: 120_000 }, work)

/** What can not be dropped now is cleared later. */
export async function tryDropStage(database: OpenDatabase, stage: string): Promise<void> {
  await withLoadSession(database, undefined, (session) => dropStage(session, stage)).catch(() => undefined)
}

export async function dropStages(work: JobWork): Promise<void> {
  const { ctx, job } = work
  const stagedFrom = await findStagedFrom(work)
  if (job.file_id !== null && stagedFrom !== undefined && parseWorkId(stagedFrom.stage) === job.id) {
    await clearStage(ctx, job.file_id, stagedFrom.text)
  }
  await dropStagesExcept(work, undefined)
}

export async function dropUnusedStages(work: JobWork): Promise<void> {
  await dropStagesExcept(work, (await findStagedFrom(work))?.stage)
}

async function findStagedFrom({ ctx, job }: JobWork): Promise<{ stage: string; text: string } | undefined> {
  const file = job.file_id === null ? undefined : await findFileRow(ctx, job.file_id)
  const stagedFrom = file && parseStagedFrom(file)
  return stagedFrom && { stage: stagedFrom.stage, text: file.staged_from ?? '' }
}

async function dropStagesExcept(work: JobWork, keptStage: string | undefined): Promise<void> {
  if (work.job.kind === 'undo') return
  await withLoadSession(await openJobDatabase(work), undefined, async (session) => {
    const stages = await listPlatformTables(session, 'stage')
    for (const stage of stages)
      if (stage !== keptStage && parseWorkId(stage) === work.job.id) await dropStage(session, stage)
  })
}
