import { type StoredJob, listJobs, retryFailedJob } from '@trellis/jobs/stored-jobs'
import { AdminError, EXIT } from './admin-error.ts'
import type { AdminCommand } from './command.ts'

const MAX_LISTED = 100
const RETRY_BATCH = 500
const UNIQUE_VIOLATION = '23505'

export async function listStoredJobs({ installation, flags, show }: AdminCommand): Promise<number> {
  const jobs = await listJobs(installation.control, { onlyFailed: flags.failed === true, limit: MAX_LISTED + 1 })
  const shownJobs = jobs.slice(0, MAX_LISTED)
  const lines = shownJobs.map(formatJob)
  if (jobs.length > MAX_LISTED) lines.push(`Only the newest ${MAX_LISTED} are listed.`)
  show({ jobs: shownJobs, has_more: jobs.length > MAX_LISTED }, lines.join('\n') || 'No jobs.')
  return EXIT.ok
}

function formatJob({ id, state, job, attempts, createdAt, error }: StoredJob): string {
  const cause = error ? `  ${error.message.split('\n')[0]}` : ''
  return `${id}  ${state.padEnd(8)}${job.padEnd(32)} attempts ${attempts}  ${createdAt.toISOString()}${cause}`
}

export async function retryStoredJobs({ installation, args, flags, show }: AdminCommand): Promise<number> {
  const [id] = args
  if ((id === undefined) === (flags.all !== true)) {
    throw new AdminError('Name one job, or all failed ones with --all. See: trellis admin jobs --help', EXIT.usage)
  }
  const wantedJobs = await findFailed(installation.control, id)
  const retried: string[] = []
  const skipped: string[] = []
  for (const job of wantedJobs) {
    const isRetried = await retry(installation.control, job)
    ;(isRetried ? retried : skipped).push(job.id)
    if (isRetried) {
      await installation.audit({ action: 'jobRetried', outcome: 'done', detail: { job: job.job, job_id: job.id } })
    }
  }
  const rest = skipped.length > 0 ? ` ${skipped.length} left: the same job is queued or running already.` : ''
  show({ retried, skipped }, `${retried.length === 1 ? '1 job' : `${retried.length} jobs`} queued again.${rest}`)
  return id !== undefined && retried.length === 0 ? EXIT.failed : EXIT.ok
}

async function findFailed(ctx: Parameters<typeof listJobs>[0], id: string | undefined): Promise<StoredJob[]> {
  const failedJobs = await listJobs(ctx, { onlyFailed: true, limit: id === undefined ? RETRY_BATCH : undefined, id })
  if (id !== undefined && failedJobs.length === 0) throw new AdminError(`There is no failed job ${id}.`)
  return failedJobs
}

/** A singleton job cannot be requeued next to its duplicate. */
async function retry(ctx: Parameters<typeof listJobs>[0], job: StoredJob): Promise<boolean> {
  try {
    return await retryFailedJob(ctx, job)
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false
    throw error
  }
}
