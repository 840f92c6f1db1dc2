import { PostgresClient, getPreferredAddress } from '@trellis/postgres-client/client'
import { type JobWithMetadata, PgBoss } from 'pg-boss'
import {
  type Handler,
  type JobRun,
  type Outcome,
  WorkerStopping,
  describeError,
  toJobResult,
  runAttempt,
} from './attempt.ts'
import type { Job } from './define-job.ts'
import { SCHEMA, syncQueue } from './queue.ts'

interface JobsLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface JobHandler<Ctx> {
  readonly job: Job
  readonly handler: Handler<Ctx, object>
}

export function handleJob<Ctx, Payload extends object>(
  job: Job<Payload>,
  handler: Handler<Ctx, NoInfer<Payload>>,
): JobHandler<Ctx> {
  return { job, handler: handler as Handler<Ctx, object> }
}

export interface SettledJob {
  job: string
  outcome: Outcome['status']
  seconds: number
}

export interface RunJobsOptions<Ctx> {
  /** A direct connection: LISTEN does not work through a pooler in transaction mode. */
  url: string
  jobs: readonly JobHandler<Ctx>[]
  ctxFor: (run: JobRun) => Ctx | Promise<Ctx>
  log: JobsLog
  onSettled?: (settledJob: SettledJob) => void
  connections?: number
}

export interface JobRunner {
  /** Takes no new jobs, waits `graceMs`, then aborts; interrupted jobs are requeued without costing an attempt. */
  stop(options?: { graceMs?: number }): Promise<void>
}

export async function runJobs<Ctx>(options: RunJobsOptions<Ctx>): Promise<JobRunner> {
  const { url, jobs, log, connections = 4 } = options
  const boss = new PgBoss({
    ...toConnection(url),
    schema: SCHEMA,
    application_name: 'trellis-worker',
    max: connections,
    migrate: false,
    createSchema: false,
    useListenNotify: true,
    supervise: true,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    // Reindexing requires owning the indexes, which the worker's login does not.
    reindex: false,
    schedule: jobs.some(({ job }) => job.cron),
  })
  followPrimary(boss, url)
  boss.on('error', (error) => log.warn({ err: error }, 'The job queue had a problem; it retries.'))
  boss.on('warning', (warning) => log.warn({ warning }, 'The job queue reports a warning.'))
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  try {
    await boss.start()
    for (const { job } of jobs) await syncQueue(boss, job)
    for (const { job } of jobs) await syncSchedule(boss, job)
    for (const entry of jobs) await listen({ ...options, boss, entry, running, stopping: stopping.signal })
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
  return {
    stop: async ({ graceMs = 2000 } = {}) => {
      await Promise.all(jobs.map(({ job }) => boss.offWork(job.name, { wait: false })))
      await waitForSettled(running, graceMs)
      stopping.abort(new WorkerStopping('The worker is stopping.'))
      await Promise.allSettled(running)
      await boss.stop({ graceful: true, timeout: 1000 })
    },
  }
}

const toConnection = (url: string) => ({
  connectionString: getPreferredAddress(url),
  address: url,
  Client: PostgresClient,
})

/**
 * pg-boss opens its LISTEN connection with the driver's client, which tries only one host. A getter instead of a value
 * makes each new connection go to the current primary.
 */
function followPrimary(boss: PgBoss, url: string): void {
  const { config } = boss.getDb() as unknown as { readonly config: object }
  Object.defineProperty(config, 'connectionString', { enumerable: true, get: () => getPreferredAddress(url) })
}

async function syncSchedule(boss: PgBoss, job: Job): Promise<void> {
  if (!job.cron) return await boss.unschedule(job.name)
  await boss.schedule(job.name, job.cron.expression, {}, { tz: job.cron.timeZone, missed: 'once' })
}

interface QueueListenerOptions<Ctx> extends RunJobsOptions<Ctx> {
  boss: PgBoss
  entry: JobHandler<Ctx>
  running: Set<Promise<unknown>>
  stopping: AbortSignal
}

const SLOT_OPTIONS = { batchSize: 1, perJobResults: true, includeMetadata: true } as const

/**
 * A batch would end only with its slowest job. A slot that gets a job wakes the next, so a backlog drains without
 * polling.
 */
async function listen<Ctx>(listening: QueueListenerOptions<Ctx>): Promise<void> {
  const { boss, entry } = listening
  if (entry.job.perGroup !== undefined) return await listenFairly(listening, entry.job.perGroup)
  const places: string[] = []
  for (let index = 0; index < entry.job.concurrency; index += 1) {
    const poll = index === 0 ? 1 : 30
    const settings = {
      ...SLOT_OPTIONS,
      pollingIntervalSeconds: Math.min(poll, 5),
      notifyPollingIntervalSeconds: poll,
    } as const
    const wake = (at: number) => {
      const id = places[at % places.length]
      if (id) boss.notifyWorker(id)
    }
    const id = await boss.work<object, unknown, typeof settings>(
      entry.job.name,
      settings,
      async ([taken]) =>
        await runInSlot(listening, taken, { onTaken: () => wake(index + 1), onDone: () => wake(index) }),
    )
    places.push(id)
  }
}

async function listenFairly<Ctx>(listening: QueueListenerOptions<Ctx>, perGroup: number): Promise<void> {
  const { boss, entry } = listening
  const { name, concurrency } = entry.job
  const settings = {
    ...SLOT_OPTIONS,
    pollingIntervalSeconds: 1,
    notifyPollingIntervalSeconds: 1,
    localConcurrency: concurrency,
    localGroupConcurrency: perGroup,
  } as const
  const wake = () => {
    for (const place of boss.getWipData()) if (place.name === name) boss.notifyWorker(place.id)
  }
  await boss.work<object, unknown, typeof settings>(
    name,
    settings,
    async ([taken]) => await runInSlot(listening, taken, { onTaken: wake, onDone: wake }),
  )
}

async function runInSlot<Ctx>(
  listening: QueueListenerOptions<Ctx>,
  taken: JobWithMetadata | undefined,
  { onTaken, onDone }: { onTaken: () => void; onDone: () => void },
): Promise<ReturnType<typeof toJobResult>[]> {
  if (!taken) return []
  onTaken()
  const work = runJob(listening, taken)
  listening.running.add(work)
  try {
    return [toJobResult(taken.id, await work)]
  } finally {
    listening.running.delete(work)
    onDone()
  }
}

async function runJob<Ctx>(listening: QueueListenerOptions<Ctx>, taken: JobWithMetadata): Promise<Outcome> {
  const { boss, entry, log, ctxFor, stopping, onSettled } = listening
  const started = performance.now()
  const outcome = await runAttempt({ ...entry, taken, ctxFor, stopping })
  const seconds = Math.round(performance.now() - started) / 1000
  const about = { job: entry.job.name, id: taken.id, attempt: taken.retryCount + 1, seconds }
  if (outcome.status === 'done') log.info(about, 'Job done.')
  else if (outcome.status === 'interrupted') {
    await requeue(boss, taken)
    log.info(about, 'Job interrupted because the worker stops; another attempt will follow.')
  } else {
    const willRetry = outcome.status === 'failed' && taken.retryCount < taken.retryLimit
    const message = willRetry ? 'Job failed; it will be tried again.' : 'Job failed for good.'
    const stack = outcome.error instanceof Error ? outcome.error.stack : undefined
    log[willRetry ? 'warn' : 'error']({ ...about, error: { ...describeError(outcome.error), stack } }, message)
  }
  onSettled?.({ job: entry.job.name, outcome: outcome.status, seconds })
  return outcome
}

/** Requeues without counting the attempt, in one transaction so that a crash cannot lose the job. */
async function requeue(boss: PgBoss, taken: JobWithMetadata): Promise<void> {
  const transaction = await boss.getDb().beginTransaction?.()
  if (!transaction) return
  try {
    await boss.cancel(taken.name, taken, { db: transaction.db })
    await boss.resume(taken.name, taken.id, { db: transaction.db })
    await transaction.commit()
  } catch (error) {
    await transaction.rollback()
    throw error
  }
}

async function waitForSettled(running: Set<Promise<unknown>>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([Promise.allSettled(running), late])
  clearTimeout(timer)
}
