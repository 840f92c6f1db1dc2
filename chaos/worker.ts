import { flushCompileCache } from 'node:module'
import { openControlDb } from '@trellis/control-db/database'
import { startRunWorker } from '../apps/server/src/modules/runs/run-worker.service.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { readConfig } from '../apps/server/src/platform/config.ts'
import { createLogger } from '../apps/server/src/platform/logger.ts'
import { openPorts } from '../apps/server/src/platform/open-ports.ts'

const config = readConfig(process.env)
const control = openControlDb({ url: config.databaseUrl as string, max: 6, name: 'trellis-worker' })
const log = createLogger({ level: config.logLevel, role: 'worker' })
const ctx = { db: control.db, clock: systemClock, log, ports: openPorts(config), requestId: 'chaos' }
startRunWorker({ ctx, url: config.databaseUrl as string, limits: config.runLimits })
flushCompileCache()
process.send?.('ready')
process.on('disconnect', () => process.exit())
