/** A normal worker whose work ends at once or after the given milliseconds. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openControlDb } from '@trellis/control-db/database'
import { startRunWorker } from '../apps/server/src/modules/runs/run-worker.service.ts'
import type { Work } from '../apps/server/src/modules/runs/runner/run-work.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { readConfig } from '../apps/server/src/platform/config.ts'
import { createLogger } from '../apps/server/src/platform/logger.ts'
import { openPorts } from '../apps/server/src/platform/open-ports.ts'

const [ms = '0'] = process.argv.slice(2)
const config = readConfig()
const control = openControlDb({ url: config.databaseUrl as string, max: config.databasePool })
const log = createLogger({ level: config.logLevel, role: 'bench' })
const ctx = { db: control.db, clock: systemClock, log, ports: openPorts(config), requestId: 'bench' }
const nothing: Work<never> = async ({ markWorking: working, count, log: say }) => {
  await working()
  if (Number(ms) > 0) await sleep(Number(ms))
  say('INFO', 'One row.')
  count({ rows_written: 1 })
}
startRunWorker({ ctx, url: config.databaseUrl as string, limits: config.runLimits, work: { Transformation: nothing } })
process.on('disconnect', () => process.exit())
process.send?.('ready')
