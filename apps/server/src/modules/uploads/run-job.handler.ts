import { allows } from '@trellis/contract/core/permissions'
import type { JobRun } from '@trellis/jobs/attempt'
import { FileFault } from '@trellis/table-files/read/byte-source'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { AppError } from '../../platform/app-error.ts'
import type { SystemCtx } from '../../platform/ctx.ts'
import { deliverFile, findDelivered } from './deliver-file.ts'
import { type FileWork, type JobWork, type Progress, dropStages, dropUnusedStages, fenceJob } from './job-work.ts'
import { preProcess } from './pre-process.ts'
import { findTakenBack, undoUpload } from './undo-upload.ts'
import {
  type JobRowData,
  saveHeartbeat,
  endJob,
  findFileRow,
  findJobRow,
  findProfileRoles,
  setFile,
} from './uploads.repository.ts'
import { validate } from './validate-file.ts'

const BEAT_MS = 700
const GONE = 'The file no longer exists.'
const LEFT = 'Whoever started this has no right to load data into the workspace any more.'
const BROKEN = 'Something went wrong on our side. Try again.'

export interface UploadRun extends JobRun {
  readonly beatMs?: number
}

/** A job always ends: done, failed with a message, cancelled, or retried. */
export async function handleUploadJob(ctx: SystemCtx, payload: { job_id: string }, run: UploadRun): Promise<void> {
  const job = await findJobRow(ctx, payload.job_id)
  if (!job || job.status !== 'in_progress') return
  const progress: Progress = { done_bytes: 0, total_bytes: 0, rows: 0, step: 'Starting' }
  const watch = watchJob(ctx, job, { signal: run.signal, progress, beatMs: run.beatMs ?? BEAT_MS })
  const work = { ctx, job, attempt: run.attempt, signal: watch.signal, progress }
  try {
    await watch.checkIn()
    const load = await perform(work)
    await watch.stop()
    if (run.attempt > 1) await dropOldStages(work)
    await endJob(ctx, job.id, { status: 'completed', ...(load && { load }) })
  } catch (error) {
    await watch.stop()
    if (watch.isCancelled()) return await endStopped(work, run, { status: 'cancelled' })
    if (watch.hasLeft()) return await endStopped(work, run, { status: 'failed', error: LEFT })
    const sentence = findFailureMessage(error)
    if (sentence !== undefined) return await endRefused(work, sentence)
    // A connection lost after the commit looks like a failure; reporting it would make the user load twice.
    if (run.isLastAttempt && !run.signal.aborted) await endStopped(work, run, { status: 'failed', error: BROKEN })
    throw error
  }
}

/** A file that was never read is refused; otherwise it keeps its state. */
async function endRefused({ ctx, job }: JobWork, error: string): Promise<void> {
  const file = job.kind === 'pre_process' && job.file_id !== null ? await findFileRow(ctx, job.file_id) : undefined
  if (file && file.profile === null) await setFile(ctx, file.id, { state: 'failed' })
  await endJob(ctx, job.id, { status: 'failed', error })
}

/** A cancellation after the commit is too late. Otherwise the job ends only once nothing of it is left. */
async function endStopped(
  work: JobWork,
  { isLastAttempt }: JobRun,
  end: { status: 'cancelled' } | { status: 'failed'; error: string },
): Promise<void> {
  const unlessLast = (error: unknown) => {
    if (!isLastAttempt) throw error
    work.ctx.log.warn({ err: error, job: work.job.id }, 'What a stopped job left is cleared later.')
  }
  await fenceJob(work).catch(unlessLast)
  const find = work.job.kind === 'undo' ? findTakenBack : findDelivered
  const load = await find(work).catch(unlessLast)
  if (!load) await dropStages(work).catch(unlessLast)
  await endJob(work.ctx, work.job.id, load ? { status: 'completed', load } : end)
}

async function dropOldStages(work: JobWork): Promise<void> {
  await dropUnusedStages(work).catch((error: unknown) => {
    work.ctx.log.warn({ err: error, job: work.job.id }, 'What an earlier try left is cleared later.')
  })
}

async function perform(work: JobWork): Promise<object | undefined> {
  if (work.job.kind === 'undo') return await undoUpload(work)
  const file = work.job.file_id === null ? undefined : await findFileRow(work.ctx, work.job.file_id)
  if (!file) throw new AppError('not_found', GONE)
  work.progress.total_bytes = file.size_bytes
  const fileWork: FileWork = { ...work, file }
  if (work.job.kind === 'deliver') return await deliverFile(fileWork)
  await (work.job.kind === 'validate' ? validate(fileWork) : preProcess(fileWork))
  return undefined
}

/** Saves progress and checks for cancellation at intervals. */
function watchJob(
  ctx: SystemCtx,
  job: JobRowData,
  { signal, progress, beatMs }: { signal: AbortSignal; progress: Progress; beatMs: number },
) {
  const cancelled = new AbortController()
  let isCancelled = false
  let hasLeft = false
  let looking: Promise<void> | undefined
  const checkIn = async () => {
    const answer = await saveHeartbeat(ctx, job.id, progress)
    if (answer === 'go') hasLeft = !allows('uploads:write', await findProfileRoles(ctx, job))
    if (answer === 'go' && !hasLeft) return
    isCancelled = answer === 'cancel'
    cancelled.abort(new Error('The job is not wanted any more.'))
    if (isCancelled || hasLeft) throw new Error('The job was stopped.')
  }
  const timer = setInterval(() => {
    looking ??= checkIn()
      .catch((error: unknown) => {
        if (!cancelled.signal.aborted) ctx.log.warn({ err: error, job: job.id }, 'A job could not say how far it is.')
      })
      .finally(() => (looking = undefined))
  }, beatMs)
  return {
    signal: AbortSignal.any([signal, cancelled.signal]),
    checkIn,
    isCancelled: () => isCancelled,
    hasLeft: () => hasLeft,
    stop: async () => {
      clearInterval(timer)
      await looking
      await saveHeartbeat(ctx, job.id, progress).catch(() => undefined)
    },
  }
}

const ROW_TOO_WIDE = '54000'
const TOO_WIDE =
  'A row is too wide for a table of Postgres, whose rows have 8 kB. Leave columns out, or keep some of them as JSON.'

/** Transient: retried. */
const PASSING = new Set(['unavailable', 'busy', 'locked', 'cancelled', 'statement_timeout'])

function findFailureMessage(error: unknown): string | undefined {
  if (error instanceof FileFault) return error.message
  if (error instanceof AppError) return error.code === 'unavailable' ? undefined : error.message
  if (error instanceof WorkspaceDbError) {
    if (PASSING.has(error.code)) return undefined
    if (error.sqlState === ROW_TOO_WIDE) return TOO_WIDE
    return /[.!?]$/.test(error.message) ? error.message : `The database refused the rows: ${error.message}.`
  }
  return undefined
}
