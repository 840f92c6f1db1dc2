import { allows } from '@trellis/contract/core/permissions'
import type { JobRun } from '@trellis/jobs/attempt'
import { FileFault } from '@trellis/table-files/read/byte-source'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { SQL_STATE } from '@trellis/workspace-db/sql-state'
import { AppError } from '../../platform/app-error.ts'
import type { SystemCtx } from '../../platform/ctx.ts'
import { deliverFile, findDelivered } from './deliver-file.ts'
import { type FileWork, type JobWork, type Progress, dropStages, dropUnusedStages, fenceJob } from './job-work.ts'
import { inspectFile } from './pre-process.ts'
import { findUndoReceipt, undoUpload } from './undo-upload.ts'
import {
  type JobRowData,
  saveHeartbeat,
  endJob,
  findFileRow,
  findJobRow,
  findProfileRoles,
  setFile,
} from './uploads.repository.ts'
import { validateFile } from './validate-file.ts'

const HEARTBEAT_MS = 700
const FILE_MISSING = 'The file no longer exists.'
const RIGHT_LOST = 'Whoever started this has no right to load data into the workspace any more.'
const INTERNAL_ERROR = 'Something went wrong on our side. Try again.'

export interface UploadRun extends JobRun {
  readonly heartbeatMs?: number
}

/** A job always ends: done, failed with a message, cancelled, or retried. */
export async function handleUploadJob(ctx: SystemCtx, payload: { job_id: string }, run: UploadRun): Promise<void> {
  const job = await findJobRow(ctx, payload.job_id)
  if (!job || job.status !== 'in_progress') return
  const progress: Progress = { done_bytes: 0, total_bytes: 0, rows: 0, step: 'Starting' }
  const jobWatch = watchJob(ctx, job, { signal: run.signal, progress, heartbeatMs: run.heartbeatMs ?? HEARTBEAT_MS })
  const work = { ctx, job, attempt: run.attempt, signal: jobWatch.signal, progress }
  try {
    await jobWatch.checkIn()
    const loadSummary = await runJob(work)
    await jobWatch.stop()
    if (run.attempt > 1) await dropOldStages(work)
    await endJob(ctx, job.id, { status: 'completed', ...(loadSummary && { load: loadSummary }) })
  } catch (error) {
    await jobWatch.stop()
    if (jobWatch.isCancelled()) return await endStoppedJob(work, run, { status: 'cancelled' })
    if (jobWatch.hasLeft()) return await endStoppedJob(work, run, { status: 'failed', error: RIGHT_LOST })
    const failureMessage = findFailureMessage(error)
    if (failureMessage !== undefined) return await failJob(work, failureMessage)
    // A connection lost after the commit looks like a failure; reporting it would make the user load twice.
    if (run.isLastAttempt && !run.signal.aborted)
      await endStoppedJob(work, run, { status: 'failed', error: INTERNAL_ERROR })
    throw error
  }
}

/** A file that was never read is refused; otherwise it keeps its state. */
async function failJob({ ctx, job }: JobWork, error: string): Promise<void> {
  const file = job.kind === 'pre_process' && job.file_id !== null ? await findFileRow(ctx, job.file_id) : undefined
  if (file && file.profile === null) await setFile(ctx, file.id, { state: 'failed' })
  await endJob(ctx, job.id, { status: 'failed', error })
}

/** A cancellation after the commit is too late. Otherwise the job ends only once nothing of it is left. */
async function endStoppedJob(
  work: JobWork,
  { isLastAttempt }: JobRun,
  end: { status: 'cancelled' } | { status: 'failed'; error: string },
): Promise<void> {
  const rethrowUnlessLast = (error: unknown) => {
    if (!isLastAttempt) throw error
    work.ctx.log.warn({ err: error, job: work.job.id }, 'What a stopped job left is cleared later.')
  }
  await fenceJob(work).catch(rethrowUnlessLast)
  const findCommittedLoad = work.job.kind === 'undo' ? findUndoReceipt : findDelivered
  const loadSummary = await findCommittedLoad(work).catch(rethrowUnlessLast)
  if (!loadSummary) await dropStages(work).catch(rethrowUnlessLast)
  await endJob(work.ctx, work.job.id, loadSummary ? { status: 'completed', load: loadSummary } : end)
}

async function dropOldStages(work: JobWork): Promise<void> {
  await dropUnusedStages(work).catch((error: unknown) => {
    work.ctx.log.warn({ err: error, job: work.job.id }, 'What an earlier try left is cleared later.')
  })
}

async function runJob(work: JobWork): Promise<object | undefined> {
  if (work.job.kind === 'undo') return await undoUpload(work)
  const file = work.job.file_id === null ? undefined : await findFileRow(work.ctx, work.job.file_id)
  if (!file) throw new AppError('not_found', FILE_MISSING)
  work.progress.total_bytes = file.size_bytes
  const fileWork: FileWork = { ...work, file }
  if (work.job.kind === 'deliver') return await deliverFile(fileWork)
  await (work.job.kind === 'validate' ? validateFile(fileWork) : inspectFile(fileWork))
  return undefined
}

/**
 * Saves progress at intervals and aborts `signal` if the job was cancelled, has ended elsewhere, or its starter lost the
 * right to upload.
 */
function watchJob(
  ctx: SystemCtx,
  job: JobRowData,
  { signal, progress, heartbeatMs }: { signal: AbortSignal; progress: Progress; heartbeatMs: number },
) {
  const stopping = new AbortController()
  let isCancelled = false
  let hasLostRight = false
  let pendingCheck: Promise<void> | undefined
  const saveProgressAndCheck = async () => {
    const jobState = await saveHeartbeat(ctx, job.id, progress)
    if (jobState === 'go') hasLostRight = !allows('uploads:write', await findProfileRoles(ctx, job))
    if (jobState === 'go' && !hasLostRight) return
    isCancelled = jobState === 'cancel'
    stopping.abort(new Error('The job is not wanted any more.'))
    if (isCancelled || hasLostRight) throw new Error('The job was stopped.')
  }
  const timer = setInterval(() => {
    pendingCheck ??= saveProgressAndCheck()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) ctx.log.warn({ err: error, job: job.id }, 'A job could not say how far it is.')
      })
      .finally(() => (pendingCheck = undefined))
  }, heartbeatMs)
  return {
    signal: AbortSignal.any([signal, stopping.signal]),
    checkIn: saveProgressAndCheck,
    isCancelled: () => isCancelled,
    hasLeft: () => hasLostRight,
    stop: async () => {
      clearInterval(timer)
      await pendingCheck
      await saveHeartbeat(ctx, job.id, progress).catch(() => undefined)
    },
  }
}

const TOO_WIDE =
  'A row is too wide for a table of Postgres, whose rows have 8 kB. Leave columns out, or keep some of them as JSON.'

/** Transient: retried. */
const RETRYABLE_CODES = new Set(['unavailable', 'busy', 'locked', 'cancelled', 'statement_timeout'])

function findFailureMessage(error: unknown): string | undefined {
  if (error instanceof FileFault) return error.message
  if (error instanceof AppError) return error.code === 'unavailable' ? undefined : error.message
  if (error instanceof WorkspaceDbError) {
    if (RETRYABLE_CODES.has(error.code)) return undefined
    if (error.sqlState === SQL_STATE.PROGRAM_LIMIT_EXCEEDED) return TOO_WIDE
    return /[.!?]$/.test(error.message) ? error.message : `The database refused the rows: ${error.message}.`
  }
  return undefined
}
