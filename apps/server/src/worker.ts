import { openControlDb } from '@trellis/control-db/database'
import { runJobs } from '@trellis/jobs/run-jobs'
import { allJobs } from './modules/all-jobs.ts'
import { systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import type { SystemCtx } from './platform/ctx.ts'
import { createLogger } from './platform/logger.ts'
import { openMail } from './platform/mail/open-mail.ts'
import { observeJob } from './platform/metrics.ts'
import { openPorts } from './platform/open-ports.ts'
import type { RunningRole } from './supervisor/roles.ts'

export async function runWorker(config: Config): Promise<RunningRole> {
  const log = createLogger({ level: config.logLevel, role: 'worker' })
  const ports = openPorts(config)
  const url = config.databaseUrl as string
  const control = openControlDb({ url, max: config.databasePool, name: 'trellis-worker' })
  const mail = await openMail({ db: control.db, config })
  const runner = await runJobs<SystemCtx>({
    url,
    jobs: [...allJobs, ...mail.jobs],
    ctxFor: (run) => ({ db: control.db, clock: systemClock, log: log.child({ job: run.id }), ports, requestId: run.id }),
    log,
    onSettled: observeJob,
  }).catch(async (error: unknown) => {
    await mail.close()
    await control.close()
    throw error
  })
  return {
    ready: {},
    stop: async () => {
      await runner.stop()
      await mail.close()
      await control.close()
    },
  }
}
