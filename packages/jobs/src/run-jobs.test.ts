import { openControlDb, transaction } from '@trellis/control-db/database'
import { type TestDatabase, createTestDatabase } from '@trellis/control-db/testing'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { GiveUp, type JobRun } from './attempt.ts'
import { type Job, defineJob } from './define-job.ts'
import { enqueue } from './enqueue.ts'
import { listJobs, retryFailedJob } from './stored-jobs.ts'
import { type JobHandler, type JobRunner, type SettledJob, handleJob, runJobs } from './run-jobs.ts'

interface Ctx {
  worker: string
}

const payload = z.object({ id: z.number() })
const quick = { payload, maxAttempts: 3, timeoutSeconds: 20, backoff: { firstSeconds: 1, maxSeconds: 1 } }
const waiting = { timeout: 40_000, interval: 20 }
let database: TestDatabase
let runners: JobRunner[] = []
let lines: { level: string; fields: object; message: string }[] = []

beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.stop()))
  runners = []
  lines = []
})
afterAll(async () => await database.close())

async function start(
  jobs: JobHandler<Ctx>[],
  worker = 'one',
  onSettled?: (settledJob: SettledJob) => void,
): Promise<JobRunner> {
  const log = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message })
  const runner = await runJobs<Ctx>({
    url: database.url,
    jobs,
    ctxFor: () => ({ worker }),
    log: { info: log('info'), warn: log('warn'), error: log('error') },
    ...(onSettled && { onSettled }),
  })
  runners.push(runner)
  return runner
}

async function readStates(job: Job): Promise<{ state: string; retry_count: number }[]> {
  const sql = 'select state, retry_count from jobs.job where name = $1 order by created_on, id'
  return (await database.pool.query(sql, [job.name])).rows
}

test('a handler gets its ctx, its typed payload and its run, and the end is reported', async () => {
  const job = defineJob({ name: 'plain.work', ...quick })
  const seen: { worker: string; id: number; run: JobRun }[] = []
  const settledJobs: SettledJob[] = []
  const entry = handleJob<Ctx, { id: number }>(
    job,
    async ({ worker }, { id }, run) => void seen.push({ worker, id, run }),
  )
  await start([entry], 'one', (end) => settledJobs.push(end))
  const id = await enqueue(database, job, { id: 41 })
  await vi.waitFor(async () => expect(await readStates(job)).toMatchObject([{ state: 'completed' }]), waiting)
  expect(seen).toMatchObject([
    { worker: 'one', id: 41, run: { id, job: 'plain.work', attempt: 1, isLastAttempt: false } },
  ])
  expect(settledJobs).toMatchObject([{ job: 'plain.work', outcome: 'done' }])
})

test('a failing job is tried again and then stays visible with its error, without the fields of the error', async () => {
  const job = defineJob({ name: 'always.fails', ...quick })
  const attempts: number[] = []
  const entry = handleJob<Ctx, { id: number }>(job, async (_ctx, _payload, run) => {
    attempts.push(run.attempt)
    throw Object.assign(new Error('The well is dry.'), { code: 'EDRY', detail: 'canary-secret-1' })
  })
  await start([entry])
  const id = await enqueue(database, job, { id: 1 })
  await vi.waitFor(async () => expect(await readStates(job)).toMatchObject([{ state: 'failed' }]), waiting)
  expect(attempts).toEqual([1, 2, 3])
  const failedJobs = (await listJobs(database, { onlyFailed: true })).filter((other) => other.job === job.name)
  expect(failedJobs).toMatchObject([
    { id, attempts: 3, error: { name: 'Error', message: 'The well is dry.', code: 'EDRY' } },
  ])
  expect(JSON.stringify([failedJobs, lines])).not.toContain('canary-secret-1')
  expect(lines.filter((line) => line.level === 'warn')).toHaveLength(2)
  expect(lines.filter((line) => line.level === 'error')).toMatchObject([
    { message: 'Job failed for good.', fields: { id } },
  ])
  expect(await retryFailedJob(database, { job: job.name, id: id ?? '' })).toBe(true)
  await vi.waitFor(() => expect(attempts).toEqual([1, 2, 3, 4]), waiting)
})

test('giving up ends a job at once', async () => {
  const job = defineJob({ name: 'gives.up', ...quick })
  const attempts: number[] = []
  const entry = handleJob<Ctx, { id: number }>(job, async (_ctx, _payload, run) => {
    attempts.push(run.attempt)
    throw new GiveUp('The address does not exist.')
  })
  await start([entry])
  await enqueue(database, job, { id: 1 })
  await vi.waitFor(async () => expect(await readStates(job)).toMatchObject([{ state: 'failed' }]), waiting)
  expect(attempts).toEqual([1])
})

test('a payload an older version wrote is refused with a reason instead of reaching the handler', async () => {
  const older = defineJob({ name: 'changed.payload', ...quick, payload: z.object({ code: z.string() }) })
  const job = defineJob({ name: 'changed.payload', ...quick })
  const seen: number[] = []
  await enqueue(database, older, { code: 'x' })
  await start([handleJob<Ctx, { id: number }>(job, async (_ctx, { id }) => void seen.push(id))])
  await vi.waitFor(async () => expect(await readStates(job)).toMatchObject([{ state: 'failed' }]), waiting)
  expect(seen).toEqual([])
  const failedJob = (await listJobs(database, { onlyFailed: true })).find((candidate) => candidate.job === job.name)
  expect(failedJob?.error?.message).toMatch(/payload is not valid/)
})

test('an attempt that runs too long has its signal aborted and is tried again', async () => {
  const job = defineJob({ name: 'too.slow', ...quick, timeoutSeconds: 1 })
  const reasons: string[] = []
  const entry = handleJob<Ctx, { id: number }>(job, async (_ctx, _payload, run) => {
    if (run.attempt > 1) return
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve))
    reasons.push((run.signal.reason as Error).message)
    throw new Error('cut short')
  })
  await start([entry])
  await enqueue(database, job, { id: 1 })
  await vi.waitFor(
    async () => expect(await readStates(job)).toMatchObject([{ state: 'completed', retry_count: 1 }]),
    waiting,
  )
  expect(reasons).toEqual(['The attempt ran longer than 1 seconds.'])
})

test('two workers share a backlog and no job runs twice', async () => {
  const job = defineJob({ name: 'shared.backlog', ...quick, concurrency: 4 })
  const runs: number[] = []
  const workers = new Set<string>()
  const both = Promise.withResolvers<void>()
  const entry = handleJob<Ctx, { id: number }>(job, async ({ worker }, { id }) => {
    runs.push(id)
    workers.add(worker)
    if (workers.size === 2) both.resolve()
    // Otherwise one could finish before the other starts.
    await both.promise
  })
  await Promise.all([start([entry], 'one'), start([entry], 'two')])
  await transaction({ db: database.db }, async (ctx) => {
    for (let id = 0; id < 200; id += 1) await enqueue(ctx, job, { id })
  })
  await vi.waitFor(async () => {
    expect((await readStates(job)).filter(({ state }) => state === 'completed')).toHaveLength(200)
  }, waiting)
  expect(runs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, id) => id))
  expect([...workers].toSorted()).toEqual(['one', 'two'])
})

test('a job kept single never runs beside its twin, whoever works', async () => {
  const job = defineJob({ name: 'one.at-a-time', ...quick, concurrency: 3, singleton: 'running' })
  let now = 0
  let most = 0
  const entry = handleJob<Ctx, { id: number }>(job, async () => {
    now += 1
    most = Math.max(most, now)
    await new Promise((resolve) => setTimeout(resolve, 30))
    now -= 1
  })
  for (let id = 0; id < 6; id += 1) await enqueue(database, job, { id }, { singletonKey: 'same' })
  await Promise.all([start([entry], 'one'), start([entry], 'two')])
  await vi.waitFor(async () => {
    expect((await readStates(job)).filter(({ state }) => state === 'completed')).toHaveLength(6)
  }, waiting)
  expect(most).toBe(1)
})

test('stopping lets short work end and puts long work back without costing an attempt', async () => {
  const job = defineJob({ name: 'stop.gently', ...quick, maxAttempts: 1, concurrency: 2 })
  const begun: number[] = []
  const entry = handleJob<Ctx, { id: number }>(job, async (_ctx, { id }, run) => {
    begun.push(id)
    if (id === 1) return await new Promise((resolve) => setTimeout(resolve, 200))
    await new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason)))
  })
  const runner = await start([entry])
  await enqueue(database, job, { id: 1 })
  await enqueue(database, job, { id: 2 })
  await vi.waitFor(() => expect(begun.toSorted()).toEqual([1, 2]), waiting)
  await runner.stop({ graceMs: 1000 })
  expect((await readStates(job)).map(({ state }) => state).toSorted()).toEqual(['completed', 'created'])
  const again = handleJob<Ctx, { id: number }>(job, async (_ctx, { id }) => void begun.push(id))
  await start([again], 'two')
  await vi.waitFor(
    async () => expect((await readStates(job)).every(({ state }) => state === 'completed')).toBe(true),
    waiting,
  )
  expect(begun.toSorted()).toEqual([1, 2, 2])
})

test('a worker whose connections are all cut goes on by itself', async () => {
  const job = defineJob({ name: 'after.cut', ...quick })
  const seen: number[] = []
  await start([handleJob<Ctx, { id: number }>(job, async (_ctx, { id }) => void seen.push(id))])
  await enqueue(database, job, { id: 1 })
  await vi.waitFor(async () => expect(await readStates(job)).toMatchObject([{ state: 'completed' }]), waiting)
  expect(seen).toEqual([1])
  const admin = openControlDb({ url: database.adminUrl, max: 1 })
  const { rowCount } = await admin.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'trellis-worker'",
    [new URL(database.url).pathname.slice(1)],
  )
  await admin.close()
  expect(rowCount).toBeGreaterThan(0)
  await enqueue(database, job, { id: 2 })
  await vi.waitFor(() => expect(seen).toEqual([1, 2]), waiting)
})

test('a schedule follows the definition, also when it is taken away', async () => {
  const none = z.object({})
  const daily = defineJob({
    name: 'by.clock',
    ...quick,
    payload: none,
    cron: { expression: '15 3 * * *', timeZone: 'Europe/Berlin' },
  })
  const schedules = async () =>
    (await database.pool.query("select cron, timezone from jobs.schedule where name = 'by.clock'")).rows
  const first = await start([handleJob<Ctx, object>(daily, async () => undefined)])
  expect(await schedules()).toEqual([{ cron: '15 3 * * *', timezone: 'Europe/Berlin' }])
  await first.stop()
  await start([handleJob<Ctx, object>(defineJob({ name: 'by.clock', ...quick, payload: none }), async () => undefined)])
  expect(await schedules()).toEqual([])
})

test('a queue whose twins rule changed is refused by name', async () => {
  const before = defineJob({ name: 'rule.changed', ...quick })
  await enqueue(database, before, { id: 1 })
  const after = defineJob({ name: 'rule.changed', ...quick, singleton: 'both' })
  await expect(start([handleJob<Ctx, { id: number }>(after, async () => undefined)])).rejects.toThrow(/rule\.changed/)
})

test('one group can not hold all places while another waits', async () => {
  const job = defineJob({ name: 'fair.work', ...quick, concurrency: 3, perGroup: 2 })
  const running: number[] = []
  const open = Promise.withResolvers<void>()
  for (const id of [1, 2, 3, 4]) await enqueue(database, job, { id }, { group: 'greedy' })
  await enqueue(database, job, { id: 10 }, { group: 'patient' })
  const entry = handleJob<Ctx, { id: number }>(job, async (_ctx, { id }) => {
    running.push(id)
    await open.promise
  })
  await start([entry])
  // Concurrent slots may requeue a job, so any two can be first.
  await vi.waitFor(
    () => expect(running.toSorted((a, b) => b - a)).toEqual([10, expect.any(Number), expect.any(Number)]),
    waiting,
  )
  open.resolve()
  await vi.waitFor(() => expect(running).toHaveLength(5), waiting)
})

test('a job in which one group could hold all places is refused', () => {
  expect(() => defineJob({ name: 'unfair.work', ...quick, concurrency: 2, perGroup: 2 })).toThrow(/other groups/)
})
