import { flushCompileCache } from 'node:module'
import { openControlDb } from '@trellis/control-db/database'
import { startRunWorker } from '../modules/runs/run-worker.service.ts'
import type { Work } from '../modules/runs/runner/run-work.ts'
import { systemClock } from '../platform/clock.ts'
import { readConfig } from '../platform/config.ts'
import { createLogger } from '../platform/logger.ts'
import { openPorts } from '../platform/open-ports.ts'

/** Its work takes the given time, or is the product's own; the test kills it. */
const [ms = '0'] = process.argv.slice(2)
const config = readConfig(process.env)
const url = config.databaseUrl as string
const control = openControlDb({ url, max: 6, name: 'trellis-worker' })
const log = createLogger({ level: config.logLevel, role: 'worker' })
const sleeping: Work<never> = async ({ markWorking: working, count }) => {
  await working()
  await new Promise((resolve) => setTimeout(resolve, Number(ms)))
  count({ rows_written: 1 })
}
startRunWorker({
  ctx: { db: control.db, clock: systemClock, log, ports: openPorts(config), requestId: 'test' },
  url,
  ...(ms === 'real'
    ? { limits: config.runLimits }
    : {
        limits: { total: 4, perWorkspace: 100, perCredential: 100, sessionsPerWorkspace: 50 },
        work: { Transformation: sleeping },
      }),
})
// A killed process would not write the compile cache.
flushCompileCache()
process.send?.('ready')
