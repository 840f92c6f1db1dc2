import { fastify } from 'fastify'
import { type ControlDb, openControlDb } from '@trellis/control-db/database'
import { runJobs } from '@trellis/jobs/run-jobs'
import { mountHealth } from './http/health.ts'
import { allJobs } from './modules/all-jobs.ts'
import { startRunWorker } from './modules/runs/run-worker.service.ts'
import { systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import type { SystemCtx } from './platform/ctx.ts'
import { createLogger } from './platform/logger.ts'
import { openMail } from './platform/mail/open-mail.ts'
import { observeJob } from './platform/metrics.ts'
import { openPorts } from './platform/open-ports.ts'
import { assertCanStart } from './platform/start-checks/start-checks.ts'
import type { RunningRole } from './supervisor/roles.ts'

export async function runWorker(config: Config): Promise<RunningRole> {
  const log = createLogger({ level: config.logLevel, role: 'worker' })
  const ports = openPorts(config)
  const url = config.databaseDirectUrl as string
  const control = openControlDb({
    url: config.databaseUrl as string,
    max: config.databasePool,
    name: 'trellis-worker',
    isPooled: config.isPooled,
  })
  await assertCanStart(config, control, (sentence) => log.warn(sentence)).catch(async (error: unknown) => {
    await control.close()
    throw error
  })
  const mail = await openMail({ db: control.db, config })
  const runner = await runJobs<SystemCtx>({
    url,
    jobs: [...allJobs, ...mail.jobs],
    ctxFor: (run) => ({
      db: control.db,
      clock: systemClock,
      log: log.child({ job: run.id }),
      ports,
      requestId: run.id,
    }),
    log,
    onSettled: observeJob,
  }).catch(async (error: unknown) => {
    await mail.close()
    await control.close()
    throw error
  })
  const runs = startRunWorker({
    ctx: { db: control.db, clock: systemClock, log: log.child({ part: 'runs' }), ports, requestId: 'runs' },
    url,
    limits: config.runLimits,
  })
  const health = await openHealth(config, control)
  return {
    ready: {},
    stop: async () => {
      await health?.close()
      await Promise.all([runner.stop(), runs.stop()])
      await mail.close()
      await ports.cluster.close()
      await ports.payments.close()
      await control.close()
    },
  }
}

async function openHealth(config: Config, control: ControlDb) {
  if (config.workerPort === undefined) return undefined
  const app = fastify()
  mountHealth(app, { pool: control.pool, config })
  await app.listen({ host: config.host, port: config.workerPort })
  return app
}
