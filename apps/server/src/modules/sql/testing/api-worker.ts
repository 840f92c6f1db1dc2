import type { AddressInfo } from 'node:net'
import { openControlDb } from '@trellis/control-db/database'
import { buildApp } from '../../../http/app.ts'
import { allRoutes } from '../../all-routes.ts'
import { systemClock } from '../../../platform/clock.ts'
import { readConfig } from '../../../platform/config.ts'
import { createLogger } from '../../../platform/logger.ts'
import { openPorts } from '../../../platform/open-ports.ts'

const config = readConfig(process.env)
const control = openControlDb({ url: config.databaseUrl as string, max: 4, name: 'trellis-api' })
const log = createLogger({ level: config.logLevel, role: 'api' })
const app = await buildApp({ routes: allRoutes, control, ports: openPorts(config), clock: systemClock, log })
await app.listen({ host: '127.0.0.1', port: 0 })
process.on('disconnect', () => process.exit())
process.send?.(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
