import { openControlDb } from '@trellis/control-db/database'
import { systemClock } from '../../../platform/clock.ts'
import { readConfig } from '../../../platform/config.ts'
import { openCatalogue } from '../../../platform/connectors/catalogue.ts'
import { createLogger } from '../../../platform/logger.ts'
import { openPorts } from '../../../platform/open-ports.ts'
import { openConnection } from '../connections.service.ts'
import { findIntegrationRow } from '../integrations.repository.ts'
import { oauthConnector } from './oauth-platform.ts'

export interface TokenWorkerData {
  readonly settings: Record<string, string>
  readonly hosts: Record<string, string>
  readonly integrationId: number
  readonly isStale: string
  readonly times: number
}

const given = JSON.parse(process.argv[2] ?? '') as TokenWorkerData
const { settings, hosts, integrationId, isStale, times } = given
const config = readConfig(settings)
const ports = { ...openPorts(config), platforms: openCatalogue([oauthConnector(hosts)]) }
const control = openControlDb({ url: config.databaseUrl as string, max: 4, name: 'token-worker' })
const log = createLogger({ level: 'silent', role: 'test' })
const ctx = { db: control.db, clock: systemClock, log, ports, requestId: 'test' }
const row = await findIntegrationRow(ctx, integrationId)
if (!row) throw new Error('The connection is not there.')
process.send?.('ready')
process.once('message', () => {
  const fetchToken = async () => {
    const { context } = await openConnection(ctx, { ...row, is_managed: false }, new AbortController().signal)
    return await context.accessToken({ isStale })
  }
  void Promise.all(Array.from({ length: times }, fetchToken)).then(async (tokens) => {
    process.send?.(tokens)
    await control.close()
    await ports.http.close()
    process.disconnect()
  })
})
