import { openControlDb } from '@trellis/control-db/database'
import { buildApp } from './http/app.ts'
import { allRoutes } from './modules/all-routes.ts'
import { ensureDemo } from './modules/demo/demo.service.ts'
import { stopLiveAnswers } from './modules/ai/answer/live-answers.ts'
import { stopLiveJobs } from './modules/sql/live-jobs.ts'
import { systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { createLogger } from './platform/logger.ts'
import { watchPool, watchQueues } from './platform/metrics.ts'
import { openPorts } from './platform/open-ports.ts'
import { hasOpenMailbox } from './platform/start-checks/check-mail.ts'
import { findWebFolder } from './platform/start-checks/check-web-app.ts'
import { assertCanStart } from './platform/start-checks/start-checks.ts'
import type { RunningRole } from './supervisor/roles.ts'

export async function runApi(config: Config): Promise<RunningRole> {
  const log = createLogger({ level: config.logLevel, role: 'api' })
  const ports = openPorts(config)
  const control = openControlDb({
    url: config.databaseUrl as string,
    max: config.databasePool,
    name: 'trellis-api',
    isPooled: config.isPooled,
  })
  watchPool('control', control.pool)
  watchQueues(control.pool)
  const system = { db: control.db, clock: systemClock, log, ports, requestId: 'start' }
  try {
    await assertCanStart(config, control, (sentence) => log.warn(sentence))
    const demo = config.isDemo ? await ensureDemo(system) : undefined
    const webFolder = findWebFolder()
    const app = await buildApp({
      routes: allRoutes,
      control,
      ports,
      clock: systemClock,
      log,
      ...(webFolder && { webFolder }),
    })
    await app.listen({ host: config.host, port: config.port })
    return {
      ready: { ...(demo ? { demo } : {}), ...(hasOpenMailbox(config) && { mailboxUrl: mailboxUrl(config) }) },
      stop: async () => {
        await app.close()
        await stopLiveJobs()
        await stopLiveAnswers()
        await ports.cluster.close()
        await control.close()
      },
    }
  } catch (error) {
    await control.close()
    throw error
  }
}

function mailboxUrl(config: Config): string {
  return `${config.publicUrl}/mailbox${config.mailboxToken ? `?token=${config.mailboxToken}` : ''}`
}
