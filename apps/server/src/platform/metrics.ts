import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type pg from 'pg'

const registry = new Registry()

const requests = new Histogram({
  name: 'trellis_http_request_seconds',
  help: 'Time from a request to its answer.',
  labelNames: ['endpoint', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [registry],
})

const jobs = new Histogram({
  name: 'trellis_job_seconds',
  help: 'Time one attempt at a job took.',
  labelNames: ['job', 'outcome'],
  buckets: [0.01, 0.1, 0.5, 1, 5, 30, 120, 600, 3600],
  registers: [registry],
})

/** Labelled by endpoint id: paths would have unbounded cardinality. */
export function observeRequest(request: { endpoint: string; status: number; seconds: number }): void {
  requests.observe({ endpoint: request.endpoint, status: String(request.status) }, request.seconds)
}

export function observeJob(attempt: { job: string; outcome: string; seconds: number }): void {
  jobs.observe({ job: attempt.job, outcome: attempt.outcome }, attempt.seconds)
}

const runStarts = new Histogram({
  name: 'trellis_run_start_seconds',
  help: 'Time from when a run was due until its first attempt began.',
  buckets: [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600],
  registers: [registry],
})

const runEnds = new Counter({
  name: 'trellis_runs_ended_total',
  help: 'Runs of dataflows that ended in this process.',
  labelNames: ['status'],
  registers: [registry],
})

export function observeRunStart(seconds: number): void {
  runStarts.observe(Math.max(0, seconds))
}

export function observeRunEnd(status: string): void {
  runEnds.inc({ status })
}

const pools = new Map<string, pg.Pool>()

/** A second pool of the same name replaces the first. */
export function watchPool(name: string, pool: pg.Pool): void {
  pools.set(name, pool)
}

const connections = new Gauge({
  name: 'trellis_pool_connections',
  help: 'Database connections of this process: in use, idle, and callers waiting for one.',
  labelNames: ['pool', 'state'],
  registers: [registry],
  collect: () => {
    for (const [pool, { totalCount, idleCount, waitingCount }] of pools) {
      connections.set({ pool, state: 'busy' }, totalCount - idleCount)
      connections.set({ pool, state: 'idle' }, idleCount)
      connections.set({ pool, state: 'waiting' }, waitingCount)
    }
  },
})

const clockSkew = new Gauge({
  name: 'trellis_clock_skew_seconds',
  help: 'How far the clock of the database is ahead of this machine. Schedules wait beyond 30 seconds.',
  registers: [registry],
})

export function observeClockSkew(seconds: number): void {
  clockSkew.set(seconds)
}

let queuePool: pg.Pool | undefined

export function watchQueues(pool: pg.Pool): void {
  queuePool = pool
}

const queued = new Gauge({
  name: 'trellis_jobs',
  help: 'Jobs in the queue by state.',
  labelNames: ['job', 'state'],
  registers: [registry],
  collect: async () => {
    if (!queuePool) return
    try {
      const { rows } = await queuePool.query<{
        name: string
        ready: number
        deferred: number
        active: number
        failed: number
      }>(
        `select name, ready_count as ready, deferred_count as deferred, active_count as active, failed_count as failed
         from jobs.queue where name not like '\\_\\_pgboss%'`,
      )
      queued.reset()
      for (const { name, ...states } of rows) {
        for (const [state, count] of Object.entries(states)) queued.set({ job: name, state }, count)
      }
    } catch {
      queued.reset()
    }
  },
})

const openRuns = new Gauge({
  name: 'trellis_runs',
  help: 'Runs of dataflows that have not ended, by status, over all workers.',
  labelNames: ['status'],
  registers: [registry],
  collect: async () => {
    openRuns.reset()
    if (!queuePool) return
    try {
      const { rows } = await queuePool.query<{ status: string; count: number }>(
        `select status, count(*) as count from task_runs
          where status in ('QUEUED', 'SYSTEM_DEQUEUED', 'SYSTEM_BLOCKED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')
          group by status`,
      )
      for (const { status, count } of rows) openRuns.set({ status }, count)
    } catch {}
  },
})

let hasProcessMetrics = false

export async function renderMetrics(): Promise<{ contentType: string; body: string }> {
  if (!hasProcessMetrics) {
    hasProcessMetrics = true
    collectDefaultMetrics({ register: registry })
  }
  return { contentType: registry.contentType, body: await registry.metrics() }
}
