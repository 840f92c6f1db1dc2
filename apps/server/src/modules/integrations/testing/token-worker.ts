import { parentPort, workerData } from 'node:worker_threads'
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

/** A worker process of its own, as far as the modules of the product can tell. */
const { settings, hosts, integrationId, isStale, times } = workerData as TokenWorkerData
const config = readConfig(settings)
const ports = { ...openPorts(config), platforms: openCatalogue([oauthConnector(hosts)]) }
const control = openControlDb({ url: config.databaseUrl as string, max: 4, name: 'token-worker' })
const log = createLogger({ level: 'silent', role: 'test' })
const ctx = { db: control.db, clock: systemClock, log, ports, requestId: 'test' }
const row = await findIntegrationRow(ctx, integrationId)
if (!row) throw new Error('The connection is not there.')
parentPort?.postMessage('ready')
parentPort?.once('message', () => {
  const fetchToken = async () => {
    const { context } = await openConnection(ctx, { ...row, is_managed: false }, new AbortController().signal)
    return await context.accessToken({ isStale })
  }
  void Promise.all(Array.from({ length: times }, fetchToken)).then(async (tokens) => {
    parentPort?.postMessage(tokens)
    await control.close()
    await ports.http.close()
  })
})
